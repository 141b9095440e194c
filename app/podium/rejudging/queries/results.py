"""SQL of a rejudging's results: both verdicts side by side, and the swap that applies them.

Private scores are read here only for the organizers' comparison.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any, TypedDict

from sqlalchemy import ColumnElement, Text, and_, cast, func, insert, or_, select, update
from sqlalchemy.orm import Session, aliased

from podium.core import leases
from podium.core.database.engine import WriteSession
from podium.core.judging_states import FINAL_STATES, State
from podium.core.models import (
    Judging,
    PrivateScore,
    PublicScore,
    QuotaSlot,
    RejudgingChange,
    Run,
    Submission,
)
from podium.rejudging.queries.rejudgings import is_judged_anew

_SCORES: tuple[Any, ...] = (PublicScore, PrivateScore)


class SideDocument(TypedDict):
    """A team before or after, as stored and as the API returns it; all None without a scored
    submission."""

    submission_id: str | None
    public: float | None
    private: float | None
    rank: int | None
    private_rank: int | None


class ChangeDocument(TypedDict):
    """A team's row of a rejudging. `submission_id` is the submission it will be ranked by."""

    team: dict[str, str]
    submission_id: str | None
    old: SideDocument
    new: SideDocument


ScorePair = tuple[Fraction, Fraction | None]


@dataclass(frozen=True, slots=True)
class VerdictPair:
    """A submission that counts, with its effective verdict and the one that would replace it.

    The scores are (public, private): None unless scored; the private one also where a custom metric
    failed on that split. Without a new judging `new_state` is None and the effective verdict stays.
    """

    submission_id: str
    team_id: str
    submitted_at: datetime
    sequence: int
    old_state: State
    old: ScorePair | None
    new_state: State | None
    new: ScorePair | None
    new_problem: dict[str, Any] | None
    is_held_back: bool


def differing_repeats(session: Session, *, rejudging_id: str) -> int:
    """Counts the repeated judgings that ended differently from the first one of the same
    submission."""
    first, other = aliased(Judging), aliased(Judging)
    differs: list[ColumnElement[bool]] = [first.state != other.state]
    query = select(func.count()).select_from(other)
    query = query.join(
        first,
        and_(
            first.rejudging_id == rejudging_id,
            first.submission_id == other.submission_id,
            first.repeat == 1,
        ),
    )
    for table in _SCORES:
        one, two = aliased(table), aliased(table)
        query = query.outerjoin(one, one.judging_id == first.id)
        query = query.outerjoin(two, two.judging_id == other.id)
        differs.append(one.score.is_distinct_from(two.score))
        differs.append(cast(one.objectives, Text).is_distinct_from(cast(two.objectives, Text)))
    found = query.where(other.rejudging_id == rejudging_id, other.repeat > 1, or_(*differs))
    return session.scalar(found) or 0


def failures(session: Session, *, rejudging_id: str, limit: int) -> Sequence[str]:
    """Returns ids of submissions that count and have a verdict, and that we failed to judge
    anew."""
    new = aliased(Judging)
    query = (
        select(Submission.id)
        .join(Judging, Judging.id == Submission.judging_id)
        .join(new, new.submission_id == Submission.id)
        .where(
            new.rejudging_id == rejudging_id,
            new.state.in_((State.FAILED, State.CANCELLED)),
            Judging.state != State.FAILED,
            is_judged_anew(),
            Submission.disqualified_at.is_(None),
        )
        .distinct()
        .order_by(Submission.id)
        .limit(limit)
    )
    return session.scalars(query).all()


def pairs(session: Session, *, competition_id: str, rejudging_id: str) -> list[VerdictPair]:
    """Returns every submission that counts, or would count, for a board, with both verdicts."""
    new, old_public, old_private = aliased(Judging), aliased(PublicScore), aliased(PrivateScore)
    new_public, new_private = aliased(PublicScore), aliased(PrivateScore)
    is_new = and_(
        new.rejudging_id == rejudging_id,
        new.submission_id == Submission.id,
        new.repeat == 1,
        is_judged_anew(),
    )
    about = (Submission.id, Submission.team_id, Submission.submitted_at, Submission.sequence)
    query = (
        select(
            *about,
            Judging.state,
            old_public.score,
            old_private.score,
            new.state,
            new_public.score,
            new_private.score,
            new.problem,
            Submission.is_held_back,
        )
        .join(Judging, Judging.id == Submission.judging_id)
        .outerjoin(old_public, old_public.judging_id == Judging.id)
        .outerjoin(old_private, old_private.judging_id == Judging.id)
        .outerjoin(new, is_new)
        .outerjoin(new_public, new_public.judging_id == new.id)
        .outerjoin(new_private, new_private.judging_id == new.id)
        .where(
            Submission.competition_id == competition_id,
            Submission.disqualified_at.is_(None),
            Submission.is_late.is_(False),
        )
    )
    return [_pair(*tuple(row)) for row in session.execute(query)]


