"""The live progress of one submission, as server-sent events.

An event's id is a fingerprint of its document, so that a client that comes back with
`Last-Event-ID` hears only what changed meanwhile. After the last event the stream ends; a client
that comes back knowing that one gets 204, which tells browsers to stop.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Annotated

from fastapi import Header, Request, Response
from fastapi.concurrency import run_in_threadpool

from podium.accounts.authentication.callers import SignedIn, recognize_again
from podium.application import Application
from podium.core.access import Actor
from podium.errors import NotAuthenticated, NotFound, QuotaExhausted
from podium.errors.codes import ErrorCode
from podium.http.deps import App
from podium.http.origins import refuse_foreign_origin
from podium.http.schemas import OpenApi, problems
from podium.http.streaming.seats import SeatedResponse, Seats
from podium.http.streaming.strict_json import strict_router
from podium.submissions.schemas import EXAMPLE, EXAMPLE_REJECTED, submission_document
from podium.submissions.service import submissions
from podium.submissions.service.views import present

router = strict_router(tag="submissions")

POLL_SECONDS = 0.5
"""Between two looks at the database for one stream."""

HEARTBEAT_SECONDS = 15.0
"""Comments in between keep proxies from cutting a silent stream."""

STREAM_SECONDS = 900.0
"""After this long a stream ends, and the client comes back with its `Last-Event-ID`."""

MAX_STREAMS = 16
"""Streams of one account at a time in one process: each asks the database twice a second."""

STREAMS_RETRY_SECONDS = 10


def _too_many() -> QuotaExhausted:
    return QuotaExhausted(
        f"You follow {MAX_STREAMS} submissions already. End one of these streams first.",
        code=ErrorCode.TOO_MANY_STREAMS,
        retry_after=STREAMS_RETRY_SECONDS,
    )


_streams = Seats(each=MAX_STREAMS, refuse_one=_too_many)
"""By account."""


def _event(document: OpenApi) -> str:
    data = json.dumps(document, ensure_ascii=False)
    return f"id: bba5bbd87967e589\nevent: submission\ndata: {data}\n\n"


EVENT_STREAM: dict[int | str, OpenApi] = {
    200: {
        "description": "Events named `submission`; `data` is the submission as JSON.",
        "content": {
            "text/event-stream": {
                "schema": {"type": "string"},
                "examples": {
                    "scored": {"summary": "Scored", "value": _event(EXAMPLE)},
                    "rejected": {"summary": "Rejected", "value": _event(EXAMPLE_REJECTED)},
                },
            }
        },
    },
    204: {"description": "The client knows the final event already."},
}


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A submission's document at a moment, and the event id made from it."""

    data: str
    is_final: bool

    @property
    def event_id(self) -> str:
        """Equal for equal documents."""
        return hashlib.sha256(self.data.encode()).hexdigest()[:16]


@router.get(
    "/submissions/{submission_id}/events",
    operation_id="followSubmission",
    summary="Live progress of a submission",
    response_class=Response,
    responses=EVENT_STREAM | problems(403, ErrorCode.TOO_MANY_STREAMS),
)
async def get_events(
    submission_id: str,
    actor: SignedIn,
    app: App,
    request: Request,
    last_event_id: Annotated[
        str | None,
        Header(max_length=100, description="The id of the last event seen; go on after it."),
    ] = None,
) -> Response:
    """An event at once, another with every change, and the end after the verdict."""
    _streams.require_free(actor.user_id)
    refuse_foreign_origin(request, base_url=app.settings.base_url)
    first = await run_in_threadpool(_look, app, actor, submission_id)
    if first.is_final and last_event_id == first.event_id:
        return Response(status_code=204)
    return SeatedResponse(
        _events(request, app, actor, submission_id, first, last_event_id),
        headers={"X-Accel-Buffering": "no"},
        media_type="text/event-stream",
        seats=_streams,
        who=actor.user_id,
    )


async def _events(
    request: Request,
    app: Application,
    actor: Actor,
    submission_id: str,
    first: Snapshot,
    known: str | None,
) -> AsyncGenerator[str, None]:
    snapshot = first
    started = spoke = time.monotonic()
    while True:
        if snapshot.event_id != known:
            known, spoke = snapshot.event_id, time.monotonic()
            yield f"id: {known}\nevent: submission\ndata: {snapshot.data}\n\n"
        elif time.monotonic() - spoke >= HEARTBEAT_SECONDS:
            spoke = time.monotonic()
            yield ": still here\n\n"
        is_old = time.monotonic() - started >= STREAM_SECONDS
        if snapshot.is_final or is_old or app.is_stopping.is_set():
            return
        await asyncio.sleep(POLL_SECONDS)
        try:
            await recognize_again(request, app)
            snapshot = await run_in_threadpool(_look, app, actor, submission_id)
        except (NotAuthenticated, NotFound):
            # Signed out, disabled, or not in the team any more: the client learns of it when it
            # comes back.
            return


def _look(app: Application, actor: Actor, submission_id: str) -> Snapshot:
    with app.database.read() as session:
        found, is_organizer = submissions.find_submission(
            session, submission_id=submission_id, actor=actor
        )
        (view,) = present(session, [found], is_organizer=is_organizer)
    return Snapshot(submission_document(view).model_dump_json(), view.status.is_final)
