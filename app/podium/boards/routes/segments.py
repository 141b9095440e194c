"""Routes of scores by segments, and of the organizers' file about sessions for them."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter

from podium.accounts.authentication.callers import SignedIn
from podium.application import Application
from podium.boards.jobs import SEGMENTS
from podium.boards.schemas import SegmentsOut
from podium.boards.service import segments
from podium.core.access import Actor
from podium.core.models import StoredSessionFile
from podium.errors.codes import ErrorCode
from podium.http.deps import App
from podium.http.schemas import OF_JOBS, problems
from podium.http.transactions import Reading, TransactionRoute, Writing, read_with, write_with
from podium.jobs.waiting import result_of
from podium.materials.jobs import SESSION_FILE
from podium.materials.schemas import SessionFileOut
from podium.materials.service import session_files
from podium.materials.service.session_files import SessionsToRead
from podium.submissions.routes.organizers_files import SignedInSender, file_body, read_file

router = APIRouter(route_class=TransactionRoute, tags=["segments"])

REFUSED = problems(
    404,
    409,
    ErrorCode.NOT_COMPUTED,
    ErrorCode.NOT_REVEALED,
    ErrorCode.NOT_SCORED,
    ErrorCode.NOT_SEGMENTED,
    ErrorCode.DIFFERENT_GROUND_TRUTH,
    *OF_JOBS,
)
"""The errors of a score by segments, for its team and for organizers."""


@router.get(
    "/admin/submissions/{submission_id}/segments",
    operation_id="getSegmentsAsOrganizer",
    summary="A score by segments",
    responses=REFUSED,
)
async def get_segments_as_organizer(
    application: App, actor: SignedIn, submission_id: str
) -> SegmentsOut:
    """At any time, for organizers."""
    return await _segments(application, actor, submission_id, as_organizer=True)


@router.get(
    "/submissions/{submission_id}/segments",
    operation_id="getSegments",
    summary="My score by segments",
    responses=REFUSED,
)
async def get_segments(application: App, actor: SignedIn, submission_id: str) -> SegmentsOut:
    """After the reveal, for the submission's team; 404 `not-revealed` before."""
    return await _segments(application, actor, submission_id, as_organizer=False)


@router.put(
    "/admin/competitions/{slug}/sessions",
    operation_id="putSessionFile",
    summary="Say what is known about the sessions",
    status_code=201,
    response_model=SessionFileOut,
    responses={
        200: {"description": "There was another file before.", "model": SessionFileOut},
        **problems(
            ErrorCode.CHANGED_MEANWHILE,
            ErrorCode.NO_PUBLISHED_IDS,
            ErrorCode.NOT_SEGMENTED,
            *OF_JOBS,
            reads_file=True,
        ),
    },
    openapi_extra=file_body(
        "CSV or Parquet in any container: `session` and 1 to 20 columns of numbers or texts."
    ),
)
async def put_session_file(sender: SignedInSender, slug: str) -> SessionFileOut:
    """The file is read in the sandbox. Scores by segments use it at once, at any time."""
    app, actor = sender.app, sender.actor
    expected = await read_with(app, session_files.prepare, actor=actor, slug=slug)
    given = await read_file(
        sender,
        SESSION_FILE,
        partial(SessionsToRead, expected),
        competition_id=expected.competition_id,
        area=session_files.SESSIONS_AREA,
        max_bytes=session_files.MAX_UPLOAD_BYTES,
    )
    row, is_new = await write_with(
        app, session_files.put, actor=actor, slug=slug, expected=expected, given=given
    )
    sender.response.status_code = 201 if is_new else 200
    return _shown(row)


@router.get(
    "/admin/competitions/{slug}/sessions",
    operation_id="getSessionFile",
    summary="What is known about the sessions, in numbers",
)
def get_session_file(session: Reading, actor: SignedIn, slug: str) -> SessionFileOut:
    """Never the file itself."""
    return _shown(session_files.find(session, actor=actor, slug=slug))


@router.delete(
    "/admin/competitions/{slug}/sessions",
    operation_id="deleteSessionFile",
    summary="Forget what is known about the sessions",
    status_code=204,
)
def delete_session_file(session: Writing, actor: SignedIn, slug: str) -> None:
    """At any time: no verdict depends on it."""
    session_files.remove(session, actor=actor, slug=slug)


async def _segments(
    application: Application, actor: Actor, submission_id: str, *, as_organizer: bool
) -> SegmentsOut:
    competition_id, score = await read_with(
        application,
        segments.prepare,
        actor=actor,
        submission_id=submission_id,
        as_organizer=as_organizer,
    )
    found = await result_of(
        application, SEGMENTS, competition_id=competition_id, arguments=score, actor=actor
    )
    return SegmentsOut(submission_id=submission_id, **found)


def _shown(row: StoredSessionFile) -> SessionFileOut:
    return SessionFileOut.of(row, bytes=row.upload_bytes, sha256=row.upload_sha256)
