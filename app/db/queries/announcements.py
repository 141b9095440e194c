"""Questions about announcements and acceptances of rules."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select, tuple_
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from podium.db.engine import WriteSession
from podium.db.models import Announcement, RulesAcceptance, User


def announcements_before(
    session: Session, *, competition_id: str, before_id: str | None, limit: int
) -> Sequence[Announcement]:
    """A page of a competition's announcements, newest first."""
    query = select(Announcement).where(Announcement.competition_id == competition_id)
    if before_id is not None:
        query = query.where(Announcement.id < before_id)
    return session.scalars(query.order_by(Announcement.id.desc()).limit(limit)).all()


def announcement_in(
    session: WriteSession, *, competition_id: str, announcement_id: str
) -> Announcement | None:
    """An announcement of this competition, locked."""
    query = select(Announcement).where(
        Announcement.id == announcement_id, Announcement.competition_id == competition_id
    )
    return session.scalar(query.with_for_update())


def insert_acceptance(
    session: WriteSession,
    *,
    competition_id: str,
    user_id: str,
    sha256: str,
    accepted_at: datetime,
    address: str | None,
) -> bool:
    """Notes an acceptance; False when there was the same one, also of a racing request."""
    key = (competition_id, user_id, sha256)
    if session.get(RulesAcceptance, key) is not None:
        return False
    row = RulesAcceptance(
        competition_id=competition_id,
        user_id=user_id,
        sha256=sha256,
        accepted_at=accepted_at,
        address=address,
    )
    try:
        with session.begin_nested():
            session.add(row)
    except IntegrityError:
        return False
    return True


def acceptances_after(
    session: Session,
    *,
    competition_id: str,
    after: tuple[datetime, str, str] | None,
    limit: int,
) -> Sequence[tuple[RulesAcceptance, User]]:
    """A page of acceptances with their people, oldest first; `after` is (time, user id, hash)."""
    order = (RulesAcceptance.accepted_at, RulesAcceptance.user_id, RulesAcceptance.sha256)
    query = (
        select(RulesAcceptance, User)
        .join(User, User.id == RulesAcceptance.user_id)
        .where(RulesAcceptance.competition_id == competition_id)
        .order_by(*order)
        .limit(limit)
    )
    if after is not None:
        query = query.where(tuple_(*order) > after)
    return [(row, user) for row, user in session.execute(query)]
