"""Questions about versions of the ground truth: hashes, counts and states, never labels."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from podium.db.ground_truths import CHECKING, STORED
from podium.db.models import GroundTruthVersion


def stored_uploads(
    session: Session, competition_id: str, upload_sha256: str
) -> Sequence[GroundTruthVersion]:
    """The usable versions that these very bytes became."""
    return session.scalars(
        select(GroundTruthVersion).where(
            GroundTruthVersion.competition_id == competition_id,
            GroundTruthVersion.upload_sha256 == upload_sha256,
            GroundTruthVersion.status == STORED,
        )
    ).all()


def upload_being_checked(session: Session, competition_id: str) -> GroundTruthVersion | None:
    """The upload that is being read right now, if there is one."""
    return session.scalar(
        select(GroundTruthVersion)
        .where(
            GroundTruthVersion.competition_id == competition_id,
            GroundTruthVersion.status == CHECKING,
        )
        .limit(1)
    )


def version_named(session: Session, competition_id: str, name: str) -> GroundTruthVersion | None:
    """The version with this number, or the upload with this id, which has no number yet."""
    is_it = GroundTruthVersion.id == name
    if name.isascii() and name.isdigit() and len(name) < 10:
        is_it = or_(is_it, GroundTruthVersion.version == int(name))
    return session.scalar(
        select(GroundTruthVersion).where(GroundTruthVersion.competition_id == competition_id, is_it)
    )


def versions_before(
    session: Session, competition_id: str, before_id: str | None, *, limit: int
) -> Sequence[GroundTruthVersion]:
    """A page of all uploads, newest first."""
    query = select(GroundTruthVersion).where(GroundTruthVersion.competition_id == competition_id)
    if before_id is not None:
        query = query.where(GroundTruthVersion.id < before_id)
    return session.scalars(query.order_by(GroundTruthVersion.id.desc()).limit(limit)).all()


def interrupted_checks(session: Session, *, before: datetime) -> Sequence[GroundTruthVersion]:
    """Uploads that came until then and are said to be read, in all competitions."""
    return session.scalars(
        select(GroundTruthVersion).where(
            GroundTruthVersion.status == CHECKING, GroundTruthVersion.created_at <= before
        )
    ).all()
