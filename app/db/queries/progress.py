"""What operators watch: how much waits, how long, and who judges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from podium.db.models import Competition, Judging, QuotaSlot, Team, Worker
from podium.domain.judging import State


@dataclass(frozen=True, slots=True)
class UploadUnderWay:
    """A slot whose file has not come yet, of a team of a competition."""

    slot: QuotaSlot
    team: Team
    competition: Competition


def judgings_by_state(session: Session) -> dict[State, int]:
    """How many judgings there are in each state that occurs."""
    query = select(Judging.state, func.count()).group_by(Judging.state)
    return {State(state): count for state, count in session.execute(query)}


def oldest_waiting(session: Session) -> datetime | None:
    """Since when the oldest unfinished judging of an upload waits; rejudgings take their time."""
    query = select(func.min(Judging.created_at)).where(
        Judging.state.in_((State.QUEUED, State.JUDGING)), Judging.rejudging_id.is_(None)
    )
    return session.scalar(query)


def workers_seen_since(session: Session, since: datetime) -> int:
    """How many workers gave a sign of life since then and have not said goodbye."""
    query = (
        select(func.count())
        .select_from(Worker)
        .where(Worker.heartbeat_at >= since, Worker.stopped_at.is_(None))
    )
    return session.scalar(query) or 0


def uploads_under_way(session: Session) -> int:
    """How many uploads hold a slot right now."""
    query = select(func.count()).select_from(QuotaSlot).where(QuotaSlot.submission_id.is_(None))
    return session.scalar(query) or 0


def oldest_uploads(session: Session, *, limit: int) -> Sequence[UploadUnderWay]:
    """Uploads that hold a slot right now, the oldest first."""
    query = (
        select(QuotaSlot, Team, Competition)
        .join(Team, Team.id == QuotaSlot.team_id)
        .join(Competition, Competition.id == Team.competition_id)
        .where(QuotaSlot.submission_id.is_(None))
        .order_by(QuotaSlot.reserved_at, QuotaSlot.id)
        .limit(limit)
    )
    return [UploadUnderWay(*row) for row in session.execute(query)]
