"""Routes for what participants download: data files, and the sample submission."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter, Request, Response

from podium.accounts.authentication.callers import MaybeActor, SignedIn
from podium.application import Application
from podium.core.access import Actor, competition_for_organizer
from podium.core.models import DataFile
from podium.errors.codes import ErrorCode
from podium.http.deps import App
from podium.http.paging import Listed, Paging
from podium.http.schemas import OF_JOBS, file_answers, problems
from podium.http.streaming.downloads import Download, send_file, send_parts, unchanged
from podium.http.threads import in_writing_thread
from podium.http.transactions import Reading, TransactionRoute, Writing, read_with
from podium.jobs.waiting import result_of
from podium.materials.jobs import SAMPLE
from podium.materials.rules import pictures
from podium.materials.schemas import FileOut
from podium.materials.service import data_files, published_ids
from podium.materials.service.ground_truth_reading import PUBLISHED_AREA
from podium.storage import Area, Stored
from podium.submissions.routes.organizers_files import SignedInSender, file_body, store_file

router = APIRouter(route_class=TransactionRoute, tags=["files"])

SAMPLE_NAME = "sample_submission.csv"

_SAMPLE = (
    "session_type,labels\n"
    "12899779_clicks,59625 1253524 737445 438191\n"
    "12899779_carts,59625 1253524 737445 438191\n"
    "12899779_orders,59625 1253524 737445 438191\n"
)


@router.get("/competitions/{slug}/files", operation_id="listFiles", summary="Participant data")
def get_files(session: Reading, actor: MaybeActor, slug: str, page: Paging) -> Listed[FileOut]:
    """By name."""
    rows = data_files.list_files(
        session, actor=actor, slug=slug, after_name=page.after_text, limit=page.fetch
    )
    return page.listed(rows, key=lambda row: (row.name,), show=lambda row: _file_out(slug, row))


@router.get(
    "/competitions/{slug}/files/{name}",
    operation_id="downloadFile",
    summary="One file",
    response_class=Response,
    responses=file_answers("The bytes.") | problems(ErrorCode.STORED_FILE_CORRUPT),
)
def get_file(
    session: Reading, application: App, actor: MaybeActor, slug: str, name: str, request: Request
) -> Response:
    """Whole, or one range of bytes; the `ETag` is the SHA-256."""
    row = data_files.find_file(session, actor=actor, slug=slug, name=name)
    download = Download(Area.FILES, row.sha256, row.bytes, row.name)
    return send_file(request, actor, application.storage, download)


@router.get(
    "/competitions/{slug}/sample-submission",
    operation_id="downloadSampleSubmission",
    summary="A file that every upload must look like",
    response_class=Response,
    responses=file_answers("CSV.", "text/csv", example=_SAMPLE) | problems(*OF_JOBS),
)
async def get_sample_submission(
    application: App, actor: MaybeActor, slug: str, request: Request
) -> Response:
    """Every published id, in published order. Made once for each version of these, then a file
    like any other: whole, or one range of bytes."""
    sample = await read_with(application, published_ids.find_sample, actor=actor, slug=slug)
    known = unchanged(request, SAMPLE_NAME, etag=sample.etag)
    if known is not None:
        return known
    stored = await result_of(
        application,
        SAMPLE,
        competition_id=sample.competition_id,
        arguments=sample.made_from,
        actor=actor,
    )
    return send_parts(
        request,
        actor,
        SAMPLE_NAME,
        etag=sample.etag,
        size=stored.size,
        read=partial(application.storage.read, PUBLISHED_AREA, stored.sha256),
        media_type="text/csv",
    )


@router.put(
    "/admin/competitions/{slug}/files/{name}",
    operation_id="putFile",
    summary="Give participants a file",
    status_code=201,
    response_model=FileOut,
    responses={
        200: {"description": "The name had other bytes before.", "model": FileOut},
        **problems(ErrorCode.BAD_FILE_NAME, ErrorCode.FILE_IS_GROUND_TRUTH),
    },
    openapi_extra=file_body("The file itself."),
)
async def put_file(sender: SignedInSender, slug: str, name: str) -> FileOut:
    """The name keeps its address when it gets new bytes."""
    app, actor = sender.app, sender.actor
    await read_with(app, competition_for_organizer, slug=slug, actor=actor)
    data_files.check_file_name(name)
    stored = await store_file(sender, Area.FILES, max_bytes=data_files.MAX_FILE_BYTES)
    shown, is_new = await in_writing_thread(partial(_put, app, actor, slug, name, stored))
    sender.response.status_code = 201 if is_new else 200
    return shown


@router.delete(
    "/admin/competitions/{slug}/files/{name}",
    operation_id="deleteFile",
    summary="Take a file away",
    status_code=204,
)
def delete_file(session: Writing, actor: SignedIn, slug: str, name: str) -> None:
    """Participants cannot download it any more."""
    data_files.remove_file(session, actor=actor, slug=slug, name=name)


def _put(
    application: Application, actor: Actor, slug: str, name: str, stored: Stored
) -> tuple[FileOut, bool]:
    head = application.storage.read(Area.FILES, stored.sha256, 0, pictures.HEAD_BYTES)
    data_files.check_picture(name, b"".join(head))
    with application.database.write() as session:
        row, is_new = data_files.put_file(session, actor=actor, slug=slug, name=name, stored=stored)
        return _file_out(slug, row), is_new


def _file_out(slug: str, row: DataFile) -> FileOut:
    return FileOut.of(row, url=f"/api/v1/competitions/{slug}/files/{row.name}")
