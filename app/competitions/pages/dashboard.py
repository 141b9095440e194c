"""The organizer's first page of a competition: what is missing, what waits, and the acts in its
life."""

from __future__ import annotations

from dataclasses import dataclass, replace
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
from podium.competitions.schemas.competitions import CompetitionOut, ManagedCompetitionOut
from podium.errors import NotFound
from podium.http.html.texts import count_of
from podium.http.pages.acts import Body, FormAction, carry_out, reason
from podium.http.pages.api_calls import at, document_of
from podium.http.pages.fields import EMPTY, FormView, read_form
from podium.http.pages.layout import show
from podium.http.paging import Listed
from podium.http.schemas import PersonOut

router = APIRouter(include_in_schema=False)

LATEST = 8
"""Submissions that are shown; all are a section of their own."""

MOST_COUNTED = 100
"""Waiting submissions that are counted; of more it is said that there are more."""

MOST_DAYS = 14

ONGOING = ("running", "ready")


def _switch(name: str, *, on: bool) -> Body:
    return lambda _: {name: on}


_COMPETITION = "/admin/competitions/{}"

ACTS = {
    "launch": FormAction("POST", f"{_COMPETITION}/launch", "launched"),
    "freeze": FormAction("POST", f"{_COMPETITION}/freeze", "frozen", reason),
    "unfreeze": FormAction("POST", f"{_COMPETITION}/unfreeze", "unfrozen", reason),
    "close": FormAction("POST", f"{_COMPETITION}/close", "closed", reason, is_dangerous=True),
    "reopen": FormAction("POST", f"{_COMPETITION}/reopen", "reopened", reason),
    "reveal": FormAction("POST", f"{_COMPETITION}/reveal", "revealed", reason, is_dangerous=True),
    "resume-judging": FormAction(
        "POST", f"{_COMPETITION}/resume-judging", "judging-resumed", reason
    ),
    "pause-uploads": FormAction(
        "PATCH", _COMPETITION, "uploads-paused", _switch("accept_uploads", on=False)
    ),
    "resume-uploads": FormAction(
        "PATCH", _COMPETITION, "uploads-resumed", _switch("accept_uploads", on=True)
    ),
    "hold-judging": FormAction(
        "PATCH", _COMPETITION, "judging-held", _switch("judge_uploads", on=False)
    ),
    "release-judging": FormAction(
        "PATCH", _COMPETITION, "judging-released", _switch("judge_uploads", on=True)
    ),
    "delete": FormAction("DELETE", _COMPETITION, "draft-deleted", is_dangerous=True),
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


@dataclass(frozen=True, slots=True)
class ToDo:
    """Something that a competition should have; where it is done."""

    words: str
    is_done: bool
    section: str
    is_must: bool = False


@dataclass(frozen=True, slots=True)
class NextStep:
    """The thing that an organizer most likely does next, and the address of the page for it."""

    title: str
    text: str
    button: str
    address: str


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


class RequestAtAGlance(BaseModel):
    """A request to be let in: the dashboard counts them."""

    id: str


class RejudgingAtAGlance(BaseModel):
    """The progress of a rejudging."""

    id: str
    status: str
    reason: str
    done: int
    total: int


class AlertAtAGlance(BaseModel):
    """One of the reasons to look at a team: the dashboard counts them."""

    code: str


class AlertsAtAGlance(BaseModel):
    """All of them."""

    items: list[AlertAtAGlance]


class ChecklistLine(BaseModel):
    """A line of the checklist of the launch."""

    status: Literal["passed", "warning", "missing"]
    detail: str


class Checklist(BaseModel):
    """The checklist; `probed` says whether files were tried."""

    items: list[ChecklistLine]
    probed: bool


class FileAtAGlance(BaseModel):
    """A file for participants: a draft should have one."""

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
    """The open points of a draft, or the progress of a competition, with the acts that follow."""

    template: ClassVar[str] = "competitions/organizer/dashboard.html"
    section: ClassVar[str] = "dashboard"

    todo: list[ToDo]
    next_step: NextStep | None
    steps: list[str]
    checklist: Checklist | None
    progress: CompetitionActivity | None
    most_counted: int = MOST_COUNTED


@router.get("/organize/{slug}")
async def show_dashboard(request: Request, slug: str, check: bool = False) -> Response:
    """With `check`, the whole checklist of the launch, which takes as long as judging two files."""
    return await _page(request, slug, check=check)


@router.post("/organize/{slug}/acts/{name}")
async def post_act(request: Request, slug: str, name: str) -> Response:
    """One of the acts."""
    if name not in ACTS:
        raise NotFound("There is no such act.")

    return await carry_out(
        request,
        ACTS[name],
        slug,
        form=await read_form(request),
        back="/organize" if name == "delete" else address_of(slug),
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
        request, at("/competitions/{}/files", slug), Listed[FileAtAGlance], limit=1
    )
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
        todo=todo_of(competition, has_files=bool(files.items)) if is_draft else [],
        next_step=await _approval(request, competition)
        or next_step_of(competition, has_files=bool(files.items)),
        steps=steps_of(competition),
        checklist=checklist,
        progress=progress,
    )
    return await show(request, page, form=form)


