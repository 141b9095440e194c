"""Queries of requests to enter a competition."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from podium.accounts.rules import RequestState
from podium.core.database.engine import WriteSession
from podium.core.database.reading import oldest_first
from podium.core.models import JoinRequest, User


def request_of(session: Session, *, competition_id: str, user_id: str) -> JoinRequest | None:
    """Finds a person's request to enter a competition."""
    query = select(JoinRequest).where(
        JoinRequest.competition_id == competition_id, JoinRequest.user_id == user_id
    )
    return session.scalar(query)


def kept_request(
    session: WriteSession, *, competition_id: str, user_id: str, note: str, now: datetime
) -> tuple[JoinRequest, bool]:
    """Finds or creates a person's request; true for a new one. A racing request finds the
    other's."""
    found = request_of(session, competition_id=competition_id, user_id=user_id)
    if found is not None:
        return found, False
    row = JoinRequest(
        competition_id=competition_id,
        user_id=user_id,
        note=note,
        state=RequestState.PENDING,
        created_at=now,
    )
    try:
        with session.begin_nested():
            session.add(row)
    except IntegrityError:
        found = request_of(session, competition_id=competition_id, user_id=user_id)
        if found is None:
            raise
        return found, False
    return row, True


def asker_of(session: Session, *, request_id: str) -> str | None:
    """Finds the id of the person who sent this request."""
    return session.scalar(select(JoinRequest.user_id).where(JoinRequest.id == request_id))


def requests_after(
    session: Session,
    *,
    competition_id: str,
    state: RequestState | None,
    after_id: str | None,
    limit: int,
) -> Sequence[tuple[JoinRequest, User]]:
    """Lists a page of a competition's requests with their people, oldest first."""
    query = (
        select(JoinRequest, User)
        .join(User, User.id == JoinRequest.user_id)
        .where(JoinRequest.competition_id == competition_id)
    )
    if state is not None:
        query = query.where(JoinRequest.state == state)
    page = oldest_first(query, JoinRequest.id, after_id, limit)
    return [(request, user) for request, user in session.execute(page)]
