"""Stored standings: rewritten in the transaction that records a verdict, so that reading a board
is one query and no reader sees half a change."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from app.db.engine import WriteSession, database_now
from app.db.models import Competition, Standing, Team
from app.db.queries import standings as queries
from app.db.queries import teams as team_queries
from app.domain import ranking
from app.domain.competition_settings import CompetitionSettings
from app.domain.ranking import Entry
from app.domain.selection import finals
from app.services.tasks import settings_of

HIDDEN = "hidden"
"""The tag of teams that no board shows."""


def refresh(session: WriteSession, *, competition_id: str, team_id: str) -> None:
    """Writes one team's public standing anew from its scored submissions.

    The board gets a new version where something changed. After the reveal a late verdict rewrites
    the private board too.
    """
    competition = queries.lock_board(session, competition_id=competition_id)
    # A verdict may have waited here while its team became a part of another one.
    team = team_queries.surviving_team(session, team_id=team_id)
    entries = queries.public_entries(
        session,
        competition_id=competition_id,
        team_id=team.id,
        before=_freeze_of(competition),
    )
    changed = _write_public(session, team=team, entries=entries, settings=settings_of(competition))
    if competition.revealed_at is not None:
        _rewrite_private(session, competition)
    if changed or competition.revealed_at is not None:
        queries.touch_board(session, competition_id=competition_id, now=database_now(session))


def recompute_public_board(session: WriteSession, *, competition: Competition) -> None:
    """Writes the boards anew: after a change of `decimals`, of tags, or of what counts."""
    locked = queries.lock_board(session, competition_id=competition.id)
    _rewrite_public(session, locked)
    if locked.revealed_at is not None:
        _rewrite_private(session, locked)
    queries.touch_board(session, competition_id=locked.id, now=database_now(session))


def write_private_board(session: WriteSession, *, competition: Competition) -> None:
    """Writes the final ranking: by exact private scores of at most `final_selections` submissions
    a team, free places filled with its best public ones. Called by the reveal, which also ends a
    freeze of the public board."""
    locked = queries.lock_board(session, competition_id=competition.id)
    _rewrite_private(session, locked)
    if locked.frozen_at is not None:
        _rewrite_public(session, locked)
    queries.touch_board(session, competition_id=locked.id, now=database_now(session))


def _rewrite_public(session: WriteSession, competition: Competition) -> None:
    settings = settings_of(competition)
    by_team = _by_team(session, competition, before=_freeze_of(competition))
    for team_id, team in queries.teams_of(session, competition_id=competition.id).items():
        _write_public(session, team=team, entries=by_team.get(team_id, []), settings=settings)


def _rewrite_private(session: WriteSession, competition: Competition) -> None:
    settings = settings_of(competition)
    session.flush()
    queries.delete_board(session, competition_id=competition.id, board="private")
    teams = queries.teams_of(session, competition_id=competition.id)
    by_team = _by_team(session, competition, before=None)
    position = 0
    for entry in _best_finals(session, competition, by_team, settings):
        team = teams[entry.team_id]
        if HIDDEN in team.tags:
            continue
        ranked = _is_ranked(team)
        position += ranked
        row = Standing(competition_id=competition.id, board="private", team_id=team.id)
        row.position = position if ranked else None
        _fill(row, best=entry, entries=by_team[team.id], ranked=ranked, settings=settings)
        session.add(row)
    session.flush()


def _best_finals(
    session: WriteSession,
    competition: Competition,
    by_team: dict[str, list[Entry]],
    settings: CompetitionSettings,
) -> list[Entry]:
    """Each team's best final with its exact private score, in the private order."""
    chosen = queries.chosen_finals(session, competition_id=competition.id)
    exact = queries.private_scores(session, competition_id=competition.id)
    places, decimals = settings.final_selections, settings.decimals
    best = [
        min(
            (
                replace(entry, score=exact[entry.submission_id])
                for entry in finals(entries, chosen=chosen, places=places, decimals=decimals)
            ),
            key=ranking.private_key,
        )
        for entries in by_team.values()
    ]
    return sorted(best, key=ranking.private_key)


def _by_team(
    session: WriteSession, competition: Competition, *, before: datetime | None
) -> dict[str, list[Entry]]:
    by_team: dict[str, list[Entry]] = {}
    for entry in queries.public_entries(session, competition_id=competition.id, before=before):
        by_team.setdefault(entry.team_id, []).append(entry)
    return by_team


def _write_public(
    session: WriteSession, *, team: Team, entries: list[Entry], settings: CompetitionSettings
) -> bool:
    row = session.get(Standing, (team.competition_id, "public", team.id))
    best = ranking.best_shown(entries, settings.decimals)
    if best is None or HIDDEN in team.tags:
        if row is not None:
            session.delete(row)
            session.flush()
        return row is not None
    if row is None:
        row = Standing(competition_id=team.competition_id, board="public", team_id=team.id)
        row.position = None
        session.add(row)
    _fill(row, best=best, entries=entries, ranked=_is_ranked(team), settings=settings)
    changed = session.is_modified(row)
    session.flush()
    return changed


def _fill(
    row: Standing, *, best: Entry, entries: list[Entry], ranked: bool, settings: CompetitionSettings
) -> None:
    row.is_ranked = ranked
    row.shown = ranking.shown_units(best.score, settings.decimals)
    row.decimals = settings.decimals
    row.submission_id = best.submission_id
    row.submitted_at = best.submitted_at
    row.sequence = best.sequence
    row.submissions = len(entries)
    row.last_submitted_at = max(entry.submitted_at for entry in entries)


def _is_ranked(team: Team) -> bool:
    return ranking.is_ranked(team.tags, is_disqualified=team.disqualified_at is not None)


def _freeze_of(competition: Competition) -> datetime | None:
    return competition.frozen_at if competition.revealed_at is None else None
