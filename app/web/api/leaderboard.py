"""Routes of the leaderboards, as JSON and as CSV, with a weak ETag per board version and page."""

from __future__ import annotations

import csv
import io
from typing import Annotated, Any

from fastapi import Query, Request, Response
from pydantic import BaseModel, Field
from sqlalchemy.orm import Session

from app.db.models import Competition
from app.db.queries.standings import Board, BoardRow
from app.services import standings_view as boards
from app.services.tasks import formula_of, settings_of
from app.web.api.competition_schemas import MetricOut
from app.web.api.paging import LARGEST_INTEGER, Page, Paging, link_next
from app.web.api.schemas import PersonOut, ShownTime, problems
from app.web.deps import MaybeActor, Reading
from app.web.kept_answers import same_for_everybody
from app.web.rendered_boards import Rendered, RenderedBoards
from app.web.strict_json import strict_router

router = strict_router(tag="leaderboard")

_kept = RenderedBoards()

COLUMNS = (
    "rank",
    "team",
    "team_id",
    "score",
    "submission_id",
    "submissions",
    "submitted_at",
    "last_submitted_at",
    "tags",
)

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
"""First characters that make a spreadsheet run a cell instead of showing it."""

NOT_MODIFIED: dict[int | str, dict[str, Any]] = {
    304: {"description": "Not changed since `If-None-Match`."}
}

CSV_ANSWER: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/csv": {"schema": {"type": "string"}}}}
}

WHOLE_SECONDS = "%Y-%m-%dT%H:%M:%SZ"
"""How the CSV writes times, which are in UTC: as the JSON does."""

Split = Annotated[Board, Query(description="`private` exists only after the reveal.")]


class RowOut(BaseModel):
    """A team's place. `rank` is null for teams that are shown but not ranked; they stand where
    their score belongs and take no rank from others."""

    rank: Annotated[int | None, Field(examples=[1])]
    team: PersonOut
    score: Annotated[float, Field(examples=[0.57123])]
    submission_id: str
    submissions: int
    submitted_at: ShownTime
    last_submitted_at: ShownTime
    tags: list[str]


class LeaderboardOut(BaseModel):
    """A page of a board. `version` changes with everything that is shown."""

    competition: str
    split: Board
    version: str
    updated_at: ShownTime | None
    metric: MetricOut
    rows: list[RowOut]
    next_cursor: str | None


@router.get(
    "/competitions/{slug}/leaderboard",
    operation_id="getLeaderboard",
    summary="The leaderboard",
    response_model=LeaderboardOut,
    responses=NOT_MODIFIED | problems(404),
)
def get_leaderboard(
    slug: str,
    actor: MaybeActor,
    session: Reading,
    page: Paging,
    request: Request,
    split: Split = "public",
) -> Response:
    """Best first. The public board ranks by the shown value, the private one by the exact value,
    both with ties going to the earlier submission."""
    competition = boards.visible_board(session, slug=slug, actor=actor, board=split)
    after = page.after(int)
    offset = min(max(after[0], 0), LARGEST_INTEGER - page.fetch) if after else 0
    headers = _headers(competition, split, f"{page.limit}.{offset}")
    same_for_everybody(request)
    rendered = _kept.get(
        competition.id,
        headers["ETag"],
        lambda: _page(session, competition, split, page, offset),
    )
    answer = Response(rendered.body, media_type="application/json", headers=headers)
    link_next(request, answer, rendered.next_cursor)
    return answer


@router.get(
    "/competitions/{slug}/leaderboard.csv",
    operation_id="getLeaderboardCsv",
    summary="The whole leaderboard as CSV",
    response_class=Response,
    responses=CSV_ANSWER | NOT_MODIFIED | problems(404),
)
def get_leaderboard_csv(
    slug: str, actor: MaybeActor, session: Reading, request: Request, split: Split = "public"
) -> Response:
    """RFC 4180. Cells that a spreadsheet would run as a formula begin with an apostrophe."""
    competition = boards.visible_board(session, slug=slug, actor=actor, board=split)
    headers = _headers(competition, split, "csv")
    same_for_everybody(request)
    rendered = _kept.get(competition.id, headers["ETag"], lambda: _csv(session, competition, split))
    headers["Content-Disposition"] = f'attachment; filename="{competition.slug}-{split}.csv"'
    return Response(rendered.body, media_type="text/csv; charset=utf-8", headers=headers)


def _page(
    session: Session, competition: Competition, split: Board, page: Page, offset: int
) -> Rendered:
    rows = boards.board_rows(
        session, competition=competition, board=split, limit=page.fetch, offset=offset
    )
    shown, next_cursor = page.cut(rows, key=lambda _: (offset + page.limit,))
    document = LeaderboardOut(
        competition=competition.slug,
        split=split,
        version=boards.version_of(competition),
        updated_at=boards.updated_at(competition),
        metric=_metric_of(competition),
        rows=[_row_out(row) for row in shown],
        next_cursor=next_cursor,
    )
    return Rendered(document.model_dump_json().encode(), next_cursor)


def _csv(session: Session, competition: Competition, split: Board) -> Rendered:
    rows = boards.board_rows(session, competition=competition, board=split, limit=None, offset=0)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    writer.writerows([_safe(cell) for cell in _cells(row)] for row in rows)
    return Rendered(text.getvalue().encode())


def _metric_of(competition: Competition) -> MetricOut:
    metric = settings_of(competition).metric
    return MetricOut(
        id=metric.title,
        name=metric.name,
        k=metric.k,
        average=metric.average,
        formula=formula_of(metric),
    )


def _headers(competition: Competition, split: Board, part: str) -> dict[str, str]:
    tag = f'W/"{split}.{boards.version_of(competition)}.{part}"'
    return {"ETag": tag, "Cache-Control": "no-cache", "Vary": "Authorization"}


def _row_out(row: BoardRow) -> RowOut:
    return RowOut(
        rank=row.rank,
        team=PersonOut(id=row.team_id, name=row.team_name),
        score=float(boards.score_of(row)),
        submission_id=row.submission_id,
        submissions=row.submissions,
        submitted_at=row.submitted_at,
        last_submitted_at=row.last_submitted_at,
        tags=boards.tags_of(row),
    )


def _cells(row: BoardRow) -> list[str]:
    return [
        "" if row.rank is None else str(row.rank),
        row.team_name,
        row.team_id,
        f"{boards.score_of(row):f}",
        row.submission_id,
        str(row.submissions),
        row.submitted_at.strftime(WHOLE_SECONDS),
        row.last_submitted_at.strftime(WHOLE_SECONDS),
        " ".join(boards.tags_of(row)),
    ]


def _safe(cell: str) -> str:
    return f"'{cell}" if cell.startswith(FORMULA_STARTS) else cell
