"""Routes about what organizers keep secret, and the ids that they publish."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter
from fastapi.concurrency import run_in_threadpool
from pydantic import Field

from podium.accounts.authentication.callers import SignedIn
from podium.application import Application
from podium.core.access import Actor, competition_for_organizer
from podium.core.configuration import settings_of
from podium.core.models import Competition, GroundTruthVersion
from podium.core.versions import VersionState
from podium.errors.codes import ErrorCode
from podium.errors.reasons import sentence
from podium.http import examples
from podium.http.errors import rejection_document
from podium.http.paging import Listed, Paging
from podium.http.schemas import OF_JOBS, Document, problems
from podium.http.threads import in_writing_thread
from podium.http.transactions import Reading, TransactionRoute, read_with
from podium.jobs import leases, starting
from podium.jobs.starting import Origin
from podium.jobs.waiting import origin_of, require_worker
from podium.materials.jobs import GROUND_TRUTH, PUBLISHED_IDS, UploadToRead
from podium.materials.schemas import VersionOut
from podium.materials.service import ground_truth, preparations
from podium.materials.service import published_ids as published_ids_service
from podium.materials.service.preparations import Recipe
from podium.materials.service.published_ids import ListToRead
from podium.storage import Area, Stored
from podium.submissions.routes.organizers_files import (
    FileSender,
    SignedInSender,
    checked_version,
    file_body,
    read_file,
    store_file,
)

router = APIRouter(route_class=TransactionRoute, tags=["ground truth"])


class PublishedOut(Document):
    """The published ids in numbers."""

    sessions: int
    """Sessions of the test set."""
    published_ids: int
    """Rows that a submission needs: sessions × objectives."""
    sha256: Annotated[str, Field(examples=[examples.TEXT_HASH])]
    """SHA-256 of the list in its canonical form, in hex."""
    source: Annotated[str, Field(examples=["ground-truth"])]
    """`list` if organizers uploaded it, `ground-truth` if the first version implied it."""
    ground_truth_outdated: bool
    """True if the ground truth was checked against another list and has to be uploaded again."""


@router.post(
    "/admin/competitions/{slug}/ground-truth",
    operation_id="uploadGroundTruth",
    summary="Upload a ground truth",
    status_code=201,
    response_model=VersionOut,
    responses={
        200: {"description": "These bytes are a version already.", "model": VersionOut},
        202: {"description": "Still being read; look at `Location`.", "model": VersionOut},
        **problems(
            ErrorCode.BAD_DIGEST,
            ErrorCode.UPLOAD_CUT,
            ErrorCode.GROUND_TRUTH_CHECKING,
            ErrorCode.UPLOAD_INCOMPLETE,
            ErrorCode.UPLOAD_USED,
            ErrorCode.NO_WORKER,
            ErrorCode.STILL_RUNNING,
            ErrorCode.STORAGE_FULL,
            ErrorCode.DATABASE_UNAVAILABLE,
            ErrorCode.SETTINGS_CHANGED,
            *OF_JOBS,
            reads_file=True,
        ),
    },
    openapi_extra=file_body("Any form of ground truth; the container is recognized by its bytes."),
)
async def post_ground_truth(sender: SignedInSender, slug: str) -> VersionOut:
    """Read in the sandbox, like a submission. The first version becomes active by itself; a later
    one is only stored."""
    await read_with(sender.app, competition_for_organizer, slug=slug, actor=sender.actor)
    return await take_upload(sender, slug)


async def take_upload(sender: FileSender, slug: str, recipe: Recipe | None = None) -> VersionOut:
    """Stores the body and has it read; answers the version, or the upload that is still read."""
    await run_in_threadpool(require_worker, sender.app)
    max_bytes = ground_truth.MAX_UPLOAD_BYTES
    stored = await store_file(sender, Area.GROUND_TRUTH, max_bytes=max_bytes)
    return await _read_stored(sender, slug, stored, recipe)


async def _read_stored(
    sender: FileSender, slug: str, stored: Stored, recipe: Recipe | None
) -> VersionOut:
    origin = origin_of(sender.app, sender.actor)
    return await checked_version(
        sender.response,
        sender.app,
        accept=partial(_accept, sender.app, sender.actor, slug, stored, recipe, origin),
        look=partial(_shown, sender.app, sender.actor, slug),
        address=f"/api/v1/admin/competitions/{slug}/ground-truth",
    )


@router.get(
    "/admin/competitions/{slug}/ground-truth",
    operation_id="listGroundTruth",
    summary="Versions of the ground truth",
)
def get_versions(session: Reading, actor: SignedIn, slug: str, page: Paging) -> Listed[VersionOut]:
    """Newest first, uploads that were rejected included."""
    competition, rows = ground_truth.list_versions(
        session, actor=actor, slug=slug, before_id=page.after_text, limit=page.fetch
    )
    return page.listed(
        rows, key=lambda row: (row.id,), show=lambda row: _version_out(competition, row)
    )


@router.get(
    "/admin/competitions/{slug}/ground-truth/{version}",
    operation_id="getGroundTruth",
    summary="One version of the ground truth",
)
def get_version(session: Reading, actor: SignedIn, slug: str, version: str) -> VersionOut:
    """By its number, or by its id while it has none."""
    competition, row = ground_truth.find_version(session, actor=actor, slug=slug, name=version)
    return _version_out(competition, row)


@router.post(
    "/admin/competitions/{slug}/ground-truth/{version}/read",
    operation_id="readGroundTruthAgain",
    summary="Read an uploaded ground truth again",
    status_code=201,
    response_model=VersionOut,
    responses={
        200: {"description": "It is in force with these settings.", "model": VersionOut},
        202: {"description": "Still being read; look at `Location`.", "model": VersionOut},
        **problems(
            ErrorCode.FIXED_AT_LAUNCH,
            ErrorCode.GROUND_TRUTH_CHECKING,
            ErrorCode.SETTINGS_CHANGED,
            *OF_JOBS,
        ),
    },
)
async def post_reading(sender: SignedInSender, slug: str, version: str) -> VersionOut:
    """As if its file were uploaded once more: after a change of settings made a draft's version
    useless (`outdated`)."""
    stored, recipe = await run_in_threadpool(_upload_of, sender.app, sender.actor, slug, version)
    await run_in_threadpool(require_worker, sender.app)
    return await _read_stored(sender, slug, stored, recipe)


@router.put(
    "/admin/competitions/{slug}/published-ids",
    operation_id="putPublishedIds",
    summary="Give the session ids of the test set",
    response_model=PublishedOut,
    responses=problems(
        ErrorCode.FIXED_AT_LAUNCH, ErrorCode.SETTINGS_CHANGED, *OF_JOBS, reads_file=True
    ),
    openapi_extra=file_body("Session ids, one per line; or a file in submission form; or Parquet."),
)
async def put_published_ids(sender: SignedInSender, slug: str) -> PublishedOut:
    """Until the launch. Other ids than before put stored ground truth out of use."""
    prepare = published_ids_service.prepare_list
    competition_id, task = await read_with(sender.app, prepare, actor=sender.actor, slug=slug)
    given = await read_file(
        sender,
        PUBLISHED_IDS,
        partial(ListToRead, task),
        competition_id=competition_id,
        area=published_ids_service.UPLOAD_AREA,
        max_bytes=published_ids_service.MAX_UPLOAD_BYTES,
    )
    return await in_writing_thread(partial(_publish, sender.app, sender.actor, slug, given))


def _upload_of(
    application: Application, actor: Actor, slug: str, version: str
) -> tuple[Stored, Recipe | None]:
    """The file that a version was read from, which is kept, and how it is prepared."""
    with application.database.read() as session:
        competition, row = ground_truth.find_version(session, actor=actor, slug=slug, name=version)
        if row.preparation is None:
            return Stored(row.upload_sha256, row.upload_bytes), None
        preparations.require_draft(competition)
        recipe = preparations.recipe_from(row.preparation)
        return Stored(row.upload_sha256, row.upload_bytes), recipe


def _accept(
    application: Application,
    actor: Actor,
    slug: str,
    stored: Stored,
    recipe: Recipe | None,
    origin: Origin,
) -> tuple[str, str | None]:
    """The upload, and the job that reads it; None where it was read already."""
    with application.database.write() as session:
        row, _ = ground_truth.accept_upload(
            session, actor=actor, slug=slug, stored=stored, recipe=recipe
        )
        if row.status != VersionState.CHECKING:
            return row.id, None
        job = starting.start(
            session,
            queue=application.queue,
            kind=GROUND_TRUTH,
            competition_id=row.competition_id,
            arguments=UploadToRead(row.id),
            origin=origin,
        )
        return row.id, job.id


def _shown(application: Application, actor: Actor, slug: str, upload_id: str) -> VersionOut:
    with application.database.read() as session:
        return _version_out(
            *ground_truth.find_version(session, actor=actor, slug=slug, name=upload_id)
        )


def _publish(
    application: Application, actor: Actor, slug: str, given: published_ids_service.List
) -> PublishedOut:
    with application.database.write() as session:
        published = published_ids_service.publish_list(session, actor=actor, slug=slug, given=given)
        competition, row = published.competition, published.row
        if published.is_other:
            # It is being read as if it were numbered by the ids of before.
            leases.cancel(session, competition_id=competition.id, kind=GROUND_TRUTH)
        return PublishedOut(
            sessions=row.sessions,
            published_ids=settings_of(competition).rows_of(row.sessions),
            sha256=row.sha256,
            source=row.source,
            ground_truth_outdated=published.outdated,
        )


def _version_out(competition: Competition, row: GroundTruthVersion) -> VersionOut:
    summary = row.summary or {}
    counts = {name: summary[name] for name in ("sessions", "queries", "labels") if name in summary}
    return VersionOut.of(
        row,
        active=row.version is not None and row.version == competition.active_ground_truth,
        bytes=row.upload_bytes,
        sha256=row.upload_sha256,
        canonical_sha256=row.sha256,
        counts=counts or None,
        objectives=summary.get("objectives"),
        preparation=summary.get("preparation"),
        changes=summary.get("changes"),
        warnings=[sentence(each) for each in summary.get("warnings", [])],
        problem=None if row.problem is None else rejection_document(row.problem),
    )
