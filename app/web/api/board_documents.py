"""Boards as documents: the JSON and the CSV that routes and archives hold alike."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import BaseModel, Field
from sqlalchemy.orm import Session

from app.db.models import Competition
from app.db.queries.standings import Board, BoardRow
from app.services import standings_view as boards
from app.services.board_history import Moments
from app.services.tasks import settings_of
from app.web.api.metric_documents import MetricOut
from app.web.api.schemas import PersonOut, ShownTime

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

WHOLE_SECONDS = "%Y-%m-%dT%H:%M:%SZ"
"""How the CSV writes times, which are in UTC: as the JSON does."""


class RowOut(BaseModel):
    """A team's place. `rank` is null for teams that are shown but not ranked; they stand where
    their score belongs and take no rank from others. `rank_change` is how many places the team has
    come up `since` the given time: null where that was not asked, or it had no rank then.

    After the reveal, `interval` is the 95 % interval of the score, and `tied_with_first` says that
    the score could as well be the first one's (a paired test, session by session); null until that
    was looked at."""

    rank: Annotated[int | None, Field(examples=[1])]
    team: PersonOut
    score: Annotated[float, Field(examples=[0.57123])]
    submission_id: str
    submissions: int
    submitted_at: ShownTime
    last_submitted_at: ShownTime
    tags: list[str]
    rank_change: Annotated[int | None, Field(examples=[3])] = None
    standard_error: Annotated[float | None, Field(examples=[0.00072])] = None
    interval: tuple[float, float] | None = None
    tied_with_first: bool | None = None


class LeaderboardOut(BaseModel):
    """A page of a board. `version` changes with everything that is shown; `as_of` and `since` are
    the times that were asked for."""

    competition: str
    split: Board
    version: str
    updated_at: ShownTime | None
    metric: MetricOut
    rows: list[RowOut]
    next_cursor: str | None
    as_of: ShownTime | None = None
    since: ShownTime | None = None


def document(
    competition: Competition,
    split: Board,
    rows: Sequence[BoardRow],
    *,
    next_cursor: str | None,
    earlier: Mapping[str, int],
    moments: Moments,
) -> bytes:
    """A part of a board as JSON; `earlier` holds ranks of before, by the team's id."""
    found = LeaderboardOut(
        competition=competition.slug,
        split=split,
        version=boards.version_of(competition),
        updated_at=boards.updated_at(competition),
        metric=MetricOut.of(settings_of(competition).common_metric),
        rows=[_row_out(row, earlier) for row in rows],
        next_cursor=next_cursor,
        as_of=moments.as_of,
        since=moments.since,
    )
    return found.model_dump_json().encode()


def whole_json(session: Session, competition: Competition, split: Board) -> bytes:
    """All rows of a board as JSON."""
    rows = boards.board_rows(session, competition=competition, board=split, limit=None, offset=0)
    return document(competition, split, rows, next_cursor=None, earlier={}, moments=Moments())


def whole_csv(session: Session, competition: Competition, split: Board) -> bytes:
    """All rows of a board, RFC 4180; an apostrophe stands before what a spreadsheet would run."""
    rows = boards.board_rows(session, competition=competition, board=split, limit=None, offset=0)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    writer.writerows([_safe(cell) for cell in _cells(row)] for row in rows)
    return text.getvalue().encode()


def _row_out(row: BoardRow, earlier: Mapping[str, int]) -> RowOut:
    before = earlier.get(row.team_id)
    return RowOut(
        rank=row.rank,
        team=PersonOut(id=row.team_id, name=row.team_name),
        score=float(boards.score_of(row)),
        submission_id=row.submission_id,
        submissions=row.submissions,
        submitted_at=row.submitted_at,
        last_submitted_at=row.last_submitted_at,
        tags=boards.tags_of(row),
        rank_change=None if before is None or row.rank is None else before - row.rank,
        standard_error=boards.standard_error_of(row),
        interval=boards.interval_of(row),
        tied_with_first=row.is_tied,
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
