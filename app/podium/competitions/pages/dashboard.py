"""The organizer's dashboard of a competition: open points, pending work, and the actions of its
phases."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import partial
from typing import ClassVar, Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel

from podium.competitions.pages.sections import (
    SectionPage,
    address_of,
    compares_unasked,
    dashboard_of,
)
from podium.competitions.pages.steps import (
    NextStep,
    ToDo,
    is_picture,
    next_step_of,
    requests_for_accounts,
    requests_to_join,
    todo_of,
)
from podium.competitions.schemas.competitions import CompetitionOut
from podium.http.pages.acts import FormAction, act_named, carry_out, reason, texts
from podium.http.pages.api_calls import at, document_of
from podium.http.pages.fields import EMPTY, FormView
from podium.http.pages.layout import show
from podium.http.paging import Listed
from podium.http.schemas import PersonOut

router = APIRouter(include_in_schema=False)

LATEST = 8
"""Submissions that are shown; all are a section of their own."""

MAX_FILES = 100
"""Maximum number of data files among which a file other than an image is searched."""

MAX_COUNTED = 100
"""Maximum count of waiting submissions that is shown exactly."""

MAX_DAYS = 14

ONGOING = ("running", "ready")


_COMPETITION = "/admin/competitions/{}"


def _switch(done: str, name: str, *, on: bool) -> FormAction:
    return FormAction(_COMPETITION, done, lambda _: {name: on}, method="PATCH")


ACTS = {
    "launch": FormAction(f"{_COMPETITION}/launch", "launched", is_dangerous=True),
    "freeze": FormAction(f"{_COMPETITION}/freeze", "frozen", reason),
    "unfreeze": FormAction(f"{_COMPETITION}/unfreeze", "unfrozen", reason),
    "close": FormAction(f"{_COMPETITION}/close", "closed", reason, is_dangerous=True),
    "reopen": FormAction(f"{_COMPETITION}/reopen", "reopened", reason),
    "reveal": FormAction(f"{_COMPETITION}/reveal", "revealed", reason, is_dangerous=True),
    "resume-judging": FormAction(f"{_COMPETITION}/resume-judging", "judging-resumed", reason),
    "pause-uploads": _switch("uploads-paused", "accept_uploads", on=False),
    "resume-uploads": _switch("uploads-resumed", "accept_uploads", on=True),
    "hold-judging": _switch("judging-held", "judge_uploads", on=False),
    "release-judging": _switch("judging-released", "judge_uploads", on=True),
    "delete": FormAction(_COMPETITION, "draft-deleted", is_dangerous=True, method="DELETE"),
    "delete-launched": FormAction(
        _COMPETITION, "competition-deleted", texts("confirm"), is_dangerous=True, method="DELETE"
    ),
}
"""By the end of the address of their forms."""

STEPS = {
    "draft": ("launch",),
    "upcoming": ("close",),
    "open": ("freeze", "close"),
    "frozen": ("unfreeze", "close"),
    "closed": ("reveal", "reopen", "unfreeze"),
    "revealed": (),
}
"""Actions that are available in each phase; `unfreeze` only where there is a freeze."""


class DayAtAGlance(BaseModel):
    """The submissions and active teams of a day."""

    day: date
    submissions: int
    teams: int


class DaysAtAGlance(BaseModel):
    """The last days, the earliest first."""

    days: list[DayAtAGlance]


class SubmissionAtAGlance(BaseModel):
    """A submission, as far as the dashboard shows it."""

    id: str
    team: PersonOut
    filename: str
    status: str
    submitted_at: datetime
    public_score: float | None
    private_score: float | None


class RejudgingAtAGlance(BaseModel):
    """The progress of a rejudging."""

    id: str
    status: str
    reason: str
    done: int
    total: int


class AlertAtAGlance(BaseModel):
    """An alert about a team: the dashboard counts those that were not reviewed."""

    looked_at: object


class AlertsAtAGlance(BaseModel):
    """The alerts of a competition."""

    items: list[AlertAtAGlance]


class ChecklistLine(BaseModel):
    """A line of the checklist of the launch."""

    code: str
    status: Literal["passed", "warning", "missing"]
    detail: str


class Checklist(BaseModel):
    """The checklist of a launch; `probed` is true where files were tried."""

    items: list[ChecklistLine]
    probed: bool


class FileAtAGlance(BaseModel):
    """A file for participants: a draft should have one that is not an image."""

    name: str


@dataclass(frozen=True, slots=True)
class CompetitionActivity:
    """The activity in a launched competition; `alerts` is None if files were not compared."""

    waiting: int
    failed: int
    latest: list[SubmissionAtAGlance]
    alerts: list[AlertAtAGlance] | None
    rejudging: RejudgingAtAGlance | None
    days: list[DayAtAGlance]


@dataclass(frozen=True, kw_only=True)
class DashboardSection(SectionPage):
    """The open points of a draft, or the progress of a competition, with the available actions."""

    template: ClassVar[str] = "competitions/organizer/dashboard.html"
    section: ClassVar[str] = "dashboard"

    todo: list[ToDo]
    next_step: NextStep | None
    accounts: NextStep | None
    steps: list[str]
    checklist: Checklist | None
    progress: CompetitionActivity | None
    most_counted: int = MAX_COUNTED


@router.get("/organize/{slug}")
async def show_dashboard(request: Request, slug: str, check: bool = False) -> Response:
    """Shows the dashboard; with `check`, the whole checklist of the launch, which takes as long as
    judging two files."""
    return await _page(request, slug, check=check)


@router.post("/organize/{slug}/acts/{name}")
async def post_act(request: Request, slug: str, name: str) -> Response:
    """Carries out an action of the dashboard."""
    act = act_named(ACTS, name)
    return await carry_out(
        request,
        act,
        slug,
        back="/organize" if act.method == "DELETE" else address_of(slug),
        again=partial(_page, request, slug),
        name=name,
        confirm=slug,
    )


async def _page(
    request: Request, slug: str, *, form: FormView = EMPTY, check: bool = False
) -> Response:
    layout = await dashboard_of(request, slug)
    competition, checklist, progress = layout.competition, None, None
    is_draft = competition.phase == "draft"
    files = await document_of(
        request, at("/competitions/{}/files", slug), Listed[FileAtAGlance], limit=MAX_FILES
    )
    has_files = any(not is_picture(each.name) for each in files.items)
    if is_draft and check:
        checklist = await document_of(request, at("/admin/competitions/{}/launch", slug), Checklist)
    if not is_draft:
        progress = await _progress(
            request,
            slug,
            with_alerts=compares_unasked(layout),
            days=days_since(competition.launched_at or datetime.now(UTC), datetime.now(UTC)),
        )
    page = DashboardSection(
        layout=layout,
        todo=todo_of(competition, has_files=has_files) if is_draft else [],
        next_step=await requests_to_join(request, competition)
        or next_step_of(competition, has_files=has_files),
        accounts=await requests_for_accounts(request),
        steps=steps_of(competition),
        checklist=checklist,
        progress=progress,
    )
    return await show(request, page, form=form)


async def alerts_of(request: Request, slug: str) -> list[AlertAtAGlance]:
    """Lists the alerts that were not reviewed. All files are compared for them."""
    path = at("/admin/competitions/{}/alerts", slug)
    found = await document_of(request, path, AlertsAtAGlance)
    return [each for each in found.items if each.looked_at is None]


async def _progress(
    request: Request, slug: str, *, with_alerts: bool, days: int
) -> CompetitionActivity:
    async def submissions(limit: int, state: str | None = None) -> list[SubmissionAtAGlance]:
        path = at("/admin/competitions/{}/submissions", slug)
        listed = Listed[SubmissionAtAGlance]
        return (await document_of(request, path, listed, state=state, limit=limit)).items

    rejudgings = await document_of(
        request, at("/admin/competitions/{}/rejudgings", slug), Listed[RejudgingAtAGlance], limit=1
    )
    activity = await document_of(
        request, at("/admin/competitions/{}/activity", slug), DaysAtAGlance, days=days
    )
    return CompetitionActivity(
        waiting=len(await submissions(MAX_COUNTED, "queued"))
        + len(await submissions(MAX_COUNTED, "judging")),
        failed=len(await submissions(MAX_COUNTED, "failed")),
        latest=await submissions(LATEST),
        alerts=await alerts_of(request, slug) if with_alerts else None,
        rejudging=next((one for one in rejudgings.items if one.status in ONGOING), None),
        days=activity.days,
    )


def days_since(launch: datetime, now: datetime) -> int:
    """Counts the days to show: those since the launch, up to two weeks."""
    return min(MAX_DAYS, (now.date() - launch.date()).days + 1)


def steps_of(competition: CompetitionOut) -> list[str]:
    """Lists the actions that are available now."""
    available = STEPS[competition.phase]
    return [step for step in available if step != "unfreeze" or competition.frozen_at]
