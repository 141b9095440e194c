"""Figures of a board for charts: best scores over time, the distribution of scores, moves of ranks
from the public to the private board, objectives.

Everything is computed from what boards show, or showed at some moment, to everyone who may see
them: rounded public scores that a freeze, a ladder, a disqualification or lateness does not hide.
Private scores come from the private board, and objectives by the one way in which submissions are
shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlalchemy.orm import Session

from podium.boards.queries import rows as row_queries
from podium.boards.queries.rows import BoardRow
from podium.core.configuration import is_of_errors, settings_of
from podium.core.models import Competition, Team
from podium.core.visibility import Board
from podium.errors import NotFound
from podium.standings import rules as standing_rules
from podium.standings.rules import BoardEntry, shown_number
from podium.standings.service.standings import entries_by_team
from podium.submissions.service.submissions import known_submission
from podium.submissions.service.views import Objectives, present

FIRST_TEAMS = 10
"""The number of teams, from the first rank on, that have a line of their own."""

FIRST_POINTS, MAX_POINTS = 50, 150
"""Points of the chart of scores by rank: the first ones, and the most of the others."""

MAX_BINS = 30
"""Maximum number of bins of a histogram."""


@dataclass(frozen=True, slots=True)
class TeamScores:
    """A team's best public score over time: a new one at each of these moments."""

    row: BoardRow
    points: Sequence[tuple[datetime, Decimal]]


@dataclass(frozen=True, slots=True)
class TeamObjectives:
    """A team's objectives, of its submission on the board."""

    row: BoardRow
    scores: Objectives


@dataclass(frozen=True, slots=True)
class Bin:
    """Teams with a score from `low` to below `high`; see `spread_of` for the worst ones."""

    low: Decimal
    high: Decimal
    teams: int


@dataclass(frozen=True, slots=True)
class Move:
    """A team's ranks on the two boards, with the same submission."""

    team: Team
    public_rank: int
    private_rank: int


@dataclass(frozen=True, slots=True)
class Figures:
    """The data of a board's charts. `own` is the row of the given team; `moves` and `objectives`
    are None where there is no public data."""

    until: datetime | None
    best: Sequence[TeamScores]
    spread: Sequence[Bin]
    ranks: Sequence[BoardRow]
    own: BoardRow | None
    moves: Sequence[Move] | None
    objectives: Sequence[TeamObjectives] | None


def figures_of(
    session: Session, *, competition: Competition, board: Board, team_id: str | None
) -> Figures:
    """Computes the figures of a board that may be read (`views.visible_board`); a team beside the
    first ones is given by its id. Raises `NotFound` where it is not on the board."""
    rows = row_queries.page(
        session, competition_id=competition.id, board=board, limit=None, offset=0
    )
    ranked = [row for row in rows if row.rank is not None]
    own = next((row for row in rows if row.team_id == team_id), None)
    settings = settings_of(competition)
    if team_id is not None and own is None:
        raise NotFound("There is no such team on this leaderboard.")
    followed = ranked[:FIRST_TEAMS]
    if own is not None and own not in followed:
        followed = [*followed, own]
    return Figures(
        until=max((row.standing.last_submitted_at for row in rows), default=None),
        best=_best_over_time(session, competition, followed),
        spread=spread_of(
            [row.standing.shown for row in ranked],
            settings.decimals,
            of_errors=is_of_errors(settings),
        ),
        ranks=thinned(ranked),
        own=own,
        moves=_moves(session, competition, board, ranked),
        objectives=_objectives(session, competition, followed),
    )


def improvements(entries: Sequence[BoardEntry], decimals: int) -> list[tuple[datetime, int]]:
    """Finds the times at which a team's best shown score improved, each with the new score, in
    shown units."""
    found: list[tuple[datetime, int]] = []
    for entry in sorted(entries, key=lambda one: (one.submitted_at, one.sequence)):
        shown = standing_rules.shown_units(entry.score, decimals)
        if entry.is_shown and (not found or shown > found[-1][1]):
            found.append((entry.submitted_at, shown))
    return found


