"""Routes of submissions: sending one, looking at one's own, the whole list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated
from urllib.parse import quote

from fastapi import Query, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from sqlalchemy.orm import Session

from podium.accounts.authentication.callers import SignedIn
from podium.application import Application
from podium.core.access import Actor
from podium.core.database.engine import WriteSession
from podium.core.judging_states import State
from podium.errors import StoredFileCorrupt
from podium.errors.codes import ErrorCode
from podium.http.deps import App
from podium.http.members import Since, Until
from podium.http.paging import Listed, Page, Paging
from podium.http.schemas import (
    CONTENT_DIGEST,
    OCTETS,
    OF_ITS_TIME,
    OpenApi,
    file_answer,
    header_parameters,
    problems,
)
from podium.http.streaming.downloads import streamed
from podium.http.streaming.strict_json import strict_router
from podium.http.transactions import Reading
from podium.storage import Area
from podium.submissions.routes.admission import receive_submission
from podium.submissions.schemas import (
    EXAMPLE,
    EXAMPLE_ACCEPTED,
    EXAMPLE_REJECTED,
    SubmissionOut,
    submission_document,
)
from podium.submissions.service import retention, submissions
from podium.submissions.service.submissions import SubmissionFilter
from podium.submissions.service.views import present

router = strict_router(tag="submissions")

RETRY_AFTER_SECONDS = 2
"""Seconds after which a client that does not follow the events may look for the verdict."""

ACCEPTED: dict[int | str, OpenApi] = {
    202: {
        "description": "The file and its judging are stored; the score follows.",
        "headers": {
            name: {"description": text, "schema": {"type": kind}}
            for name, kind, text in (
                ("Location", "string", "Where the submission is, and later its score."),
                ("Retry-After", "integer", "Seconds after which it is worth looking."),
                ("Idempotency-Replayed", "string", "`true` where a request was repeated."),
            )
        },
        "content": {"application/json": {"example": EXAMPLE_ACCEPTED}},
    }
}

NOTE = "A note for your team, up to 500 characters; organizers see it too."

SUBMISSION_BODY: OpenApi = {
    "requestBody": {
        "description": "The file itself, of any Content-Type; the container is recognized by its"
        " bytes. Forms hold one `file` and perhaps a `note`. JSON names a finished upload.",
        "required": True,
        "content": {
            "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {
                        "file": {
                            "type": "string",
                            "format": "binary",
                            "description": "The bytes of the file, with its name.",
                        },
                        "note": {
                            "type": "string",
                            "maxLength": 500,
                            "description": NOTE,
                            # Pages fill a form in with it.
                            "examples": [""],
                        },
                    },
                }
            },
            "application/json": {"schema": {"$ref": "#/components/schemas/SubmittedUpload"}},
        },
    },
    "parameters": header_parameters(
        ("Idempotency-Key", "1 to 255 visible ASCII characters; makes sending again harmless."),
        CONTENT_DIGEST,
    ),
}


@router.post(
    "/competitions/{slug}/submissions",
    operation_id="submit",
    summary="Submit a file",
    status_code=202,
    response_model=SubmissionOut,
    responses=ACCEPTED
    | problems(
        415,
        ErrorCode.BAD_IDEMPOTENCY_KEY,
        ErrorCode.BAD_DIGEST,
        ErrorCode.UPLOAD_CUT,
        ErrorCode.BAD_FORM,
        ErrorCode.NOT_JOINED,
        ErrorCode.LEAK_LIMIT,
        ErrorCode.TEAM_DISQUALIFIED,
        *OF_ITS_TIME,
        ErrorCode.UPLOADS_PAUSED,
        ErrorCode.IDEMPOTENCY_RUNNING,
        ErrorCode.UPLOAD_INCOMPLETE,
        ErrorCode.UPLOAD_USED,
        ErrorCode.UPLOAD_TOO_SLOW,
        ErrorCode.IDEMPOTENCY_MISMATCH,
        ErrorCode.DIGEST_MISMATCH,
        ErrorCode.BAD_FILENAME,
        ErrorCode.BAD_NOTE,
        ErrorCode.QUOTA_EXHAUSTED,
        ErrorCode.TOO_MANY_UPLOADS,
        ErrorCode.TOO_MANY_REJECTIONS,
        ErrorCode.STORAGE_FULL,
        ErrorCode.NO_GROUND_TRUTH,
        ErrorCode.DATABASE_UNAVAILABLE,
        ErrorCode.UNAVAILABLE,
        ErrorCode.RULES_NOT_ACCEPTED,
        ErrorCode.UPLOAD_LAPSED,
    ),
    openapi_extra=SUBMISSION_BODY,
)
async def post_submission(
    request: Request,
    slug: str,
    actor: SignedIn,
    app: App,
    filename: Annotated[
        str | None,
        Query(
            description="What the file is called; `submission` without one.",
            examples=["submission.csv"],
        ),
    ] = None,
    note: Annotated[str | None, Query(description=NOTE)] = None,
    team: Annotated[
        str | None, Query(max_length=64, description="For organizers: a baseline's team.")
    ] = None,
) -> JSONResponse:
    """The file is the request body, or a finished upload that JSON names. A quota slot is reserved
    before its first byte is read; the answer comes when the file and its judging are durable."""
    view, is_replayed = await receive_submission(
        request, app, actor=actor, slug=slug, filename=filename, note=note, team_id=team
    )
    headers = {
        "Location": f"/api/v1/submissions/{view.submission.id}",
        "Retry-After": str(RETRY_AFTER_SECONDS),
    }
    if is_replayed:
        headers["Idempotency-Replayed"] = "true"
    document = submission_document(view).model_dump(mode="json", exclude_unset=False)
    return JSONResponse(document, status_code=202, headers=headers)


@router.get(
    "/competitions/{slug}/submissions",
    operation_id="listOwnSubmissions",
    summary="My team's submissions",
)
def get_own_submissions(
    slug: str, actor: SignedIn, session: Reading, page: Paging
) -> Listed[SubmissionOut]:
    """Newest first."""
    found, is_organizer = submissions.own_submissions(
        session, slug=slug, actor=actor, before=_before(page), limit=page.fetch
    )
    shown, next_cursor = page.cut(found, key=lambda row: (row.submission.sequence,))
    page.link_next(next_cursor)
    views = present(session, shown, is_organizer=is_organizer)
    return Listed(items=[submission_document(view) for view in views], next_cursor=next_cursor)


@router.get(
    "/admin/competitions/{slug}/submissions",
    operation_id="listAllSubmissions",
    summary="All teams' submissions",
)
def get_all_submissions(
    slug: str,
    actor: SignedIn,
    session: Reading,
    page: Paging,
    state: Annotated[State | None, Query(description="Only those in this state.")] = None,
    team: Annotated[
        str | None, Query(max_length=64, description="Only those of the team with this id.")
    ] = None,
    since: Since = None,
    until: Until = None,
    text: Annotated[
        str | None,
        Query(
            min_length=1,
            max_length=100,
            description="A part of a file's name, note, team, id or SHA-256.",
        ),
    ] = None,
) -> Listed[SubmissionOut]:
    """For organizers; newest first, only those that fit what is asked."""
    found = submissions.all_submissions(
        session,
        slug=slug,
        actor=actor,
        wanted=SubmissionFilter(state, team, since, until, text),
        before=_before(page),
        limit=page.fetch,
    )
    shown, next_cursor = page.cut(found, key=lambda row: (row.submission.sequence,))
    page.link_next(next_cursor)
    views = present(session, shown, is_organizer=True)
    return Listed(items=[submission_document(view) for view in views], next_cursor=next_cursor)


LOOKED_AT: dict[int | str, OpenApi] = {
    200: {
        "headers": {
            "Retry-After": {
                "description": "Seconds after which it is worth looking again; left out once the"
                " submission is judged.",
                "schema": {"type": "integer"},
            }
        },
        "content": {
            "application/json": {
                "examples": {
                    "scored": {"summary": "Scored", "value": EXAMPLE},
                    "rejected": {"summary": "Rejected", "value": EXAMPLE_REJECTED},
                }
            }
        },
    }
}


@router.get(
    "/submissions/{submission_id}",
    operation_id="getSubmission",
    summary="One submission",
    responses=LOOKED_AT | problems(),
)
def get_submission(
    submission_id: str, actor: SignedIn, session: Reading, response: Response
) -> SubmissionOut:
    """For its team and its organizers; everybody else gets 404."""
    shown = _shown(session, actor, submission_id)
    if not shown.status.is_final:
        response.headers["Retry-After"] = str(RETRY_AFTER_SECONDS)
    return shown


@router.get(
    "/submissions/{submission_id}/file",
    operation_id="downloadSubmission",
    summary="The bytes of a submission",
    response_class=StreamingResponse,
    responses={
        200: file_answer("The bytes."),
        **problems(429, ErrorCode.STORED_FILE_CORRUPT, ErrorCode.FILE_REMOVED),
    },
)
def get_submission_file(
    submission_id: str, actor: SignedIn, session: Reading, app: App, request: Request
) -> Response:
    """Exactly what was sent, as an attachment."""
    found, _ = submissions.find_submission(session, submission_id=submission_id, actor=actor)
    sent = found.submission
    retention.require_file(sent)
    if app.storage.size(Area.SUBMISSIONS, sent.sha256) != sent.bytes:
        raise StoredFileCorrupt("The stored file is missing or not what was sent.")
    return streamed(
        request,
        actor,
        _pieces(app, sent.sha256),
        media_type=OCTETS,
        headers={
            "Content-Length": str(sent.bytes),
            "Content-Disposition": f"attachment; filename*=UTF-8''{quote(sent.filename, safe='')}",
            "ETag": f'"{sent.sha256}"',
        },
    )


def changed_submission(session: WriteSession, actor: Actor, submission_id: str) -> SubmissionOut:
    """A submission after an act in the same transaction, as the actor sees it."""
    session.flush()
    return _shown(session, actor, submission_id)


def _shown(session: Session, actor: Actor, submission_id: str) -> SubmissionOut:
    found, is_organizer = submissions.find_submission(
        session, submission_id=submission_id, actor=actor
    )
    (view,) = present(session, [found], is_organizer=is_organizer)
    return submission_document(view)


def _before(page: Page) -> int | None:
    after = page.after(int)
    return after[0] if after else None


def _pieces(app: Application, sha256: str) -> Iterator[bytes]:
    yield from app.storage.read(Area.SUBMISSIONS, sha256)
