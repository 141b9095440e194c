"""Addresses of object stores, as operators write them: `s3://bucket/prefix?endpoint=https://…`.

Credentials are never part of an address: they come from the environment variables that each kind
of store has (`AWS_ACCESS_KEY_ID`, `GOOGLE_APPLICATION_CREDENTIALS`, `AZURE_STORAGE_ACCOUNT_KEY`).
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from obstore.exceptions import BaseError
from obstore.store import AzureStore, GCSStore, ObjectStore, S3Store

from podium.errors import NotConfigured
from podium.errors.spelling import did_you_mean

EXAMPLES = (
    "s3://bucket/prefix, s3://bucket?endpoint=https://s3.example&region=eu-1, gs://bucket/prefix or"
    " az://container/prefix"
)

CREDENTIALS = {
    "s3": ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"),
    "gs": ("GOOGLE_APPLICATION_CREDENTIALS",),
    "az": ("AZURE_STORAGE_ACCOUNT_NAME", "AZURE_STORAGE_ACCOUNT_KEY"),
}
"""The variables of each kind of store that credentials are usually given in."""

PATIENCE_SECONDS = 30.0
"""Seconds without an answer after which a store has failed."""


def open_store(
    address: str, *, name: str, patience_seconds: float = PATIENCE_SECONDS
) -> ObjectStore:
    """The store of an address; nothing is sent yet. `name` is the setting's, for the error.

    Raises `NotConfigured`.
    """
    parts = urlsplit(address)
    options: dict[str, Any] = dict(parse_qsl(parts.query, keep_blank_values=True))
    if parts.scheme not in _KNOWN or not parts.netloc or "@" in parts.netloc or parts.fragment:
        shown = re.sub(r"(?<=://).*@", "…@", address)
        raise NotConfigured(
            f"{name} is {shown!r}: set it to an address like {EXAMPLES}. Credentials are given in"
            " variables of their own, such as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
        )
    unknown = set(options) - _KNOWN[parts.scheme]
    if unknown:
        problems = " ".join(_no_option(option, parts.scheme) for option in sorted(unknown))
        raise NotConfigured(f"{name}: {problems}")
    if not options.get("endpoint", "https://").startswith(("http://", "https://")):
        raise NotConfigured(f"{name}: an endpoint begins with https:// or http://.")
    common = _patience(patience_seconds, allow_http=options.get("endpoint", "")[:5] == "http:")
    common["prefix"] = parts.path.strip("/") or None
    try:
        if parts.scheme == "s3":
            return S3Store(parts.netloc, **common, **_s3(options))
        if parts.scheme == "gs":
            return GCSStore(parts.netloc, **common)
        return AzureStore(parts.netloc, **common, **options)
    except (BaseError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        variables = " and ".join(CREDENTIALS[parts.scheme])
        raise NotConfigured(
            f"{name}: this store cannot be used: {reason}. Credentials are given in {variables}."
        ) from error


def _no_option(given: str, scheme: str) -> str:
    known = sorted(_KNOWN[scheme])
    options = f"options are {', '.join(known)}" if known else "it takes none"
    message = f"{given} is not an option of {scheme}; {options}."
    return " ".join(filter(None, (message, did_you_mean(given, known))))


def _s3(options: dict[str, Any]) -> dict[str, Any]:
    given: dict[str, Any] = {
        key: value for key, value in options.items() if key in ("endpoint", "region")
    }
    if options.get("addressing") == "virtual":
        given["virtual_hosted_style_request"] = True
    return given


def _patience(seconds: float, *, allow_http: bool) -> dict[str, Any]:
    return {
        "client_options": {
            "allow_http": allow_http,
            "connect_timeout": timedelta(seconds=min(5.0, seconds)),
            "read_timeout": timedelta(seconds=seconds),
            # Of a request as a whole: a part of an upload, or all of a download.
            "timeout": timedelta(seconds=120 * seconds),
        },
        "retry_config": {"max_retries": 4, "retry_timeout": timedelta(seconds=seconds)},
    }


_KNOWN = {
    "s3": {"endpoint", "region", "addressing"},
    "gs": set[str](),
    "az": {"endpoint", "account_name"},
}
