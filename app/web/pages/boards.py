"""Leaderboards as pages, as everybody may see them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from sqlalchemy.orm import Session

from app.db.queries.boards import BoardRow
from app.domain.phases import Phase
from app.services import announcements, competitions, standings_view
from app.services.competitions import Described
from app.web.deps import Reading
from app.web.kept_answers import same_for_everybody
from app.web.pages.evaluation import evaluation_of, metric_line
from app.web.rendering import templates

ROWS_OF_A_PAGE = 100
ANNOUNCEMENTS_SHOWN = 5

NOTES = {
    "public": "The public board is made from a part of the sessions; the final one from the rest.",
    "private": "The final ranking: made from the sessions that no public score was made from.",
}

router = APIRouter(include_in_schema=False)

Split = Literal["public", "private"]


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a board, as text."""

    rank: int | None
    team: str
    tags: list[str]
    score: str
    submissions: int
    last: datetime
    interval: tuple[float, float] | None = None
    is_tied: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """A competition with a part of its leaderboard; `previous` and `next` are page numbers."""

    slug: str
    title: str
    metric: str
    phase: Phase
    ends: datetime | None
    teams: int
    is_revealed: bool
    split: Split
    note: str
    rows: list[Row]
    has_more: bool
    previous: int | None = None
    next: int | None = None


@router.get("/competitions/{slug}/leaderboard")
def show_leaderboard(
    request: Request,
    session: Reading,
    slug: str,
    split: Split = "public",
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
) -> Response:
    """One page of a leaderboard; the private one exists only after the reveal."""
    competition = standings_view.visible_board(session, slug=slug, actor=None, board=split)
    described = competitions.describe_found(session, actor=None, competition=competition)
    offset = (page - 1) * ROWS_OF_A_PAGE
    board = shown_board(session, described, split, rows=ROWS_OF_A_PAGE, offset=offset)
    board = replace(
        board,
        previous=page - 1 if page > 1 else None,
        next=page + 1 if board.has_more else None,
    )
    _, said = announcements.list_announcements(
        session, slug=slug, actor=None, before_id=None, limit=ANNOUNCEMENTS_SHOWN
    )
    context = {
        "board": board,
        "announcements": said,
        "evaluation": evaluation_of(described.settings),
    }
    return _kept_page(request, "competition.html", context)


def _kept_page(request: Request, template: str, context: dict[str, Any]) -> Response:
    """A page that is made from public rows only, tagged with what it says."""
    page = templates.TemplateResponse(request, template, context)
    page.headers["ETag"] = f'W/"{sha256(page.body).hexdigest()[:32]}"'
    page.headers["Cache-Control"] = "no-cache"
    page.headers["Vary"] = "Authorization, Cookie"
    same_for_everybody(request)
    return page


def shown_board(
    session: Session, described: Described, split: Split, *, rows: int, offset: int
) -> Board:
    """So many rows of a board, from `offset` on, as they are shown."""
    competition = described.competition
    found = standings_view.board_rows(
        session, competition=competition, board=split, limit=rows + 1, offset=offset
    )
    return Board(
        slug=competition.slug,
        title=competition.title,
        metric=metric_line(described.settings),
        phase=described.phase,
        ends=competition.ends_at,
        teams=described.counts.teams,
        is_revealed=competition.revealed_at is not None,
        split=split,
        note=NOTES[split],
        rows=[_row(row) for row in found[:rows]],
        has_more=len(found) > rows,
    )


def _row(row: BoardRow) -> Row:
    return Row(
        rank=row.rank,
        team=row.team_name,
        tags=standings_view.tags_of(row),
        score=str(standings_view.score_of(row)),
        submissions=row.submissions,
        last=row.last_submitted_at,
        interval=standings_view.interval_of(row),
        is_tied=bool(row.is_tied) and row.rank != 1,
    )
