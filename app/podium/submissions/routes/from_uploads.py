"""A submission that is made of a resumable upload: the way of a raw file, but for the bytes, which
are here already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import anyio
from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from podium.application import Application
from podium.core.access import Actor
from podium.core.database.engine import WriteSession
from podium.core.models import Submission
from podium.http.streaming.heartbeats import heartbeat
from podium.http.threads import in_upload_thread, on_disk, with_store
from podium.storage import Stored, Writer
from podium.submissions.routes.admission import (
    accepted,
    give_up,
    renew_slot,
    rules_of,
    settle,
    writer_for,
)
from podium.submissions.routes.composition import clean_up, composed, let_go, renew
from podium.submissions.routes.references import SubmittedUpload
from podium.submissions.routes.upload_pieces import HEARTBEATS_PER_LEASE, limits_of
from podium.submissions.rules import base_name, checked_note, name_in
from podium.submissions.service import composing, idempotency, submissions
from podium.submissions.service.composing import Piece
from podium.submissions.service.submissions import Admission
from podium.submissions.service.uploads import UploadLease
from podium.submissions.service.views import SubmissionView


@dataclass(frozen=True, slots=True)
class _Composing:
    """A file that may be made: its slot is reserved and its upload is held."""

    admission: Admission
    lease: UploadLease
    pieces: Sequence[Piece]


async def submit_upload(
    request: Request,
    app: Application,
    *,
    actor: Actor,
    slug: str,
    given: SubmittedUpload,
    team_id: str | None,
) -> tuple[SubmissionView, bool]:
    """Makes a submission of a complete upload, and answers it with whether it had been made before.

    The same order as for a raw file: key, size, team, phase, quota; then the bytes. Raises what
    `submissions.admit` raises, `NotFound`, `WrongState` (`upload-incomplete`, `upload-busy`,
    `upload-used`, `upload-taken-over`) and `InvalidInput` (`digest-mismatch`).
    """
    name, note = base_name(given.filename), checked_note(given.note)
    key = idempotency.checked_key(request.headers.get("idempotency-key"))
    begun = await in_upload_thread(partial(_begin, app, actor, slug, given, key, team_id))
    if isinstance(begun, str):
        return await run_in_threadpool(accepted, app, begun), True
    writer: Writer | None = None
    try:
        if not given.filename:
            name = base_name(name_in(begun.lease.tus_metadata))
        writer = await on_disk(partial(writer_for, app, begun.admission))
        async with heartbeat(
            app.database,
            partial(_renew, app, begun),
            every_seconds=app.settings.upload_lease_seconds / HEARTBEATS_PER_LEASE,
        ):
            stored = await with_store(
                partial(composed, app, begun.lease, begun.pieces, writer, given)
            )
            made = await in_upload_thread(
                partial(_settle, app, actor, begun, stored, (name, note), key)
            )
    except BaseException:
        # Not undone by a cancellation in the middle; should it fail, the leases end by themselves.
        with anyio.CancelScope(shield=True):
            await in_upload_thread(partial(_give_up, app, begun, writer))
        raise
    await with_store(partial(_clean_up, app, begun))
    return made


def _begin(
    app: Application,
    actor: Actor,
    slug: str,
    given: SubmittedUpload,
    key: str | None,
    team_id: str | None,
) -> _Composing | str:
    """The upload to compose; or the id of the submission that it has become already."""
    with app.database.write(is_minor=True) as session:
        earlier, length = composing.earlier_submission(
            session, upload_id=given.upload_id, actor=actor, slug=slug
        )
        if earlier is not None:
            return earlier
        admission = submissions.admit(
            session,
            slug=slug,
            actor=actor,
            rules=rules_of(app),
            key=key,
            announced_bytes=length,
            team_id=team_id,
        )
        lease, pieces = composing.lease_whole(
            session, upload_id=given.upload_id, actor=actor, limits=limits_of(app)
        )
        return _Composing(admission, lease, pieces)


def _settle(
    app: Application,
    actor: Actor,
    begun: _Composing,
    stored: Stored,
    texts: tuple[str, str],
    key: str | None,
) -> tuple[SubmissionView, bool]:
    def become(session: WriteSession, submission: Submission) -> None:
        composing.become(session, lease=begun.lease, submission=submission)

    made = settle(app, actor, begun.admission, stored, texts, key, also=become)
    if begun.admission.earlier is not None:
        let_go(app, begun.lease)
    return made


def _renew(app: Application, begun: _Composing, session: WriteSession) -> None:
    renew_slot(app, begun.admission, session)
    renew(app, begun.lease, session)


def _give_up(app: Application, begun: _Composing, writer: Writer | None) -> None:
    try:
        give_up(app, begun.admission, writer)
    finally:
        let_go(app, begun.lease)


def _clean_up(app: Application, begun: _Composing) -> None:
    if begun.admission.earlier is None:
        clean_up(app, begun.lease)
