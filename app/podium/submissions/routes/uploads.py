"""Routes of resumable uploads: discover, start, append, ask how far, give up.

They are those of tus 1.0 and of the IETF's draft alike. A submission is made of a finished one by
`POST …/submissions` with its id, an organizer's file by the route that takes such a file.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from fastapi import APIRouter, Depends, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse
from sqlalchemy.orm import Session

from podium.accounts.authentication.callers import MaybeActor, SignedIn
from podium.application import Application
from podium.core.access import Actor
from podium.core.database.engine import WriteSession, database_now
from podium.core.models import Upload
from podium.errors import PodiumError, TooLarge, Unavailable, WrongState
from podium.errors.codes import ErrorCode
from podium.http.deps import App
from podium.http.errors import problem_response, status_of
from podium.http.paging import Listed
from podium.http.schemas import OpenApi, header_parameters, problems, raw_body
from podium.http.streaming.uploads import content_digest
from podium.http.threads import in_upload_thread, with_store
from podium.http.transactions import Reading
from podium.submissions.routes.intake import limits_of
from podium.submissions.routes.tus import (
    TusRoute,
    discovery_headers,
    refuse_other_version,
    upload_headers,
)
from podium.submissions.routes.upload_heads import UploadHead, offset_of
from podium.submissions.routes.upload_pieces import append_body
from podium.submissions.rules import base_name, name_in
from podium.submissions.schemas import UploadOut
from podium.submissions.service import uploads
from podium.submissions.service.retention import remove_pieces
from podium.submissions.service.uploads import UploadLease

router = APIRouter(
    route_class=TusRoute, tags=["uploads"], dependencies=[Depends(refuse_other_version)]
)

ROOM_FACTOR = 2
"""The pieces and the file that is made of them are there at the same time for a while."""

FULL_RETRY_SECONDS = 300


NUMBERS = ("Upload-Offset", "Upload-Length")


def _parameters(*given: tuple[str, str]) -> OpenApi:
    return {"parameters": header_parameters(*given, required=("Upload-Offset",), numbers=NUMBERS)}


_COMMON = (
    ("Tus-Resumable", "`1.0.0`, from clients of tus."),
    ("Upload-Length", "Bytes of the whole file."),
    ("Upload-Complete", "`?1`: the file ends with this body. `?0`: more will follow."),
    ("Content-Digest", "`sha-256=:<base64>:` of this body; checked when it is sent."),
)


@router.options(
    "/uploads",
    operation_id="describeUploads",
    summary="What resumable uploads offer",
    status_code=204,
    response_class=Response,
)
def options_uploads(actor: MaybeActor, session: Reading) -> Response:
    """The versions and extensions of tus, for anybody, and with a token the largest size that its
    account may upload."""
    found = None if actor is None else uploads.most_bytes(session, actor=actor)
    return Response(status_code=204, headers=discovery_headers(found))


@router.post(
    "/uploads",
    operation_id="startUpload",
    summary="Start a resumable upload",
    status_code=201,
    response_model=UploadOut,
    responses=problems(
        404,
        ErrorCode.BAD_UPLOAD_LENGTH,
        ErrorCode.UPLOAD_TOO_LONG,
        ErrorCode.BAD_UPLOAD_METADATA,
        ErrorCode.BAD_UPLOAD_COMPLETE,
        ErrorCode.NOT_JOINED,
        ErrorCode.TUS_VERSION,
        ErrorCode.TOO_LARGE,
        ErrorCode.TOO_MANY_UPLOADS,
        ErrorCode.STORAGE_FULL,
        ErrorCode.DATABASE_UNAVAILABLE,
    ),
    openapi_extra=raw_body("The first bytes of the file, or nothing yet.", required=False)
    | _parameters(
        *_COMMON,
        ("Upload-Defer-Length", "`1`, from clients of tus that do not know the length yet."),
        ("Upload-Metadata", "Pairs of tus; `HEAD` answers them."),
    ),
)
async def post_upload(request: Request, actor: SignedIn, app: App) -> Response:
    """Its address is the `Location`. The body may hold the beginning of the file, or all of it.
    When all of it has come, its id stands for the file in `POST …/submissions`, and wherever an
    organizer's file is sent."""
    given, digest = UploadHead.of(request, offset=0), content_digest(request)
    try:
        lease, upload_id = await in_upload_thread(partial(_start, app, actor, given))
        if lease is not None:
            await append_body(
                request, app, actor=actor, lease=lease, digest=digest, is_last=given.is_last
            )
    except TooLarge as refusal:
        return _refused(request, refusal)
    return await run_in_threadpool(_started, app, actor, upload_id)


@router.get("/uploads", operation_id="listUploads", summary="My unfinished uploads")
def get_uploads(actor: SignedIn, session: Reading) -> Listed[UploadOut]:
    """Those that no submission was made of yet, oldest first; there are never many."""
    found = uploads.own_unfinished(session, actor=actor)
    return Listed(items=[_document(session, upload) for upload in found], next_cursor=None)


@router.get("/uploads/{upload_id}", operation_id="getUpload", summary="How far an upload has come")
def get_upload(upload_id: str, actor: SignedIn, session: Reading, response: Response) -> UploadOut:
    """`HEAD` at the same address answers the same headers without a body, which is enough to go
    on."""
    upload = uploads.find(session, upload_id=upload_id, actor=actor)
    response.headers.update(upload_headers(upload, now=database_now(session)))
    return _document(session, upload)


