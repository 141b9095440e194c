"""The stored files that rows name, and the submissions whose files are no longer needed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, exists, select, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from podium.core.database.engine import WriteSession
from podium.core.database.types import hashes_of
from podium.core.judging_states import State
from podium.core.models import (
    Competition,
    DataFile,
    GroundTruthVersion,
    Job,
    Judging,
    MetricVersion,
    PublishedIdList,
    Rejudging,
    Run,
    Standing,
    StoredItemFile,
    StoredSessionFile,
    Submission,
    Upload,
    UploadPiece,
)

NAMING: tuple[InstrumentedAttribute[Any], ...] = (
    DataFile.sha256,
    GroundTruthVersion.sha256,
    GroundTruthVersion.upload_sha256,
    Job.file_sha256,
    Judging.hits_sha256,
    MetricVersion.sha256,
    PublishedIdList.sha256,
    Run.hits_sha256,
    StoredItemFile.sha256,
    StoredItemFile.upload_sha256,
    StoredSessionFile.sha256,
    StoredSessionFile.upload_sha256,
    Submission.sha256,
    Upload.file_sha256,
    UploadPiece.sha256,
)
"""Every column that names a stored file, in whatever area."""


def named(session: Session, *, hashes: Collection[str]) -> set[str]:
    """Those of these stored files that some row needs."""
    found: set[str] = set()
    for column in NAMING:
        query = select(column).where(column.in_(list(hashes)))
        if column is Submission.sha256:
            query = query.where(Submission.file_removed_at.is_(None))
        found.update(session.scalars(query))
    return found | _parts_of_solutions(session).intersection(hashes)


def _parts_of_solutions(session: Session) -> set[str]:
    """The files of the splits of all solutions of tables: they stand together in one column."""
    query = select(GroundTruthVersion.parts).where(GroundTruthVersion.parts.is_not(None))
    return {sha256 for parts in session.scalars(query) for sha256 in hashes_of(parts)}


def of_old_seasons(session: Session, *, revealed_before: datetime) -> Sequence[str]:
    """Competitions that were revealed so long ago, are not being rejudged, and still have files of
    submissions that are no longer needed."""
    is_rejudged = exists().where(
        Rejudging.competition_id == Competition.id, Rejudging.state == "running"
    )
    query = select(Competition.id).where(
        Competition.revealed_at < revealed_before,
        ~is_rejudged,
        exists().where(Submission.competition_id == Competition.id, _is_dispensable()),
    )
    return session.scalars(query).all()


def drop_files(session: WriteSession, *, competition_id: str, now: datetime) -> int:
    """Records that the files of a competition's obsolete submissions are no longer stored; answers
    how many."""
    query = (
        update(Submission)
        .where(Submission.competition_id == competition_id, _is_dispensable())
        .values(file_removed_at=now)
        .execution_options(synchronize_session=False)
        .returning(Submission.sequence)
    )
    return len(session.scalars(query).all())


def _is_dispensable() -> ColumnElement[bool]:
    """On no board, not selected, and judged to its end."""
    stands = exists().where(Standing.submission_id == Submission.id)
    waits = exists().where(
        Judging.submission_id == Submission.id,
        Judging.state.in_([state for state in State if not state.is_final]),
    )
    return Submission.file_removed_at.is_(None) & ~Submission.is_selected & ~stands & ~waits
