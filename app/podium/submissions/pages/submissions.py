"""One's own submissions: the list, newest or best first, with the choice of finals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from fastapi import APIRouter, Request, Response

from podium.competitions.pages.layout import CompetitionPage, competition_layout
from podium.competitions.schemas.competitions import CompetitionOut
from podium.http.pages.api_calls import ask, at, document_of
from podium.http.pages.fields import EMPTY, FormView, after, read_form, refused
from podium.http.pages.layout import require_visitor, show
from podium.http.paging import Listed
from podium.submissions.pages.finals import finals_of, marks_of, place_of
from podium.submissions.schemas import SubmissionOut

ROWS_OF_A_PAGE = 50

MAX_AT_ONCE = 1000
"""Submissions of one request of the API."""

MAX_ELSEWHERE = 100
"""Selected files of other pages that are shown: as many as can be, while a form may name more."""

FINAL = ("scored", "rejected", "failed", "cancelled")

View = Literal["all", "best"]
"""All files, newest first, a page at a time; or those with a score, best first."""

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, kw_only=True)
class SubmissionsPage(CompetitionPage):
    """The team's files, and the ids of those that are `chosen` as finals, of `places`; `ticked` are
    those whose boxes are ticked, which differ where a selection was refused, and `elsewhere` those
    that other pages of the list have. `marks` has words for files that are set apart, by id."""

    template: ClassVar[str] = "submissions/submissions.html"

    listed: Listed[SubmissionOut]
    elsewhere: list[SubmissionOut]
    view: View
    cursor: str | None
    marks: dict[str, list[str]]
    chosen: list[str]
    ticked: list[str]
    may_choose: bool
    may_submit: bool
    places: int
    is_live: bool
    has_private: bool


@router.get("/competitions/{slug}/submissions")
async def show_submissions(
    request: Request, slug: str, cursor: str | None = None, view: View = "all"
) -> Response:
    """The team's files, and which of them count in the end."""
    return await _page(request, slug, cursor, view)


@router.post("/competitions/{slug}/submissions/finals")
async def post_finals(request: Request, slug: str) -> Response:
    """Chooses the finals: what is ticked on this page, and what was chosen on others."""
    form = await read_form(request)
    shown = set(form.texts("shown"))
    ticked = form.texts("final") + [each for each in form.texts("chosen") if each not in shown]
    address = at("/competitions/{}/selection", slug)
    answer = await ask(request, "PUT", address, json={"submission_ids": ticked})
    if answer.is_good:
        return after(f"/competitions/{slug}/submissions", "finals-chosen")
    cursor = form.text_or_none("cursor")
    view: View = "best" if form.text("view") == "best" else "all"
    return await _page(request, slug, cursor, view, refused(answer, form), ticked)


async def _page(
    request: Request,
    slug: str,
    cursor: str | None,
    view: View,
    form: FormView = EMPTY,
    ticked: list[str] | None = None,
) -> Response:
    await require_visitor(request)
    layout = await competition_layout(request, slug, here="submissions")
    competition = layout.competition
    if view == "best":
        listed = await _best_first(request, competition)
    else:
        listed = await _listed(request, slug, ROWS_OF_A_PAGE, cursor)
    finals = await finals_of(request, layout)
    place = await place_of(request, layout, layout.team.id) if layout.team else None
    is_revealed = competition.phase == "revealed"
    wanted = finals.submission_ids if ticked is None else ticked
    elsewhere = await _elsewhere(request, wanted, listed)
    page = SubmissionsPage(
        layout=layout,
        listed=listed,
        elsewhere=elsewhere,
        view=view,
        cursor=cursor,
        marks={
            each.id: marks_of(each, finals, place, is_revealed=is_revealed)
            for each in [*elsewhere, *listed.items]
        },
        chosen=finals.submission_ids,
        ticked=wanted,
        may_choose=competition.phase in ("open", "frozen") and layout.team is not None,
        may_submit=competition.phase in ("open", "frozen") or competition.late_submissions,
        places=finals.places,
        is_live=any(each.status not in FINAL for each in listed.items),
        has_private=any(each.private_score is not None for each in listed.items),
    )
    return await show(request, page, form=form)


async def _listed(
    request: Request, slug: str, limit: int, cursor: str | None
) -> Listed[SubmissionOut]:
    path = at("/competitions/{}/submissions", slug)
    return await document_of(request, path, Listed[SubmissionOut], limit=limit, cursor=cursor)


async def _elsewhere(
    request: Request, wanted: Sequence[str], listed: Listed[SubmissionOut]
) -> list[SubmissionOut]:
    """The wanted submissions that this page of the list does not have."""
    here = {each.id for each in listed.items}
    asked = [
        await ask(request, "GET", at("/submissions/{}", each))
        for each in wanted[:MAX_ELSEWHERE]
        if each not in here
    ]
    return [answer.read(SubmissionOut) for answer in asked if answer.is_good]


async def _best_first(request: Request, competition: CompetitionOut) -> Listed[SubmissionOut]:
    """All submissions whose scores are shown; equal ones in the order of their arrival."""
    found, cursor, is_more = list[SubmissionOut](), None, True
    while is_more:
        listed = await _listed(request, competition.slug, MAX_AT_ONCE, cursor)
        found += listed.items
        cursor = listed.next_cursor
        is_more = cursor is not None
    sign = 1 if competition.is_of_errors else -1

    def place(submission: SubmissionOut) -> float:
        private, public = submission.private_score, submission.public_score
        return sign * (private if private is not None else public or 0.0)

    scored = [each for each in reversed(found) if each.public_score is not None]
    return Listed(items=sorted(scored, key=place), next_cursor=None)
