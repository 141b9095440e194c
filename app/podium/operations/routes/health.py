"""Routes for machines that watch over the service: alive, ready, and numbers for Prometheus."""

from __future__ import annotations

from typing import Annotated

import anyio
from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from pydantic import Field
from sqlalchemy.exc import SQLAlchemyError

from podium import __version__
from podium.accounts.authentication.callers import MetricsReader
from podium.application import Application
from podium.core.database.engine import ReadSession
from podium.core.database.migrate import is_up_to_date
from podium.core.database.outages import line_of
from podium.errors import PodiumError
from podium.http.deps import App
from podium.http.members import PodiumVersion
from podium.http.middleware.readiness import StoreWatch
from podium.http.schemas import Document, file_answer, problems
from podium.http.transactions import Reading, TransactionRoute
from podium.logs import get_logger
from podium.operations.routes.prometheus import Numbers
from podium.operations.schemas import QueueLength
from podium.operations.service import progress
from podium.operations.service.progress import JudgingProgress
from podium.sandbox.isolation.restrictions import missing_from

router = APIRouter(route_class=TransactionRoute, tags=["health"])

READY_SECONDS = 2.0
"""Seconds that readiness may take: a database that does not answer is a reason, not a wait."""

STORE_SECONDS = 1.0
"""The part of it that the store has."""

METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"

KERNEL_NAMES = {"files": "landlock", "system calls": "seccomp"}
"""Parts of the isolation by the names under which operators look for them."""

_NUMBERS = """\
# HELP podium_judgings_waiting Judgings without a verdict.
# TYPE podium_judgings_waiting gauge
podium_judgings_waiting 2.0
"""

_log = get_logger("operations")


class Alive(Document):
    """The process answers."""

    status: Annotated[str, Field(examples=["ok"])]
    """Always `ok`."""
    version: Annotated[PodiumVersion, Field(examples=["0.7.0"])]


class JudgingOut(QueueLength):
    """Whether anybody judges: an alarm where nobody does, but no reason to refuse uploads."""

    workers: Annotated[int, Field(examples=[1])]
    """Processes that judge and are alive."""
    refusal: str | None
    """The reason why this machine judges nothing and reads no upload, such as isolation that it
    lacks; submissions are accepted and stay queued."""


class Ready(Document):
    """Whether uploads are accepted."""

    status: Annotated[str, Field(examples=["ok"])]
    """`ok` or `unavailable`."""
    reasons: Annotated[list[str], Field(examples=[[]])]
    """Reasons to refuse uploads: `database`, `database-schema`, `storage` or `storage-space`.
    Empty if they are accepted."""
    judging: JudgingOut | None
    """The state of judging. Null if the database does not answer."""


@router.get("/healthz", operation_id="isAlive", summary="Alive")
async def get_healthz() -> Alive:
    """Touches nothing but the process itself."""
    return Alive(status="ok", version=__version__)


@router.get(
    "/readyz",
    operation_id="isReady",
    summary="Able to accept submissions",
    response_model=Ready,
    responses={503: {"model": Ready, "description": "Not now; `reasons` says why."}},
)
async def get_readyz(app: App, request: Request) -> JSONResponse:
    """503 with reasons when the database or the storage cannot keep a promise right now."""
    watch: StoreWatch = request.app.state.store_watch
    ready = Ready(status="unavailable", reasons=["database"], judging=None)
    # Known since the start; a process that was not started by a command finds it out now.
    refusal = await anyio.to_thread.run_sync(app.sandbox.refusal)
    with anyio.move_on_after(READY_SECONDS):
        ready = await anyio.to_thread.run_sync(
            _readiness, app, watch, refusal, abandon_on_cancel=True
        )
    is_ready = not ready.reasons
    headers = {} if is_ready else {"Retry-After": "5"}
    return JSONResponse(ready.model_dump(), status_code=200 if is_ready else 503, headers=headers)


@router.get(
    "/metrics",
    operation_id="getMetrics",
    summary="Numbers for Prometheus",
    response_class=Response,
    responses={
        200: file_answer("Numbers.", "text/plain", example=_NUMBERS),
        **problems(403, 422, 503),
    },
)
def get_metrics(_: MetricsReader, session: Reading, app: App, request: Request) -> Response:
    """For the administrator's token, or the one that the operator has set for metrics alone.
    Requests, mails and the process are this replica's own; everything else is counted at every
    scrape, and the same from all replicas."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    registry.register(_numbers(app, session))
    counted = generate_latest(registry) + generate_latest(request.app.state.counts.registry)
    return Response(counted, media_type=METRICS_TYPE)


def _numbers(app: Application, session: ReadSession) -> Numbers:
    isolation = app.sandbox.describe()
    missing = missing_from(isolation)
    stands = {KERNEL_NAMES.get(wall, wall): wall not in missing for wall in isolation}
    mails = app.mailer.counts() if app.mailer else {}
    return Numbers(progress.measure(session), app.storage.free_bytes(), stands, mails)


def _readiness(app: Application, watch: StoreWatch, refusal: str | None) -> Ready:
    reasons = []
    judging = None
    try:
        if is_up_to_date(app.database):
            with app.database.read() as session:
                judging = _judging_out(progress.look(session), refusal)
        else:
            reasons.append("database-schema")
    except SQLAlchemyError as error:
        _log.warning("database.failed", error=type(error).__name__, detail=line_of(error))
        reasons.append("database")
    reasons += _storage_reasons(app, watch)
    return Ready(status="unavailable" if reasons else "ok", reasons=reasons, judging=judging)


def _storage_reasons(app: Application, watch: StoreWatch) -> list[str]:
    try:
        free = app.storage.free_bytes()
    except (PodiumError, OSError) as error:
        _log.warning("store.failed", error=type(error).__name__)
        return ["storage"]
    if free is not None and free < app.settings.min_free_bytes:
        return ["storage-space"]
    return [] if watch.works(within_seconds=STORE_SECONDS) else ["storage"]


def _judging_out(seen: JudgingProgress, refusal: str | None) -> JudgingOut:
    return JudgingOut(
        workers=seen.workers,
        waiting=seen.waiting,
        oldest_waiting_seconds=int(seen.oldest_waiting_seconds),
        refusal=refusal,
    )
