"""A body that is appended to a resumable upload: kept piece by piece, so that a cut costs nothing.

Whatever arrived before a connection broke or stalled stays. A body that is longer than the file, or
not the one of its `Content-Digest`, is forgotten again: its bytes are not those of this place.
"""

from __future__ import annotations

import asyncio
import secrets
from functools import partial

import anyio
from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from podium.application import Application
from podium.core.access import Actor
from podium.core.database.engine import WriteSession
from podium.errors import NotFound, PodiumError, WrongState
from podium.http.streaming.pace import Pace
from podium.http.streaming.uploads import ContentDigest, IncomingBody
from podium.http.threads import with_store
from podium.logs import get_logger
from podium.storage import Writer
from podium.submissions.routes.intake import kept_alive, limits_of
from podium.submissions.service import uploads
from podium.submissions.service.composing import SALT_BYTES
from podium.submissions.service.uploads import UploadLease

STORED_BYTES = 32 << 20
"""The bytes after which a piece is stored: what a process that dies may lose of one connection."""

REST_SECONDS = 2.0
"""After a silence of this length what came is kept and the lease ends: the client may be gone and
back again before anybody notices that its old connection is dead."""

LOOK_SECONDS = 2.0
"""Seconds between a request's checks that the upload is still its own: a client shall not send in
vain to one that was given up."""

_log = get_logger("submissions")


async def append_body(
    request: Request,
    app: Application,
    *,
    actor: Actor,
    lease: UploadLease,
    digest: ContentDigest,
    is_last: bool,
) -> None:
    """Appends the body under this hold, which then ends, however the body ends.

    `is_last` says that the file ends where the body does. Raises `TooSlow`, `BadRequest`
    (`upload-cut`, `upload-too-long`), `TooLarge`, `InvalidInput` (`digest-mismatch`), `WrongState`
    (`upload-taken-over`), `NotFound` where it was given up in a silence, and what the storage
    raises.
    """
    appending = _Appending(request, app, actor, lease, digest)
    try:
        async with kept_alive(app, appending.renew):
            await _take_all(appending)
            await with_store(partial(appending.finish, is_last))
    except BaseException:
        # Not undone by a cancellation in the middle; should it fail, the lease ends by itself.
        with anyio.CancelScope(shield=True):
            await with_store(appending.close)
        raise


async def _take_all(appending: _Appending) -> None:
    body, loop = appending.body, asyncio.get_running_loop()
    looked = loop.time()
    with body.pace as pace:
        while body.more:
            if loop.time() - looked >= LOOK_SECONDS:
                pace.end_turn()
                await run_in_threadpool(appending.look)
                looked = loop.time()
            if not await body.read(rest_seconds=REST_SECONDS):
                await with_store(appending.rest)
            elif body.is_due:
                pace.end_turn()
                await with_store(appending.flush)


