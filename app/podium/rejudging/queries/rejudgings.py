"""SQL of rejudgings: which sets there are, which submissions they judge anew, and their progress.
Their results are in `results`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import TypeVarTuple

from sqlalchemy import ColumnElement, Select, and_, exists, func, insert, not_, or_, select
from sqlalchemy.orm import Session

from podium.core.database.engine import WriteSession
from podium.core.database.prechecks import Precheck
from podium.core.database.reading import count_where, newest_first
from podium.core.database.types import new_id
from podium.core.judging_states import CHARGED_PROBLEMS, RejudgingState, State
from podium.core.lookups import problem_code
from podium.core.models import Competition, Judging, Rejudging, Run, Submission

_Columns = TypeVarTuple("_Columns")

IS_RUNNING = Precheck(exists().where(Rejudging.state == RejudgingState.RUNNING))


def find(session: Session, *, rejudging_id: str) -> tuple[Rejudging, Competition] | None:
    """Returns a rejudging with its competition; None if there is none with this id."""
    query = (
        select(Rejudging, Competition)
        .join(Competition, Competition.id == Rejudging.competition_id)
        .where(Rejudging.id == rejudging_id)
    )
    row = session.execute(query).first()
    return None if row is None else (row[0], row[1])


def locked(session: WriteSession, *, rejudging_id: str) -> Rejudging:
    """Reads the current row, locked against other writers until the transaction ends."""
    return session.get_one(Rejudging, rejudging_id, populate_existing=True, with_for_update=True)


def running_of(session: Session, *, competition_id: str) -> Rejudging | None:
    """Returns the competition's unfinished rejudging, if there is one."""
    query = select(Rejudging).where(
        Rejudging.competition_id == competition_id, Rejudging.state == RejudgingState.RUNNING
    )
    return session.scalar(query)


def running_ids(session: Session) -> Sequence[str]:
    """Returns the ids of all unfinished rejudgings, oldest first."""
    query = (
        select(Rejudging.id).where(Rejudging.state == RejudgingState.RUNNING).order_by(Rejudging.id)
    )
    return session.scalars(query).all()


def page(
    session: Session, *, competition_id: str, before_id: str | None, limit: int
) -> Sequence[Rejudging]:
    """Returns a page of a competition's rejudgings, newest first."""
    query = select(Rejudging).where(Rejudging.competition_id == competition_id)
    return session.scalars(newest_first(query, Rejudging.id, before_id, limit)).all()


def is_judged_anew() -> ColumnElement[bool]:
    """Builds the SQL condition on a submission and its effective judging for being judged anew: the
    file is still stored, and was neither cancelled nor bad (which is free and never met the ground
    truth). All three are final, so a submission that is left out stays out."""
    is_bad_file = and_(Judging.state == State.REJECTED, problem_code().not_in(CHARGED_PROBLEMS))
    is_out = or_(Judging.state == State.CANCELLED, is_bad_file)
    return and_(not_(is_out), Submission.file_removed_at.is_(None))


def to_judge(
    session: Session, *, competition_id: str, after: int, limit: int
) -> list[tuple[int, str]]:
    """Returns sequence and id of at most `limit` submissions to judge anew, those after a sequence,
    in order."""
    query = (
        _effective(select(Submission.sequence, Submission.id))
        .where(
            Submission.competition_id == competition_id,
            Submission.sequence > after,
            is_judged_anew(),
        )
        .order_by(Submission.sequence)
        .limit(limit)
    )
    return [(sequence, submission_id) for sequence, submission_id in session.execute(query)]


def how_many_to_judge(session: Session, *, competition_id: str, after: int = 0) -> int:
    """Counts the submissions to judge anew, those after a sequence."""
    query = _effective(select(func.count())).where(
        Submission.competition_id == competition_id, Submission.sequence > after, is_judged_anew()
    )
    return session.scalar(query) or 0


def those_to_judge(
    session: Session, *, competition_id: str, submission_ids: Collection[str]
) -> set[str]:
    """Returns those of the given submissions of the competition that can be judged anew."""
    query = _effective(select(Submission.id)).where(
        Submission.competition_id == competition_id,
        Submission.id.in_(list(submission_ids)),
        is_judged_anew(),
    )
    return set(session.scalars(query))


def add_judgings(
    session: WriteSession, *, rejudging: Rejudging, submission_ids: Sequence[str], now: datetime
) -> None:
    """Inserts the new judgings of these submissions, `times` for each."""
    rows = [
        {
            "id": new_id(),
            "submission_id": submission_id,
            "competition_id": rejudging.competition_id,
            "ground_truth_version": rejudging.ground_truth_version,
            "rejudging_id": rejudging.id,
            "repeat": repeat,
            "state": State.QUEUED,
            "created_at": now,
        }
        for submission_id in submission_ids
        for repeat in range(1, rejudging.times + 1)
    ]
    if rows:
        session.execute(insert(Judging), rows)


def not_dispatched(session: Session, *, rejudging_id: str, limit: int) -> Sequence[str]:
    """Returns ids of new judgings that were never dispatched: they have no run."""
    query = (
        select(Judging.id)
        .where(
            Judging.rejudging_id == rejudging_id, Judging.state == State.QUEUED, not_(_has_run())
        )
        .limit(limit)
    )
    return session.scalars(query).all()


def _has_run() -> ColumnElement[bool]:
    return exists().where(Run.id == Judging.id)


def under_way(session: Session, *, rejudging_id: str) -> int:
    """Counts the judgings of a set that are dispatched and unfinished."""
    return count_where(
        session,
        Judging.rejudging_id == rejudging_id,
        Judging.state.in_((State.QUEUED, State.RUNNING)),
        _has_run(),
    )


def judgings_by_state(session: Session, *, rejudging_id: str) -> dict[State, int]:
    """Counts the judgings of a set by state; states without any are left out."""
    query = (
        select(Judging.state, func.count())
        .where(Judging.rejudging_id == rejudging_id)
        .group_by(Judging.state)
    )
    return {State(state): count for state, count in session.execute(query)}


def last_sequence(session: Session, *, competition_id: str) -> int:
    """Returns the sequence of the competition's last submission; 0 if there are none."""
    query = select(func.max(Submission.sequence)).where(Submission.competition_id == competition_id)
    return session.scalar(query) or 0


def _effective(query: Select[*_Columns]) -> Select[*_Columns]:
    return query.select_from(Submission).join(Judging, Judging.id == Submission.judging_id)
