"""The preview of the final ranking: for organizers alone, and every view is in the audit log."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from sqlalchemy.orm import Session

from podium.boards.queries import rows
from podium.competitions.service import phases
from podium.core import audit, lookups
from podium.core.access import Actor, competition_for_organizer, phase_of
from podium.core.configuration import settings_of
from podium.core.database.engine import WriteSession, database_now
from podium.core.models import Competition, Team
from podium.core.models.teams import HIDDEN
from podium.core.phases import Phase
from podium.standings.service.digits import shown_score
from podium.standings.service.standings import entries_by_team, final_standings, is_ranked

RANKING_PHASES = frozenset({Phase.OPEN, Phase.FROZEN, Phase.CLOSED})
"""Phases in which teams have scores, and none is final."""


@dataclass(frozen=True, slots=True)
class FinalPlace:
    """A team's place in the final ranking, beside the one on the public board of now."""

    team: Team
    rank: int | None
    public_rank: int | None
    submission_id: str
    public_score: Decimal
    private_score: Decimal


@dataclass(frozen=True, slots=True)
class FinalPreview:
    """All places, from the first on, and the counts of what a reveal would still wait for."""

    places: list[FinalPlace]
    unjudged: int
    uploads: int


def preview(session: WriteSession, *, actor: Actor, slug: str) -> FinalPreview:
    """Computes the ranking that a reveal would publish now. Raises `NotFound`, and `WrongState`
    before the start and after the reveal."""
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    phase = phase_of(competition, database_now(session))
    if phase not in RANKING_PHASES:
        raise phases.wrong(phase, "A final ranking can be previewed from the start to the reveal.")
    unjudged, uploads = phases.still_open(session, competition=competition)
    found = FinalPreview(_places(session, competition), unjudged, uploads)
    audit.record(
        session,
        actor,
        "competition.preview",
        competition,
        teams=sum(place.rank is not None for place in found.places),
    )
    return found


def _places(session: Session, competition: Competition) -> list[FinalPlace]:
    by_team = entries_by_team(session, competition_id=competition.id, before=None)
    standing, ordered = final_standings(session, competition=competition, by_team=by_team)
    teams = lookups.teams_of(session, competition_id=competition.id)
    public = rows.ranks(
        session, competition_id=competition.id, board="public", team_ids=list(ordered)
    )
    settings = settings_of(competition)
    places, rank = [], 0
    for team_id, entry in ordered.items():
        team = teams[team_id]
        if HIDDEN in team.tags:
            continue
        rank += is_ranked(team)
        places.append(
            FinalPlace(
                team,
                rank if is_ranked(team) else None,
                public.get(team_id),
                entry.submission_id,
                shown_score(standing[team_id].score, settings),
                shown_score(entry.score, settings),
            )
        )
    return places
