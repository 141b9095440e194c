"""The client's configuration, server and token: from the environment, then from the file that
`podium login` writes.

`PODIUM_URL`, `PODIUM_TOKEN` and `PODIUM_COMPETITION` override the file. Each profile, for example
one for each server, has a file of its own; `PODIUM_PROFILE` or `podium --profile` chooses it.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import asdict, dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from podium.cli.outcome import complain
from podium.cli.parameters.patience import seconds_of, timeout_given
from podium.errors import NotConfigured

if TYPE_CHECKING:
    from podium.client import Organizer, Podium

LOCAL = "http://127.0.0.1:8000"

PROFILE = "PODIUM_PROFILE"

WITHOUT = "Without a stored login, set PODIUM_URL and PODIUM_TOKEN."


NEAR = (".localhost", ".local", ".internal", ".test")
"""Suffixes of names that cannot be registered: RFC 6761, RFC 6762, and ICANN for `internal`."""


@dataclass(frozen=True)
class Configuration:
    """The configuration of a participant's commands."""

    url: str = LOCAL
    token: str | None = None
    competition: str | None = None
    token_id: str | None = None
    """The id of the token, if signing in by password has created it; `podium logout` then revokes
    it."""


def configuration() -> Configuration:
    """Returns the configuration in force. A stored token is used only at the address for which it
    was stored."""
    stored = stored_login()
    given = os.environ.get("PODIUM_URL")
    url = origin_of(given, name="PODIUM_URL") if given else stored.url
    token = stored.token if url == stored.url else None
    if (of_environment := os.environ.get("PODIUM_TOKEN")) is not None:
        token = token_of(of_environment, name="PODIUM_TOKEN")
    return Configuration(
        url=url,
        token=token,
        competition=os.environ.get("PODIUM_COMPETITION", stored.competition),
    )


def _require_profile() -> None:
    """Raises `NotConfigured` for a profile without a login. Commands that create it, and advice
    about their errors, do not call this."""
    profile = os.environ.get(PROFILE)
    if profile and not os.environ.get("PODIUM_URL") and not login_path().exists():
        raise NotConfigured(
            f"There is no profile {profile}. `podium --profile {profile} login ADDRESS` makes it."
        )


def is_address_default() -> bool:
    """True if neither the environment nor a login names a server."""
    return not os.environ.get("PODIUM_URL") and not login_path().exists()


