"""The client's configuration, server and token: from the environment, then from the file that
`podium login` writes.

`PODIUM_URL`, `PODIUM_TOKEN` and `PODIUM_COMPETITION` override the file. Each profile, for example
one for each server, has a file of its own; `PODIUM_PROFILE` or `podium --profile` chooses it.
"""

from __future__ import annotations

import json
import os
import re
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

import typer

from podium import __version__
from podium.cli.completing import profiles
from podium.cli.outcome import complain
from podium.cli.patience import seconds_of, timeout_given
from podium.cli.printing import AsJson, print_facts, print_json
from podium.errors import NotAuthenticated, NotConfigured, NotFound, PodiumError

if TYPE_CHECKING:
    from podium.client import Organizer, Podium

LOCAL = "http://127.0.0.1:8000"

PROFILE = "PODIUM_PROFILE"

WITHOUT = "Without a stored login, set PODIUM_URL and PODIUM_TOKEN."

NEAR = (".localhost", ".local", ".internal", ".test")
"""Endings of names that cannot be registered: RFC 6761, RFC 6762, and ICANN for `internal`."""


@dataclass(frozen=True)
class Configuration:
    """The configuration of a participant's commands."""

    url: str = LOCAL
    token: str | None = None
    competition: str | None = None
    token_id: str | None = None
    """The id of a token that signing in by a password has made; it ends with `podium logout`."""


def configuration() -> Configuration:
    """The configuration in force. A stored token is used at the address it was stored for only."""
    stored = _stored()
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
    """Raises `NotConfigured` for a profile that no login has made; commands that make it, and
    advice about their errors, do without."""
    profile = os.environ.get(PROFILE)
    if profile and not os.environ.get("PODIUM_URL") and not _path().exists():
        raise NotConfigured(
            f"There is no profile {profile}. `podium --profile {profile} login ADDRESS` makes it."
        )


def is_address_default() -> bool:
    """True if no server is named, neither in the environment nor by a login."""
    return not os.environ.get("PODIUM_URL") and not _path().exists()


def origin_of(given: str, *, name: str) -> str:
    """The address of a server, of which every page's address may be given. Raises `NotConfigured`
    for anything else; `name` says where it came from."""
    parts = urlsplit(given.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise NotConfigured(
            f"{name} is {given!r}: give an address like https://podium.example, with https:// or"
            " http:// before the name."
        )
    return f"{parts.scheme}://{parts.netloc}"


def sign_in_at(address: str) -> str:
    """The command that stores a login for an address, with the profile that is in use."""
    profile = os.environ.get(PROFILE)
    return f"podium --profile {profile} login {address}" if profile else f"podium login {address}"


def token_of(given: str, *, name: str) -> str:
    """A token that a request can carry. Raises `NotConfigured` for any other text; `name` says
    where it came from."""
    if not (given.isascii() and given.isprintable()):
        raise NotConfigured(
            f"{name} has characters that no token has. Copy the token again, without anything"
            " around it."
        )
    return given


def connect() -> Podium:
    """A client for the configured server."""
    _require_profile()
    here = configuration()
    _warn_of_plain_http(here.url)
    return client(here.url, here.token)


def connect_as_organizer() -> Organizer:
    """The same for commands of organizers."""
    from podium.client import Organizer

    _require_profile()
    here = configuration()
    _warn_of_plain_http(here.url)
    return Organizer(here.url, here.token, **_waiting())


def client(url: str, token: str | None = None) -> Podium:
    """A client for a server, as patient as the command's `--timeout`."""
    from podium.client import Podium

    return Podium(url, token, **_waiting())


def _waiting() -> dict[str, Any]:
    """The arguments of a client that are about waiting for the server."""
    from podium.client.connection import SLOW_SECONDS

    slow = seconds_of("PODIUM_SLOW_SECONDS", SLOW_SECONDS)
    return {"timeout": timeout_given(), "on_slow": complain, "slow_seconds": slow}


def competition_named(given: str | None) -> str:
    """The slug of the competition that a command is about: the one given, or the configured one."""
    slug = given or configuration().competition
    if not slug:
        raise NotConfigured(
            "Which competition? Name it, as `podium competitions list` shows it, or set"
            " PODIUM_COMPETITION."
        )
    return slug


def slug_of(given: str | None) -> str | None:
    """The slug, for which the address of any page of a competition may be given: a callback of
    arguments and options. Raises `NotConfigured` for another address, and for one of a server that
    commands do not use."""
    if given is None or "://" not in given:
        return given
    slug, here = _competition_in(given), configuration().url
    if slug is None:
        raise NotConfigured(f"{given} is no page of a competition. Give the slug of one.")
    if origin_of(given, name="The address") != here:
        raise NotConfigured(
            f"{given} is at another server than {here}. `{sign_in_at(given)}` signs in there."
        )
    return slug


def _tell_version(is_asked: bool) -> None:
    if is_asked:
        print(f"podium {__version__}")
        raise typer.Exit


def choose_profile(
    profile: Annotated[
        str | None,
        typer.Option(
            "--profile",
            envvar=PROFILE,
            help="Stored login to use, or to store.",
            autocompletion=profiles,
        ),
    ] = None,
    version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=_tell_version, help="Show the version."),
    ] = False,
) -> None:
    """A self-hosted competition scorer for recommender systems."""
    if profile is not None:
        # The environment is where every command looks, so the option needs no second way there.
        os.environ[PROFILE] = profile


