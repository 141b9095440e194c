"""Queries of boards: their rows, and their past. None of them reads a private score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal

from sqlalchemy import Select, Subquery, case, func, select
from sqlalchemy.orm import Session, aliased

from podium.core.configuration import is_of_errors, settings_of
from podium.core.database.reading import batches, count_where
from podium.core.models import (
    Competition,
    Judging,
    Membership,
    Standing,
    Submission,
    Team,
    User,
)
from podium.core.visibility import Board
from podium.scoring.uncertainty import SIGMAS
from podium.standings.rules import shown_number

DISQUALIFIED = "disqualified"

Order = Literal["rank", "-rank", "team", "-team", "submissions", "-submissions", "last", "-last"]
"""The sort order of rows; with `-`, descending. A board cannot be sorted by anything else, so that
no order reveals more than the board does."""


@dataclass(frozen=True, slots=True)
class BoardFilter:
    """A filter and order of a board's rows: those of teams whose name key contains `name` (as
    `core.names.name_key` writes it), or that of one team."""

    name: str = ""
    team_id: str | None = None
    order: Order = "rank"


EVERYTHING = BoardFilter()

MAX_NAMED = 10_000
"""Maximum number of ids in one query."""


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One line of a board: a standing and its team. `rank` counts ranked teams only and is None for
    the others; `place` counts all lines of the whole board, whatever the filter."""

    standing: Standing
    team: Team
    rank: int | None
    place: int
    of_errors: bool

    @property
    def team_id(self) -> str:
        """The team's id, which identifies its lines on different boards."""
        return self.team.id

    @property
    def score(self) -> Decimal:
        """The score as boards show it, with all its decimals."""
        return shown_number(self.standing.shown, self.standing.decimals, of_errors=self.of_errors)

    @property
    def standard_error(self) -> float | None:
        """The standard error of a final score, with one digit more than the score."""
        error = self.standing.standard_error
        return None if error is None else round(error, self.standing.decimals + 1)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of a final score, with the digits of the score."""
        if self.standing.standard_error is None:
            return None
        score, reach = float(self.score), SIGMAS * self.standing.standard_error
        decimals = self.standing.decimals
        return round(score - reach, decimals), round(score + reach, decimals)

    @property
    def tied_with_first(self) -> bool | None:
        """True if the score's difference to the first one's may be due to chance."""
        return self.standing.is_tied

    @property
    def tags(self) -> list[str]:
        """The team's tags; a disqualified team stays on the board, marked."""
        return [*self.team.tags, DISQUALIFIED] if self.team.disqualified else list(self.team.tags)


def page(
    session: Session,
    *,
    competition_id: str,
    board: Board,
    limit: int | None,
    offset: int,
    row_filter: BoardFilter = EVERYTHING,
) -> list[BoardRow]:
    """Lists rows of a board in its order, numbered, in one query; unranked teams have the place of
    their score without taking a rank."""
    numbered, order = _numbered(competition_id, board)
    if row_filter == EVERYTHING:
        # The page is cut before teams are joined: a board is read often.
        numbered = numbered.order_by(*order).offset(offset).limit(limit)
    part = numbered.subquery()
    query = select(aliased(Standing, part), Team, part.c.number, part.c.place).join(
        Team, Team.id == part.c.team_id
    )
    if row_filter == EVERYTHING:
        query = query.order_by(part.c.place)
    else:
        query = query.where(*_picked(row_filter)).order_by(*_sorted(part, row_filter.order))
        query = query.offset(offset).limit(limit)
    competition = session.get_one(Competition, competition_id)
    of_errors = is_of_errors(settings_of(competition))
    return [
        BoardRow(standing, team, int(number) if standing.is_ranked else None, int(place), of_errors)
        for standing, team, number, place in session.execute(query)
    ]


def teams_before(
    session: Session, *, competition_id: str, board: Board, count: int, row_filter: BoardFilter
) -> Sequence[str]:
    """Lists the ids of the teams in the first `count` rows that match the filter."""
    if count == 0:
        return []
    part = _numbered(competition_id, board)[0].subquery()
    query = (
        select(part.c.team_id)
        .join(Team, Team.id == part.c.team_id)
        .where(*_picked(row_filter))
        .order_by(*_sorted(part, row_filter.order))
        .limit(count)
    )
    return session.scalars(query).all()


