"""What a ladder looks at: a team's shown submissions, and what is held back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from podium.db.engine import WriteSession
from podium.db.models import Judging, PublicScore, Submission
from podium.domain.judging import State


@dataclass(frozen=True, slots=True)
class Shown:
    """A scored submission with the public half of its effective verdict."""

    submission_id: str
    judging_id: str
    ground_truth_version: int
    hits_sha256: str | None
    score: Fraction
    standard_error: float | None


def best_shown(session: Session, *, team_id: str, besides: str) -> Shown | None:
    """The best of a team's submissions whose scores it has seen, by the exact public score, the
    earliest of equals; one submission is left out, and so are disqualified ones."""
    query = (
        select(
            Submission.id,
            Judging.id,
            Judging.ground_truth_version,
            Judging.hits_sha256,
            PublicScore.score,
            PublicScore.standard_error,
        )
        .join(Judging, Judging.id == Submission.judging_id)
        .join(PublicScore, PublicScore.judging_id == Judging.id)
        .where(
            Submission.team_id == team_id,
            Submission.id != besides,
            Judging.state == State.SCORED,
            Submission.is_held_back.is_(False),
            Submission.disqualified_at.is_(None),
        )
        .order_by(Submission.sequence)
    )
    found = [Shown(*row) for row in session.execute(query)]
    return max(found, key=lambda one: one.score, default=None)


def count_scored(session: Session, *, team_id: str, besides: str) -> int:
    """How many scored submissions a team has, one of them left out."""
    query = (
        select(func.count())
        .select_from(Submission)
        .join(Judging, Judging.id == Submission.judging_id)
        .where(
            Submission.team_id == team_id,
            Submission.id != besides,
            Judging.state == State.SCORED,
        )
    )
    return session.scalar(query) or 0


def scored_since(session: Session, *, competition_id: str, since: datetime) -> Sequence[str]:
    """Ids of the scored submissions from a moment on, in the order of their acceptance."""
    query = (
        select(Submission.id)
        .join(Judging, Judging.id == Submission.judging_id)
        .where(
            Submission.competition_id == competition_id,
            Submission.submitted_at >= since,
            Judging.state == State.SCORED,
        )
        .order_by(Submission.sequence)
    )
    return session.scalars(query).all()


def show_everything(session: WriteSession, *, competition_id: str) -> None:
    """Holds nothing back any more."""
    session.execute(
        update(Submission)
        .where(Submission.competition_id == competition_id, Submission.is_held_back)
        .values(is_held_back=False)
    )


def hold_back(session: WriteSession, *, submission_ids: Sequence[str]) -> None:
    """Holds these back, whatever was decided before."""
    session.execute(
        update(Submission).where(Submission.id.in_(list(submission_ids))).values(is_held_back=True)
    )