def login(
    url: Annotated[
        str,
        typer.Argument(
            envvar="PODIUM_URL", help="Address of the server, or of a competition's page there."
        ),
    ] = LOCAL,
    competition: Annotated[
        str | None, typer.Option("--competition", "-c", help="Competition to use by default.")
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", "-n", help="Sign in with this name and a password.")
    ] = None,
) -> None:
    """Sign in: store the server's address and your token, after trying them out."""
    competition = competition or _competition_in(url)
    url = origin_of(url, name="The address")
    _warn_of_plain_http(url)
    _require_answer(url)
    if name is None:
        token = token_of(_secret("Token").strip(), name="What was given")
        if not token:
            raise NotConfigured("No token was given. An organizer or your account page has one.")
    else:
        with client(url) as podium:
            token = podium.sign_in(name, _secret("Password").rstrip("\r\n"))["token"]
    with client(url, token) as podium:
        account = _account(podium, url)
        token_id = None if name is None else _made_by_signing_in(podium)
        if competition is not None:
            _require_competition(podium, competition, url)
    replaced = _told_replaced(url, account)
    _store(Configuration(url, token, competition, token_id))
    complain(f"Signed in at {url} as {account}.")
    if replaced is not None:
        complain(f"{replaced} `podium --profile NAME login ADDRESS` keeps another one beside it.")


def _require_answer(url: str) -> None:
    """Raises `Unavailable` where no server answers, before a person types a secret."""
    with suppress(NotAuthenticated), client(url) as podium:
        podium.me()


def _told_replaced(url: str, account: str) -> str | None:
    """A sentence about the stored login that another one replaces; None where there is none, or it
    is the same account's, or not valid any more."""
    with suppress(PodiumError):
        before = _stored()
        if before.token is None:
            return None
        if before.url != url:
            return f"Replaces the login at {before.url}."
        with client(url, before.token) as podium:
            name = podium.me()["name"]
        return None if name == account else f"Replaces the login of {name}."
    return None


def _competition_in(address: str) -> str | None:
    """The slug in the address of a competition's page."""
    found = re.match(r"/(?:competitions|organize)/([^/]+)", urlsplit(address).path)
    return found[1] if found else None


def _require_competition(podium: Podium, slug: str, url: str) -> None:
    try:
        podium.competition(slug)
    except NotFound:
        raise NotFound(
            f"There is no competition {slug} at {url}, or you may not see it. Nothing was stored."
            f" `{sign_in_at(url)}` signs in without one."
        ) from None


def _account(podium: Podium, url: str) -> str:
    try:
        return str(podium.me()["name"])
    except NotAuthenticated:
        raise NotAuthenticated(
            f"{url} does not accept this token: it is unknown, has expired or was revoked. Nothing"
            " was stored. Copy the token again, or sign in with --name."
        ) from None


