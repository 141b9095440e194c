"""The work of making a file of an upload, while its lease is held; what becomes of the file is said
elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from podium.application import Application
from podium.core.database.engine import WriteSession
from podium.errors import InvalidInput, PodiumError, StoredFileCorrupt
from podium.errors.codes import ErrorCode
from podium.logs import get_logger
from podium.storage import Stored, Writer
from podium.submissions.routes.references import FinishedUpload
from podium.submissions.routes.upload_pieces import limits_of
from podium.submissions.service import composing, uploads
from podium.submissions.service.composing import Piece
from podium.submissions.service.retention import remove_pieces
from podium.submissions.service.uploads import UploadLease

_log = get_logger("submissions")


def composed(
    app: Application,
    lease: UploadLease,
    pieces: Sequence[Piece],
    writer: Writer,
    given: FinishedUpload,
) -> Stored:
    """Writes the pieces one after the other, and stores the file. Raises `InvalidInput`
    (`digest-mismatch`), `WrongState` (`upload-taken-over`), and what the store raises."""
    try:
        composing.compose(app.storage, pieces, writer, lease=lease)
    except StoredFileCorrupt:
        # An upload that is given up meanwhile loses its pieces under us; nothing is corrupt then.
        with app.database.write(is_minor=True) as session:
            uploads.still_held(session, lease=lease)
        raise
    stored = writer.finish()
    if given.sha256 not in (None, stored.sha256):
        raise InvalidInput(
            "The SHA-256 of what was uploaded is another one. Upload the file again.",
            code=ErrorCode.DIGEST_MISMATCH,
        )
    return stored


def renew(app: Application, lease: UploadLease, session: WriteSession) -> None:
    """Says that the holder of the lease is alive."""
    uploads.renew(session, lease=lease, limits=limits_of(app))


def let_go(app: Application, lease: UploadLease) -> None:
    """Ends the lease; the upload stays as it is."""
    with app.database.write(is_minor=True) as session:
        uploads.let_go(session, lease=lease)


def clean_up(app: Application, lease: UploadLease) -> None:
    """Removes the pieces of an upload that became a file."""
    try:
        remove_pieces(app.database, app.storage, upload_id=lease.upload_id)
    except PodiumError as error:
        # The file stands; the next sweep removes the pieces.
        _log.warning("pieces.not-removed", upload=lease.upload_id, code=error.code)
