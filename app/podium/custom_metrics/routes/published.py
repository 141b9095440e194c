"""Routes about the custom metric that scores a competition, for everyone who may see it."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter, Request, Response

from podium.accounts.authentication.callers import MaybeActor
from podium.custom_metrics.rules import sources
from podium.custom_metrics.schemas import MetricInForceOut
from podium.custom_metrics.service import versions
from podium.errors.codes import ErrorCode
from podium.http.deps import App
from podium.http.schemas import file_answers, problems
from podium.http.streaming.downloads import send_parts, unchanged
from podium.http.transactions import Reading, TransactionRoute

router = APIRouter(route_class=TransactionRoute, tags=["metric files"])

TEXT, PACKAGE = "text/plain", "application/zip"


@router.get(
    "/competitions/{slug}/metric-file",
    operation_id="getMetricInForce",
    summary="The custom metric that scores",
)
def get_in_force(session: Reading, actor: MaybeActor, slug: str) -> MetricInForceOut:
    """404 if a built-in metric scores the competition."""
    row, settings = versions.in_force(session, actor=actor, slug=slug)
    own, checked = settings.own_metric, row.checked or {}
    is_public = settings.metric_source_is_public
    assert own is not None, "the settings name the version"
    return MetricInForceOut.of(
        row,
        is_reproducible=own.is_reproducible,
        source_is_public=is_public,
        packages=checked.get("packages", {}),
        description=checked.get("description", "") if is_public else None,
        arguments=own.arguments if is_public else None,
    )


@router.get(
    "/competitions/{slug}/metric-files/{version}/source",
    operation_id="downloadMetricFile",
    summary="The source of a custom metric",
    response_class=Response,
    responses=file_answers("The bytes as they were uploaded.", TEXT, PACKAGE)
    | problems(ErrorCode.STORED_FILE_CORRUPT),
)
def get_source(
    session: Reading,
    application: App,
    actor: MaybeActor,
    slug: str,
    version: str,
    request: Request,
) -> Response:
    """For organizers, any version; for others the one that scores, if its source is public. Served
    as a file to save, never as a page."""
    row = versions.readable(session, actor=actor, slug=slug, name=version)
    storage, etag = application.storage, f'"{row.sha256}"'
    is_package = sources.is_package(b"".join(storage.read(versions.AREA, row.sha256, 0, 4)))
    name = f"metric-{row.version or 'upload'}.{'zip' if is_package else 'py'}"
    known = unchanged(request, name, etag=etag)
    return known or send_parts(
        request,
        actor,
        name,
        etag=etag,
        size=row.bytes,
        read=partial(storage.read, versions.AREA, row.sha256),
        media_type=PACKAGE if is_package else TEXT,
    )