def origin_of(given: str, *, name: str) -> str:
    """Returns the address of a server, given the address of any of its pages. Raises
    `NotConfigured` for anything else; `name` says where the address came from."""
    parts = urlsplit(given.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise NotConfigured(
            f"{name} is {given!r}: give an address like https://podium.example, with https:// or"
            " http:// before the name."
        )
    return f"{parts.scheme}://{parts.netloc}"


def sign_in_at(address: str) -> str:
    """Returns the command that stores a login for an address, with the profile in use."""
    profile = os.environ.get(PROFILE)
    return f"podium --profile {profile} login {address}" if profile else f"podium login {address}"


def token_of(given: str, *, name: str) -> str:
    """Returns the token if a request can carry it. Raises `NotConfigured` otherwise; `name` says
    where it came from."""
    if not (given.isascii() and given.isprintable()):
        raise NotConfigured(
            f"{name} has characters that no token has. Copy the token again, without anything"
            " around it."
        )
    return given


def connect() -> Podium:
    """Returns a client for the configured server."""
    _require_profile()
    here = configuration()
    warn_of_plain_http(here.url)
    return client(here.url, here.token)


def connect_as_organizer() -> Organizer:
    """Returns an organizer's client for the configured server."""
    from podium.client import Organizer

    _require_profile()
    here = configuration()
    warn_of_plain_http(here.url)
    return Organizer(here.url, here.token, **_waiting())


def client(url: str, token: str | None = None) -> Podium:
    """Returns a client for a server, with the waits that `--timeout` sets."""
    from podium.client import Podium

    return Podium(url, token, **_waiting())


def _waiting() -> dict[str, Any]:
    """Returns the arguments of a client that are about waiting for the server."""
    from podium.client.connection import SLOW_SECONDS

    slow = seconds_of("PODIUM_SLOW_SECONDS", SLOW_SECONDS)
    return {"timeout": timeout_given(), "on_slow": complain, "slow_seconds": slow}


def competition_named(given: str | None) -> str:
    """Returns the slug of the competition that a command is about: the given one, or the configured
    one."""
    slug = given or configuration().competition
    if not slug:
        raise NotConfigured(
            "Which competition? Name it, as `podium competitions list` shows it, or set"
            " PODIUM_COMPETITION."
        )
    return slug


def slug_of(given: str | None) -> str | None:
    """Returns the slug, given a slug or the address of any page of a competition; a callback of
    arguments and options. Raises `NotConfigured` for another address, and for one on a server that
    commands do not use."""
    if given is None or "://" not in given:
        return given
    slug, here = competition_in(given), configuration().url
    if slug is None:
        raise NotConfigured(f"{given} is not a page of a competition. Give the slug of one.")
    if origin_of(given, name="The address") != here:
        raise NotConfigured(
            f"{given} is at another server than {here}. `{sign_in_at(given)}` signs in there."
        )
    return slug


def competition_in(address: str) -> str | None:
    """Returns the slug in the address of a competition's page; None for any other address."""
    found = re.match(r"/(?:competitions|organize)/([^/]+)", urlsplit(address).path)
    return found[1] if found else None


def warn_of_plain_http(url: str) -> None:
    """Warns that the traffic can be read on the way, if it leaves this network unencrypted."""
    parts = urlsplit(url)
    if parts.scheme == "http" and parts.hostname and not _is_near(parts.hostname):
        complain(
            f"Warning: {url} is plain HTTP, so others can read your token and your files on the"
            " way. Use https:// if the server has it."
        )


def _is_near(host: str) -> bool:
    """True if a host is this machine or in a private network, judging by its name."""
    try:
        return not ip_address(host).is_global
    except ValueError:
        return "." not in host or host.endswith(NEAR)


def login_path() -> Path:
    """Returns the file of the profile in use. Raises `NotConfigured` for an invalid name."""
    from platformdirs import user_config_path

    profile = os.environ.get(PROFILE)
    if not profile:
        return user_config_path("podium") / "login.json"
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", profile):
        raise NotConfigured("The name of a profile is letters, digits, - and _.")
    return profiles_folder() / f"{profile}.json"


def profiles_folder() -> Path:
    """Returns the folder of the stored logins that have names."""
    from platformdirs import user_config_path

    return user_config_path("podium") / "profiles"


def stored_login() -> Configuration:
    """Reads the login of the profile in use; an empty one if there is none."""
    try:
        return Configuration(**json.loads(login_path().read_text()))
    except FileNotFoundError:
        return Configuration()
    except (OSError, ValueError, TypeError) as failure:
        if os.environ.get("PODIUM_URL") and os.environ.get("PODIUM_TOKEN"):
            return Configuration()
        if isinstance(failure, OSError):
            text = f"{login_path()} cannot be read: {failure.strerror}. {WITHOUT}"
        else:
            text = f"{login_path()} cannot be read ({failure}). Run `{sign_in_at('ADDRESS')}`."
        raise NotConfigured(text) from None


def store_login(here: Configuration) -> None:
    """Writes the file of the profile in use. Raises `NotConfigured` if that is impossible."""
    path = login_path()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        partial = path.with_suffix(".part")
        partial.unlink(missing_ok=True)
        write_private(partial, json.dumps(asdict(here)))
        partial.replace(path)
    except OSError as failure:
        raise NotConfigured(
            f"The login cannot be stored in {path.parent}: {failure.strerror}. {WITHOUT}"
        ) from None


def write_private(path: Path, text: str) -> None:
    """Creates a file with its final mode, so that no other user can ever read it."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as sink:
        sink.write(text)