def _made_by_signing_in(podium: Podium) -> str | None:
    """The id of the newest token that a password has made; ids grow with time."""
    made = [token["id"] for token in podium.tokens() if token["label"] == "sign-in"]
    return max(made, default=None)


def logout() -> None:
    """Sign out: remove the stored login from this computer.

    A token that `podium login --name` has made is revoked. One that you pasted is not: your account
    page revokes it.
    """
    stored, path = _stored(), _path()
    if stored.token is None:
        complain("You are not signed in.")
    else:
        path.unlink()
        complain(f"Signed out of {stored.url}. {_revoked(stored)}")
    if os.environ.get("PODIUM_TOKEN"):
        complain("PODIUM_TOKEN is set: commands use its token as before.")


def _revoked(stored: Configuration) -> str:
    page = f"{stored.url}/account"
    if stored.token_id is None:
        return f"The token itself was not revoked: {page} does that if you do not need it."
    try:
        with client(stored.url, stored.token) as podium:
            podium.revoke_token(stored.token_id)
    except NotAuthenticated:
        return "Its token was not valid any more."
    except PodiumError as error:
        return f"The token could not be revoked ({error.detail.rstrip('.')}): do it at {page}."
    return "Its token was revoked."


def whoami(as_json: AsJson = False) -> None:
    """Show which server and which account commands use."""
    here = configuration()
    with connect() as podium:
        account = podium.me()
    if as_json:
        print_json({"url": here.url, "competition": here.competition, "account": account})
        return
    print_facts({"server": here.url, "account": account["name"], "competition": here.competition})


def _warn_of_plain_http(url: str) -> None:
    """Says that what is sent can be read on the way, where it leaves this network."""
    parts = urlsplit(url)
    if parts.scheme == "http" and parts.hostname and not _is_near(parts.hostname):
        complain(
            f"Warning: {url} is plain HTTP, so others can read your token and your files on the"
            " way. Use https:// if the server has it."
        )


def _is_near(host: str) -> bool:
    """True if a host is this machine or stands in a private network, as far as its name says."""
    try:
        return not ip_address(host).is_global
    except ValueError:
        return "." not in host or host.endswith(NEAR)


def _secret(what: str) -> str:
    """Typed without an echo, or the first line of standard input."""
    if sys.stdin.isatty():
        typed: str = typer.prompt(what, hide_input=True, err=True)
        return typed
    return sys.stdin.readline()


def _path() -> Path:
    from platformdirs import user_config_path

    profile = os.environ.get(PROFILE)
    if not profile:
        return user_config_path("podium") / "login.json"
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", profile):
        raise NotConfigured("The name of a profile is letters, digits, - and _.")
    return profiles_folder() / f"{profile}.json"


def profiles_folder() -> Path:
    """The folder of the stored logins that have names."""
    from platformdirs import user_config_path

    return user_config_path("podium") / "profiles"


def _stored() -> Configuration:
    try:
        return Configuration(**json.loads(_path().read_text()))
    except FileNotFoundError:
        return Configuration()
    except (OSError, ValueError, TypeError) as failure:
        if os.environ.get("PODIUM_URL") and os.environ.get("PODIUM_TOKEN"):
            return Configuration()
        if isinstance(failure, OSError):
            told = f"{_path()} cannot be read: {failure.strerror}. {WITHOUT}"
        else:
            told = f"{_path()} cannot be read ({failure}). Run `{sign_in_at('ADDRESS')}`."
        raise NotConfigured(told) from None


def _store(here: Configuration) -> None:
    path = _path()
    try:
        _write(path, here)
    except OSError as failure:
        raise NotConfigured(
            f"The login cannot be stored in {path.parent}: {failure.strerror}. {WITHOUT}"
        ) from None


def _write(path: Path, here: Configuration) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # The file is created with its final mode: at no moment can another user read the token.
    partial = path.with_suffix(".part")
    partial.unlink(missing_ok=True)
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as sink:
        json.dump(asdict(here), sink)
    partial.replace(path)
