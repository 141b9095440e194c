"""All SQL of custom metrics: versions and uploads."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from podium.core.models import MetricVersion, User


def same_file(session: Session, competition_id: str, sha256: str) -> MetricVersion | None:
    """Returns the stored version with these very bytes, if there is one."""
    query = select(MetricVersion).where(
        MetricVersion.competition_id == competition_id,
        MetricVersion.sha256 == sha256,
        MetricVersion.version.is_not(None),
    )
    return session.scalar(query.order_by(MetricVersion.version.desc()).limit(1))


def authors(session: Session, rows: Sequence[MetricVersion]) -> dict[str, User]:
    """Returns the people who uploaded these, by id."""
    query = select(User).where(User.id.in_({row.created_by for row in rows}))
    return {user.id: user for user in session.scalars(query)}
