"""The route that tries a custom metric on a sample."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.concurrency import run_in_threadpool

from podium.application import Application
from podium.core.access import Actor
from podium.core.competition_settings.tables import Argument
from podium.custom_metrics.jobs import METRIC_TRIAL
from podium.custom_metrics.rules.outcomes import RunOutcome
from podium.custom_metrics.schemas import TrialOut, TrialRunOut
from podium.custom_metrics.service import permission, trials
from podium.custom_metrics.service.runs import MetricInputs
from podium.custom_metrics.service.trials import Trial
from podium.errors.codes import ErrorCode
from podium.http.schemas import OF_JOBS, problems
from podium.http.transactions import TransactionRoute
from podium.jobs.waiting import require_worker, result_of
from podium.submissions.routes.organizers_files import SignedInSender, file_body, store_file

router = APIRouter(route_class=TransactionRoute, tags=["metric files"])


@router.post(
    "/admin/competitions/{slug}/metric-files/{version}/trial",
    operation_id="tryMetricFile",
    summary="Run a version of the metric on a sample",
    responses=problems(
        ErrorCode.METRIC_ARGUMENTS,
        ErrorCode.METRICS_OFF,
        ErrorCode.WRONG_STATE,
        *OF_JOBS,
        reads_file=True,
    ),
    openapi_extra=file_body(
        "A small submission, at most 64 MiB; an empty body stands for the sample submission."
    ),
)
async def post_trial(
    sender: SignedInSender,
    slug: str,
    version: str,
    arguments: Annotated[
        str | None,
        Query(
            description="Values of the function's further arguments, as a JSON object; without it,"
            " those of the settings.",
            examples=['{"beta": 2}'],
        ),
    ] = None,
) -> TrialOut:
    """Against the active ground truth, in the sandbox, each split separately: returns the numbers,
    times and output, or the error with its line. A trial does not count, and no board changes."""
    given = trials.arguments_from(arguments)
    app, actor = sender.app, sender.actor
    competition_id, inputs = await run_in_threadpool(
        _prepared_trial, app, actor, slug, version, given
    )
    file = await store_file(sender, trials.UPLOAD_AREA, max_bytes=trials.MAX_UPLOAD_BYTES)
    tried = await result_of(
        app,
        METRIC_TRIAL,
        competition_id=competition_id,
        arguments=Trial(inputs, file if file.size else None),
        actor=actor,
    )
    shown = {split: _run_out(run) for split, run in tried.splits.items()}
    return TrialOut(
        version=inputs.version, public=shown.get("public"), private=shown.get("private")
    )


def _prepared_trial(
    application: Application,
    actor: Actor,
    slug: str,
    version: str,
    arguments: Mapping[str, Argument] | None,
) -> tuple[str, MetricInputs]:
    with application.database.read() as session:
        found = trials.prepare(session, actor=actor, slug=slug, name=version, arguments=arguments)
    permission.require_allowed(application.sandbox)
    require_worker(application)
    return found


def _run_out(run: RunOutcome) -> TrialRunOut:
    numbers = {name: float.fromhex(text) for name, text in (run.numbers or {}).items()}
    return TrialRunOut.of(
        run,
        score=run.value,
        numbers={name: value if math.isfinite(value) else None for name, value in numbers.items()},
    )
