"""A running server with one open competition and one team in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from podium.application import Application
from podium.core.access import Actor
from podium.core.models import Competition, Team
from tests.functional.submitting.server import Server, running
from tests.integration.services_submissions.builders import add_competition, add_team, add_user


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


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """These tests are about the edge; the rules below it are tested on both databases."""
    return sqlite_url


@pytest.fixture
def server(application: Application) -> Iterator[Server]:
    """The real application on a real port."""
    with running(application) as server:
        yield server


@pytest.fixture
def stage(server: Server) -> Stage:
    """What most of these tests begin with."""
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
