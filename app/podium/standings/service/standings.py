"""Stored standings: rewritten in the transaction that records a verdict, so that reading a board is
one query and no reader sees half a change.

Before the reveal the public board shows a team's submission with the best shown score; from then on
both boards show the same submission of it, the final one. Late and disqualified submissions never
count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from podium.core import locks, lookups
from podium.core.competition_settings import CompetitionSettings
from podium.core.configuration import settings_of
from podium.core.database.engine import WriteSession, database_now
from podium.core.models import Competition, Standing, Team
from podium.core.models.teams import HIDDEN
from podium.core.visibility import Board
from podium.standings import queries, rules
from podium.standings.rules import BoardEntry, finals, standing_final

ByTeam = Mapping[str, list[BoardEntry]]


def refresh(session: WriteSession, *, competition_id: str, team_id: str) -> None:
    """Rewrites one team's public standing from its scored submissions.

    The board gets a new version where something changed. After the reveal both boards are
    rewritten.
    """
    competition = locks.lock_board(session, competition_id=competition_id)
    if competition.revealed_at is not None:
        recompute_public_board(session, competition=competition)
        return
    # A verdict may have waited here while its team was merged into another one.
    team = lookups.surviving_team(session, team_id=team_id)
    entries = queries.public_entries(
        session,
        competition_id=competition_id,
        team_ids=[team.id],
        before=competition.frozen_at,
    )
    if _write_public(session, team=team, entries=entries, settings=settings_of(competition)):
        locks.touch_board(session, competition_id=competition_id, now=database_now(session))


def recompute_public_board(session: WriteSession, *, competition: Competition) -> None:
    """Rewrites the boards: after a change of `decimals`, of tags, or of the submissions that
    count."""
    locked = locks.lock_board(session, competition_id=competition.id)
    if locked.revealed_at is not None:
        _rewrite_both(session, locked)
    else:
        _rewrite_public(session, locked)
    locks.touch_board(session, competition_id=locked.id, now=database_now(session))


def write_private_board(session: WriteSession, *, competition: Competition) -> None:
    """Writes the final ranking: by exact private scores of at most `final_selections` submissions
    a team, free places filled with its best public ones. Called by the reveal, which also ends a
    freeze and lets the public board show the same submissions."""
    locked = locks.lock_board(session, competition_id=competition.id)
    _rewrite_both(session, locked)
    locks.touch_board(session, competition_id=locked.id, now=database_now(session))


def _rewrite_public(session: WriteSession, competition: Competition) -> None:
    settings = settings_of(competition)
    by_team = entries_by_team(session, competition_id=competition.id, before=competition.frozen_at)
    best = {
        team_id: rules.best_shown(entries, settings.decimals)
        for team_id, entries in by_team.items()
    }
    standing = {team_id: entry for team_id, entry in best.items() if entry is not None}
    _replace(session, competition, "public", standing, by_team)


def _rewrite_both(session: WriteSession, competition: Competition) -> None:
    by_team = entries_by_team(session, competition_id=competition.id, before=None)
    standing, ordered = final_standings(session, competition=competition, by_team=by_team)
    _replace(session, competition, "public", standing, by_team, is_final=True)
    _replace(session, competition, "private", ordered, by_team, is_final=True)


def final_standings(
    session: Session, *, competition: Competition, by_team: ByTeam
) -> tuple[dict[str, BoardEntry], dict[str, BoardEntry]]:
    """Selects the final submission of each team, with its public score, and the same with private
    ones in the order of the final ranking, as a reveal stores them and organizers preview them.

    A submission without a private score, because a custom metric failed on that split, cannot be
    final, chosen or not. A team that has no other keeps its best public one on the public board,
    and has no place in the final ranking.
    """
    settings = settings_of(competition)
    chosen = lookups.chosen_finals(session, competition_id=competition.id)
    exact = queries.private_scores(session, competition_id=competition.id)
    places, decimals = settings.final_selections, settings.decimals
    last = {
        team_id: standing_final(
            finals(ranked, chosen=chosen, places=places, decimals=decimals), exact
        )
        for team_id, entries in by_team.items()
        if (ranked := [entry for entry in entries if entry.submission_id in exact])
    }
    standing = {
        team_id: best
        for team_id, entries in by_team.items()
        if (best := last.get(team_id) or rules.best_shown(entries, decimals)) is not None
    }
    final = [replace(entry, score=exact[entry.submission_id]) for entry in last.values()]
    return standing, {entry.team_id: entry for entry in sorted(final, key=rules.private_key)}


def counting_finals(
    session: Session, *, competition: Competition, team_id: str
) -> list[str] | None:
    """Lists the ids of a team's submissions that are final, or would be if no more were sent; None
    before the reveal while hidden scores decide. Those without a private score are left out only
    after the reveal."""
    settings = settings_of(competition)
    entries = queries.public_entries(
        session, competition_id=competition.id, team_ids=[team_id], before=None
    )
    chosen = lookups.chosen_finals(session, competition_id=competition.id)
    if competition.revealed_at is None and not rules.is_choice_visible(
        entries,
        chosen=chosen,
        places=settings.final_selections,
        frozen_at=competition.frozen_at,
    ):
        return None
    if competition.revealed_at is not None:
        exact = queries.private_scores(session, competition_id=competition.id)
        entries = [entry for entry in entries if entry.submission_id in exact]
    counting = finals(
        entries, chosen=chosen, places=settings.final_selections, decimals=settings.decimals
    )
    return [entry.submission_id for entry in counting]


def entries_by_team(
    session: Session,
    *,
    competition_id: str,
    team_ids: Sequence[str] | None = None,
    before: datetime | None,
) -> dict[str, list[BoardEntry]]:
    """Groups the scored submissions that count on the public board by team; `team_ids` limits the
    teams, `before` the time of submission."""
    by_team: dict[str, list[BoardEntry]] = {}
    for entry in queries.public_entries(
        session, competition_id=competition_id, team_ids=team_ids, before=before
    ):
        by_team.setdefault(entry.team_id, []).append(entry)
    return by_team


def _replace(
    session: WriteSession,
    competition: Competition,
    board: Board,
    standing: Mapping[str, BoardEntry],
    by_team: ByTeam,
    *,
    is_final: bool = False,
) -> None:
    """Replaces the rows of one board; those of the private one are numbered in the order of
    `standing`. Final ones have standard errors; ties are computed later (`ties`)."""
    session.flush()
    settings = settings_of(competition)
    errors = queries.standard_errors(session, competition.id, board) if is_final else {}
    teams = lookups.teams_of(session, competition_id=competition.id)
    rows, position = [], 0
    for team_id, entry in standing.items():
        team = teams[team_id]
        if HIDDEN in team.tags:
            continue
        ranked = is_ranked(team)
        position += ranked
        columns = columns_of(entry, by_team[team_id], is_ranked=ranked, decimals=settings.decimals)
        columns |= {
            "team_id": team_id,
            "position": position if ranked and board == "private" else None,
            "standard_error": errors.get(entry.submission_id),
            "is_tied": None,
        }
        rows.append(columns)
    queries.replace_board(session, competition_id=competition.id, board=board, rows=rows)


def _write_public(
    session: WriteSession, *, team: Team, entries: list[BoardEntry], settings: CompetitionSettings
) -> bool:
    row = session.get(Standing, (team.competition_id, "public", team.id))
    best = rules.best_shown(entries, settings.decimals)
    if best is None or HIDDEN in team.tags:
        if row is not None:
            session.delete(row)
            session.flush()
        return row is not None
    if row is None:
        row = Standing(competition_id=team.competition_id, board="public", team_id=team.id)
        row.position = None
        session.add(row)
    columns = columns_of(best, entries, is_ranked=is_ranked(team), decimals=settings.decimals)
    for name, value in columns.items():
        setattr(row, name, value)
    changed = session.is_modified(row)
    session.flush()
    return changed


def columns_of(
    best: BoardEntry, entries: Sequence[BoardEntry], *, is_ranked: bool, decimals: int
) -> dict[str, Any]:
    """Builds the columns of a team's standing with the submission `best`, out of all its
    entries."""
    return {
        "is_ranked": is_ranked,
        "shown": rules.shown_units(best.score, decimals),
        "decimals": decimals,
        "submission_id": best.submission_id,
        "submitted_at": best.submitted_at,
        "sequence": best.sequence,
        "submissions": len(entries),
        "last_submitted_at": max(entry.submitted_at for entry in entries),
    }


def is_ranked(team: Team) -> bool:
    """True if a team holds a rank."""
    return rules.is_ranked(team.tags, is_disqualified=team.disqualified_at is not None)
