"""The one way of a file into the store, whatever it becomes: the body of a request, or the pieces
of a finished upload. Who may send it is decided before, and what becomes of it afterwards.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass
from functools import partial

import anyio
from fastapi import Request

from podium.application import Application
from podium.core.database.engine import WriteSession
from podium.errors import PodiumError, StoredFileCorrupt
from podium.http.streaming.heartbeats import Renewal, heartbeat
from podium.http.streaming.uploads import ContentDigest, Received, finished, receive_body
from podium.http.threads import in_upload_thread, on_disk, with_store
from podium.logs import get_logger
from podium.storage import Stored, Writer
from podium.submissions.service import composing, quota, uploads
from podium.submissions.service.composing import WholeUpload
from podium.submissions.service.retention import remove_pieces
from podium.submissions.service.uploads import UploadLimits

HEARTBEATS_PER_LEASE = 4

_log = get_logger("submissions")


@dataclass(frozen=True, slots=True)
class Held:
    """The leases that a request holds until its file has become rows: a slot of a quota, the upload
    that the file is made of, both, or neither."""

    app: Application
    slot_id: str = ""
    upload: WholeUpload | None = None

    @property
    def is_empty(self) -> bool:
        """True if there is nothing to renew and to give back."""
        return not self.slot_id and self.upload is None

    def renew(self, session: WriteSession) -> None:
        """Says that the request is alive."""
        if self.slot_id:
            lease_seconds = self.app.settings.upload_lease_seconds
            quota.renew_slot(session, slot_id=self.slot_id, lease_seconds=lease_seconds)
        if self.upload is not None:
            uploads.renew(session, lease=self.upload.lease, limits=limits_of(self.app))

    def let_go(self) -> None:
        """Gives the slot back, and ends the lease of the upload, which stays as it is."""
        if self.is_empty:
            return
        with self.app.database.write(is_minor=True) as session:
            if self.slot_id:
                quota.release_slot(session, slot_id=self.slot_id)
            if self.upload is not None:
                uploads.let_go(session, lease=self.upload.lease)


@asynccontextmanager
async def stored_file(
    request: Request,
    held: Held,
    start: Callable[[], Writer],
    *,
    max_bytes: int,
    digest: ContentDigest,
    form: bool = False,
) -> AsyncIterator[tuple[Stored, Received]]:
    """Stores a file; the block makes rows of it. What is held is kept alive until then.

    After any error, one of the block included, what was written is removed and what is held given
    back. Raises what `receive_body` raises or, for an upload, `InvalidInput` (`digest-mismatch`),
    `WrongState` (`upload-taken-over`) and `StoredFileCorrupt`; and what the store raises.
    """
    app, upload = held.app, held.upload
    writer: Writer | None = None
    try:
        writer = await on_disk(start)
        async with nullcontext() if held.is_empty else kept_alive(app, held.renew):
            if upload is None:
                received = await receive_body(
                    request,
                    writer,
                    max_bytes=max_bytes,
                    deadline_seconds=app.settings.upload_seconds,
                    min_rate=app.settings.upload_min_bytes_per_second,
                    digest=digest,
                    form=form,
                )
            else:
                received = await with_store(partial(_compose, app, upload, writer))
            stored = await finished(writer)
            if upload is not None:
                upload.compare(stored)
            yield stored, received
    except BaseException:
        # Not undone by a cancellation in the middle; should it fail, the leases end by themselves.
        with anyio.CancelScope(shield=True):
            await in_upload_thread(partial(_give_up, held, writer))
        raise


def clean_up(app: Application, upload: WholeUpload) -> None:
    """Removes the pieces of an upload that has become a file."""
    upload_id = upload.lease.upload_id
    try:
        remove_pieces(app.database, app.storage, upload_id=upload_id)
    except PodiumError as error:
        # The file stands; the next sweep removes the pieces.
        _log.warning("pieces.not-removed", upload=upload_id, code=error.code)


def kept_alive(app: Application, renew: Renewal) -> AbstractAsyncContextManager[None]:
    """Renews a lease of an upload while the block runs."""
    every_seconds = app.settings.upload_lease_seconds / HEARTBEATS_PER_LEASE
    return heartbeat(app.database, renew, every_seconds=every_seconds)


def limits_of(app: Application) -> UploadLimits:
    """The limits of resumable uploads by the installation's settings."""
    return UploadLimits(
        unfinished=app.settings.unfinished_uploads,
        keep_seconds=app.settings.upload_keep_seconds,
        lease_seconds=app.settings.upload_lease_seconds,
    )


def _compose(app: Application, upload: WholeUpload, writer: Writer) -> Received:
    try:
        composing.compose(app.storage, upload, writer)
    except StoredFileCorrupt:
        # An upload that is given up meanwhile loses its pieces under us; nothing is corrupt then.
        with app.database.write(is_minor=True) as session:
            uploads.still_held(session, lease=upload.lease)
        raise
    return Received(writer.size, upload.filename)


def _give_up(held: Held, writer: Writer | None) -> None:
    try:
        if writer is not None:
            writer.abort()
    finally:
        held.let_go()
