"""The way of one upload into the store: admit, stream, finish, accept; or give the slot back."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import partial

import anyio
from fastapi import Request

from podium.application import Application
from podium.core.access import Actor
from podium.core.database.engine import WriteSession
from podium.core.models import Submission
from podium.http.streaming.heartbeats import heartbeat
from podium.http.streaming.uploads import (
    announced_length,
    content_digest,
    finished,
    receive_body,
)
from podium.http.threads import in_upload_thread, on_disk
from podium.logs import current_request, get_logger
from podium.storage import Area, Stored, Writer
from podium.submissions.rules import base_name, checked_note
from podium.submissions.service import idempotency, quota, submissions
from podium.submissions.service.dispatch import Trace
from podium.submissions.service.submissions import Admission, UploadRules
from podium.submissions.service.views import SubmissionView, present_accepted

HEARTBEATS_PER_LEASE = 4
"""Heartbeats of an upload within one lease."""

_log = get_logger("submissions")


async def receive_submission(
    request: Request,
    app: Application,
    *,
    actor: Actor,
    slug: str,
    filename: str | None,
    note: str | None,
    team_id: str | None,
) -> tuple[SubmissionView, bool]:
    """Takes a submission in, and answers it with whether it is the replay of an earlier one.

    Everything that can be refused by looking at the head of the request is refused before the
    first byte of the body is asked for.
    """
    base_name(filename)
    checked_note(note)
    digest = content_digest(request)
    key = idempotency.checked_key(request.headers.get("idempotency-key"))
    admission = await in_upload_thread(partial(_admit, request, app, actor, slug, key, team_id))
    writer: Writer | None = None
    try:
        writer = await on_disk(partial(writer_for, app, admission))
        async with heartbeat(
            app.database,
            partial(renew_slot, app, admission),
            every_seconds=app.settings.upload_lease_seconds / HEARTBEATS_PER_LEASE,
        ):
            received = await receive_body(
                request,
                writer,
                max_bytes=admission.max_bytes,
                deadline_seconds=app.settings.upload_seconds,
                min_rate=app.settings.upload_min_bytes_per_second,
                digest=digest,
                form=True,
            )
            # The address goes before the form.
            texts = base_name(filename or received.filename), checked_note(note or received.note)
            stored = await finished(writer)
            return await in_upload_thread(
                partial(settle, app, actor, admission, stored, texts, key)
            )
    except BaseException:
        # Not undone by a cancellation in the middle; should it fail, the lease ends by itself.
        with anyio.CancelScope(shield=True):
            await in_upload_thread(partial(give_up, app, admission, writer))
        raise


class Comparison:
    """A writer that keeps nothing: it only tells whether the bytes are those of another file."""

    def __init__(self) -> None:
        self.size = 0
        self._hash = hashlib.sha256()

    def write(self, chunk: bytes) -> None:
        """Counts and hashes the bytes, and forgets them."""
        self.size += len(chunk)
        self._hash.update(chunk)

    def finish(self) -> Stored:
        """The hash and the size of all bytes."""
        return Stored(self._hash.hexdigest(), self.size)

    def abort(self) -> None:
        """There is nothing to remove."""


def rules_of(app: Application) -> UploadRules:
    """The rules of uploads by the installation's settings."""
    return UploadRules(
        uploads_per_user=app.settings.uploads_per_user,
        rejected_per_hour=app.settings.rejected_per_hour,
        lease_seconds=app.settings.upload_lease_seconds,
    )


def writer_for(app: Application, admission: Admission) -> Writer:
    """The writer of an admitted upload's bytes."""
    if admission.earlier is not None:
        return Comparison()
    return app.storage.writer(Area.SUBMISSIONS)


def accepted(app: Application, submission_id: str) -> SubmissionView:
    """The submission as the answer to its acceptance shows it, now and when asked again."""
    with app.database.read() as session:
        return present_accepted(session, submission_id=submission_id)


def settle(
    app: Application,
    actor: Actor,
    admission: Admission,
    stored: Stored,
    texts: tuple[str, str],
    key: str | None,
    *,
    also: Callable[[WriteSession, Submission], None] = lambda session, submission: None,
) -> tuple[SubmissionView, bool]:
    """Makes the submission of stored bytes, or finds the earlier one with the same bytes; with
    whether it is a replay. `also` is done in the transaction of a new one."""
    if admission.earlier is not None:
        idempotency.refuse_other_bytes(admission.earlier, sha256=stored.sha256)
        return accepted(app, admission.earlier.submission_id), True
    filename, note = texts
    with app.database.write(is_minor=True) as session:
        submission = submissions.accept(
            session,
            queue=app.queue,
            actor=actor,
            slot_id=admission.slot_id,
            stored=stored,
            filename=filename,
            note=note,
            key=key,
            trace=Trace(current_request(), app.telemetry.place()),
        )
        also(session, submission)
        submission_id = submission.id
    _log.info("submission.accepted", submission=submission_id, bytes=stored.size)
    return accepted(app, submission_id), False


def renew_slot(app: Application, admission: Admission, session: WriteSession) -> None:
    """Says that the upload is alive."""
    if admission.earlier is None:
        lease_seconds = app.settings.upload_lease_seconds
        quota.renew_slot(session, slot_id=admission.slot_id, lease_seconds=lease_seconds)


def give_up(app: Application, admission: Admission, writer: Writer | None) -> None:
    """Removes what was written and gives the slot back."""
    if writer is not None:
        writer.abort()
    if admission.earlier is not None:
        return
    with app.database.write(is_minor=True) as session:
        quota.release_slot(session, slot_id=admission.slot_id)


def _admit(
    request: Request,
    app: Application,
    actor: Actor,
    slug: str,
    key: str | None,
    team_id: str | None,
) -> Admission:
    with app.database.write(is_minor=True) as session:
        return submissions.admit(
            session,
            slug=slug,
            actor=actor,
            rules=rules_of(app),
            key=key,
            announced_bytes=announced_length(request),
            team_id=team_id,
        )