async def _progress(
    request: Request, slug: str, *, with_alerts: bool, days: int
) -> CompetitionActivity:
    async def submissions(limit: int, state: str | None = None) -> list[SubmissionAtAGlance]:
        path = at("/admin/competitions/{}/submissions", slug)
        listed = Listed[SubmissionAtAGlance]
        return (await document_of(request, path, listed, state=state, limit=limit)).items

    alerts = None
    if with_alerts:
        path = at("/admin/competitions/{}/alerts", slug)
        alerts = (await document_of(request, path, AlertsAtAGlance)).items
    rejudgings = await document_of(
        request, at("/admin/competitions/{}/rejudgings", slug), Listed[RejudgingAtAGlance], limit=1
    )
    activity = await document_of(
        request, at("/admin/competitions/{}/activity", slug), DaysAtAGlance, days=days
    )
    return CompetitionActivity(
        waiting=len(await submissions(MOST_COUNTED, "queued"))
        + len(await submissions(MOST_COUNTED, "judging")),
        failed=len(await submissions(MOST_COUNTED, "failed")),
        latest=await submissions(LATEST),
        alerts=alerts,
        rejudging=next((one for one in rejudgings.items if one.status in ONGOING), None),
        days=activity.days,
    )


async def _approval(request: Request, competition: ManagedCompetitionOut) -> NextStep | None:
    """The people who wait for an organizer: to join the competition, or else for an account."""
    slug = competition.slug
    if competition.phase not in ("closed", "revealed"):
        path = at("/admin/competitions/{}/join-requests", slug)
        text = "They asked to join this competition, and cannot submit before you approve them."
        joining = NextStep("", text, "Requests to join", address_of(slug, "/people#requests"))
        if step := await _waiting(request, path, joining, state="pending"):
            return step
    text = "They asked for an account, and cannot sign in before an organizer approves them."
    account = NextStep("", text, "Requests for an account", "/organizers/sign-ups")
    return await _waiting(request, "/api/v1/admin/sign-up/requests", account)


async def _waiting(
    request: Request, path: str, step: NextStep, **parameters: str
) -> NextStep | None:
    listed = Listed[RequestAtAGlance]
    found = await document_of(request, path, listed, limit=MOST_COUNTED, **parameters)
    count = len(found.items)
    if not count:
        return None
    people = count_of(count, "person waits", "people wait")
    if found.next_cursor:
        people = f"more than {people}"
    return replace(step, title=f"{people} for approval")


def days_since(launch: datetime, now: datetime) -> int:
    """The number of days to show: those since the launch, up to two weeks."""
    return min(MOST_DAYS, (now.date() - launch.date()).days + 1)


def steps_of(competition: CompetitionOut) -> list[str]:
    """The acts that can follow now."""
    available = STEPS[competition.phase]
    return [step for step in available if step != "unfreeze" or competition.frozen_at]


def todo_of(competition: ManagedCompetitionOut, *, has_files: bool) -> list[ToDo]:
    """The open points of a draft, and what participants will look for."""
    return [
        ToDo(
            "Upload the ground truth",
            competition.ground_truth.active_version is not None,
            "ground-truth",
            is_must=True,
        ),
        ToDo("Describe the task", bool(competition.description), "texts"),
        ToDo("Add the data for participants", has_files, "files"),
        ToDo("Write rules", bool(competition.rules), "texts"),
        ToDo("Set a closing date", competition.ends_at is not None, "settings"),
    ]


def next_step_of(competition: ManagedCompetitionOut, *, has_files: bool) -> NextStep | None:
    """The most likely next step in this phase; None where there is nothing to do but to wait."""
    match competition.phase:
        case "draft":
            return _step_of_draft(competition, has_files=has_files)
        case "upcoming" | "open" if not competition.counts.submissions:
            return NextStep(
                "invite people",
                "The competition is launched. Share its address, or make links for participants.",
                "Invite people",
                address_of(competition.slug, "/people"),
            )
        case "closed":
            return NextStep(
                "publish the final ranking",
                "Look at it first: only organizers see the preview.",
                "Preview the final ranking",
                address_of(competition.slug, "/finale"),
            )
        case "revealed":
            return NextStep(
                "celebrate",
                "Everybody sees the final ranking now. Export keeps boards, submissions and"
                " receipts as one file.",
                "Show the podium",
                f"/competitions/{competition.slug}/finale",
            )
    return None


def _step_of_draft(competition: ManagedCompetitionOut, *, has_files: bool) -> NextStep:
    if competition.ground_truth.active_version is None and competition.ground_truth.latest_version:
        text = "Settings have changed since it was read. Its file is kept, a button reads it again."
        address = address_of(competition.slug, "/ground-truth")
        return NextStep("read the ground truth again", text, "Read it again", address)
    if competition.ground_truth.active_version is None:
        text = "The right answers. They are never shown to anybody, and checked when you upload."
        return NextStep(
            "upload the ground truth",
            text,
            "Upload",
            address_of(competition.slug, "/ground-truth#upload"),
        )
    if not competition.description:
        text = "Participants read it first: what is predicted, and from what."
        return NextStep("describe the task", text, "Write", address_of(competition.slug, "/texts"))
    if not has_files:
        text = "Whatever participants need to train. The sample submission is made for you."
        return NextStep("add the data", text, "Add files", address_of(competition.slug, "/files"))
    text = "Everything is checked first, and you see the result before anybody else."
    return NextStep(
        "launch", text, "Check everything", address_of(competition.slug, "?check=true#todo")
    )
