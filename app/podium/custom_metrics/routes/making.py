"""The route that creates competitions: it is here because presets may bring a custom metric."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from fastapi import Response
from fastapi.concurrency import run_in_threadpool

from podium.accounts.authentication.callers import SignedIn
from podium.application import Application
from podium.competitions.routes.competitions import managed_answer
from podium.competitions.schemas.competitions import ManagedCompetitionOut, NewCompetition
from podium.competitions.service import competitions
from podium.core.access import Actor
from podium.custom_metrics.jobs import start_check
from podium.custom_metrics.service import permission, versions
from podium.custom_metrics.service.presets import metric_file_of
from podium.errors.codes import ErrorCode
from podium.http.deps import App
from podium.http.schemas import OF_JOBS, problems
from podium.http.streaming.strict_json import strict_router, takes_long_json
from podium.http.threads import in_writing_thread, with_store
from podium.jobs.starting import Origin
from podium.jobs.waiting import ended, origin_of, require_worker
from podium.storage import Stored

router = strict_router(tag="competitions")


@router.post(
    "/admin/competitions",
    operation_id="createCompetition",
    summary="Make a competition",
    status_code=201,
    responses=problems(
        ErrorCode.NOT_ALLOWED,
        ErrorCode.METRICS_OFF,
        ErrorCode.SLUG_TAKEN,
        ErrorCode.BAD_DATE,
        ErrorCode.UNKNOWN_METRIC,
        ErrorCode.INVALID,
        *OF_JOBS,
    ),
)
@takes_long_json
async def post_competition(
    application: App, actor: SignedIn, body: NewCompetition, response: Response
) -> ManagedCompetitionOut:
    """Creates a draft, which only its organizers see until the launch. A preset with a custom
    metric brings it as version 1, which is checked like any upload; if this installation runs none,
    the draft is refused."""
    file = metric_file_of(body.preset, body.settings())
    stored = None if file is None else await _stored(application, actor, file)
    work = partial(_new, application, actor, body, stored, origin_of(application, actor), response)
    draft, job_id = await in_writing_thread(work)
    if job_id is not None:
        await ended(application, job_id)
    return draft


async def _stored(application: Application, actor: Actor, file: Path) -> tuple[Stored, str]:
    """Stores the file; returns it with its name. Raises an error if custom metrics cannot be used
    here."""
    competitions.require_maker(actor)
    permission.require_allowed(application.sandbox)
    await run_in_threadpool(require_worker, application)
    return await with_store(partial(application.storage.add, versions.AREA, file)), file.name


def _new(
    application: Application,
    actor: Actor,
    body: NewCompetition,
    metric: tuple[Stored, str] | None,
    origin: Origin,
    response: Response,
) -> tuple[ManagedCompetitionOut, str | None]:
    """Creates the draft; returns it, and the id of the job that checks its custom metric, if it has
    one."""
    with application.database.write() as session:
        competition = competitions.create_competition(
            session, actor=actor, texts=body.texts(), settings=body.settings()
        )
        job_id = None
        if metric is not None:
            stored, file_name = metric
            row = versions.accept(
                session,
                actor=actor,
                slug=competition.slug,
                stored=stored,
                file_name=file_name,
                note=f"The custom metric of the preset {body.preset}.",
            )
            job_id = start_check(session, queue=application.queue, row=row, origin=origin)
        response.headers["Location"] = f"/api/v1/competitions/{competition.slug}"
        return managed_answer(session, actor, competition, response), job_id