class _Appending:
    """The bytes of one request on their way into pieces. All but `refuse` run in threads, one after
    the other; `renew` beside them."""

    def __init__(
        self,
        request: Request,
        app: Application,
        actor: Actor,
        lease: UploadLease,
        digest: ContentDigest,
    ) -> None:
        pace = Pace(
            deadline_seconds=app.settings.upload_seconds,
            min_rate=app.settings.upload_min_bytes_per_second,
        )
        self.body = IncomingBody(request, pace, self.refuse)
        self._app = app
        self._actor = actor
        self._limits = limits_of(app)
        self._lease = lease
        self._is_held = True
        self._begun, self._kept = lease, lease.received
        self._is_too_long = False
        self._digest = digest
        self._writer: Writer | None = None

    def refuse(self, taken: int) -> None:
        """Raises with the first byte that has no room."""
        try:
            self._begun.refuse_beyond_room(taken)
        except PodiumError:
            self._is_too_long = True
            raise

    def flush(self) -> None:
        """Writes what waits, and keeps the piece where it is long enough."""
        block = b"".join(self.body.collected())
        if not block:
            return
        self._lease_again()
        writer = self._writer
        if writer is None:
            writer = self._writer = self._app.storage.writer(self._lease.area)
            writer.write(secrets.token_bytes(SALT_BYTES))
        try:
            writer.write(block)
        except PodiumError:
            # The writer has removed what it had.
            self._writer = None
            raise
        self._digest.update(block)
        if writer.size >= STORED_BYTES:
            self._keep()

    def rest(self) -> None:
        """Keeps what came and ends the lease until more comes; but not where all of the file came,
        which may still turn out to be the wrong one, or too long."""
        self.flush()
        if self._is_whole:
            return
        self._keep()
        if self._is_held:
            self._let_go()

    def finish(self, is_last: bool) -> None:
        """Keeps the rest and ends the hold; compares the digest before."""
        self.flush()
        self._compare()
        self._keep()
        if is_last:
            self._lease_again()
        self._let_go(is_last=is_last)

    def close(self) -> None:
        """Keeps what may be kept after an error, and ends the hold."""
        ends = [self.flush, self._compare_whole, self._keep]
        if self._is_too_long:
            ends = [self._forget]
        for end in (*ends, self._let_go):
            try:
                end()
            except Exception as error:  # noqa: BLE001 - each end is tried, whatever befell the last
                # Nothing of it was acknowledged: the client asks how far the upload has come.
                _log.warning("upload.not-ended", error=type(error).__name__)

    def renew(self, session: WriteSession) -> None:
        """Says that this request is alive."""
        uploads.renew(session, lease=self._lease, limits=self._limits)

    def look(self) -> None:
        """Raises `WrongState` (`upload-taken-over`) or `NotFound` where the upload is lost."""
        try:
            with self._app.database.read() as session:
                if self._is_held:
                    uploads.still_held(session, lease=self._lease, for_update=False)
                else:
                    uploads.find(session, upload_id=self._lease.upload_id, actor=self._actor)
        except (WrongState, NotFound):
            raise
        except Exception as error:  # noqa: BLE001 - a database that is away says nothing
            _log.warning("upload.not-checked", error=type(error).__name__)

    @property
    def _is_whole(self) -> bool:
        """True if all of a file of known length came."""
        waiting = 0 if self._writer is None else self._writer.size - SALT_BYTES
        return self._kept + waiting == self._lease.length

    def _compare(self) -> None:
        """Forgets what came where its digest is another one. Raises `InvalidInput`."""
        try:
            self._digest.compare()
        except PodiumError:
            self._forget()
            raise

    def _compare_whole(self) -> None:
        """Compares the digest of a body that broke off behind the last byte of the file."""
        if self._is_whole:
            self._compare()

    def _keep(self) -> None:
        writer, self._writer = self._writer, None
        if writer is None:
            return
        try:
            stored = writer.finish()
        finally:
            writer.abort()
        size = stored.size - SALT_BYTES
        try:
            with self._app.database.write(is_minor=True) as session:
                uploads.append(
                    session,
                    lease=self._lease,
                    start=self._kept,
                    size=size,
                    sha256=stored.sha256,
                    limits=self._limits,
                )
        except PodiumError:
            # Refused, and so named by no row. After any other error the row may be there.
            self._app.storage.delete(self._lease.area, stored.sha256)
            raise
        self._kept += size

    def _forget(self) -> None:
        """Removes all that came with this request."""
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.abort()
        self._lease_again()
        with self._app.database.write(is_minor=True) as session:
            wrong = uploads.take_back(session, lease=self._lease, to=self._begun.received)
        self._kept = self._begun.received
        for sha256 in wrong:
            self._app.storage.delete(self._lease.area, sha256)

    def _lease_again(self) -> None:
        if self._is_held:
            return
        with self._app.database.write(is_minor=True) as session:
            self._lease = uploads.lease(
                session,
                upload_id=self._lease.upload_id,
                actor=self._actor,
                offset=self._kept,
                length=None,
                limits=self._limits,
            )
        self._is_held = True

    def _let_go(self, *, is_last: bool = False) -> None:
        with self._app.database.write(is_minor=True) as session:
            uploads.let_go(session, lease=self._lease, is_last=is_last)
        self._is_held = False
