"""Authentication at the command line: `podium login`, `podium logout` and `podium whoami`."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from podium.cli.configuration import (
    LOCAL,
    Configuration,
    client,
    competition_in,
    configuration,
    connect,
    login_path,
    origin_of,
    sign_in_at,
    store_login,
    stored_login,
    token_of,
    warn_of_plain_http,
)
from podium.cli.outcome import complain
from podium.cli.printing import AsJson, print_outcome
from podium.errors import NotAuthenticated, NotConfigured, NotFound, PodiumError

if TYPE_CHECKING:
    from podium.client import Podium


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
    competition = competition or competition_in(url)
    url = origin_of(url, name="The address")
    warn_of_plain_http(url)
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
        token_id = None if name is None else _newest_sign_in(podium)
        if competition is not None:
            _require_competition(podium, competition, url)
    replaced = _replaced_login(url, account)
    store_login(Configuration(url, token, competition, token_id))
    complain(f"Signed in at {url} as {account}.")
    if replaced is not None:
        complain(f"{replaced} `podium --profile NAME login ADDRESS` keeps another one beside it.")


def _require_answer(url: str) -> None:
    """Raises `Unavailable` if no server answers, before a person types a secret."""
    with suppress(NotAuthenticated), client(url) as podium:
        podium.me()


def _replaced_login(url: str, account: str) -> str | None:
    """Returns a sentence about the stored login that is being replaced; None if there is none, or
    if it is the same account's or no longer valid."""
    with suppress(PodiumError):
        before = stored_login()
        if before.token is None:
            return None
        if before.url != url:
            return f"Replaces the login at {before.url}."
        with client(url, before.token) as podium:
            name = podium.me()["name"]
        return None if name == account else f"Replaces the login of {name}."
    return None


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


def _newest_sign_in(podium: Podium) -> str | None:
    """Returns the id of the newest token that signing in by password has created; ids grow with
    time."""
    ids = [token["id"] for token in podium.tokens() if token["label"] == "sign-in"]
    return max(ids, default=None)


def logout() -> None:
    """Sign out: remove the stored login from this computer.

    A token that `podium login --name` has created is revoked. One that you pasted is not: revoke it
    on your account page.
    """
    stored, path = stored_login(), login_path()
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
    document = {"url": here.url, "competition": here.competition, "account": account}
    facts = {"server": here.url, "account": account["name"], "competition": here.competition}
    print_outcome(document, facts, as_json=as_json)


def _secret(what: str) -> str:
    """Reads a secret: typed without an echo, or the first line of standard input."""
    if sys.stdin.isatty():
        typed: str = typer.prompt(what, hide_input=True, err=True)
        return typed
    return sys.stdin.readline()