def changes(session: Session, *, rejudging_id: str) -> Sequence[ChangeDocument]:
    """Returns the stored changes of an applied rejudging, in order."""
    query = (
        select(RejudgingChange.change)
        .where(RejudgingChange.rejudging_id == rejudging_id)
        .order_by(RejudgingChange.place)
    )
    found: Sequence[Any] = session.scalars(query).all()
    return found


def keep_changes(
    session: WriteSession, *, rejudging_id: str, documents: Sequence[ChangeDocument]
) -> None:
    """Stores the changes of an applied rejudging."""
    rows = [
        {"rejudging_id": rejudging_id, "place": place, "change": document}
        for place, document in enumerate(documents)
    ]
    if rows:
        session.execute(insert(RejudgingChange), rows)


def newly_scored(session: Session, *, rejudging_id: str) -> Sequence[str]:
    """Returns ids of submissions without a score that get their first one, in order of
    acceptance."""
    new = aliased(Judging)
    query = (
        select(Submission.id)
        .join(Judging, Judging.id == Submission.judging_id)
        .join(new, and_(new.submission_id == Submission.id, new.repeat == 1))
        .where(
            new.rejudging_id == rejudging_id,
            new.state == State.SCORED,
            Judging.state != State.SCORED,
            is_judged_anew(),
        )
        .order_by(Submission.sequence)
    )
    return session.scalars(query).all()


@dataclass(frozen=True, slots=True)
class Replaced:
    """An effective judging without a verdict that a new one replaces."""

    judging_id: str
    submission_id: str
    new_state: State
    new_problem: dict[str, Any] | None


def replaced_unfinished(session: WriteSession, *, rejudging_id: str) -> list[Replaced]:
    """Returns the effective judgings without a verdict, with their replacements. The judgings are
    locked by id until the commit, then their slots, and both before the competition: the order in
    which a verdict locks."""
    new = aliased(Judging)
    query = (
        select(Judging.id, Judging.submission_id, new.state, new.problem)
        .join(Submission, Submission.judging_id == Judging.id)
        .join(new, and_(new.submission_id == Judging.submission_id, new.repeat == 1))
        .where(new.rejudging_id == rejudging_id, Judging.state.not_in(FINAL_STATES))
        .order_by(Judging.id)
        .with_for_update(of=Judging)
    )
    rows = session.execute(query).all()
    session.execute(
        select(QuotaSlot.id)
        .where(QuotaSlot.submission_id.in_([row.submission_id for row in rows]))
        .order_by(QuotaSlot.team_id, QuotaSlot.day, QuotaSlot.number)
        .with_for_update()
    )
    return [Replaced(old, whose, State(state), problem) for old, whose, state, problem in rows]


def end_judgings(session: WriteSession, *, judging_ids: Sequence[str], now: datetime) -> None:
    """Cancels judgings without a verdict; a worker that runs one finds its lease gone."""
    _end(session, Judging.id.in_(list(judging_ids)), now)


def end_rejudging(session: WriteSession, *, rejudging_id: str, now: datetime) -> None:
    """Cancels all judgings of a rejudging that have no verdict."""
    _end(session, Judging.rejudging_id == rejudging_id, now)


def make_effective(session: WriteSession, *, competition_id: str, rejudging_id: str) -> None:
    """Makes the new judging of every submission that was judged anew its effective one."""
    new = aliased(Judging)
    anew = (
        select(new.id)
        .join(Judging, Judging.submission_id == new.submission_id)
        .where(
            new.rejudging_id == rejudging_id,
            new.submission_id == Submission.id,
            new.repeat == 1,
            Judging.id == Submission.judging_id,
            is_judged_anew(),
        )
        .correlate(Submission)
        .scalar_subquery()
    )
    session.execute(
        update(Submission)
        .where(Submission.competition_id == competition_id)
        .values(judging_id=func.coalesce(anew, Submission.judging_id))
        .execution_options(synchronize_session=False)
    )


def _end(session: WriteSession, which: ColumnElement[bool], now: datetime) -> None:
    session.execute(
        update(Judging)
        .where(which, Judging.state.not_in(FINAL_STATES))
        .values(state=State.CANCELLED, judged_at=now)
        .execution_options(synchronize_session=False)
    )
    leases.cancel(session, Run, Run.id.in_(select(Judging.id).where(which)), now=now)


def _pair(
    submission_id: str,
    team_id: str,
    submitted_at: datetime,
    sequence: int,
    old_state: str,
    old_public: Fraction | None,
    old_private: Fraction | None,
    new_state: str | None,
    new_public: Fraction | None,
    new_private: Fraction | None,
    new_problem: dict[str, Any] | None,
    is_held_back: bool,
) -> VerdictPair:
    old = None if old_public is None else (old_public, old_private)
    new = None if new_public is None else (new_public, new_private)
    state = None if new_state is None else State(new_state)
    return VerdictPair(
        submission_id,
        team_id,
        submitted_at,
        sequence,
        State(old_state),
        old,
        state,
        new,
        new_problem,
        is_held_back,
    )
