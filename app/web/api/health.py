"""Routes for machines that watch over the service: alive, ready, and numbers for Prometheus."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import anyio
from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse
from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from pydantic import BaseModel
from sqlalchemy.exc import SQLAlchemyError

from app import __version__
from app.application import Application
from app.db.migrate import is_up_to_date
from app.domain.judging import State
from app.errors import PodiumError
from app.logs import get_logger
from app.services import progress
from app.services.progress import Progress
from app.web.api.schemas import problems
from app.web.deps import Administrator, App, Reading

router = APIRouter(tags=["health"])

READY_SECONDS = 2.0
"""How long readiness may take: a database that does not answer is a reason, not a wait."""

METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_log = get_logger("web.health")


class Alive(BaseModel):
    """The process answers."""

    status: str
    version: str


class JudgingOut(BaseModel):
    """Whether anybody judges: an alarm where nobody does, but no reason to refuse uploads."""

    workers: int
    waiting: int
    oldest_waiting_seconds: int


class Ready(BaseModel):
    """`reasons` says why uploads would be refused; empty when they would not."""

    status: str
    reasons: list[str]
    judging: JudgingOut | None


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
async def get_readyz(app: App) -> JSONResponse:
    """503 with reasons when the database or the storage cannot keep a promise right now."""
    ready = Ready(status="unavailable", reasons=["database"], judging=None)
    with anyio.move_on_after(READY_SECONDS):
        ready = await anyio.to_thread.run_sync(_readiness, app, abandon_on_cancel=True)
    is_ready = not ready.reasons
    headers = {} if is_ready else {"Retry-After": "5"}
    return JSONResponse(ready.model_dump(), status_code=200 if is_ready else 503, headers=headers)


@router.get(
    "/metrics",
    operation_id="getMetrics",
    summary="Numbers for Prometheus",
    response_class=Response,
    responses=problems(401, 403),
)
def get_metrics(_: Administrator, session: Reading, app: App) -> Response:
    """For the administrator's token; counted at every scrape."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    registry.register(_Numbers(progress.look(session), app.storage.free_bytes()))
    return Response(generate_latest(registry), media_type=METRICS_TYPE)


class _Numbers(Collector):
    """What was counted, as Prometheus wants it."""

    def __init__(self, seen: Progress, free_bytes: int | None) -> None:
        self._seen = seen
        self._free_bytes = free_bytes

    def collect(self) -> Iterator[Metric]:
        """Yields each family of numbers."""
        seen = self._seen
        yield _gauge("podium_workers", "Workers that gave a sign of life.", seen.workers)
        yield _gauge("podium_uploads", "Uploads under way.", seen.uploads)
        yield _gauge("podium_judgings_waiting", "Judgings without a verdict.", seen.waiting)
        yield _gauge(
            "podium_judgings_oldest_waiting_seconds",
            "Age of the oldest judging without a verdict.",
            seen.oldest_waiting_seconds,
        )
        verdicts = CounterMetricFamily(
            "podium_verdicts", "Judgings that ended, by their state.", labels=["state"]
        )
        for state in (state for state in State if state.is_final):
            verdicts.add_metric([state.value], seen.judgings.get(state, 0))
        yield verdicts
        if self._free_bytes is not None:
            yield _gauge("podium_storage_free_bytes", "Room left for files.", self._free_bytes)


def _gauge(name: str, meaning: str, value: float) -> Any:
    return GaugeMetricFamily(name, meaning, value=value)


def _readiness(app: Application) -> Ready:
    reasons = []
    judging = None
    try:
        if is_up_to_date(app.database):
            with app.database.read() as session:
                judging = _judging_out(progress.look(session))
        else:
            reasons.append("database-schema")
    except SQLAlchemyError as error:
        _log.warning("not ready", error=type(error).__name__)
        reasons.append("database")
    reasons += _storage_reasons(app)
    return Ready(status="unavailable" if reasons else "ok", reasons=reasons, judging=judging)


def _storage_reasons(app: Application) -> list[str]:
    try:
        free = app.storage.free_bytes()
    except (PodiumError, OSError) as error:
        _log.warning("not ready", error=type(error).__name__)
        return ["storage"]
    return ["storage-space"] if free is not None and free < app.settings.min_free_bytes else []


def _judging_out(seen: Progress) -> JudgingOut:
    return JudgingOut(
        workers=seen.workers,
        waiting=seen.waiting,
        oldest_waiting_seconds=int(seen.oldest_waiting_seconds),
    )
