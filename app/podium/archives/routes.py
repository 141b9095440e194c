"""Routes that export and import a whole competition."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from podium.accounts.authentication.callers import Administrator, SignedIn
from podium.application import Application
from podium.archives.rendering import served_documents, site_files
from podium.archives.schemas import ImportedOut
from podium.archives.service.exporting import export_pieces, site_pieces
from podium.archives.service.people import People
from podium.archives.service.restoring import import_archive
from podium.core.access import Actor
from podium.errors import InvalidInput
from podium.errors.codes import ErrorCode
from podium.http.caching import OneAtATime
from podium.http.deps import App
from podium.http.schemas import OCTETS, file_answer, problems
from podium.http.streaming.downloads import attachment_headers, media_type_for, streamed
from podium.http.threads import with_archive
from podium.storage import Area, Stored
from podium.submissions.routes.organizers_files import FileSender, file_body, store_file
from podium.submissions.service import retention

router = APIRouter(tags=["archives"])

MAX_ARCHIVE_BYTES = 4 << 40
"""More than all submissions of a season; in practice the disk's reserve is the limit."""

UPLOAD_AREA = Area.GROUND_TRUTH
"""The storage area of an uploaded archive until it is read: that of secrets, because it holds
some."""

ZIP = "application/zip"

imports = OneAtATime(most_waiting=1)
exports = OneAtATime(most_waiting=2)


@router.get(
    "/admin/competitions/{slug}/export",
    operation_id="exportCompetition",
    summary="A whole competition as one file",
    response_class=Response,
    responses={
        200: file_answer("The archive, as a stream.", ZIP, OCTETS),
        **problems(
            403,
            404,
            409,
            429,
            ErrorCode.STORED_FILE_CORRUPT,
            ErrorCode.FULL_OR_STATIC,
            ErrorCode.NOT_REVEALED,
        ),
    },
)
async def get_export(
    request: Request,
    application: App,
    actor: SignedIn,
    slug: str,
    full: Annotated[
        bool, Query(description="With ground truth, key and all files: for the administrator.")
    ] = False,
    static: Annotated[
        bool, Query(description="As pages that need no server; only after the reveal.")
    ] = False,
) -> Response:
    """A ZIP file of settings, teams, boards, and submissions with their hashes and signed receipts;
    `podium verify receipts.jsonl` checks these. With `full` it also holds everything that another
    installation needs to restore the same competition; whoever has that file has the ground truth.
    With `static` it holds HTML pages instead."""
    if full and static:
        raise InvalidInput("Ask for `full` or for `static`.", code=ErrorCode.FULL_OR_STATIC)
    pieces = await with_archive(
        partial(_pieces, application, actor, slug, static=static, full=full)
    )
    name = f"{slug}-site.zip" if static else f"{slug}-full.zip" if full else f"{slug}.zip"
    headers = attachment_headers(name) | {"Cache-Control": "no-store"}
    media_type = media_type_for(request, ZIP, plain=OCTETS)
    return streamed(request, actor, pieces, headers=headers, media_type=media_type)


@router.post(
    "/admin/competitions/import",
    operation_id="importCompetition",
    summary="Restore a competition from a full archive",
    status_code=201,
    responses=problems(
        403,
        ErrorCode.BAD_NAME,
        ErrorCode.ARCHIVE_CORRUPT,
        ErrorCode.ARCHIVE_INCONSISTENT,
        ErrorCode.ARCHIVE_NOT_FULL,
        ErrorCode.ARCHIVE_TOO_NEW,
        ErrorCode.BAD_ARCHIVE_ROW,
        ErrorCode.METRIC_TRUST,
        ErrorCode.NAMES_TAKEN,
        ErrorCode.BAD_SLUG,
        ErrorCode.SLUG_TAKEN,
        ErrorCode.BAD_FILENAME,
        ErrorCode.BAD_NOTE,
    ),
    openapi_extra=file_body("The archive, as `export?full=true` makes it."),
)
async def post_import(
    request: Request,
    response: Response,
    application: App,
    actor: Administrator,
    slug: Annotated[
        str | None, Query(max_length=64, description="Another slug than the archive's.")
    ] = None,
    people: Annotated[
        People, Query(description="What names mean that accounts have here already.")
    ] = People.REFUSE,
    trust_metric: Annotated[
        bool,
        Query(description="True: the code of the metric that the archive may bring is trusted."),
    ] = False,
) -> ImportedOut:
    """All parts are checked before anything is stored; all rows are inserted in one transaction.
    Accounts come without passwords, tokens and rights."""
    sender = FileSender(request, response, application, actor)
    stored = await store_file(sender, UPLOAD_AREA, max_bytes=MAX_ARCHIVE_BYTES)
    imported = await with_archive(
        partial(_import, application, actor, stored, slug, people, trust_metric)
    )
    response.headers["Location"] = f"/api/v1/competitions/{imported.slug}"
    return imported


def _pieces(
    application: Application, actor: Actor, slug: str, *, static: bool, full: bool
) -> Iterator[bytes]:
    with exports.entered():
        if static:
            return site_pieces(application, actor=actor, slug=slug, files=site_files)
        return export_pieces(
            application, actor=actor, slug=slug, with_secrets=full, documents=served_documents
        )


def _import(
    application: Application,
    actor: Actor,
    stored: Stored,
    slug: str | None,
    people: People,
    trust_metric: bool,
) -> ImportedOut:
    try:
        with (
            imports.entered(),
            application.storage.local(UPLOAD_AREA, stored.sha256) as path,
        ):
            restored = import_archive(
                application,
                actor=actor,
                path=path,
                slug=slug,
                people=people,
                trust_metric=trust_metric,
            )
    finally:
        retention.remove_unnamed(
            application.database, application.storage, area=UPLOAD_AREA, sha256=stored.sha256
        )
    return ImportedOut(id=restored.competition_id, slug=restored.slug, rows=restored.rows)
