"""The route that opens a competition."""

from __future__ import annotations

from typing import Literal

from fastapi import Response
from pydantic import BaseModel

from app.application import Application
from app.domain.permissions import Actor
from app.services import competitions, launch
from app.services.launch import Check, Prepared
from app.web.api.competition_schemas import ManagedCompetitionOut, etag_of, present
from app.web.api.schemas import problems
from app.web.deps import App, SignedIn
from app.web.reading_jobs import alone_in_request, sandbox_limits, scratch_folder
from app.web.strict_json import strict_router

router = strict_router(tag="competitions")


class CheckOut(BaseModel):
    """One line of the checklist."""

    code: str
    detail: str
    status: Literal["passed", "warning"]


class LaunchOut(ManagedCompetitionOut):
    """The competition after the launch, with the checklist and the texts of its warnings."""

    checklist: list[CheckOut]
    warnings: list[str]


@router.post(
    "/admin/competitions/{slug}/launch",
    operation_id="launchCompetition",
    summary="Open a competition",
    responses=problems(400, 401, 404, 409),
)
def post_launch(application: App, actor: SignedIn, slug: str, response: Response) -> LaunchOut:
    """Checks first, which takes as long as judging two files; a must that does not hold is 409
    with all of them in `errors`. Then `open`, or `upcoming` until `starts_at`."""
    with application.database.read() as session:
        prepared = launch.prepare_launch(session, actor=actor, slug=slug)
    return _opened(application, actor, slug, prepared, _probed(application, prepared), response)


def _probed(application: Application, prepared: Prepared) -> list[Check]:
    with alone_in_request(), scratch_folder(application) as scratch:
        return launch.probe(
            prepared,
            storage=application.storage,
            sandbox=application.sandbox,
            limits=sandbox_limits(application),
            scratch=scratch,
        )


def _opened(
    application: Application,
    actor: Actor,
    slug: str,
    prepared: Prepared,
    probed: list[Check],
    response: Response,
) -> LaunchOut:
    with application.database.write() as session:
        competition, checks = launch.launch(
            session, actor=actor, slug=slug, prepared=prepared, probed=probed
        )
        described = competitions.describe_found(session, actor=actor, competition=competition)
        response.headers["ETag"] = etag_of(competition.version)
        return LaunchOut(
            **present(described).model_dump(),
            checklist=[
                CheckOut(
                    code=check.code,
                    detail=check.detail,
                    status="passed" if check.passed else "warning",
                )
                for check in checks
            ],
            warnings=[check.detail for check in checks if not check.passed],
        )
