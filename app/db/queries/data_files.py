"""Questions about the files that a competition offers for download."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from podium.db.models import DataFile


def file_named(session: Session, competition_id: str, name: str) -> DataFile | None:
    """The data file of this name."""
    return session.scalar(
        select(DataFile).where(DataFile.competition_id == competition_id, DataFile.name == name)
    )


def files_after(
    session: Session, competition_id: str, after_name: str | None, *, limit: int
) -> Sequence[DataFile]:
    """A page of the data files, by name."""
    query = select(DataFile).where(DataFile.competition_id == competition_id)
    if after_name is not None:
        query = query.where(DataFile.name > after_name)
    return session.scalars(query.order_by(DataFile.name).limit(limit)).all()
