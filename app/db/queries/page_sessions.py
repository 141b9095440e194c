"""Questions about who is signed in with a browser."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session, joinedload

from podium.db.engine import WriteSession
from podium.db.models import PageSession


def session_by_sha256(session: Session, sha256: str) -> PageSession | None:
    """The session whose cookie has this hash, with its person."""
    query = select(PageSession).where(PageSession.sha256 == sha256)
    return session.scalar(query.options(joinedload(PageSession.user)))


def living_sessions(
    session: Session, user_id: str, *, now: datetime, used_since: datetime
) -> Sequence[PageSession]:
    """A person's sessions that still work, the one that was used last first."""
    query = select(PageSession).where(
        PageSession.user_id == user_id,
        PageSession.revoked_at.is_(None),
        PageSession.expires_at > now,
        PageSession.last_used_at > used_since,
    )
    return session.scalars(
        query.order_by(PageSession.last_used_at.desc(), PageSession.id.desc())
    ).all()


def touch_session(
    session: WriteSession, session_id: str, *, now: datetime, address: str | None
) -> None:
    """Notes when and from where a session was used."""
    query = update(PageSession).where(PageSession.id == session_id)
    session.execute(query.values(last_used_at=now, address=address))


def end_sessions(
    session: WriteSession,
    *,
    user_id: str,
    now: datetime,
    since: datetime | None = None,
    but: str | None = None,
) -> None:
    """Ends all sessions of a person that began at `since` or later, but for the one with the id
    `but`."""
    query = update(PageSession).where(
        PageSession.user_id == user_id, PageSession.revoked_at.is_(None)
    )
    if since is not None:
        query = query.where(PageSession.created_at >= since)
    if but is not None:
        query = query.where(PageSession.id != but)
    session.execute(query.values(revoked_at=now))


def end_sessions_of_tokens(
    session: WriteSession, token_ids: Collection[str], *, now: datetime
) -> None:
    """Ends the sessions that end with one of these tokens."""
    query = update(PageSession).where(
        PageSession.token_id.in_(token_ids), PageSession.revoked_at.is_(None)
    )
    session.execute(query.values(revoked_at=now))


def remove_ended(session: WriteSession, *, user_id: str, now: datetime) -> None:
    """Deletes the rows of a person's sessions that work no more."""
    is_over = PageSession.revoked_at.is_not(None) | (PageSession.expires_at <= now)
    session.execute(delete(PageSession).where(PageSession.user_id == user_id, is_over))


def remove_all(session: WriteSession, *, user_id: str) -> None:
    """Deletes the rows of a person who goes for good."""
    session.execute(delete(PageSession).where(PageSession.user_id == user_id))
