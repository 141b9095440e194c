"""Tries a bucket before a process begins to use it, so that one that is not there, or refuses our
credentials, ends the start with a sentence instead of the first upload with an error."""

from __future__ import annotations

import os
import re

import obstore
from obstore.exceptions import BaseError, PermissionDeniedError, UnauthenticatedError

from podium.errors import Unavailable
from podium.storage.addresses import CREDENTIALS, open_store
from podium.storage.objects import CHECK

SECONDS = 5.0
"""Seconds without an answer after which a bucket counts as unreachable."""

OTHER_SOURCES = re.compile(
    r"AWS_(WEB_IDENTITY_TOKEN_FILE|CONTAINER_CREDENTIALS_\w+|ACCESS_KEY|SECRET_KEY)"
    r"|GOOGLE_(SERVICE_\w+|APPLICATION_\w+)|AZURE_(STORAGE_\w*(KEY|TOKEN)|CLIENT_\w+|FEDERATED\w+)"
)
"""Other variables that the clients take credentials from."""

CODE = re.compile(r"<Code>(\w+)</Code>")
"""The reason in a refusal of a store that speaks S3, or of Azure."""

REASON = re.compile(r'(?:message|error): "([^"]+)"')
"""The words of the system about a connection, in the client's description of an error."""

TIMEOUT = re.compile(r"timed out|TimedOut|Timeout")


def try_bucket(address: str, *, name: str) -> None:
    """Writes a small object and looks at it, as the readiness check does; takes a few seconds at
    most. `name` is the setting's.

    Raises `Unavailable` with what is wrong and what to do, `NotConfigured` for a wrong address.
    """
    store = open_store(address, name=name, patience_seconds=SECONDS)
    try:
        obstore.put(store, CHECK, b"The storage works.\n")
        obstore.head(store, CHECK)
    except (BaseError, OSError) as error:
        message = f"The bucket {address} cannot be used: {reason_of_bucket(error, address, name)}"
        raise Unavailable(message) from error


def reason_of_bucket(error: Exception, address: str, name: str, *, seconds: float = SECONDS) -> str:
    """The reason why a bucket failed, and what to do about it, as the end of a sentence. `name` is
    that of the setting or option, and `seconds` are those that an answer was waited for."""
    text = str(error)
    kind = address.partition("://")[0]
    variables = " and ".join(CREDENTIALS[kind])
    if isinstance(error, FileNotFoundError):
        return f"the store has no such bucket. Make it, or correct {name}."
    missing = [variable for variable in CREDENTIALS[kind] if not os.environ.get(variable)]
    if missing and not any(map(OTHER_SOURCES.fullmatch, set(os.environ) - set(CREDENTIALS[kind]))):
        are_not = "are not set" if len(missing) > 1 else "is not set"
        return f"{' and '.join(missing)} {are_not}. Set {variables}, or correct {name}."
    if isinstance(error, (PermissionDeniedError, UnauthenticatedError)):
        code = CODE.search(text)
        refusal = f"the store refuses the credentials{f' ({code[1]})' if code else ''}"
        return f"{refusal}. Correct {variables}, and see that they may write to this bucket."
    return f"{_of_connection(text, seconds)}. See that it is there, or correct {name}."


def _of_connection(text: str, seconds: float) -> str:
    found = REASON.findall(text)
    if TIMEOUT.search(text):
        return f"no answer within {seconds:.0f} s"
    first = text.partition("\n")[0].rpartition(" - ")[2]
    return str(found[-1] if found else first).rstrip(".: ")
