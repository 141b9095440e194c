"""Renders boards as JSON and CSV, identically for routes and archives."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from datetime import datetime
from decimal import Decimal
from operator import attrgetter

from sqlalchemy.orm import Session

from podium.boards.queries.rows import BoardRow
from podium.boards.schemas import LeaderboardOut, row_out
from podium.boards.service import views
from podium.boards.service.board_pages import BoardPage, BoardQuery, read_page
from podium.boards.service.diagnostics import diagnostics_of
from podium.competitions.schemas.metrics import MetricOut, metrics_named
from podium.core.configuration import settings_of
from podium.core.models import Competition
from podium.core.spreadsheets import harmless
from podium.core.visibility import Board
from podium.http.paging import LARGEST_INTEGER

WHOLE_SECONDS = "%Y-%m-%dT%H:%M:%SZ"
"""The format of times in the CSV, which are in UTC: as in the JSON."""

COLUMNS: Mapping[str, Callable[[BoardRow], object]] = {
    "rank": attrgetter("rank"),
    "team": attrgetter("team.name"),
    "team_id": attrgetter("team.id"),
    "score": attrgetter("score"),
    "submission_id": attrgetter("standing.submission_id"),
    "submissions": attrgetter("standing.submissions"),
    "submitted_at": attrgetter("standing.submitted_at"),
    "last_submitted_at": attrgetter("standing.last_submitted_at"),
    "tags": attrgetter("tags"),
}
"""The columns of a board as CSV, with their contents."""


def document(
    competition: Competition, query: BoardQuery, board_page: BoardPage, *, next_cursor: str | None
) -> bytes:
    """Renders a page of a board as JSON, limited to the requested number of rows."""
    settings = settings_of(competition)
    found = LeaderboardOut(
        competition=competition.slug,
        split=query.board,
        version=views.version_of(competition),
        updated_at=views.updated_at(competition),
        metric=MetricOut.of(settings.common_metric, settings.task),
        diagnostics=metrics_named(settings.board_diagnostics, settings.task),
        rows=[row_out(row, board_page) for row in board_page.rows[: query.limit]],
        total=board_page.total,
        ranked=board_page.ranked,
        next_cursor=next_cursor,
        as_of=query.moments.as_of,
        since=query.moments.since,
    )
    return found.model_dump_json().encode()


def whole_json(session: Session, competition: Competition, split: Board) -> bytes:
    """Renders all rows of a board as JSON, as anonymous visitors may see it."""
    shows_members = views.may_see_members(session, competition=competition, actor=None)
    query = BoardQuery(split, limit=LARGEST_INTEGER, with_members=shows_members)
    board_page = read_page(session, competition=competition, query=query)
    return document(competition, query, board_page, next_cursor=None)


def whole_csv(session: Session, competition: Competition, split: Board) -> bytes:
    """Renders all rows of a board as CSV (RFC 4180), with an apostrophe before cells that a
    spreadsheet would run."""
    rows = views.board_rows(session, competition=competition, board=split, limit=None, offset=0)
    beside = diagnostics_of(session, competition=competition, board=split, rows=rows)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    further = settings_of(competition).board_diagnostics
    writer.writerow([*COLUMNS, *further])
    for row in rows:
        cells = [read(row) for read in COLUMNS.values()]
        cells += [beside[row.team_id][metric] for metric in further]
        writer.writerow([harmless(_cell(cell)) for cell in cells])
    return text.getvalue().encode()


def _cell(value: object) -> str:
    match value:
        case None:
            return ""
        case datetime():
            return value.strftime(WHOLE_SECONDS)
        case Decimal():
            return f"{value:f}"
        case list():
            return " ".join(value)
    return str(value)
