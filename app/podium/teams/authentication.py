"""Use of links over HTTP, where the password is hashed outside any transaction; and the limit of
wrong codes of competitions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Annotated

from fastapi import Depends, Request
from fastapi.concurrency import run_in_threadpool

from podium.accounts.authentication.credentials import Credentials
from podium.accounts.authentication.sign_up import SignUpLimits
from podium.accounts.rules import checked_password
from podium.accounts.service import page_sessions
from podium.accounts.service.rate_limits import RateLimits
from podium.application import Application
from podium.core.access import Actor
from podium.core.database.engine import WriteSession
from podium.errors import PodiumError
from podium.errors.codes import ErrorCode
from podium.http.transactions import write_with
from podium.teams.service import link_use, links
from podium.teams.service.link_use import Given, Used


def _codes(request: Request) -> RateLimits:
    limits: SignUpLimits = request.app.state.sign_up_limits
    return limits.competition_codes


Codes = Annotated[RateLimits, Depends(_codes)]


@contextmanager
def counted(codes: RateLimits, actor: Actor, code: str) -> Iterator[None]:
    """Counts wrong codes: wraps a block that checks a competition's code, if one was sent. Raises
    `QuotaExhausted` (`too-many-attempts`)."""
    if not code:
        yield
        return
    codes.begin(actor.user_id)
    try:
        yield
    except PodiumError as error:
        if error.code != ErrorCode.WRONG_CODE:
            codes.forget(actor.user_id)
        raise
    codes.forget(actor.user_id)


async def follow_link(
    app: Application,
    checks: Credentials,
    *,
    code: str,
    given: Given,
    actor: Actor | None,
    address: str | None,
    browser: str | None = None,
) -> tuple[Used, str | None]:
    """Uses a one-time link, and begins a session if a password is set in a browser; returns the
    result, and the text of the cookie. Raises what `link_use.use_link` and `checked_password`
    raise.

    The session begins in the same transaction, so a further link that is used afterwards ends it;
    it stays when the account's first token is revoked, as the password does.
    """
    wanted = await run_in_threadpool(_hashed_for_link, app, checks, code, given)

    def use(session: WriteSession) -> tuple[Used, str | None]:
        used = link_use.use_link(session, code=code, given=wanted, actor=actor, address=address)
        if used.token is None or given.password is None:
            return used, None
        cookie = page_sessions.begin_beside(session, used.user, browser=browser, address=address)
        return used, cookie

    return await write_with(app, use)


def _hashed_for_link(app: Application, checks: Credentials, code: str, given: Given) -> Given:
    """Prepares the input to a link, with the hash of its password."""
    with app.database.read() as session:
        view = links.look_at(session, code=code)
    kept = None
    if given.password is not None:
        name = view.account or given.name or ""
        kept = checks.passwords.hashed(checked_password(given.password, name=name))
    return replace(given, password=None, password_hash=kept)
