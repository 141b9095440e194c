"""Competitions and standings, written to the tables, for tests of pages that show them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from podium.application import Application
from podium.core.competition_settings import CompetitionSettings
from podium.core.database.types import new_id
from podium.core.models import Competition, Membership, Standing, Team, User
from podium.core.names import name_key

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def add_competition(application: Application, slug: str = "otto", **changes: Any) -> str:
    """A launched public competition of a user of its own."""
    values: dict[str, Any] = {
        "title": f"The {slug}",
        "settings": CompetitionSettings().model_dump(mode="json"),
        "launched_at": NOON,
        "created_at": NOON,
        "version": 1,
        **changes,
    }
    with application.database.write() as session:
        user = User(name=f"organizer of {slug}", name_key=slug, created_at=NOON)
        session.add(user)
        session.flush()
        competition = Competition(slug=slug, created_by=user.id, **values)
        session.add(competition)
        session.flush()
        return competition.id


def add_team(
    application: Application,
    competition_id: str,
    name: str,
    shown: int,
    *,
    final: tuple[int, int] | None = None,
    tags: tuple[str, ...] = (),
    members: tuple[str, ...] = (),
    **changes: Any,
) -> str:
    """A team with a public standing of so many hundred-thousandths, and a final one of so many at a
    position."""
    with application.database.write() as session:
        team = Team(
            competition_id=competition_id,
            name=name,
            name_key=name_key(name),
            invite_code=new_id(),
            tags=list(tags),
            created_at=NOON,
        )
        session.add(team)
        session.flush()
        boards = [("public", shown, None)] + ([("private", *final)] if final else [])
        for board, units, position in boards:
            values = {
                "is_ranked": True,
                "submissions": 3,
                "last_submitted_at": NOON,
                "submitted_at": NOON,
                "sequence": 1,
                "submission_id": new_id(),
                **changes,
            }
            standing = {"board": board, "shown": units, "position": position, "decimals": 5}
            of_team = {"competition_id": competition_id, "team_id": team.id}
            session.add(Standing(**of_team, **standing, **values))
        for member in members:
            user = User(name=member, name_key=member, created_at=NOON)
            session.add(user)
            session.flush()
            of_user = {"user_id": user.id, "joined_at": NOON}
            session.add(Membership(**of_team, **of_user))
        return team.id
