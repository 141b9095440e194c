"""Teams with members, used slots and scores, and what a board shows of them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

from podium.boards.queries import rows as row_queries
from podium.core import lookups
from podium.core.access import Actor
from podium.core.database.engine import Database, WriteSession, database_now
from podium.core.models import Competition, QuotaSlot, Team
from podium.errors import PodiumError
from podium.teams.service import merging, teams
from tests.builders.rows import add_competition, add_scored, add_team, add_user, use_slot


def open_competition(session: WriteSession, slug: str = "otto", **settings: Any) -> Competition:
    """A competition that opened two UTC days ago: a team could have used three days."""
    competition = add_competition(session, slug=slug, settings=settings)
    competition.launched_at = database_now(session) - timedelta(days=2)
    return competition


def scored_team(
    session: WriteSession, competition: Competition, name: str, *scores: str
) -> tuple[Team, Actor]:
    """A team of one whose submissions of today have these public scores."""
    team, member = add_team(session, competition, name)
    for number, score in enumerate(scores, start=1):
        submission_id = add_scored(session, team, public=score, minute=number)
        use_slot(session, team, submission_id, number)
    return team, member


def add_member(session: WriteSession, team: Team, slug: str = "otto") -> Actor:
    """One more person in a team."""
    actor = add_user(session)
    teams.join_team(session, slug=slug, actor=actor, invite_code=team.invite_code)
    return actor


def ask(database: Database, actor: Actor, other: str) -> str:
    """Asks another team to take the actor's in; answers the request's id."""
    with database.write() as session:
        return merging.request_merge(session, slug="otto", actor=actor, other=other)[0].id


def accept(database: Database, actor: Actor, request_id: str) -> None:
    """Takes the asking team into the actor's."""
    with database.write() as session:
        merging.accept_merge(session, slug="otto", actor=actor, request_id=request_id)


def board(database: Database, competition: Competition) -> list[tuple[int | None, str, int, int]]:
    """The public board: rank, team, shown units, submissions."""
    with database.read() as session:
        rows = row_queries.page(
            session, competition_id=competition.id, board="public", limit=None, offset=0
        )
    return [(row.rank, row.team.name, row.standing.shown, row.standing.submissions) for row in rows]


def slots_of(database: Database, team: Team) -> list[int]:
    """The slot numbers of today of a team."""
    with database.read() as session:
        found = session.query(QuotaSlot.number).filter_by(team_id=team.id).all()
    return sorted(number for (number,) in found)


def members_of(database: Database, team: Team) -> set[str]:
    """The ids of a team's people."""
    with database.read() as session:
        return lookups.member_ids(session, team_id=team.id)


def at_once(acts: Sequence[Callable[[], object]]) -> list[str]:
    """The outcomes of acts that started together: `done`, or the code of the refusal."""
    start = threading.Barrier(len(acts))

    def run(act: Callable[[], object]) -> str:
        start.wait()
        try:
            act()
        except PodiumError as refusal:
            return refusal.code
        return "done"

    with ThreadPoolExecutor(len(acts)) as pool:
        return sorted(pool.map(run, acts))
