"""Numbered versions of organizers' files, which are checked before they count: ground truths and
custom metrics. An upload has an id at once, and a number once it was found good."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TypeVar

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from podium.core.database.engine import WriteSession
from podium.core.database.reading import newest_first
from podium.core.models import Competition, GroundTruthVersion, MetricVersion

AGAIN_SECONDS = 5
"""Seconds after which to look for the end of a check."""

Version = TypeVar("Version", GroundTruthVersion, MetricVersion)


class VersionState(StrEnum):
    """`outdated`: a ground truth was stored, and a change of the draft's settings made it
    useless."""

    CHECKING = "checking"
    STORED = "stored"
    REJECTED = "rejected"
    OUTDATED = "outdated"


def version_named(
    session: Session, versions: type[Version], competition_id: str, name: str
) -> Version | None:
    """Finds the version with this number, or the upload with this id, which may have no number."""
    is_it = versions.id == name
    if name.isascii() and name.isdigit() and len(name) < 10:
        is_it = or_(is_it, versions.version == int(name))
    return session.scalar(select(versions).where(versions.competition_id == competition_id, is_it))


def versions_before(
    session: Session,
    versions: type[Version],
    competition_id: str,
    before_id: str | None,
    *,
    limit: int,
) -> Sequence[Version]:
    """Lists a page of all uploads, newest first."""
    query = select(versions).where(versions.competition_id == competition_id)
    return session.scalars(newest_first(query, versions.id, before_id, limit)).all()


def latest_version(session: Session, versions: type[Version], competition_id: str) -> int | None:
    """Finds the highest number that a version of this competition ever had."""
    query = select(func.max(versions.version)).where(versions.competition_id == competition_id)
    return session.scalar(query)


def being_checked(session: Session, versions: type[Version], competition_id: str) -> Version | None:
    """Finds the upload that is being checked, if there is one."""
    query = select(versions).where(
        versions.competition_id == competition_id, versions.status == VersionState.CHECKING
    )
    return session.scalar(query.limit(1))


def locked_upload(
    session: WriteSession, versions: type[Version], upload_id: str
) -> tuple[Version, Competition]:
    """Finds an upload as it is now, and its competition, which is locked."""
    row = session.get_one(versions, upload_id)
    competition = session.get_one(
        Competition, row.competition_id, with_for_update={"key_share": True}
    )
    session.refresh(row)
    return row, competition
