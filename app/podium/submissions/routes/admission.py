"""The way of a file that becomes a submission: admitted, taken in, accepted."""

from __future__ import annotations

import hashlib
from functools import partial

from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from podium.application import Application
from podium.core.access import Actor
from podium.http.streaming.uploads import announced_length, content_digest
from podium.http.threads import in_upload_thread, with_store
from podium.logs import current_request, get_logger
from podium.storage import Area, Stored, Writer
from podium.submissions.routes.intake import Held, clean_up, limits_of, stored_file
from podium.submissions.routes.references import SubmittedUpload, reference_in
from podium.submissions.rules import base_name, checked_note
from podium.submissions.service import composing, idempotency, submissions
from podium.submissions.service.composing import WholeUpload
from podium.submissions.service.dispatch import Trace
from podium.submissions.service.submissions import Admission, UploadRules
from podium.submissions.service.views import SubmissionView, present_accepted

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
    """Takes in a submission, which is the body or a finished upload that the body names; answers it
    with whether it had been made before.

    Everything that can be refused by looking at the head of the request is refused before the
    first byte of a file is asked for. Raises what `submissions.admit` and `stored_file` raise, for
    an upload also `NotFound` and `WrongState` (`upload-incomplete`, `upload-busy`, `upload-used`).
    """
    given, request = await reference_in(request, SubmittedUpload, may_be_file=False)
    if given is not None:
        filename, note = given.filename or filename, given.note or note
    base_name(filename)
    checked_note(note)
    digest = content_digest(request)
    key = idempotency.checked_key(request.headers.get("idempotency-key"))
    length = announced_length(request)
    begun = await in_upload_thread(
        partial(_begin, app, actor, slug, given, filename, length, key, team_id)
    )
    if isinstance(begun, str):
        return await run_in_threadpool(_accepted, app, begun), True
    admission, upload = begun
    held, start = Held(app, admission.slot_id, upload), partial(_writer, app, admission)
    async with stored_file(
        request, held, start, max_bytes=admission.max_bytes, digest=digest, form=True
    ) as (stored, received):
        # The address goes before the form, and before what came with the upload.
        texts = base_name(filename or received.filename), checked_note(note or received.note)
        view, is_replayed = await in_upload_thread(
            partial(settle, actor, admission, held, stored, texts, key)
        )
    if upload is not None:
        await with_store(partial(clean_up, app, upload))
    return view, is_replayed


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


def settle(
    actor: Actor,
    admission: Admission,
    held: Held,
    stored: Stored,
    texts: tuple[str, str],
    key: str | None,
) -> tuple[SubmissionView, bool]:
    """Makes the submission of stored bytes, or finds the earlier one with the same bytes; with
    whether it is a replay."""
    app = held.app
    if admission.earlier is not None:
        idempotency.refuse_other_bytes(admission.earlier, sha256=stored.sha256)
        if held.upload is not None:
            with app.database.write(is_minor=True) as session:
                composing.become(
                    session,
                    lease=held.upload.lease,
                    submission_id=admission.earlier.submission_id,
                )
        return _accepted(app, admission.earlier.submission_id), True
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
        if held.upload is not None:
            composing.become(session, lease=held.upload.lease, submission_id=submission.id)
        submission_id = submission.id
    _log.info("submission.accepted", submission=submission_id, bytes=stored.size)
    return _accepted(app, submission_id), False


def _begin(
    app: Application,
    actor: Actor,
    slug: str,
    given: SubmittedUpload | None,
    filename: str | None,
    length: int | None,
    key: str | None,
    team_id: str | None,
) -> tuple[Admission, WholeUpload | None] | str:
    """The admission of a file, with the upload that it is made of; or the id of the submission that
    the upload has become already."""
    with app.database.write(is_minor=True) as session:
        if given is not None:
            earlier, length = composing.earlier_submission(
                session, upload_id=given.upload_id, actor=actor, slug=slug
            )
            if earlier is not None:
                return earlier
        admission = submissions.admit(
            session,
            slug=slug,
            actor=actor,
            rules=_rules_of(app),
            key=key,
            announced_bytes=length,
            team_id=team_id,
        )
        if given is None:
            return admission, None
        upload = composing.lease_whole(
            session,
            upload_id=given.upload_id,
            sha256=given.sha256,
            actor=actor,
            limits=limits_of(app),
        )
        base_name(filename or upload.filename)
        return admission, upload


def _rules_of(app: Application) -> UploadRules:
    """The rules of uploads by the installation's settings."""
    return UploadRules(
        uploads_per_user=app.settings.uploads_per_user,
        rejected_per_hour=app.settings.rejected_per_hour,
        lease_seconds=app.settings.upload_lease_seconds,
    )


def _writer(app: Application, admission: Admission) -> Writer:
    if admission.earlier is not None:
        return Comparison()
    return app.storage.writer(Area.SUBMISSIONS)


def _accepted(app: Application, submission_id: str) -> SubmissionView:
    """The submission as the answer to its acceptance shows it, now and when asked again."""
    with app.database.read() as session:
        return present_accepted(session, submission_id=submission_id)
