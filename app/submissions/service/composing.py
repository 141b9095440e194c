"""Making the file of a submission out of the pieces of an upload."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from podium.core.access import Actor
from podium.core.database.engine import WriteSession, database_now
from podium.core.models import Submission
from podium.errors import StoredFileCorrupt, WrongState
from podium.errors.codes import ErrorCode
from podium.storage import Area, Storage, Writer
from podium.submissions.queries import uploads as upload_queries
from podium.submissions.service import uploads
from podium.submissions.service.uploads import UploadLease, UploadLimits

SALT_BYTES = 16
"""Random bytes before those of a piece: no two pieces are ever the same stored file."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stored piece, as the composer needs it."""

    start: int
    bytes: int
    sha256: str


def earlier_submission(
    session: Session, *, upload_id: str, actor: Actor, slug: str
) -> tuple[str | None, int | None]:
    """The id of the submission that this upload became, and the length of the file; either may
    not be known yet.

    Raises `NotFound`, and `WrongState` (`upload-used`) where it was sent to another competition.
    """
    upload = uploads.find(session, upload_id=upload_id, actor=actor)
    if upload.submission_id is None:
        return None, upload.length
    slug_of = upload_queries.slug_of_submission(session, submission_id=upload.submission_id)
    if slug_of != slug:
        raise WrongState(
            "This upload was submitted to another competition already.", code=ErrorCode.UPLOAD_USED
        )
    return upload.submission_id, upload.length


def lease_whole(
    session: WriteSession, *, upload_id: str, actor: Actor, limits: UploadLimits
) -> tuple[UploadLease, Sequence[Piece]]:
    """Takes the right to make a submission of a complete upload, with its pieces in their order.

    Raises `NotFound` and `WrongState` (`upload-used`, `upload-busy`, `upload-incomplete`).
    """
    upload = uploads.taken(session, upload_id=upload_id, actor=actor)
    if not uploads.is_complete(upload):
        raise WrongState(
            f"Only {upload.received} bytes of the file are here. Send the rest first.",
            code=ErrorCode.UPLOAD_INCOMPLETE,
            expected_offset=upload.received,
        )
    lease = uploads.begin_lease(session, upload=upload, now=database_now(session), limits=limits)
    found = upload_queries.pieces(session, upload_id=upload.id)
    return lease, [Piece(one.start, one.bytes, one.sha256) for one in found]


def compose(storage: Storage, pieces: Sequence[Piece], writer: Writer, *, length: int) -> None:
    """Writes the pieces of a file of `length` bytes one after the other, each compared with its
    hash.

    Raises `StoredFileCorrupt` and what the writer raises; the caller aborts the writer then.
    """
    for piece in pieces:
        if piece.start != writer.size:
            raise StoredFileCorrupt("A piece of the upload is missing. Upload the file again.")
        for block in _content(storage, piece):
            writer.write(block)
    if writer.size != length:
        raise StoredFileCorrupt("The end of the upload is missing. Upload the file again.")


def become(session: WriteSession, *, lease: UploadLease, submission: Submission) -> None:
    """Ties the upload to what was made of it, in the transaction that makes it.

    Raises `WrongState` (`upload-taken-over`) where the lease was lost.
    """
    upload = uploads.still_held(session, lease=lease)
    upload.submission_id = submission.id
    upload.holder = upload.held_until = None


def _content(storage: Storage, piece: Piece) -> Iterator[bytes]:
    found, skip = hashlib.sha256(), SALT_BYTES
    for block in storage.read(Area.UPLOADS, piece.sha256):
        found.update(block)
        yield block[skip:]
        skip = max(0, skip - len(block))
    if found.hexdigest() != piece.sha256:
        raise StoredFileCorrupt("A piece of the upload has changed. Upload the file again.")
