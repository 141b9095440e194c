"""The list of competitions, and what one of them is about: overview, rules, announcements."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Query, Request, Response

from podium.errors.codes import ErrorCode
from podium.http.pages.api_calls import ask, at, document_of
from podium.http.pages.fields import EMPTY, FormView, after, read_form, refused
from podium.http.pages.layout import CompetitionFrame, Visitor, competition_frame, show, visitor_of

COMPETITIONS_OF_A_PAGE = 30

ANNOUNCEMENTS_AT_A_GLANCE, ANNOUNCEMENTS_OF_A_PAGE = 3, 20

SEARCH_FROM = 8
"""Competitions on a page from which on looking for one needs help."""

router = APIRouter(include_in_schema=False)


@router.get("/")
async def show_competitions(
    request: Request, q: str = Query("", max_length=200), cursor: str | None = None
) -> Response:
    """The competitions that the visitor may see, newest first, with the own team's place."""
    listed = await document_of(
        request, "/api/v1/competitions", limit=COMPETITIONS_OF_A_PAGE, cursor=cursor, q=q
    )
    visitor = await visitor_of(request)
    places = {
        each["slug"]: await _place(request, each, visitor)
        for each in listed["items"]
        if visitor and each["slug"] in visitor.teams
    }
    return await show(
        request,
        "competitions/competitions.html",
        listed=listed,
        places=places,
        q=q,
        is_searchable=bool(q or cursor or len(listed["items"]) >= SEARCH_FROM),
    )


@router.get("/competitions/{slug}")
async def show_overview(request: Request, slug: str) -> Response:
    """The overview of a competition: its subject, scoring, dates and limits."""
    frame = await competition_frame(request, slug, here="overview")
    announced = await document_of(
        request, at("/competitions/{}/announcements", slug), limit=ANNOUNCEMENTS_AT_A_GLANCE
    )
    return await show(request, "competitions/overview.html", frame=frame, announced=announced)


@router.get("/competitions/{slug}/announcements")
async def show_announcements(request: Request, slug: str, cursor: str | None = None) -> Response:
    """Everything that the organizers said, newest first."""
    frame = await competition_frame(request, slug, here="overview")
    address = at("/competitions/{}/announcements", slug)
    announced = await document_of(request, address, limit=ANNOUNCEMENTS_OF_A_PAGE, cursor=cursor)
    return await show(request, "competitions/announcements.html", frame=frame, announced=announced)


@router.get("/competitions/{slug}/rules")
async def show_rules(request: Request, slug: str) -> Response:
    """The rules, and whether the visitor accepted them."""
    return await _rules_page(request, await competition_frame(request, slug, here="rules"))


@router.post("/competitions/{slug}/rules")
async def post_rules(request: Request, slug: str) -> Response:
    """Accepts the text that was on the page; not another one that came meanwhile."""
    form = await read_form(request)
    answer = await ask(
        request,
        "POST",
        at("/competitions/{}/rules/acceptance", slug),
        json={"sha256": form.text("sha256")},
    )
    if answer.is_good:
        return after(f"/competitions/{slug}/rules", "rules-accepted")
    if answer.status == 401:
        answer.or_refuse()
    frame = await competition_frame(request, slug, here="rules")
    return await _rules_page(request, frame, refused(answer, form))


async def rules_of(request: Request, slug: str) -> dict[str, Any] | None:
    """The rules with when the visitor accepted them; None where there are none."""
    answer = await ask(request, "GET", at("/competitions/{}/rules", slug))
    if answer.status == 404 and answer.document["code"] == ErrorCode.NO_RULES:
        return None
    found: dict[str, Any] = answer.or_refuse()
    return found


async def _rules_page(
    request: Request, frame: CompetitionFrame, form: FormView = EMPTY
) -> Response:
    rules = await rules_of(request, frame.slug)
    return await show(request, "competitions/rules.html", form=form, frame=frame, rules=rules)


async def _place(
    request: Request, competition: dict[str, Any], visitor: Visitor
) -> dict[str, Any] | None:
    """The visitor's row of the board that counts now."""
    slug = competition["slug"]
    board = await document_of(
        request,
        at("/competitions/{}/leaderboard", slug),
        team=visitor.teams[slug].id,
        split="private" if competition["phase"] == "revealed" else "public",
        limit=1,
    )
    return next(iter(board["rows"]), None)
