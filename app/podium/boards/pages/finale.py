"""The end of a competition: for organizers a preview of the final ranking; for all visitors, once
it is published, the first three, the greatest moves, and a picture to share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from fastapi import APIRouter, Request, Response

from podium.boards.pages.leaderboard import kept_page, private_page
from podium.boards.schemas import (
    ChartsOut,
    FinalPreviewOut,
    LeaderboardOut,
    MoveOut,
    RowOut,
)
from podium.competitions.pages.dashboard import alerts_of
from podium.competitions.pages.layout import CompetitionPage, competition_layout
from podium.competitions.pages.sections import SectionPage, compares_unasked, dashboard_of
from podium.errors import NotFound
from podium.errors.codes import ErrorCode
from podium.http.pages.addresses import installation_address
from podium.http.pages.api_calls import ask, at, document_of
from podium.http.pages.layout import rendered, show

router = APIRouter(include_in_schema=False)

STEPS = 3

RISERS = 5

PodiumStep = tuple[int, str, Sequence[str], float]
"""A rank with the team, its members and its score."""


@dataclass(frozen=True, kw_only=True)
class FinalePage(CompetitionPage):
    """The first three as `steps`, the visitor's row, the teams that moved up most, and those that
    are tied with the first; `awaits_ties` while more of them may follow."""

    template: ClassVar[str] = "boards/finale.html"

    steps: list[RowOut]
    own: RowOut | None
    risers: list[MoveOut]
    tied: list[RowOut]
    awaits_ties: bool
    teams: int
    address: str

    def context(self) -> dict[str, object]:
        """Adds the steps as the podium draws them."""
        steps: list[PodiumStep] = [
            (row.rank, row.team.name, row.members or (), row.score)
            for row in self.steps
            if row.rank is not None
        ]
        return {**super().context(), "podium_steps": steps}


@dataclass(frozen=True, kw_only=True)
class FinalePicture(FinalePage):
    """The podium drawn as a picture."""

    template: ClassVar[str] = "boards/finale_picture.html"


@dataclass(frozen=True, kw_only=True)
class FinaleSection(SectionPage):
    """The final ranking before it is published, with the number of `alerts` about teams."""

    template: ClassVar[str] = "boards/organizer/finale.html"
    section: ClassVar[str] = "dashboard"

    preview: FinalPreviewOut
    alerts: int

    def context(self) -> dict[str, object]:
        """Adds the podium of the preview."""
        steps: list[PodiumStep] = [
            (each.rank, each.team.name, (), each.private_score)
            for each in self.preview.places
            if each.rank is not None and each.rank <= STEPS
        ]
        return {**super().context(), "podium_steps": steps}


@router.get("/competitions/{slug}/finale")
async def show_finale(request: Request, slug: str) -> Response:
    """Shows the podium, which exists only after the reveal."""
    shown = await _finale(request, slug, FinalePage)
    page = await rendered(request, shown, visitor=shown.layout.visitor)
    return kept_page(request, page) if shown.layout.visitor is None else private_page(page)


@router.get("/competitions/{slug}/finale.svg")
async def show_picture(request: Request, slug: str) -> Response:
    """Serves the podium as a picture to share."""
    shown = await _finale(request, slug, FinalePicture)
    page = await rendered(request, shown, visitor=None)
    page.headers["Content-Type"] = "image/svg+xml"
    return kept_page(request, page) if shown.layout.visitor is None else private_page(page)


@router.get("/organize/{slug}/finale")
async def show_preview(request: Request, slug: str) -> Response:
    """Previews the final ranking for organizers alone; each view is recorded in the audit log."""
    layout = await dashboard_of(request, slug)
    path = at("/admin/competitions/{}/finale", slug)
    preview = await document_of(request, path, FinalPreviewOut)
    alerts = await alerts_of(request, slug) if compares_unasked(layout) else []
    return await show(request, FinaleSection(layout=layout, preview=preview, alerts=len(alerts)))


async def _finale(request: Request, slug: str, page: type[FinalePage]) -> FinalePage:
    layout = await competition_layout(request, slug, here="finale")
    if layout.competition.revealed_at is None:
        raise NotFound("The final ranking is not published yet.", code=ErrorCode.NOT_REVEALED)
    path = at("/competitions/{}/leaderboard", slug)
    board = await document_of(request, path, LeaderboardOut, split="private", limit=1000)
    ranked = [row for row in board.rows if row.rank is not None]
    own = None
    if layout.team is not None:
        mine = await ask(request, "GET", path, params={"split": "private", "team": layout.team.id})
        own = next(iter(mine.read(LeaderboardOut).rows), None) if mine.is_good else None
    figures = await document_of(
        request, at("/competitions/{}/charts", slug), ChartsOut, split="private"
    )
    up = [each for each in figures.moves or [] if each.private_rank < each.public_rank]
    return page(
        layout=layout,
        steps=ranked[:STEPS],
        own=own,
        risers=sorted(up, key=lambda each: each.private_rank - each.public_rank)[:RISERS],
        tied=[row for row in ranked[1:] if row.tied_with_first],
        awaits_ties=any(row.interval and row.tied_with_first is None for row in ranked[1:]),
        teams=board.ranked,
        address=f"{installation_address(request)}/competitions/{slug}/finale",
    )
