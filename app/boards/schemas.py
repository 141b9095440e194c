"""Boards as documents: the JSON and the CSV that routes and archives hold alike."""

from __future__ import annotations

import csv
import io
from typing import Annotated

from pydantic import BaseModel, Field
from sqlalchemy.orm import Session

from podium.boards.queries.rows import BoardRow
from podium.boards.service import views
from podium.boards.service.parts import Part, Question, read_part
from podium.competitions.schemas.metrics import MetricOut
from podium.core.configuration import settings_of
from podium.core.locks import Board
from podium.core.models import Competition
from podium.core.spreadsheets import harmless
from podium.http.paging import LARGEST_INTEGER
from podium.http.schemas import PersonOut, ShownTime

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

WHOLE_SECONDS = "%Y-%m-%dT%H:%M:%SZ"
"""How the CSV writes times, which are in UTC: as the JSON does."""


class RowOut(BaseModel):
    """A team's place. `rank` is null for teams that are shown but not ranked; they stand where
    their score belongs and take no rank from others. `place` counts all rows of the board, from 1.
    `members` are the names of the team's people. `rank_change` is how many places the team has come
    up `since` the given time: null where that was not asked, or it had no rank then. On the private
    board, `public_rank` is where the same submission stands on the public one.

    After the reveal, `interval` is the 95 % interval of the score, and `tied_with_first` says that
    the score could as well be the first one's (a paired test, session by session); null until that
    was looked at."""

    rank: Annotated[int | None, Field(examples=[1])]
    place: Annotated[int, Field(examples=[1])]
    team: PersonOut
    members: Annotated[list[str], Field(examples=[["ada"]])]
    score: Annotated[float, Field(examples=[0.57123])]
    submission_id: str
    submissions: int
    submitted_at: ShownTime
    last_submitted_at: ShownTime
    tags: list[str]
    rank_change: Annotated[int | None, Field(examples=[3])] = None
    public_rank: Annotated[int | None, Field(examples=[7])] = None
    standard_error: Annotated[float | None, Field(examples=[0.00072])] = None
    interval: tuple[float, float] | None = None
    tied_with_first: bool | None = None


class LeaderboardOut(BaseModel):
    """A page of a board. `version` changes with everything that is shown; `total` counts the rows
    that were asked for, on all pages; `as_of` and `since` are the times that were asked for."""

    competition: str
    split: Board
    version: str
    updated_at: ShownTime | None
    metric: MetricOut
    rows: list[RowOut]
    total: Annotated[int, Field(examples=[2600])]
    next_cursor: str | None
    as_of: ShownTime | None = None
    since: ShownTime | None = None


def document(
    competition: Competition, question: Question, part: Part, *, next_cursor: str | None
) -> bytes:
    """A part of a board as JSON, with as many rows as were asked for."""
    found = LeaderboardOut(
        competition=competition.slug,
        split=question.board,
        version=views.version_of(competition),
        updated_at=views.updated_at(competition),
        metric=MetricOut.of(settings_of(competition).common_metric),
        rows=[_row_out(row, part) for row in part.rows[: question.limit]],
        total=part.total,
        next_cursor=next_cursor,
        as_of=question.moments.as_of,
        since=question.moments.since,
    )
    return found.model_dump_json().encode()


def whole_json(session: Session, competition: Competition, split: Board) -> bytes:
    """All rows of a board as JSON."""
    question = Question(split, limit=LARGEST_INTEGER)
    part = read_part(session, competition=competition, question=question)
    return document(competition, question, part, next_cursor=None)


def whole_csv(session: Session, competition: Competition, split: Board) -> bytes:
    """All rows of a board, RFC 4180; an apostrophe stands before what a spreadsheet would run."""
    rows = views.board_rows(session, competition=competition, board=split, limit=None, offset=0)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    writer.writerows([harmless(cell) for cell in _cells(row)] for row in rows)
    return text.getvalue().encode()


def _row_out(row: BoardRow, part: Part) -> RowOut:
    before = part.earlier.get(row.team_id)
    return RowOut(
        rank=row.rank,
        place=row.place,
        team=PersonOut(id=row.team_id, name=row.team_name),
        members=list(part.members.get(row.team_id, ())),
        score=float(views.score_of(row)),
        submission_id=row.submission_id,
        submissions=row.submissions,
        submitted_at=row.submitted_at,
        last_submitted_at=row.last_submitted_at,
        tags=views.tags_of(row),
        rank_change=None if before is None or row.rank is None else before - row.rank,
        public_rank=part.public_ranks.get(row.team_id),
        standard_error=views.standard_error_of(row),
        interval=views.interval_of(row),
        tied_with_first=row.is_tied,
    )


def _cells(row: BoardRow) -> list[str]:
    return [
        "" if row.rank is None else str(row.rank),
        row.team_name,
        row.team_id,
        f"{views.score_of(row):f}",
        row.submission_id,
        str(row.submissions),
        row.submitted_at.strftime(WHOLE_SECONDS),
        row.last_submitted_at.strftime(WHOLE_SECONDS),
        " ".join(views.tags_of(row)),
    ]
