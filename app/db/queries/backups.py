"""Which files rows name, for a backup, and what a restored database has to forget."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import ColumnElement, Select, delete, select, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from podium.db.engine import WriteSession
from podium.db.models import Judging, Submission, Upload, UploadPiece, Worker
from podium.domain.judging import State


def hashes_in(session: Session, column: InstrumentedAttribute[Any]) -> Iterator[str]:
    """Every stored file that a column names, but for those of which only the row is kept."""
    query: Select[Any] = select(column).distinct().where(_is_kept(column))
    yield from session.scalars(query)


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
