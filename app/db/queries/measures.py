"""What is counted for Prometheus: totals over all rows, by classes of which there are few."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Float, case, cast, extract, func, select
from sqlalchemy.orm import QueryableAttribute, Session

from podium.db.models import Judging, Submission, Worker
from podium.domain.judging import State

WAITING = (State.QUEUED, State.JUDGING)


@dataclass(frozen=True, slots=True)
class Waiting:
    """Judgings of one class and one state without a verdict, and since when the oldest waits."""

    is_rejudging: bool
    state: State
    judgings: int
    oldest: datetime


@dataclass(frozen=True, slots=True)
class Durations:
    """Judgings of one class with a verdict: how many, their seconds together, and how many took
    at most each of the bounds that were asked for."""

    is_rejudging: bool
    judgings: int
    seconds: float
    within: tuple[int, ...]


def waiting(session: Session) -> list[Waiting]:
    """What has no verdict yet."""
    is_rejudging = Judging.rejudging_id.is_not(None)
    query = (
        select(is_rejudging, Judging.state, func.count(), func.min(Judging.created_at))
        .where(Judging.state.in_(WAITING))
        .group_by(is_rejudging, Judging.state)
    )
    return [
        Waiting(bool(rejudging), State(state), count, oldest)
        for rejudging, state, count, oldest in session.execute(query)
    ]


def durations(session: Session, *, bounds: Sequence[float]) -> list[Durations]:
    """From the last lease to the verdict, of scored and rejected files."""
    is_rejudging = Judging.rejudging_id.is_not(None)
    seconds = _seconds(session, Judging.started_at, Judging.judged_at)
    within = [func.sum(case((seconds <= bound, 1), else_=0)) for bound in bounds]
    query = (
        select(is_rejudging, func.count(), func.sum(seconds), *within)
        .where(
            Judging.state.in_((State.SCORED, State.REJECTED)),
            Judging.started_at.is_not(None),
            Judging.judged_at.is_not(None),
        )
        .group_by(is_rejudging)
    )
    return [
        Durations(bool(rejudging), count, float(total), tuple(int(each) for each in counts))
        for rejudging, count, total, *counts in session.execute(query)
    ]


def rejected_by_code(session: Session) -> dict[str, int]:
    """How many judgings found each kind of problem."""
    code = Judging.problem["code"].as_string()
    query = select(code, func.count()).where(Judging.state == State.REJECTED).group_by(code)
    return {found or "unknown": count for found, count in session.execute(query)}


def accepted(session: Session) -> tuple[int, int]:
    """All submissions, and the bytes of their files together."""
    query = select(func.count(), func.coalesce(func.sum(Submission.bytes), 0))
    count, size = session.execute(query).one()
    return count, int(size)


def heartbeats(session: Session, *, limit: int) -> dict[str, datetime]:
    """The last sign of life of the workers of each host that have not said goodbye."""
    latest = func.max(Worker.heartbeat_at)
    query = (
        select(Worker.host, latest)
        .where(Worker.stopped_at.is_(None))
        .group_by(Worker.host)
        .order_by(latest.desc())
        .limit(limit)
    )
    found: dict[str, datetime] = {row.host: row[1] for row in session.execute(query)}
    return found


def _seconds(
    session: Session,
    start: QueryableAttribute[datetime | None],
    end: QueryableAttribute[datetime | None],
) -> ColumnElement[float]:
    if session.get_bind().dialect.name == "sqlite":
        return (func.julianday(end) - func.julianday(start)) * 86400.0
    return cast(extract("epoch", end - start), Float)
