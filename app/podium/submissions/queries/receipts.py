"""Keys that sign receipts, and which versions of a ground truth are committed to."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select, union
from sqlalchemy.orm import Session

from podium.core.judging_states import RejudgingState
from podium.core.models import GroundTruthVersion, Judging, Rejudging, SigningKey


def keys(session: Session) -> Sequence[SigningKey]:
    """All keys that ever signed, the newest first."""
    query = select(SigningKey).order_by(SigningKey.created_at.desc(), SigningKey.id)
    return session.scalars(query).all()


def current_key(session: Session) -> SigningKey | None:
    """The key that signs now."""
    query = (
        select(SigningKey)
        .where(SigningKey.retired_at.is_(None))
        .order_by(SigningKey.created_at.desc(), SigningKey.id)
        .limit(1)
    )
    return session.scalar(query)


def used_versions(
    session: Session, *, competition_id: str, active: int | None
) -> Sequence[GroundTruthVersion]:
    """The versions that are or were in force, in order: not those that were only uploaded."""
    judged = select(Judging.ground_truth_version).where(
        Judging.competition_id == competition_id, Judging.rejudging_id.is_(None)
    )
    applied = select(Rejudging.ground_truth_version).where(
        Rejudging.competition_id == competition_id, Rejudging.state == RejudgingState.APPLIED
    )
    used = set(session.scalars(union(judged, applied))) | {active}
    query = (
        select(GroundTruthVersion)
        .where(
            GroundTruthVersion.competition_id == competition_id,
            GroundTruthVersion.version.in_([version for version in used if version is not None]),
        )
        .order_by(GroundTruthVersion.version)
    )
    return session.scalars(query).all()