@router.patch(
    "/uploads/{upload_id}",
    operation_id="appendToUpload",
    summary="Append to an upload",
    status_code=204,
    response_class=Response,
    responses=problems(
        ErrorCode.BAD_UPLOAD_OFFSET,
        ErrorCode.BAD_UPLOAD_LENGTH,
        ErrorCode.BAD_DIGEST,
        ErrorCode.UPLOAD_CUT,
        ErrorCode.UPLOAD_TOO_LONG,
        ErrorCode.UPLOAD_OFFSET_MISMATCH,
        ErrorCode.UPLOAD_COMPLETE,
        ErrorCode.UPLOAD_BUSY,
        ErrorCode.UPLOAD_TAKEN_OVER,
        ErrorCode.UPLOAD_USED,
        ErrorCode.TOO_MANY_PIECES,
        ErrorCode.TUS_VERSION,
        ErrorCode.BAD_UPLOAD_COMPLETE,
    ),
    openapi_extra=raw_body("The next bytes of the file.")
    | _parameters(("Upload-Offset", "How many bytes of the file came before."), *_COMMON),
)
async def patch_upload(upload_id: str, request: Request, actor: SignedIn, app: App) -> Response:
    """What arrives is kept, also where the connection breaks within the body; of a body that is
    longer than the file, nothing is. `Upload-Offset` has to be what `HEAD` says; else 409 tells the
    right one."""
    offset = offset_of(request)
    given, digest = UploadHead.of(request, offset=offset), content_digest(request)
    try:
        lease = await in_upload_thread(partial(_lease, app, actor, upload_id, offset, given))
        await append_body(
            request, app, actor=actor, lease=lease, digest=digest, is_last=given.is_last
        )
    except (TooLarge, WrongState) as refusal:
        if given.has_body or refusal.code != ErrorCode.UPLOAD_COMPLETE:
            return _refused(request, refusal)
        # The draft's clients end an upload by a request of its own, and repeat it after a cut.
    return await run_in_threadpool(_appended, app, actor, upload_id)


@router.delete(
    "/uploads/{upload_id}",
    operation_id="discardUpload",
    summary="Give an upload up",
    status_code=204,
    response_class=Response,
)
async def delete_upload(upload_id: str, actor: SignedIn, app: App) -> Response:
    """Removes what came of it. A submission or a file that was made of it stays."""
    await with_store(partial(_discard, app, actor, upload_id))
    return Response(status_code=204)


def _start(app: Application, actor: Actor, given: UploadHead) -> tuple[UploadLease | None, str]:
    with app.database.write(is_minor=True) as session:
        upload = uploads.start(
            session,
            actor=actor,
            length=given.length,
            limits=limits_of(app),
            tus_metadata=given.metadata,
        )
        # Only those who may begin one learn of the disk; nothing remains of an upload without room.
        _refuse_without_room(app, given.length or 0)
        if not given.has_body:
            return None, upload.id
        return _leased(session, app, actor, upload.id, 0, given), upload.id


def _lease(
    app: Application, actor: Actor, upload_id: str, offset: int, given: UploadHead
) -> UploadLease:
    with app.database.write(is_minor=True) as session:
        return _leased(session, app, actor, upload_id, offset, given)


def _leased(
    session: WriteSession,
    app: Application,
    actor: Actor,
    upload_id: str,
    offset: int,
    given: UploadHead,
) -> UploadLease:
    return uploads.lease(
        session,
        upload_id=upload_id,
        actor=actor,
        offset=offset,
        length=given.length,
        body_bytes=given.body_bytes,
        limits=limits_of(app),
    )


def _discard(app: Application, actor: Actor, upload_id: str) -> None:
    with app.database.write(is_minor=True) as session:
        uploads.discard(session, upload_id=upload_id, actor=actor)
    remove_pieces(app.database, app.storage, upload_id=upload_id)


def _started(app: Application, actor: Actor, upload_id: str) -> Response:
    with app.database.read() as session:
        upload = uploads.find(session, upload_id=upload_id, actor=actor)
        document = _document(session, upload).model_dump(mode="json")
        headers = upload_headers(upload, now=database_now(session))
    return JSONResponse(document, 201, headers | {"Location": f"/api/v1/uploads/{upload_id}"})


def _appended(app: Application, actor: Actor, upload_id: str) -> Response:
    with app.database.read() as session:
        upload = uploads.find(session, upload_id=upload_id, actor=actor)
        headers = upload_headers(upload, now=database_now(session))
    return Response(status_code=204, headers=headers)


def _refused(request: Request, refusal: TooLarge | WrongState) -> Response:
    headers = {"Upload-Complete": "?0"}
    if (offset := refusal.facts.get("expected_offset")) is not None:
        headers["Upload-Offset"] = str(offset)
    if (max_bytes := refusal.facts.get("max_bytes")) is not None:
        headers["Upload-Limit"] = f"max-size={max_bytes}"
    if isinstance(refusal, WrongState) and refusal.retry_after is not None:
        headers["Retry-After"] = str(refusal.retry_after)
    return problem_response(
        request,
        status=status_of(refusal),
        code=refusal.code,
        detail=refusal.detail,
        headers=headers,
        **refusal.facts,
    )


def _document(session: Session, upload: Upload) -> UploadOut:
    return UploadOut.of(
        upload,
        offset=upload.received,
        filename=_shown_name(upload),
        complete=uploads.is_complete(upload),
        busy=uploads.is_busy(session, upload=upload),
    )


def _shown_name(upload: Upload) -> str | None:
    """The name that came with an upload; None for one that no submission could have."""
    name = name_in(upload.tus_metadata)
    with suppress(PodiumError):
        return base_name(name) if name else None
    return None


def _refuse_without_room(app: Application, length: int) -> None:
    free = app.storage.free_bytes()
    if free is not None and free - ROOM_FACTOR * length < app.settings.min_free_bytes:
        raise Unavailable(
            "The disk of the installation has no room for this file. Please try again later.",
            code=ErrorCode.STORAGE_FULL,
            retry_after=FULL_RETRY_SECONDS,
        )