def count(session: Session, *, competition_id: str, board: Board, row_filter: BoardFilter) -> int:
    """Counts the rows of a board that match the filter."""
    query = (
        select(func.count())
        .select_from(Standing)
        .where(Standing.competition_id == competition_id, Standing.board == board)
    )
    if picked := _picked(row_filter):
        query = query.join(Team, Team.id == Standing.team_id).where(*picked)
    return session.scalar(query) or 0


def count_ranked(session: Session, *, competition_id: str, board: Board) -> int:
    """Counts the teams that hold a rank on a board."""
    on_board = (Standing.competition_id == competition_id) & (Standing.board == board)
    return count_where(session, on_board, Standing.is_ranked)


def ranks(
    session: Session, *, competition_id: str, board: Board, team_ids: Sequence[str]
) -> dict[str, int]:
    """Maps team ids to ranks on a board; teams without a rank are left out."""
    part = _numbered(competition_id, board)[0].subquery()
    query = select(part.c.team_id, part.c.number).where(part.c.is_ranked)
    found: dict[str, int] = {}
    for some in batches(team_ids, MAX_NAMED):
        rows = session.execute(query.where(part.c.team_id.in_(some)))
        found |= {row.team_id: int(row.number) for row in rows}
    return found


def member_names(session: Session, *, team_ids: Sequence[str]) -> dict[str, list[str]]:
    """Maps team ids to the names of their people, in the order in which they joined."""
    query = (
        select(Membership.team_id, User.name)
        .join(User, User.id == Membership.user_id)
        .order_by(Membership.joined_at, User.id)
    )
    names: dict[str, list[str]] = {}
    for some in batches(team_ids, MAX_NAMED):
        for team_id, name in session.execute(query.where(Membership.team_id.in_(some))):
            names.setdefault(team_id, []).append(name)
    return names


def _numbered(competition_id: str, board: Board) -> tuple[Select[*tuple[Any, ...]], Sequence[Any]]:
    """Builds the query of all rows of a board with their numbers, and its order."""
    order: Sequence[Any] = (Standing.shown.desc(), Standing.submitted_at, Standing.sequence)
    if board == "private":
        # Exact scores decided the positions; the shown value only places an unranked team after
        # the ranked ones that show the same.
        order = (Standing.shown.desc(), Standing.position.is_(None), Standing.position, *order[1:])
    number = func.sum(case((Standing.is_ranked, 1), else_=0)).over(order_by=order)
    place = func.row_number().over(order_by=order)
    query = select(Standing, number.label("number"), place.label("place")).where(
        Standing.competition_id == competition_id, Standing.board == board
    )
    return query, order


def _picked(row_filter: BoardFilter) -> list[Any]:
    picked = []
    if row_filter.name:
        picked.append(Team.name_key.contains(row_filter.name, autoescape=True))
    if row_filter.team_id is not None:
        picked.append(Team.id == row_filter.team_id)
    return picked


def _sorted(part: Subquery, order: Order) -> tuple[Any, ...]:
    column = {
        "rank": part.c.place,
        "team": Team.name_key,
        "submissions": part.c.submissions,
        "last": part.c.last_submitted_at,
    }[order.removeprefix("-")]
    return (column.desc() if order.startswith("-") else column, part.c.place)


def judged_later(session: Session, *, competition_id: str, until: datetime) -> set[str]:
    """Collects the ids of the submissions from before `until` whose first verdict came then or
    later.

    Judgings of a rejudging are not first verdicts: their changes count for all times.
    """
    first = func.min(Judging.judged_at)
    query = (
        select(Judging.submission_id)
        .join(Submission, Submission.id == Judging.submission_id)
        .where(
            Judging.competition_id == competition_id,
            Judging.rejudging_id.is_(None),
            Submission.submitted_at < until,
        )
        .group_by(Judging.submission_id)
        .having(first >= until)
    )
    return set(session.scalars(query))
