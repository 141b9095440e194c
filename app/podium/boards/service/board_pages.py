"""A page of a board with the data beside its rows: people, earlier ranks, counts. Used by the HTTP
contract and the pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy.orm import Session

from podium.boards.queries import rows as row_queries
from podium.boards.queries.rows import EVERYTHING, BoardFilter, BoardRow
from podium.boards.service.diagnostics import BoardDiagnostics, diagnostics_of
from podium.boards.service.history import Moments, ranks_at, rows_as_of
from podium.core.models import Competition
from podium.core.names import name_key
from podium.core.visibility import Board


@dataclass(frozen=True, slots=True)
class ShownTeams:
    """The teams on the pages before: their fingerprint (`following.fingerprint`), and the time at
    which the board had last changed when the first page was read."""

    at: datetime
    fingerprint: str


@dataclass(frozen=True, slots=True)
class BoardQuery:
    """A query for rows of a board: `limit` of those that match the filter, from `offset` on;
    `with_members` for readers who may see the names of people (`views.may_see_members`), `shown`
    for a page that is to follow others (`following`)."""

    board: Board
    limit: int
    offset: int = 0
    row_filter: BoardFilter = EVERYTHING
    moments: Moments = field(default=Moments())
    with_members: bool = False
    shown: ShownTeams | None = None


@dataclass(frozen=True, slots=True)
class BoardPage:
    """Rows of a board. `total` counts the rows that match the filter, `ranked` the teams that hold
    a rank on the whole board, `members` holds the names of people and `earlier` the earlier ranks,
    by the team's id; `public_ranks`, filled for the private board alone, the ranks of the same
    submissions on the public one; `diagnostics` are the columns beside the score, by the team's
    id."""

    rows: Sequence[BoardRow]
    total: int
    ranked: int
    members: Mapping[str, Sequence[str]]
    earlier: Mapping[str, int]
    public_ranks: Mapping[str, int]
    diagnostics: Mapping[str, BoardDiagnostics]


def row_filter_of(
    name: str = "", team_id: str | None = None, order: row_queries.Order = "rank"
) -> BoardFilter:
    """Builds the filter of rows from a reader's input; a name with an empty key does not filter."""
    return BoardFilter(name=name_key(name) if name.strip() else "", team_id=team_id, order=order)


def read_page(
    session: Session,
    *,
    competition: Competition,
    query: BoardQuery,
    past: Sequence[BoardRow] | None = None,
) -> BoardPage:
    """Reads a page of a board that may be read (`visible_board`) at moments that were checked
    (`check_moments`). `past` is the whole board of that time, where it was computed already."""
    board, moments = query.board, query.moments
    end = query.offset + query.limit
    if moments.as_of is None:
        rows: Sequence[BoardRow] = row_queries.page(
            session,
            competition_id=competition.id,
            board=board,
            limit=query.limit,
            offset=query.offset,
            row_filter=query.row_filter,
        )
        total = row_queries.count(
            session, competition_id=competition.id, board=board, row_filter=query.row_filter
        )
        ranked = row_queries.count_ranked(session, competition_id=competition.id, board=board)
    else:
        if past is None:
            past = rows_as_of(session, competition=competition, board=board, at=moments.as_of)
        matching = picked(past, query.row_filter)
        rows, total = matching[query.offset : end], len(matching)
        ranked = sum(row.rank is not None for row in past)
    earlier: Mapping[str, int] = {}
    if moments.since is not None:
        earlier = ranks_at(session, competition=competition, board=board, at=moments.since)
    counts = (total, ranked)
    return _with_teams(session, competition, query, rows, counts, earlier)


def picked(rows: Sequence[BoardRow], row_filter: BoardFilter) -> list[BoardRow]:
    """Filters the rows of a computed board, sorted as the database sorts."""
    found = [
        row
        for row in rows
        if row_filter.name in name_key(row.team.name) and row_filter.team_id in (None, row.team_id)
    ]
    key = {
        "rank": lambda row: row.place,
        "team": lambda row: name_key(row.team.name),
        "submissions": lambda row: row.standing.submissions,
        "last": lambda row: row.standing.last_submitted_at,
    }[row_filter.order.removeprefix("-")]
    return sorted(found, key=key, reverse=row_filter.order.startswith("-"))


def _with_teams(
    session: Session,
    competition: Competition,
    query: BoardQuery,
    rows: Sequence[BoardRow],
    counts: tuple[int, int],
    earlier: Mapping[str, int],
) -> BoardPage:
    teams = [row.team_id for row in rows]
    public_ranks: Mapping[str, int] = {}
    if query.board == "private":
        public_ranks = row_queries.ranks(
            session, competition_id=competition.id, board="public", team_ids=teams
        )
    members: Mapping[str, Sequence[str]] = {}
    if query.with_members:
        members = row_queries.member_names(session, team_ids=teams)
    return BoardPage(
        rows=rows,
        total=counts[0],
        ranked=counts[1],
        members=members,
        earlier=earlier,
        public_ranks=public_ranks,
        diagnostics=diagnostics_of(session, competition=competition, board=query.board, rows=rows),
    )
