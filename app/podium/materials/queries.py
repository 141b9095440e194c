"""Questions about versions of the ground truth, never labels, and about files to download."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from podium.core.database.types import JsonObject
from podium.core.models import DataFile, GroundTruthVersion
from podium.core.versions import VersionState


def stored_uploads(
    session: Session, competition_id: str, upload_sha256: str
) -> Sequence[GroundTruthVersion]:
    """The usable versions that these very bytes became."""
    return session.scalars(
        select(GroundTruthVersion).where(
            GroundTruthVersion.competition_id == competition_id,
            GroundTruthVersion.upload_sha256 == upload_sha256,
            GroundTruthVersion.status == VersionState.STORED,
        )
    ).all()


def is_ground_truth(session: Session, competition_id: str, sha256s: Collection[str]) -> bool:
    """True if one of these hashes is that of bytes that came as a ground truth, or became one. A
    file that was refused as one is none: it may have been taken for it by mistake."""
    query = select(GroundTruthVersion.id).where(
        GroundTruthVersion.competition_id == competition_id,
        GroundTruthVersion.status != VersionState.REJECTED,
        or_(GroundTruthVersion.upload_sha256.in_(sha256s), GroundTruthVersion.sha256.in_(sha256s)),
    )
    return session.scalar(query.limit(1)) is not None


def data_file_hashes(session: Session, competition_id: str) -> list[str]:
    """The SHA-256 of all data files."""
    query = select(DataFile.sha256).where(DataFile.competition_id == competition_id)
    return list(session.scalars(query))


def summaries(
    session: Session, competition_id: str, *, usable: bool = False
) -> Sequence[JsonObject]:
    """The summaries of all versions that were ever stored, or of the `usable` ones, oldest
    first."""
    query = select(GroundTruthVersion.summary).where(
        GroundTruthVersion.competition_id == competition_id,
        GroundTruthVersion.version.is_not(None),
    )
    if usable:
        query = query.where(GroundTruthVersion.status == VersionState.STORED)
    rows = session.scalars(query.order_by(GroundTruthVersion.version))
    return [summary for summary in rows if summary is not None]


def file_named(session: Session, competition_id: str, name: str) -> DataFile | None:
    """The data file of this name."""
    return session.scalar(
        select(DataFile).where(DataFile.competition_id == competition_id, DataFile.name == name)
    )


def files_after(
    session: Session, competition_id: str, after_name: str | None, *, limit: int | None
) -> Sequence[DataFile]:
    """A page of the data files, by name; without a limit, all of them."""
    query = select(DataFile).where(DataFile.competition_id == competition_id)
    if after_name is not None:
        query = query.where(DataFile.name > after_name)
    return session.scalars(query.order_by(DataFile.name).limit(limit)).all()
