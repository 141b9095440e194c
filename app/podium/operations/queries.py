"""Queries about the installation as a whole: the queue, workers, and the files for backups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    ColumnElement,
    Float,
    Select,
    case,
    cast,
    delete,
    extract,
    func,
    select,
    update,
)
from sqlalchemy.orm import InstrumentedAttribute, QueryableAttribute, Session

from podium.core import leases
from podium.core.database.engine import WriteSession
from podium.core.database.reading import count_where
from podium.core.database.types import hashes_of
from podium.core.judging_states import State
from podium.core.models import (
    AuditEntry,
    Competition,
    Job,
    Judging,
    QuotaSlot,
    Run,
    Submission,
    Team,
    Upload,
    UploadPiece,
    Worker,
)


def hashes_in(
    session: Session, column: InstrumentedAttribute[Any], *, most: int | None = None
) -> Iterator[str]:
    """Yields the stored files that a column refers to, or those of at most `most` rows, except for
    rows whose file was removed."""
    query: Select[Any] = select(column).where(_is_kept(column)).limit(most)
    if not isinstance(column.type, JSON):
        # PostgreSQL cannot compare JSON values.
        query = query.distinct()
    for value in session.scalars(query):
        yield from hashes_of(value)


def forget_what_was_under_way(session: WriteSession) -> None:
    """Resets work in progress after a restore: uploads start again, judgings and jobs return to the
    queue as if they had never begun, results of jobs are not awaited, and no worker from before the
    restore is expected to send a heartbeat."""
    session.execute(delete(UploadPiece))
    session.execute(delete(Upload).where(Upload.submission_id.is_(None)))
    session.execute(
        update(Judging).where(Judging.state == State.RUNNING).values(state=State.QUEUED)
    )
    session.execute(delete(Job).where(Job.ended_at.is_not(None)))
    leases.queue_all_again(session, Job)
    leases.queue_all_again(session, Run)
    session.execute(
        update(Worker).where(Worker.stopped_at.is_(None)).values(stopped_at=Worker.heartbeat_at)
    )


def _is_kept(column: InstrumentedAttribute[Any]) -> ColumnElement[bool]:
    if column is Submission.sha256:
        return Submission.file_removed_at.is_(None)
    return column.is_not(None)


WAITING = (State.QUEUED, State.RUNNING)


@dataclass(frozen=True, slots=True)
class Waiting:
    """Judgings of one class and one state without a verdict, and the time of the oldest."""

    is_rejudging: bool
    state: State
    judgings: int
    oldest: datetime


@dataclass(frozen=True, slots=True)
class Durations:
    """Judgings of one class with a verdict: their count, the sum of their seconds, and how many
    took at most each of the given bounds."""

    is_rejudging: bool
    judgings: int
    seconds: float
    within: tuple[int, ...]


def waiting(session: Session) -> list[Waiting]:
    """Counts the judgings without a verdict, by class and state, with the time of the oldest."""
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
    """Measures durations from the last lease to the verdict, of scored and rejected files."""
    is_rejudging = Judging.rejudging_id.is_not(None)
    seconds = _seconds(session, Run.started_at, Judging.judged_at)
    within = [func.sum(case((seconds <= bound, 1), else_=0)) for bound in bounds]
    query = (
        select(is_rejudging, func.count(), func.sum(seconds), *within)
        .join(Run, Run.id == Judging.id)
        .where(
            Judging.state.in_((State.SCORED, State.REJECTED)),
            Run.started_at.is_not(None),
            Judging.judged_at.is_not(None),
        )
        .group_by(is_rejudging)
    )
    return [
        Durations(bool(rejudging), count, float(total), tuple(int(each) for each in counts))
        for rejudging, count, total, *counts in session.execute(query)
    ]


def rejected_by_code(session: Session) -> dict[str, int]:
    """Counts the rejected judgings by the code of their problem."""
    code = Judging.problem["code"].as_string()
    query = select(code, func.count()).where(Judging.state == State.REJECTED).group_by(code)
    return {found or "unknown": count for found, count in session.execute(query)}


def accepted(session: Session) -> tuple[int, int]:
    """Counts all submissions, and sums up the bytes of their files."""
    query = select(func.count(), func.coalesce(func.sum(Submission.bytes), 0))
    count, size = session.execute(query).one()
    return count, int(size)


def heartbeats(session: Session, *, limit: int) -> dict[str, datetime]:
    """Maps hosts to the last heartbeat of their workers that have not signed off."""
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


@dataclass(frozen=True, slots=True)
class UploadUnderWay:
    """A slot whose file has not arrived completely, of a team of a competition."""

    slot: QuotaSlot
    team: Team
    competition: Competition


def judgings_by_state(session: Session) -> dict[State, int]:
    """Counts the judgings in each state that occurs."""
    query = select(Judging.state, func.count()).group_by(Judging.state)
    return {State(state): count for state, count in session.execute(query)}


def oldest_waiting(session: Session) -> datetime | None:
    """Finds the time since when the oldest unfinished judging of an upload waits; rejudgings may
    take longer and do not count."""
    query = select(func.min(Judging.created_at)).where(
        Judging.state.in_((State.QUEUED, State.RUNNING)), Judging.rejudging_id.is_(None)
    )
    return session.scalar(query)


def uploads_under_way(session: Session) -> int:
    """Counts the uploads that occupy a slot right now."""
    return count_where(session, QuotaSlot.submission_id.is_(None))


def oldest_uploads(session: Session, *, limit: int) -> Sequence[UploadUnderWay]:
    """Lists the uploads that occupy a slot right now, oldest first."""
    query = (
        select(QuotaSlot, Team, Competition)
        .join(Team, Team.id == QuotaSlot.team_id)
        .join(Competition, Competition.id == Team.competition_id)
        .where(QuotaSlot.submission_id.is_(None))
        .order_by(QuotaSlot.reserved_at, QuotaSlot.id)
        .limit(limit)
    )
    return [UploadUnderWay(*row) for row in session.execute(query)]


def stamp(session: WriteSession, *, worker_id: str, now: datetime) -> None:
    """Stores the time of a worker's heartbeat."""
    session.execute(update(Worker).where(Worker.id == worker_id).values(heartbeat_at=now))


def say_goodbye(session: WriteSession, *, worker_id: str, now: datetime) -> None:
    """Marks a worker as stopped."""
    values = {"heartbeat_at": now, "stopped_at": now}
    session.execute(update(Worker).where(Worker.id == worker_id).values(values))


def forget_silent(session: WriteSession, *, before: datetime) -> None:
    """Removes workers whose last heartbeat is older: the list has no history."""
    session.execute(delete(Worker).where(Worker.heartbeat_at < before))


def known(session: Session, *, limit: int) -> Sequence[Worker]:
    """Lists the worker processes in the database, the most recent heartbeat first."""
    query = select(Worker).order_by(Worker.heartbeat_at.desc(), Worker.id).limit(limit)
    return session.scalars(query).all()


def oldest_worker(session: Session, *, heard_since: datetime) -> str | None:
    """Finds the worker that started first among those with a heartbeat since then."""
    query = (
        select(Worker.id)
        .where(Worker.stopped_at.is_(None), Worker.heartbeat_at >= heard_since)
        .order_by(Worker.started_at, Worker.id)
        .limit(1)
    )
    return session.scalar(query)


def latest_entry(session: Session, *, action: str) -> AuditEntry | None:
    """Finds the newest entry of the audit log about an action."""
    query = select(AuditEntry).where(AuditEntry.action == action)
    return session.scalar(query.order_by(AuditEntry.id.desc()).limit(1))
