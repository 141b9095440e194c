"""The route that opens a competition."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Response
from fastapi.concurrency import run_in_threadpool
from pydantic import Field

from podium.accounts.authentication.callers import SignedIn
from podium.application import Application
from podium.competitions.schemas.competitions import ManagedCompetitionOut, present
from podium.competitions.schemas.versions import etag_of
from podium.competitions.service import competitions
from podium.core.access import Actor
from podium.core.database.engine import WriteSession
from podium.errors.codes import ErrorCode
from podium.http.deps import App
from podium.http.schemas import OF_JOBS, Document, Output, problems
from podium.http.streaming.strict_json import strict_router
from podium.http.transactions import read_with, write_with
from podium.jobs.waiting import result_of
from podium.materials.jobs import LAUNCH_PROBES
from podium.materials.rules.checks import Check
from podium.materials.service import launch
from podium.materials.service.launch import PreparedLaunch

router = strict_router(tag="competitions")


class CheckOut(Output):
    """One line of the checklist."""

    code: Annotated[str, Field(examples=["sample"])]
    """Identifies the check."""
    detail: Annotated[str, Field(examples=["The sample submission is accepted."])]
    """The result in a sentence."""
    status: Literal["passed", "warning"]
    """`passed`, or `warning` for what does not stop a launch."""


class LineOut(Output):
    """A line of the checklist before the launch."""

    code: Annotated[str, Field(examples=["ground-truth"])]
    """Identifies the check."""
    detail: Annotated[str, Field(examples=["The ground truth is stored."])]
    """The result in a sentence, with what to do if it is not `passed`."""
    status: Literal["passed", "warning", "missing"]
    """`missing` stops the launch, a `warning` does not."""


class ChecklistOut(Document):
    """The checklist before a launch."""

    ready: Annotated[bool, Field(examples=[True])]
    """True if a launch would succeed now."""
    probed: Annotated[bool, Field(examples=[True])]
    """True if the perfect, the empty and the sample file were judged; that is done once everything
    else is in order."""
    items: list[LineOut]
    """The checks, in their order."""


class LaunchOut(ManagedCompetitionOut):
    """The competition after the launch, with the checklist and the texts of its warnings."""

    checklist: list[CheckOut]
    """The checks of this launch, in their order."""
    warnings: list[str]
    """The sentences of the checks that ended as `warning`."""


@router.get(
    "/admin/competitions/{slug}/launch",
    operation_id="checkLaunch",
    summary="What a launch would say",
    responses=problems(ErrorCode.ALREADY_LAUNCHED, *OF_JOBS),
)
async def get_launch(application: App, actor: SignedIn, slug: str) -> ChecklistOut:
    """The whole checklist, with everything that is missing; nothing is opened by it."""
    refusal = await run_in_threadpool(application.sandbox.custom_metrics_refusal)
    prepared, checks = await read_with(
        application, launch.checklist, actor=actor, slug=slug, code_refusal=refusal
    )
    if prepared is not None:
        checks = [*checks, *await _probed(application, actor, prepared)]
    lines = [_line(check) for check in checks]
    is_ready = prepared is not None and all(line.status != "missing" for line in lines)
    return ChecklistOut(ready=is_ready, probed=prepared is not None, items=lines)


@router.post(
    "/admin/competitions/{slug}/launch",
    operation_id="launchCompetition",
    summary="Open a competition",
    responses=problems(
        400,
        ErrorCode.ALREADY_LAUNCHED,
        ErrorCode.LAUNCH_CHECKLIST,
        ErrorCode.CHANGED_MEANWHILE,
        *OF_JOBS,
    ),
)
async def post_launch(
    application: App, actor: SignedIn, slug: str, response: Response
) -> LaunchOut:
    """Checks first, which takes as long as judging two files, or as up to fourteen runs of a metric
    of the organizers'; a must that does not hold is 409
    with all of them in `errors`. Then `open`, or `upcoming` until `starts_at`."""
    refusal = await run_in_threadpool(application.sandbox.custom_metrics_refusal)
    prepared = await read_with(
        application, launch.prepare_launch, actor=actor, slug=slug, code_refusal=refusal
    )
    probed = await _probed(application, actor, prepared)
    return await write_with(application, _opened, actor, slug, prepared, probed, refusal, response)


def _line(check: Check) -> LineOut:
    failed: Literal["missing", "warning"] = "missing" if check.is_must else "warning"
    return LineOut.of(check, status="passed" if check.passed else failed)


async def _probed(application: Application, actor: Actor, prepared: PreparedLaunch) -> list[Check]:
    return await result_of(
        application,
        LAUNCH_PROBES,
        competition_id=prepared.competition_id,
        arguments=prepared.probes,
        actor=actor,
    )


def _opened(
    session: WriteSession,
    actor: Actor,
    slug: str,
    prepared: PreparedLaunch,
    probed: list[Check],
    refusal: str | None,
    response: Response,
) -> LaunchOut:
    competition, checks = launch.launch(
        session, actor=actor, slug=slug, prepared=prepared, probed=probed, code_refusal=refusal
    )
    described = competitions.describe_found(session, actor=actor, competition=competition)
    response.headers["ETag"] = etag_of(competition)
    return LaunchOut(
        **present(described).model_dump(),
        checklist=[
            CheckOut.of(check, status="passed" if check.passed else "warning") for check in checks
        ],
        warnings=[check.detail for check in checks if not check.passed],
    )
