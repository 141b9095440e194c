"""Boards of the past: ranks of a moment, computed from submissions and verdicts.

A board of the past holds what was submitted and judged by then, with the scores that are in force
today: a rejudging, a disqualification or a new name counts for all times, as it does for the board
of today. A freeze that lasts, or that the reveal has ended since, hides here what it hid then; one
that was lifted hides nothing any more. Teams that are hidden today never appear.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from podium.boards.queries import rows as row_queries
from podium.boards.queries.rows import BoardRow
from podium.boards.service.views import board_rows
from podium.core import lookups
from podium.core.configuration import is_of_errors, settings_of
from podium.core.database.engine import database_now
from podium.core.models import Competition, Standing
from podium.core.models.teams import HIDDEN
from podium.core.visibility import Board
from podium.errors import InvalidInput, NotFound
from podium.errors.codes import ErrorCode
from podium.standings import rules as standing_rules
from podium.standings.rules import BoardEntry
from podium.standings.service import standings

SECOND = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Moments:
    """The moments of a board that a reader requests, in whole seconds: the board at the end of the
    second `as_of` (None: now), and changes of ranks since the end of the second `since` (None: not
    requested)."""

    as_of: datetime | None = None
    since: datetime | None = None


def check_moments(
    session: Session, *, competition: Competition, board: Board, moments: Moments
) -> None:
    """Raises `InvalidInput` for moments that are in the future or in the wrong order, and
    `NotFound` where there was no such board yet."""
    now = database_now(session)
    for name, moment in (("as_of", moments.as_of), ("since", moments.since)):
        if moment is not None and moment > now:
            raise InvalidInput(f"{name} lies in the future.", code=ErrorCode.IN_THE_FUTURE)
    if moments.as_of is None:
        return
    if moments.since is not None and moments.since > moments.as_of:
        raise InvalidInput("since lies after as_of.", code=ErrorCode.SINCE_AFTER_AS_OF)
    launched, revealed = competition.launched_at, competition.revealed_at
    if launched is None or moments.as_of + SECOND <= launched:
        raise NotFound("There was no leaderboard before the launch.", code=ErrorCode.NOT_LAUNCHED)
    if board == "private" and not _is_over(competition, moments.as_of + SECOND):
        hint = f"It was at {revealed:%Y-%m-%dT%H:%M:%SZ}." if revealed else ""
        raise NotFound(
            f"There was no private leaderboard before the reveal. {hint}".strip(),
            code=ErrorCode.NOT_REVEALED,
        )


def rows_as_of(
    session: Session, *, competition: Competition, board: Board, at: datetime
) -> Sequence[BoardRow]:
    """Computes the whole board at the end of a second that `check_moments` has accepted."""
    return rows_until(session, competition=competition, board=board, until=at + SECOND)


def rows_until(
    session: Session, *, competition: Competition, board: Board, until: datetime
) -> Sequence[BoardRow]:
    """Computes the whole board of everything before a moment. From the reveal on it is the board of
    today, because no more submissions count."""
    if board == "private" or _is_over(competition, until):
        return board_rows(session, competition=competition, board=board, limit=None, offset=0)
    by_team = _entries_by_team(session, competition, until)
    teams = lookups.teams_of(session, competition_id=competition.id)
    settings = settings_of(competition)
    decimals, of_errors = settings.decimals, is_of_errors(settings)
    best = ((standing_rules.best_shown(entries, decimals), entries) for entries in by_team)
    order = sorted(
        ((entry, entries) for entry, entries in best if entry is not None),
        key=lambda pair: standing_rules.public_key(pair[0], decimals),
    )
    rows: list[BoardRow] = []
    rank = 0
    for entry, entries in order:
        team = teams[entry.team_id]
        if HIDDEN in team.tags:
            continue
        is_ranked = standings.is_ranked(team)
        rank += is_ranked
        columns = standings.columns_of(entry, entries, is_ranked=is_ranked, decimals=decimals)
        standing = Standing(competition_id=competition.id, board=board, team_id=team.id, **columns)
        rows.append(BoardRow(standing, team, rank if is_ranked else None, len(rows) + 1, of_errors))
    return rows


def ranks_at(
    session: Session, *, competition: Competition, board: Board, at: datetime
) -> Mapping[str, int]:
    """Maps the ids of the teams that had a rank at the end of this second to the rank."""
    launched, until = competition.launched_at, at + SECOND
    if launched is None or at < launched:
        return {}
    if board == "private" and not _is_over(competition, until):
        return {}
    rows = rows_until(session, competition=competition, board=board, until=until)
    return {row.team_id: row.rank for row in rows if row.rank is not None}


def _entries_by_team(
    session: Session, competition: Competition, until: datetime
) -> list[list[BoardEntry]]:
    frozen = competition.frozen_at
    before = until if frozen is None else min(until, frozen)
    later = row_queries.judged_later(session, competition_id=competition.id, until=until)
    by_team = standings.entries_by_team(session, competition_id=competition.id, before=before)
    judged = (
        [entry for entry in entries if entry.submission_id not in later]
        for entries in by_team.values()
    )
    return [entries for entries in judged if entries]


def _is_over(competition: Competition, until: datetime) -> bool:
    return competition.revealed_at is not None and competition.revealed_at < until
