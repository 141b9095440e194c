"""Rows that another row refers to, and that are known to exist."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from podium.db.models import GroundTruthVersion, JudgingPause, PublishedIdList, Submission


def submission_of(session: Session, *, submission_id: str) -> Submission:
    """The submission by its public id."""
    return session.scalars(select(Submission).where(Submission.id == submission_id)).one()


def ground_truth(session: Session, *, competition_id: str, version: int) -> GroundTruthVersion:
    """The stored version that a judging is against."""
    query = select(GroundTruthVersion).where(
        GroundTruthVersion.competition_id == competition_id,
        GroundTruthVersion.version == version,
    )
    return session.scalars(query).one()


def published_ids(session: Session, *, competition_id: str) -> PublishedIdList:
    """The list of the sessions that submissions must answer."""
    return session.get_one(PublishedIdList, competition_id)


def pauses_of(session: Session, *, competition_id: str) -> Sequence[JudgingPause]:
    """Ground truths of a competition that could not be read, with when that is tried again."""
    query = select(JudgingPause).where(JudgingPause.competition_id == competition_id)
    return session.scalars(query.order_by(JudgingPause.ground_truth_version)).all()


def chosen_finals(session: Session, *, competition_id: str) -> set[str]:
    """Ids of all submissions that teams have selected."""
    query = select(Submission.id).where(
        Submission.competition_id == competition_id, Submission.is_selected
    )
    return set(session.scalars(query))
