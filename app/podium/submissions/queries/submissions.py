"""Questions about submissions and their effective judgings."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, func, or_, select, update
from sqlalchemy.orm import Session

from podium.core.database.engine import WriteSession
from podium.core.judging_states import FINAL_STATES, State
from podium.core.models import (
    Competition,
    Judging,
    PrivateScore,
    PublicScore,
    Run,
    Submission,
    Team,
    User,
)


@dataclass(frozen=True, slots=True)
class Found:
    """A submission with what is shown beside it. There is always an effective judging."""

    submission: Submission
    judging: Judging
    team: Team
    competition: Competition
    submitted_by: User
    public: PublicScore | None


_Query = Select[Submission, Judging, Team, Competition, User, PublicScore]


@dataclass(frozen=True, slots=True)
class SubmissionFilter:
    """A filter of submissions; None matches any. `text` is a part of a file's name, its note, its
    team's name, its id or its SHA-256; `since` is included, `until` is not."""

    state: State | None = None
    team_id: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    text: str | None = None


def find(session: Session, *, submission_id: str) -> Found | None:
    """One submission by its id."""
    rows = _found(session, _query().where(Submission.id == submission_id))
    return rows[0] if rows else None


def find_all(session: Session, *, submission_ids: Collection[str]) -> list[Found]:
    """Submissions by their ids, in no order."""
    return _found(session, _query().where(Submission.id.in_(list(submission_ids))))


def of_team(session: Session, *, team_id: str, before: int | None, limit: int) -> list[Found]:
    """A team's submissions, newest first; `before` is the sequence of the last one seen."""
    query = _query().where(Submission.team_id == team_id)
    return _page(session, query, before, limit)


def of_competition(
    session: Session,
    *,
    competition_id: str,
    wanted: SubmissionFilter,
    before: int | None,
    limit: int,
) -> list[Found]:
    """All submissions of a competition that are wanted, newest first."""
    query = _query().where(Submission.competition_id == competition_id)
    if wanted.state is not None:
        query = query.where(Judging.state == wanted.state)
    if wanted.team_id is not None:
        query = query.where(Submission.team_id == wanted.team_id)
    if wanted.since is not None:
        query = query.where(Submission.submitted_at >= wanted.since)
    if wanted.until is not None:
        query = query.where(Submission.submitted_at < wanted.until)
    if wanted.text is not None:
        places = (Submission.filename, Submission.note, Team.name, Submission.id, Submission.sha256)
        query = query.where(
            or_(*(place.icontains(wanted.text, autoescape=True) for place in places))
        )
    return _page(session, query, before, limit)


def private_scores_of(session: Session, *, judging_ids: Collection[str]) -> dict[str, PrivateScore]:
    """Private halves of verdicts by judging. Only for those who may see them."""
    query = select(PrivateScore).where(PrivateScore.judging_id.in_(list(judging_ids)))
    return {score.judging_id: score for score in session.scalars(query)}


def runs_of(session: Session, *, judging_ids: Collection[str]) -> dict[str, dict[bool, Run]]:
    """The runs of judgings, by judging and by whether they are private."""
    found: dict[str, dict[bool, Run]] = {}
    for run in session.scalars(select(Run).where(Run.judging_id.in_(list(judging_ids)))):
        found.setdefault(run.judging_id, {})[run.is_private] = run
    return found


def twin_of(session: Session, *, team_id: str, sha256: str) -> str | None:
    """The team's first submission of the same bytes."""
    query = (
        select(Submission.id)
        .where(Submission.team_id == team_id, Submission.sha256 == sha256)
        .order_by(Submission.sequence)
        .limit(1)
    )
    return session.scalar(query)


def waiting_judgings(session: Session, *, without: Collection[str] = ()) -> list[str]:
    """Ids of queued live judgings in the order in which they will be taken, `without` those of some
    teams."""
    query = (
        select(Judging.id)
        .join(Run, Run.id == Judging.id)
        .where(Judging.state == State.QUEUED, Judging.rejudging_id.is_(None))
        .order_by(Run.priority, Judging.id)
    )
    if without:
        theirs = select(Submission.id).where(Submission.team_id.in_(list(without)))
        query = query.where(Judging.submission_id.not_in(theirs))
    return list(session.scalars(query))


def selected_of(session: Session, *, team_id: str) -> list[str]:
    """Ids of what a team selected, newest first."""
    query = (
        select(Submission.id)
        .where(Submission.team_id == team_id, Submission.is_selected)
        .order_by(Submission.sequence.desc())
    )
    return list(session.scalars(query))


def select_finals(session: WriteSession, *, team_id: str, submission_ids: Collection[str]) -> None:
    """Marks exactly these of a team's submissions as selected."""
    session.execute(
        update(Submission)
        .where(Submission.team_id == team_id)
        .values(is_selected=Submission.id.in_(list(submission_ids)))
        .execution_options(synchronize_session=False)
    )


def _query() -> _Query:
    return (
        select(Submission, Judging, Team, Competition, User, PublicScore)
        .join(Judging, Judging.id == Submission.judging_id)
        .join(Team, Team.id == Submission.team_id)
        .join(Competition, Competition.id == Submission.competition_id)
        .join(User, User.id == Submission.user_id)
        .outerjoin(PublicScore, PublicScore.judging_id == Judging.id)
        .where(Competition.deleted_at.is_(None))
    )


def _page(session: Session, query: _Query, before: int | None, limit: int) -> list[Found]:
    if before is not None:
        query = query.where(Submission.sequence < before)
    return _found(session, query.order_by(Submission.sequence.desc()).limit(limit))


def _found(session: Session, query: _Query) -> list[Found]:
    return [Found(*row) for row in session.execute(query)]


def in_flight(session: Session, *, team_id: str, besides: str) -> int:
    """The number of a team's uploads whose judging has no verdict yet, one of them left out."""
    query = (
        select(func.count())
        .select_from(Judging)
        .join(Submission, Submission.id == Judging.submission_id)
        .where(
            Submission.team_id == team_id,
            Judging.rejudging_id.is_(None),
            Judging.state.not_in(FINAL_STATES),
            Judging.id != besides,
        )
    )
    return session.scalar(query) or 0
