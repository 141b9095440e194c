"""Rows that another row refers to, and that are known to exist."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.db.models import (
    GroundTruthVersion,
    PublishedIdList,
    Submission,
)


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
