"""All SQL of custom metrics: versions and uploads."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from podium.core.database.reading import newest_first
from podium.core.lookups import is_named
from podium.core.models import MetricVersion, User


def same_file(session: Session, competition_id: str, sha256: str) -> MetricVersion | None:
    """Returns the stored version with these very bytes, if there is one."""
    query = select(MetricVersion).where(
        MetricVersion.competition_id == competition_id,
        MetricVersion.sha256 == sha256,
        MetricVersion.version.is_not(None),
    )
    return session.scalar(query.order_by(MetricVersion.version.desc()).limit(1))


def being_checked(session: Session, competition_id: str) -> MetricVersion | None:
    """Returns the upload that is being checked, if there is one."""
    query = select(MetricVersion).where(
        MetricVersion.competition_id == competition_id, MetricVersion.status == "checking"
    )
    return session.scalar(query.limit(1))


def latest_number(session: Session, competition_id: str) -> int:
    """Returns the highest version number of this competition; 0 if there are none."""
    query = select(func.max(MetricVersion.version)).where(
        MetricVersion.competition_id == competition_id
    )
    return session.scalar(query) or 0


def named(session: Session, competition_id: str, name: str) -> MetricVersion | None:
    """Returns the version with this number, or the upload with this id, which may have no
    number."""
    query = select(MetricVersion).where(
        MetricVersion.competition_id == competition_id, is_named(MetricVersion, name)
    )
    return session.scalar(query)


def before(
    session: Session, competition_id: str, before_id: str | None, *, limit: int
) -> Sequence[MetricVersion]:
    """Returns a page of all uploads, newest first."""
    query = select(MetricVersion).where(MetricVersion.competition_id == competition_id)
    return session.scalars(newest_first(query, MetricVersion.id, before_id, limit)).all()


def authors(session: Session, rows: Sequence[MetricVersion]) -> dict[str, User]:
    """Returns the people who uploaded these, by id."""
    query = select(User).where(User.id.in_({row.created_by for row in rows}))
    return {user.id: user for user in session.scalars(query)}
