"""Password checks of the HTTP layer: the slow hashing runs between two short sessions.

No transaction is open while a password is hashed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated

from fastapi import Depends, Request
from fastapi.concurrency import run_in_threadpool

from podium.accounts.rules import checked_password, prepared
from podium.accounts.service import page_sessions, sign_in
from podium.accounts.service.credentials import set_password
from podium.accounts.service.descent import password_came_of
from podium.accounts.service.passwords import Passwords
from podium.accounts.service.sign_in import Candidate, SignInLimits
from podium.application import Application
from podium.core.access import Actor
from podium.core.database.engine import WriteSession
from podium.core.models import User
from podium.errors import NotAllowed, NotAuthenticated, QuotaExhausted, Unavailable
from podium.errors.codes import ErrorCode
from podium.http.transactions import write_with
from podium.logs import get_logger

_log = get_logger("accounts")


@dataclass(frozen=True)
class Credentials:
    """Checks passwords in this process, and counts failures."""

    passwords: Passwords = field(default_factory=Passwords)
    limits: SignInLimits = field(default_factory=SignInLimits)


def _credentials(request: Request) -> Credentials:
    found: Credentials = request.app.state.credentials
    return found


Checks = Annotated[Credentials, Depends(_credentials)]


async def check_sign_in(
    app: Application, checks: Credentials, *, name: str, password: str, address: str | None
) -> tuple[User, str, datetime]:
    """Authenticates a name and a password; returns the person, a new token, and its expiry.

    Raises `NotAuthenticated` (`wrong-credentials`), `QuotaExhausted` (`too-many-attempts`) and
    `Unavailable` (`busy`).
    """
    candidate = await run_in_threadpool(_checked, app, checks, name, password, address)
    return await write_with(app, sign_in.signed_in, candidate=candidate, address=address)


async def browse_with_password(
    app: Application,
    checks: Credentials,
    *,
    name: str,
    password: str,
    browser: str,
    address: str | None,
) -> str:
    """Begins a browser session with a password; returns the cookie's text. Raises what
    `check_sign_in` raises."""
    candidate = await run_in_threadpool(_checked, app, checks, name, password, address)

    def begin(session: WriteSession) -> str:
        user = sign_in.still_right(session, candidate=candidate)
        token_id = password_came_of(session, user_id=user.id)
        actor = Actor(user.id, user.name, address=address, token_id=token_id)
        return page_sessions.begin_session(session, actor=actor, browser=browser)[1]

    return await write_with(app, begin)


async def browse_with_token(
    app: Application, *, token: str, browser: str, address: str | None
) -> str:
    """Begins a browser session with a token; returns the cookie's text. Raises
    `NotAuthenticated`."""
    begin = page_sessions.begin_with_token
    try:
        return await write_with(app, begin, token=token, browser=browser, address=address)
    except NotAuthenticated:
        _log.warning("sign-in.failed", address=address, account=None)
        raise


async def change_password(
    app: Application, checks: Credentials, *, actor: Actor, password: str, current: str | None
) -> None:
    """Sets the caller's password; a caller who has one must repeat it.

    Raises `NotAllowed` (`password-needed`) beside what `check_sign_in` and `checked_password`
    raise.
    """
    before, kept = await run_in_threadpool(_hashed_anew, app, checks, actor, password, current)
    await write_with(app, set_password, actor=actor, password_hash=kept, before=before)


def _hashed_anew(
    app: Application, checks: Credentials, actor: Actor, password: str, current: str | None
) -> tuple[str | None, str]:
    """Returns the stored hash, and that of the new password."""
    with app.database.read() as session:
        candidate = sign_in.candidate_named(session, name=actor.name)
    wanted = checked_password(password, name=actor.name)
    if candidate.password_hash is not None:
        if current is None:
            raise NotAllowed("Repeat your present password.", code=ErrorCode.PASSWORD_NEEDED)
        _check(checks, candidate, current, actor.address)
    return candidate.password_hash, checks.passwords.hashed(wanted)


def _checked(
    app: Application, checks: Credentials, name: str, password: str, address: str | None
) -> Candidate:
    with app.database.read() as session:
        candidate = sign_in.candidate_named(session, name=name)
    _check(checks, candidate, password, address)
    return candidate


def _check(checks: Credentials, candidate: Candidate, password: str, address: str | None) -> None:
    fields = {"address": address, "account": candidate.user_id}
    try:
        checks.limits.begin(key=candidate.key, address=address)
    except QuotaExhausted:
        _log.warning("sign-in.throttled", **fields)
        raise
    try:
        is_right = checks.passwords.fits(candidate.password_hash, prepared(password))
    except Unavailable:
        # The password was not checked: a busy server must not use up other people's attempts.
        checks.limits.forget(key=candidate.key, address=address)
        raise
    if not is_right:
        _log.warning("sign-in.failed", **fields)
        raise sign_in.wrong_credentials()
    checks.limits.forget(key=candidate.key, address=address)
