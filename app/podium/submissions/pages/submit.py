"""The page from which files are submitted. Its form works by itself; scripts check the file before
it is sent, send it in pieces and go on after a cut."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel

from podium.competitions.pages.competitions import rules_of
from podium.competitions.pages.layout import CompetitionLayout, CompetitionPage, competition_layout
from podium.competitions.schemas.texts import RulesOut
from podium.http.html.texts import duration_of
from podium.http.pages.addresses import installation_address
from podium.http.pages.api_calls import ask, at, document_of
from podium.http.pages.fields import EMPTY, FormView, SentForm, after
from podium.http.pages.layout import require_visitor, show
from podium.http.paging import Listed
from podium.submissions.pages.file_facts import facts_of
from podium.submissions.schemas import SubmissionOut, UploadOut

LIMITS = {
    "daily_limit": "the daily limit",
    "total_limit": "the limit for the whole competition",
    "leak_limit": "what public scores may tell your team",
    "rejected_per_hour": "the number of rejected files within an hour",
    "concurrent_uploads": "your team's uploads in progress",
    "uploads_per_user": "your uploads in progress",
    "accept_uploads": "the organizers, who have paused uploads",
    "phase": "the competition's phase",
}
"""The limit that decides a team's allowance, in words."""

LIMIT_REACHED = {
    "daily_limit": ("Daily limit reached.", "The limit resets at 00:00 UTC."),
    "total_limit": (
        "Your team has used all its submissions.",
        "Select the ones that count in the end under “My submissions”.",
    ),
    "rejected_per_hour": (
        "Too many files of your team were rejected within an hour.",
        "Check the next one with “podium validate” before you submit it: that is not limited.",
    ),
}
"""A limit that is used up, and what follows."""

router = APIRouter(include_in_schema=False)


class WhyDisqualified(BaseModel):
    """The reason why a team is disqualified."""

    reason: str


class LeakLeft(BaseModel):
    """Bits of the public split that may be, were, and might be revealed to the visitor's team."""

    limit: int
    told: int
    undecided: int


class SendingTeam(BaseModel):
    """The visitor's team, as far as it says what can be sent."""

    disqualified: WhyDisqualified | None
    submissions_left_today: int
    resets_at: datetime
    limited_by: str

    leak: LeakLeft | None = None


@dataclass(frozen=True, kw_only=True)
class SubmitPage(CompetitionPage):
    """The form; `why_not` says why nothing can be sent and what to do, `rules` have to be accepted
    first, `facts` are attributes that scripts read, `kept` is how long an unfinished upload
    rests."""

    template: ClassVar[str] = "submissions/submit.html"

    team: SendingTeam | None
    why_not: tuple[str, str] | None
    rules: RulesOut | None
    limited_by: str
    unfinished: list[UploadOut]
    facts: Mapping[str, str | int]
    origin: str
    kept: str
    is_over: bool


@router.get("/competitions/{slug}/submit")
async def show_submit(request: Request, slug: str) -> Response:
    """The page to submit: files left, the form, and the format of a file."""
    return await _page(request, slug)


@router.post("/competitions/{slug}/submit")
async def post_submit(request: Request, slug: str) -> Response:
    """Takes the form of a browser without scripts; the body goes to the API unread."""
    address = at("/competitions/{}/submissions", slug)
    answer = await ask(request, "POST", address, receive=request.receive)
    if answer.is_good:
        return after(
            f"/competitions/{slug}/submissions/{answer.read(SubmissionOut).id}", "submitted"
        )
    if answer.status == 401:
        return RedirectResponse("/sign-in", status_code=303)
    refusal = FormView(SentForm({}), status=answer.status, summary=answer.problem.detail)
    return await _page(request, slug, refusal)


@router.post("/competitions/{slug}/submit/discard/{upload_id}")
async def post_discard(request: Request, slug: str, upload_id: str) -> Response:
    """Gives an unfinished upload up."""
    answer = await ask(request, "DELETE", at("/uploads/{}", upload_id))
    answer.or_refuse()
    return after(f"/competitions/{slug}/submit", "upload-discarded")


async def _page(request: Request, slug: str, form: FormView = EMPTY) -> Response:
    await require_visitor(request)
    layout = await competition_layout(request, slug, here="submit")
    answer = await ask(request, "GET", at("/competitions/{}/team", slug))
    team = answer.read(SendingTeam) if answer.is_good else None
    unfinished: list[UploadOut] = []
    if team:
        listed = await document_of(request, "/api/v1/uploads", Listed[UploadOut])
        unfinished = [each for each in listed.items if each.offset]
    page = SubmitPage(
        layout=layout,
        team=team,
        why_not=_why_not(layout, team),
        rules=await _rules_to_accept(request, layout),
        limited_by=LIMITS.get(team.limited_by, "") if team else "",
        unfinished=unfinished,
        facts=facts_of(layout),
        origin=installation_address(request),
        is_over=layout.is_over,
        kept=duration_of(request.app.state.application.settings.upload_keep_seconds),
    )
    return await show(request, page, form=form)


async def _rules_to_accept(request: Request, layout: CompetitionLayout) -> RulesOut | None:
    """The rules that the visitor has not accepted; organizers need not."""
    if not layout.competition.rules or layout.is_organizer:
        return None
    rules = await rules_of(request, layout.slug)
    return None if rules is None or rules.accepted_at else rules


def _why_not(layout: CompetitionLayout, team: SendingTeam | None) -> tuple[str, str] | None:
    """The reason why nothing can be sent now, and what can be done; None where something can."""
    competition, phase = layout.competition, layout.competition.phase
    if phase in ("draft", "upcoming"):
        return "The competition has not started yet.", "You can submit from its start on."
    if layout.is_over:
        return "The competition is over.", "No more files are accepted."
    if team is None:
        return "You have not joined yet.", "Join the competition with a team first."
    if team.disqualified:
        return "Your team is disqualified.", team.disqualified.reason
    if not competition.accept_uploads:
        return (
            "Uploads are paused by the organizers.",
            "Files that you have submitted stay. See the announcements.",
        )
    if team.submissions_left_today == 0:
        if team.limited_by == "leak_limit" and team.leak is not None:
            return _why_leaks(team.leak)
        if team.limited_by in LIMIT_REACHED:
            return LIMIT_REACHED[team.limited_by]
        return "No submission is possible at the moment.", f"Limited by {LIMITS[team.limited_by]}."
    return None


def _why_leaks(leak: LeakLeft) -> tuple[str, str]:
    if leak.told < leak.limit:
        return (
            "Your files that are not judged yet may reach the leak limit.",
            "Submit again when they have their verdicts.",
        )
    return (
        f"Leak limit reached: your scores have told your team {leak.told:,} bits of the public"
        f" split, of {leak.limit:,}.",
        "Select the submissions that count in the end under “My submissions”.",
    )