def spread_of(shown: Sequence[int], decimals: int, *, of_errors: bool) -> list[Bin]:
    """Computes a histogram of shown scores: bins of one round width, none narrower than the last
    decimal. A few teams far behind would leave one bin for all others, so the bin of the worst
    shown scores counts those beyond it too."""
    if not shown:
        return []
    values = sorted(-one if of_errors else one for one in shown)
    few = len(values) // 50
    low = values[0] if of_errors else values[few]
    high = values[-1 - few] if of_errors else values[-1]
    width = _round_width(high - low + 1)
    start = low - low % width
    counts = [0] * ((high - start) // width + 1)
    for value in values:
        counts[min(max(0, (value - start) // width), len(counts) - 1)] += 1
    edges = [
        shown_number(start + n * width, decimals, of_errors=False) for n in range(len(counts) + 1)
    ]
    return [Bin(edges[n], edges[n + 1], count) for n, count in enumerate(counts)]


def thinned(rows: Sequence[BoardRow]) -> list[BoardRow]:
    """Thins rows out: the first rows, and of the others at most as many as a chart can distinguish,
    evenly, including the last."""
    first, others = rows[:FIRST_POINTS], rows[FIRST_POINTS:]
    if len(others) <= MAX_POINTS:
        return list(rows)
    step = (len(others) - 1) / (MAX_POINTS - 1)
    return [*first, *(others[round(number * step)] for number in range(MAX_POINTS))]


def _round_width(reach: int) -> int:
    """Finds the smallest of 1, 2, 5, 10, 20 … by which so many units fall into few enough bins."""
    power = 1
    while True:
        for width in (power, 2 * power, 5 * power):
            if reach <= width * MAX_BINS:
                return width
        power *= 10


def _best_over_time(
    session: Session, competition: Competition, rows: Sequence[BoardRow]
) -> list[TeamScores]:
    # A freeze that lasts hides the same here as on the board.
    hidden_from = competition.frozen_at if competition.revealed_at is None else None
    by_team = entries_by_team(
        session,
        competition_id=competition.id,
        team_ids=[row.team_id for row in rows],
        before=hidden_from,
    )
    settings = settings_of(competition)
    decimals, of_errors = settings.decimals, is_of_errors(settings)
    return [
        TeamScores(
            row,
            [
                (at, shown_number(units, decimals, of_errors=of_errors))
                for at, units in improvements(by_team.get(row.team_id, []), decimals)
            ],
        )
        for row in rows
    ]


def _moves(
    session: Session, competition: Competition, board: Board, rows: Sequence[BoardRow]
) -> list[Move] | None:
    if competition.revealed_at is None:
        return None
    other: Board = "public" if board == "private" else "private"
    ranks: dict[Board, Mapping[str, int]] = {
        board: {row.team_id: row.rank for row in rows if row.rank is not None},
        other: row_queries.ranks(
            session,
            competition_id=competition.id,
            board=other,
            team_ids=[row.team_id for row in rows],
        ),
    }
    moves = [
        Move(
            team=row.team,
            public_rank=ranks["public"][row.team_id],
            private_rank=ranks["private"][row.team_id],
        )
        for row in rows
        if row.team_id in ranks["public"] and row.team_id in ranks["private"]
    ]
    return sorted(moves, key=lambda move: move.private_rank)


def _objectives(
    session: Session, competition: Competition, rows: Sequence[BoardRow]
) -> list[TeamObjectives] | None:
    # Before the reveal the objectives of other teams stay hidden, whatever teams see of their own.
    if competition.revealed_at is None or len(settings_of(competition).objectives) == 1:
        return None
    found = []
    for row in rows:
        submission = known_submission(session, submission_id=row.standing.submission_id)
        if submission is not None:
            (view,) = present(session, [submission], is_organizer=False)
            if view.objectives:
                found.append(TeamObjectives(row, view.objectives))
    return found or None
