"""Making a file out of the pieces of an upload: that of a submission, or an organizer's."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from podium.core.access import Actor
from podium.core.database.engine import WriteSession, database_now
from podium.errors import InvalidInput, StoredFileCorrupt, WrongState
from podium.errors.codes import ErrorCode
from podium.storage import Area, Storage, Stored, Writer
from podium.submissions.queries import uploads as upload_queries
from podium.submissions.rules import name_in
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


@dataclass(frozen=True, slots=True)
class WholeUpload:
    """A complete upload that is leased to make a file of it: its pieces in their order, and the
    SHA-256 (hex) that the client promises for the file."""

    lease: UploadLease
    pieces: Sequence[Piece]
    sha256: str | None

    @property
    def filename(self) -> str | None:
        """The name that came with the upload."""
        return name_in(self.lease.tus_metadata)

    def compare(self, stored: Stored) -> None:
        """Raises `InvalidInput` (`digest-mismatch`) where the file is not the promised one."""
        if self.sha256 not in (None, stored.sha256):
            raise InvalidInput(
                "The SHA-256 of what was uploaded is another one. Upload the file again.",
                code=ErrorCode.DIGEST_MISMATCH,
            )


@dataclass(frozen=True, slots=True)
class Beginning:
    """The first piece of a complete upload, of `length` bytes in all; or the file that it became,
    after which pieces go."""

    length: int
    area: Area
    piece: Piece | None
    file: Stored | None = None

    def read(self, storage: Storage, most: int) -> Iterator[bytes]:
        """At most so many bytes of it, to look at: their hash is compared when the file is
        made. Raises `StoredFileCorrupt`."""
        if self.file is not None:
            yield from storage.read(self.area, self.file.sha256, 0, min(most, self.length))
        elif self.piece is not None:
            end = SALT_BYTES + min(most, self.piece.bytes)
            yield from storage.read(self.area, self.piece.sha256, SALT_BYTES, end)


def beginning_of(session: Session, *, upload_id: str, actor: Actor) -> Beginning:
    """The beginning of the file of an upload. Raises `NotFound` and `WrongState`
    (`upload-incomplete`)."""
    upload = uploads.find(session, upload_id=upload_id, actor=actor)
    if not uploads.is_complete(upload):
        raise WrongState(
            "The file is not complete. Choose it once more.",
            code=ErrorCode.UPLOAD_INCOMPLETE,
            expected_offset=upload.received,
        )
    if upload.file_sha256 is not None and upload.file_area is not None:
        stored = Stored(upload.file_sha256, upload.received)
        return Beginning(upload.received, Area(upload.file_area), None, stored)
    first = next(iter(upload_queries.pieces(session, upload_id=upload.id)), None)
    piece = None if first is None else Piece(first.start, first.bytes, first.sha256)
    return Beginning(upload.received, uploads.area_of(upload), piece)


def earlier_submission(
    session: Session, *, upload_id: str, actor: Actor, slug: str
) -> tuple[str | None, int | None]:
    """The id of the submission that this upload became, and the length of the file; either may
    not be known yet.

    Raises `NotFound`, and `WrongState` (`upload-used`) where it was sent to another competition.
    """
    upload = uploads.find(session, upload_id=upload_id, actor=actor)
    if upload.file_sha256 is not None:
        raise WrongState(
            "This upload became another file already. Start a new one.", code=ErrorCode.UPLOAD_USED
        )
    if upload.submission_id is None:
        return None, upload.length
    slug_of = upload_queries.slug_of_submission(session, submission_id=upload.submission_id)
    if slug_of != slug:
        raise WrongState(
            "This upload was submitted to another competition already. Start a new one.",
            code=ErrorCode.UPLOAD_USED,
        )
    return upload.submission_id, upload.length


def lease_whole(
    session: WriteSession,
    *,
    upload_id: str,
    sha256: str | None,
    actor: Actor,
    limits: UploadLimits,
) -> WholeUpload:
    """Takes the right to make a file of a complete upload; `sha256` is what the client promises.

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
    return WholeUpload(lease, [Piece(one.start, one.bytes, one.sha256) for one in found], sha256)


def compose(storage: Storage, upload: WholeUpload, writer: Writer) -> None:
    """Writes the pieces of a leased upload one after the other, each compared with its hash.

    Raises `StoredFileCorrupt` and what the writer raises; the caller aborts the writer then.
    """
    for piece in upload.pieces:
        if piece.start != writer.size:
            raise StoredFileCorrupt("A piece of the upload is missing. Upload the file again.")
        for block in _content(storage, upload.lease.area, piece):
            writer.write(block)
    if writer.size != upload.lease.received:
        raise StoredFileCorrupt("The end of the upload is missing. Upload the file again.")


def become(session: WriteSession, *, lease: UploadLease, submission_id: str) -> None:
    """Ties the upload to what was made of it, in the transaction that makes it, or to the earlier
    submission that its key stands for.

    Raises `WrongState` (`upload-taken-over`) where the lease was lost.
    """
    upload = uploads.still_held(session, lease=lease)
    upload.submission_id = submission_id
    upload.holder = upload.held_until = None


def earlier_file(
    session: Session, *, upload_id: str, actor: Actor, area: Area
) -> tuple[Stored | None, int | None]:
    """The organizer's file that this upload became, and the length of it; either may not be known
    yet.

    Raises `NotFound`, and `WrongState` (`upload-used`) where it became a submission, or a file that
    is kept elsewhere.
    """
    upload = uploads.find(session, upload_id=upload_id, actor=actor)
    if upload.file_sha256 is None and upload.submission_id is None:
        return None, upload.length
    if upload.file_sha256 is None or upload.file_area != area:
        raise WrongState(
            "This upload was used for something else already. Start a new one.",
            code=ErrorCode.UPLOAD_USED,
        )
    return Stored(upload.file_sha256, upload.received), upload.length


def become_file(session: WriteSession, *, lease: UploadLease, area: Area, stored: Stored) -> None:
    """Ties the upload to the stored file, which is kept until the upload expires, or for as long as
    another row names it.

    Raises `WrongState` (`upload-taken-over`) where the lease was lost.
    """
    upload = uploads.still_held(session, lease=lease)
    upload.file_area, upload.file_sha256 = area.value, stored.sha256
    upload.holder = upload.held_until = None


def _content(storage: Storage, area: Area, piece: Piece) -> Iterator[bytes]:
    found, skip = hashlib.sha256(), SALT_BYTES
    for block in storage.read(area, piece.sha256):
        found.update(block)
        yield block[skip:]
        skip = max(0, skip - len(block))
    if found.hexdigest() != piece.sha256:
        raise StoredFileCorrupt("A piece of the upload has changed. Upload the file again.")
