"""Which rows a backup must bring its files for, and what a restored database has to forget."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import ColumnElement, Select, delete, select, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from app.db.engine import WriteSession
from app.db.models import (
    DataFile,
    GroundTruthVersion,
    Judging,
    PublishedIdList,
    StoredItemFile,
    StoredSessionFile,
    Submission,
    Upload,
    UploadPiece,
    Worker,
)
from app.domain.judging import State
from app.storage import Area

FILES: tuple[tuple[Area, InstrumentedAttribute[Any]], ...] = (
    (Area.FILES, DataFile.sha256),
    (Area.FILES, PublishedIdList.sha256),
    (Area.GROUND_TRUTH, GroundTruthVersion.sha256),
    (Area.GROUND_TRUTH, GroundTruthVersion.upload_sha256),
    (Area.GROUND_TRUTH, StoredItemFile.sha256),
    (Area.GROUND_TRUTH, StoredItemFile.upload_sha256),
    (Area.GROUND_TRUTH, StoredSessionFile.sha256),
    (Area.GROUND_TRUTH, StoredSessionFile.upload_sha256),
    (Area.SUBMISSIONS, Submission.sha256),
    (Area.HITS, Judging.hits_sha256),
)
"""Every column that names a stored file, but for pieces of uploads that may still be cut."""


def named_files(session: Session) -> Iterator[tuple[Area, str]]:
    """Area and hash of every file that some row needs; one that several need comes several
    times."""
    for area, column in FILES:
        query: Select[Any] = select(column).distinct().where(_is_kept(column))
        for sha256 in session.scalars(query):
            yield area, sha256


def forget_what_was_under_way(session: WriteSession) -> None:
    """After a restore nobody is at anything: uploads begin anew, judgings go back to the queue as
    if they had never been begun, and no worker of then is expected to speak."""
    session.execute(delete(UploadPiece))
    session.execute(delete(Upload).where(Upload.submission_id.is_(None)))
    session.execute(
        update(Judging)
        .where(Judging.state == State.JUDGING)
        .values(state=State.QUEUED, worker_id=None, lease_until=None, progress=0.0)
    )
    session.execute(
        update(Worker).where(Worker.stopped_at.is_(None)).values(stopped_at=Worker.heartbeat_at)
    )


def _is_kept(column: InstrumentedAttribute[Any]) -> ColumnElement[bool]:
    if column is Submission.sha256:
        return Submission.file_removed_at.is_(None)
    return column.is_not(None)
