"""The list of competitions, and the public pages of one: overview, rules, announcements."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import ClassVar

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel

from podium.competitions.pages.layout import CompetitionLayout, CompetitionPage, competition_layout
from podium.competitions.schemas.competitions import CompetitionOut
from podium.competitions.schemas.texts import AnnouncementOut, RulesOut
from podium.errors.codes import ErrorCode
from podium.http.pages.api_calls import ask, at, document_of
from podium.http.pages.fields import EMPTY, FormView, after, read_form, refused
from podium.http.pages.layout import PageContext, Visitor, show, visitor_of
from podium.http.pages.lists import listed_of
from podium.http.paging import Listed

COMPETITIONS_OF_A_PAGE = 30

ANNOUNCEMENTS_AT_A_GLANCE, ANNOUNCEMENTS_OF_A_PAGE = 3, 20

SEARCH_FROM = 8
"""Number of competitions on a page from which on the search is shown."""

OVER = ("closed", "revealed")
"""Phases in which participation has ended."""

router = APIRouter(include_in_schema=False)


class OwnPlace(BaseModel):
    """The place of a team, as far as the list of competitions shows it."""

    rank: int | None


class OwnPlaces(BaseModel):
    """The row of one team on a board, if it has one, and the number of teams with a rank there."""

    rows: list[OwnPlace]
    ranked: int

    @property
    def rank(self) -> int | None:
        """The team's rank, or None."""
        return next((row.rank for row in self.rows), None)


@dataclass(frozen=True, kw_only=True)
class CompetitionsPage(PageContext):
    """Competitions, and by their slugs the places of the visitor's teams."""

    template: ClassVar[str] = "competitions/competitions.html"

    listed: Listed[CompetitionOut]
    places: dict[str, OwnPlaces]
    q: str
    is_searchable: bool


@dataclass(frozen=True, kw_only=True)
class OverviewPage(CompetitionPage):
    """The overview of a competition, with the latest announcements."""

    template: ClassVar[str] = "competitions/overview.html"

    announced: Listed[AnnouncementOut]
    now: datetime


@dataclass(frozen=True, kw_only=True)
class AnnouncementsPage(CompetitionPage):
    """A page of all announcements of a competition."""

    template: ClassVar[str] = "competitions/announcements.html"

    announced: Listed[AnnouncementOut]


@dataclass(frozen=True, kw_only=True)
class RulesPage(CompetitionPage):
    """The rules, if there are any."""

    template: ClassVar[str] = "competitions/rules.html"

    rules: RulesOut | None


@router.get("/")
async def show_competitions(
    request: Request, q: str = Query("", max_length=200), cursor: str | None = None
) -> Response:
    """Lists the competitions that the visitor may see, newest first, on each page finished ones
    last, with the visitor's own place."""
    path = "/api/v1/competitions"
    listed = await listed_of(
        request, path, Listed[CompetitionOut], limit=COMPETITIONS_OF_A_PAGE, q=q
    )
    listed.items.sort(key=lambda each: each.phase in OVER)
    visitor = await visitor_of(request)
    places = {
        each.slug: await _place(request, each, visitor)
        for each in listed.items
        if visitor and each.slug in visitor.teams
    }
    page = CompetitionsPage(
        listed=listed,
        places=places,
        q=q,
        is_searchable=bool(q or cursor or len(listed.items) >= SEARCH_FROM),
    )
    return await show(request, page)


@router.get("/competitions")
async def lead_to_competitions(request: Request) -> Response:
    """Redirects from the address that people guess to the list."""
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"/{query}", status_code=308)


@router.get("/competitions/{slug}")
async def show_overview(request: Request, slug: str) -> Response:
    """Shows the overview of a competition: its subject, scoring, dates and limits."""
    layout = await competition_layout(request, slug, here="overview")
    announced = await document_of(
        request,
        at("/competitions/{}/announcements", slug),
        Listed[AnnouncementOut],
        limit=ANNOUNCEMENTS_AT_A_GLANCE,
    )
    page = OverviewPage(layout=layout, announced=announced, now=datetime.now(UTC))
    return await show(request, page)


@router.get("/competitions/{slug}/announcements")
async def show_announcements(request: Request, slug: str) -> Response:
    """Lists the organizers' announcements, newest first."""
    layout = await competition_layout(request, slug, here="overview")
    address = at("/competitions/{}/announcements", slug)
    announced = await listed_of(
        request, address, Listed[AnnouncementOut], limit=ANNOUNCEMENTS_OF_A_PAGE
    )
    return await show(request, AnnouncementsPage(layout=layout, announced=announced))


@router.get("/competitions/{slug}/rules")
async def show_rules(request: Request, slug: str) -> Response:
    """Shows the rules, and the visitor's acceptance of them."""
    return await _rules_page(request, await competition_layout(request, slug, here="rules"))


@router.post("/competitions/{slug}/rules")
async def post_rules(request: Request, slug: str) -> Response:
    """Accepts the rules that the page showed, from the rules page or the submit page; a version
    that was published meanwhile is not accepted."""
    form = await read_form(request)
    answer = await ask(
        request,
        "POST",
        at("/competitions/{}/rules/acceptance", slug),
        json={"sha256": form.text("sha256")},
    )
    if answer.is_good:
        back = "submit" if form.text("back") == "submit" else "rules"
        return after(f"/competitions/{slug}/{back}", "rules-accepted")
    if answer.status == 401:
        answer.or_refuse()
    layout = await competition_layout(request, slug, here="rules")
    return await _rules_page(request, layout, refused(answer, form))


async def rules_of(request: Request, slug: str) -> RulesOut | None:
    """Reads the rules with the time of the visitor's acceptance; None where there are none."""
    answer = await ask(request, "GET", at("/competitions/{}/rules", slug))
    if answer.status == 404 and answer.problem.code == ErrorCode.NO_RULES:
        return None
    return answer.read(RulesOut)


async def _rules_page(
    request: Request, layout: CompetitionLayout, form: FormView = EMPTY
) -> Response:
    page = RulesPage(layout=layout, rules=await rules_of(request, layout.slug))
    return await show(request, page, form=form)


async def _place(request: Request, competition: CompetitionOut, visitor: Visitor) -> OwnPlaces:
    """Reads the visitor's row of the board that counts now."""
    slug = competition.slug
    return await document_of(
        request,
        at("/competitions/{}/leaderboard", slug),
        OwnPlaces,
        team=visitor.teams[slug].id,
        split="private" if competition.phase == "revealed" else "public",
        limit=1,
    )
