"""Routes by which organizers upload, list and compare custom metrics."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Response
from fastapi.concurrency import run_in_threadpool

from podium.accounts.authentication.callers import SignedIn
from podium.application import Application
from podium.core import lookups
from podium.core.access import Actor
from podium.core.competition_settings import CompetitionSettings
from podium.core.configuration import settings_of
from podium.core.models import MetricVersion, User
from podium.core.versions import VersionState
from podium.custom_metrics.jobs import start_check
from podium.custom_metrics.rules import sources
from podium.custom_metrics.schemas import CustomMetricOut, CustomMetricsOut, MetricArgumentOut
from podium.custom_metrics.service import permission, versions
from podium.custom_metrics.service.versions import FoundVersions
from podium.errors.codes import ErrorCode
from podium.http.deps import App
from podium.http.errors import rejection_document
from podium.http.paging import Paging
from podium.http.schemas import OF_JOBS, file_answer, problems
from podium.http.transactions import Reading, TransactionRoute
from podium.jobs.starting import Origin
from podium.jobs.waiting import origin_of, require_worker
from podium.storage import Stored
from podium.submissions.routes.organizers_files import (
    SignedInSender,
    checked_version,
    file_body,
    store_file,
)
from podium.submissions.rules import base_name, checked_note

router = APIRouter(route_class=TransactionRoute, tags=["metric files"])

FILES = "/admin/competitions/{slug}/metric-files"

FileName = Annotated[
    str | None, Query(description="The name of the file, as `metric.py`; it is only ever shown.")
]
Note = Annotated[
    str | None, Query(description="What is new in this version, up to 500 characters.")
]


@router.get(FILES, operation_id="listMetricFiles", summary="Versions of the metric")
def get_versions(
    session: Reading, application: App, actor: SignedIn, slug: str, page: Paging
) -> CustomMetricsOut:
    """Newest first, including rejected uploads."""
    found = versions.list_versions(
        session, actor=actor, slug=slug, before_id=page.after_text, limit=page.fetch
    )
    shown, next_cursor = page.cut(found.rows, key=lambda row: (row.id,))
    page.link_next(next_cursor)
    settings = settings_of(found.competition)
    return CustomMetricsOut(
        items=[_file_out(settings, row, found.authors) for row in shown],
        next_cursor=next_cursor,
        refusal=application.sandbox.custom_metrics_refusal(),
    )


@router.post(
    FILES,
    operation_id="uploadMetricFile",
    summary="Upload a custom metric",
    status_code=201,
    response_model=CustomMetricOut,
    responses={
        200: {"description": "These bytes are a version already.", "model": CustomMetricOut},
        202: {"description": "Still being checked; look at `Location`.", "model": CustomMetricOut},
        **problems(
            ErrorCode.BAD_FILENAME,
            ErrorCode.BAD_METRIC_FILE,
            ErrorCode.BAD_NOTE,
            ErrorCode.METRIC_CHECKING,
            ErrorCode.METRICS_OFF,
            ErrorCode.NOT_A_TABLE,
            *OF_JOBS,
        ),
    },
    openapi_extra=file_body(
        "One Python file with a function `score`, or a zip with one package; at most 5 MiB."
    ),
)
async def post_file(
    sender: SignedInSender, slug: str, filename: FileName = None, note: Note = None
) -> CustomMetricOut:
    """Its code is loaded and its doctests run in the sandbox; a file with problems is 422 with the
    line of each. The first version of a draft scores at once; a later one when the settings name
    it, after the launch by a rejudging."""
    texts = (filename or "") and base_name(filename), checked_note(note)
    app, actor = sender.app, sender.actor
    await run_in_threadpool(_require_possible, app, actor, slug)
    stored = await store_file(sender, versions.AREA, max_bytes=versions.MAX_UPLOAD_BYTES)
    origin = origin_of(app, actor)
    return await checked_version(
        sender.response,
        app,
        accept=partial(_accept, app, actor, slug, stored, texts, origin),
        look=partial(_shown, app, actor, slug),
        address=f"/api/v1/admin/competitions/{slug}/metric-files",
    )


@router.get(FILES + "/{version}", operation_id="getMetricFile", summary="One version of the metric")
def get_version(session: Reading, actor: SignedIn, slug: str, version: str) -> CustomMetricOut:
    """By its number, or by its id if it has none; with the problems of a rejected one."""
    return _only(versions.find_version(session, actor=actor, slug=slug, name=version))


@router.get(
    FILES + "/{version}/diff",
    operation_id="compareMetricFiles",
    summary="What differs between two versions of the metric",
    response_class=Response,
    responses={
        200: file_answer("A unified diff; empty where nothing differs.", "text/plain"),
        **problems(ErrorCode.STORED_FILE_CORRUPT),
    },
)
def get_diff(
    session: Reading,
    application: App,
    actor: SignedIn,
    slug: str,
    version: str,
    earlier: Annotated[str, Query(alias="from", description="The version to compare it with.")],
) -> Response:
    """Of packages, file by file. Files that are not text, or very long, are only named."""
    before, after = versions.pair(session, actor=actor, slug=slug, name=version, other=earlier)
    texts = [
        sources.texts_of(versions.content_of(application.storage, row)) for row in (before, after)
    ]
    return Response(sources.differences(*texts), media_type="text/plain")


def _require_possible(application: Application, actor: Actor, slug: str) -> None:
    """Raises all errors that can be known before a byte is read."""
    with application.database.read() as session:
        versions.require_table(session, actor=actor, slug=slug)
    permission.require_allowed(application.sandbox)
    require_worker(application)


def _accept(
    application: Application,
    actor: Actor,
    slug: str,
    stored: Stored,
    texts: tuple[str, str],
    origin: Origin,
) -> tuple[str, str | None]:
    """Returns the upload's id, and the id of the job that checks it; None if it is a stored version
    already."""
    file_name, note = texts
    if not file_name:
        start = b"".join(application.storage.read(versions.AREA, stored.sha256, 0, 4))
        file_name = sources.default_name(start)
    with application.database.write() as session:
        row = versions.accept(
            session, actor=actor, slug=slug, stored=stored, file_name=file_name, note=note
        )
        if row.status != VersionState.CHECKING:
            return row.id, None
        return row.id, start_check(session, queue=application.queue, row=row, origin=origin)


def _shown(application: Application, actor: Actor, slug: str, upload_id: str) -> CustomMetricOut:
    with application.database.read() as session:
        return _only(versions.find_version(session, actor=actor, slug=slug, name=upload_id))


def _only(found: FoundVersions) -> CustomMetricOut:
    return _file_out(settings_of(found.competition), found.rows[0], found.authors)


def _file_out(
    settings: CompetitionSettings, row: MetricVersion, authors: Mapping[str, User]
) -> CustomMetricOut:
    checked = row.checked or {}
    return CustomMetricOut.of(
        row,
        in_force=lookups.is_in_force(settings, row),
        created_by=authors[row.created_by],
        shape=checked.get("shape"),
        description=checked.get("description", ""),
        arguments=[MetricArgumentOut(**each) for each in checked.get("arguments", [])],
        has_per_row=checked.get("has_per_row", False),
        doctests=checked.get("doctests", 0),
        packages=checked.get("packages", {}),
        output=checked.get("output", ""),
        warnings=checked.get("warnings", []),
        problem=None if row.problem is None else rejection_document(row.problem),
    )
