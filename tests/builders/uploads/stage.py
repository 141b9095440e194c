"""A running server with one open competition and one team in it."""

from __future__ import annotations

from dataclasses import dataclass

from podium.core.access import Actor
from podium.core.models import Competition, Team
from tests.builders.rows import add_competition, add_team, add_user
from tests.builders.uploads.server import Server


@dataclass
class Stage:
    """The server, the competition `otto`, its team with a member, a stranger and an organizer."""

    server: Server
    competition: Competition
    team: Team
    member: Actor
    token: str
    stranger_token: str
    admin_token: str


def set_up(server: Server) -> Stage:
    """An open competition with a team in it."""
    with server.application.database.write() as session:
        competition = add_competition(
            session, settings={"max_upload_bytes": 4 << 20, "daily_limit": 100}
        )
        team, member = add_team(session, competition, "Team Ada")
        stranger = add_user(session)
        administrator = add_user(session, "root", is_administrator=True)
    return Stage(
        server,
        competition,
        team,
        member,
        server.token(member),
        server.token(stranger),
        server.token(administrator),
    )
