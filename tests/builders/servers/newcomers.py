"""People of an installation, and teams of one of them, many of which are made at a time."""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select

from podium.accounts.service.accounts import sha256_of
from podium.core.database.engine import WriteSession, database_now
from podium.core.models import AccessToken, Competition, Membership, Team, User
from podium.core.names import name_key
from podium.teams.service.forming import new_invite_code
from tests.builders.installation import Installation, Person

MANY = 25
"""Made in one transaction. One at a time, by a request for the account and one for the team, they
take longer than what they are made for."""


class Newcomers:
    """Hands out people who have done nothing yet."""

    def __init__(self, installation: Installation) -> None:
        self._installation = installation
        self._waiting: dict[str | None, list[Person]] = defaultdict(list)
        self._made = 0

    def one(self, slug: str | None = None) -> Person:
        """A person, alone in a team of the competition if there is one."""
        waiting = self._waiting[slug]
        if not waiting:
            waiting += self._make(slug)
        return waiting.pop()

    def _make(self, slug: str | None) -> list[Person]:
        tokens = [secrets.token_urlsafe(32) for _ in range(MANY)]
        with self._installation.application.database.write() as session:
            now = database_now(session)
            users = self._add_users(session, now)
            session.add_all(
                AccessToken(user_id=user.id, label="any", sha256=sha256_of(token), created_at=now)
                for user, token in zip(users, tokens, strict=True)
            )
            if slug is not None:
                _add_teams(session, slug, users, now)
        client = self._installation.client
        return [Person(client, token, user.id) for user, token in zip(users, tokens, strict=True)]

    def _add_users(self, session: WriteSession, now: datetime) -> list[User]:
        names = [f"newcomer-{self._made + number}" for number in range(MANY)]
        self._made += MANY
        users = [User(name=name, name_key=name_key(name), created_at=now) for name in names]
        session.add_all(users)
        session.flush()
        return users


def _add_teams(session: WriteSession, slug: str, users: Sequence[User], now: datetime) -> None:
    competition_id = session.scalars(select(Competition.id).where(Competition.slug == slug)).one()
    teams = [
        Team(
            competition_id=competition_id,
            name=f"team of {user.name}",
            name_key=name_key(f"team of {user.name}"),
            invite_code=new_invite_code(),
            created_at=now,
        )
        for user in users
    ]
    session.add_all(teams)
    session.flush()
    session.add_all(
        Membership(competition_id=competition_id, user_id=user.id, team_id=team.id, joined_at=now)
        for user, team in zip(users, teams, strict=True)
    )
