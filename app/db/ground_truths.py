"""Versions of a ground truth as every subject refers to them: states and numbers, never labels."""

from __future__ import annotations

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from podium.db.models import GroundTruthVersion


def latest_version(session: Session, competition_id: str) -> int | None:
    """The highest number that a version of this competition ever got."""
    return session.scalar(
        select(func.max(GroundTruthVersion.version)).where(
            GroundTruthVersion.competition_id == competition_id
        )
    )


CHECKING, STORED, REJECTED, OUTDATED = "checking", "stored", "rejected", "outdated"
"""States of a version; `outdated`: stored, and made useless by a change of a draft's settings."""


def active_version(
    session: Session, competition_id: str, version: int | None
) -> GroundTruthVersion | None:
    """The stored version with this number."""
    return session.scalar(
        select(GroundTruthVersion).where(
            GroundTruthVersion.competition_id == competition_id,
            GroundTruthVersion.version == version,
            GroundTruthVersion.status == STORED,
        )
    )


def outdate_versions(session: Session, competition_id: str) -> int:
    """Marks every stored version as useless; answers how many there were."""
    rows = session.scalars(
        select(GroundTruthVersion).where(
            GroundTruthVersion.competition_id == competition_id,
            GroundTruthVersion.status == STORED,
        )
    ).all()
    for row in rows:
        row.status = OUTDATED
    return len(rows)
