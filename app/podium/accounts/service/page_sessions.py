"""Browser sessions: begun with a password, a token or a link, authenticated by their cookie, listed
and ended by their owner. A cookie is 256 random bits; only its SHA-256 is stored."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta

from podium.accounts import queries
from podium.accounts.service import accounts
from podium.accounts.service.descent import still_let_in
from podium.core import audit, locks
from podium.core.access import Actor
from podium.core.database.engine import ReadSession, WriteSession, database_now
from podium.core.models import PageSession, User
from podium.errors import NotFound

IDLE = timedelta(days=14)
"""A session ends after this time without use."""

LONGEST = timedelta(days=60)
"""A session ends after this time, however much it is used."""

NOTED_EVERY = timedelta(minutes=10)
"""Precision of the time of last use: a request that only reads shall rarely have to write."""

MAX_SESSIONS = 20
"""Maximum number of valid sessions of one account; the least recently used one ends when one more
begins."""

MAX_BROWSER_CHARACTERS = 200


def begin_with_token(
    session: WriteSession, *, token: str, browser: str, address: str | None
) -> str:
    """Starts a session for the owner of this token, which ends when the token does; returns the
    cookie's text. Raises `NotAuthenticated`."""
    actor = accounts.authenticate(session, token=token, address=address)
    still_let_in(session, actor=actor)
    row, cookie = begin_session(session, actor=actor, browser=browser)
    ends = accounts.end_of_token(session, token=token)
    row.expires_at = row.expires_at if ends is None else min(row.expires_at, ends)
    return cookie


def begin_session(session: WriteSession, *, actor: Actor, browser: str) -> tuple[PageSession, str]:
    """Starts a session for a user who was just authenticated; returns it with the cookie's text. It
    ends when the actor's token is revoked, if there is one."""
    now = database_now(session)
    queries.remove_ended(session, user_id=actor.user_id, now=now)
    living = queries.living_sessions(session, actor.user_id, now=now, used_since=now - IDLE)
    for superfluous in living[MAX_SESSIONS - 1 :]:
        superfluous.revoked_at = now
    cookie = secrets.token_urlsafe(32)
    row = PageSession(
        user_id=actor.user_id,
        sha256=accounts.sha256_of(cookie),
        browser="".join(c for c in browser if c.isprintable())[:MAX_BROWSER_CHARACTERS],
        address=actor.address,
        created_at=now,
        last_used_at=now,
        expires_at=now + LONGEST,
        token_id=actor.token_id,
    )
    session.add(row)
    session.flush()
    audit.record(session, actor, "session.begin", object_id=row.id)
    return row, cookie


def begin_beside(
    session: WriteSession, user: User, *, browser: str | None, address: str | None
) -> str | None:
    """Starts a session for a user who has got credentials in a browser; returns the cookie's text,
    None without a browser."""
    if browser is None:
        return None
    actor = Actor(user.id, user.name, address=address)
    return begin_session(session, actor=actor, browser=browser)[1]


def recognize(
    session: ReadSession, *, cookie: str, address: str | None
) -> tuple[Actor, bool] | None:
    """Finds the person of a cookie, and whether this use should be recorded; None for a cookie that
    is unknown or expired, or of a disabled account."""
    row = queries.session_by_sha256(session, accounts.sha256_of(cookie))
    if row is None or row.revoked_at is not None or row.user.disabled_at is not None:
        return None
    now = database_now(session)
    if now >= row.expires_at or now - row.last_used_at >= IDLE:
        return None
    actor = Actor(
        user_id=row.user_id,
        name=row.user.name,
        is_administrator=row.user.is_administrator,
        is_organizer=row.user.is_organizer,
        address=address,
        page_session_id=row.id,
        token_id=row.token_id,
    )
    return actor, now - row.last_used_at >= NOTED_EVERY


def note_use(session: WriteSession, *, actor: Actor) -> None:
    """Records the time and network address of the last use of the caller's session."""
    if actor.page_session_id is not None:
        now = database_now(session)
        queries.touch_session(session, actor.page_session_id, now=now, address=actor.address)


def list_sessions(session: ReadSession, *, actor: Actor) -> Sequence[PageSession]:
    """Lists the caller's valid sessions, most recently used first."""
    now = database_now(session)
    return queries.living_sessions(session, actor.user_id, now=now, used_since=now - IDLE)


def end_session(session: WriteSession, *, actor: Actor, session_id: str) -> None:
    """Ends one of the caller's sessions; its cookie is refused from the next request on."""
    # All writers that remove rows of sessions lock the person, too.
    locks.lock_person(session, user_id=actor.user_id)
    row = session.get(PageSession, session_id)
    if row is None or row.user_id != actor.user_id or row.revoked_at is not None:
        raise NotFound("You have no session with this id.")
    row.revoked_at = database_now(session)
    audit.record(session, actor, "session.end", object_id=row.id)


def ends_at(row: PageSession) -> datetime:
    """Computes the time at which a session ends if it is not used again."""
    return min(row.expires_at, row.last_used_at + IDLE)
