"""Renders boards as JSON and CSV, identically for routes and archives."""

from __future__ import annotations

import csv
import io
from datetime import datetime
from decimal import Decimal

from sqlalchemy.orm import Session

from podium.boards.schemas import COLUMNS, LeaderboardOut, row_out
from podium.boards.service import views
from podium.boards.service.board_pages import BoardPage, BoardQuery, read_page
from podium.competitions.schemas.metrics import MetricOut
from podium.core.configuration import settings_of
from podium.core.models import Competition
from podium.core.spreadsheets import harmless
from podium.core.visibility import Board
from podium.http.paging import LARGEST_INTEGER

WHOLE_SECONDS = "%Y-%m-%dT%H:%M:%SZ"
"""The format of times in the CSV, which are in UTC: as in the JSON."""


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
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    writer.writerows([harmless(_cell(read(row))) for read in COLUMNS.values()] for row in rows)
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
