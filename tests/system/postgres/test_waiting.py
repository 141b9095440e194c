"""Lock order on PostgreSQL: people, teams, slots, the competition, submissions, always in this
order, which rules out deadlocks. On SQLite a writer is alone anyway."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from sqlalchemy import text

from podium.competitions.service import deletion, phases
from podium.competitions.service.competitions import change_competition
from podium.core import locks
from podium.core.access import Actor
from podium.core.database.engine import Database, WriteSession, database_now
from podium.core.models import Competition, Job, Team
from podium.errors import PodiumError
from podium.submissions.service import disqualification, selection
from podium.teams.service import forming, merging, organizers, own_team
from tests.builders.rows import add_user
from tests.builders.teams import ask, open_competition, scored_team

pytestmark = pytest.mark.postgres

PATIENCE = "2s"
"""Time that the first one may be kept waiting by the second."""

WAITING = text(
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND wait_event_type = 'Lock'"
)


@pytest.fixture
def database_url(postgres_url: str) -> str:
    """Only here rows are locked one by one."""
    return postgres_url


@dataclass(frozen=True, slots=True)
class Scene:
    """A competition with two teams of one, a submission each, and a wish to merge."""

    database: Database
    competition: Competition
    owner: Actor
    ada_team: Team
    ada: Actor
    bob: Actor
    wish: str
    submission_id: str

    def act(self, act: Callable[[WriteSession], object]) -> str:
        """The outcome of an act: `done`, or the code of the refusal."""
        try:
            with self.database.write() as session:
                act(session)
        except PodiumError as refusal:
            return refusal.code
        return "done"

    @contextmanager
    def waiting(self, act: Callable[[WriteSession], object]) -> Iterator[Future[str]]:
        """An act of another transaction that has begun and waits, or has ended."""
        with ThreadPoolExecutor(1) as pool:
            begun = pool.submit(self.act, act)
            deadline = time.monotonic() + 30
            with self.database.write_engine.connect() as connection:
                while not begun.done() and not connection.scalar(WAITING):
                    assert time.monotonic() < deadline, "it neither ended nor waits"
                    time.sleep(0.01)
                    connection.rollback()
            yield begun


@pytest.fixture
def scene(database: Database) -> Scene:
    """Everything that the acts below need."""
    with database.write() as session:
        competition = open_competition(session)
        owner = add_user(session, is_administrator=True)
        ada_team, ada = scored_team(session, competition, "Ada", "0.5")
        _, bob = scored_team(session, competition, "Bob", "0.6")
        query = text("SELECT id FROM submissions WHERE team_id = :team")
        submission_id = str(session.scalar(query, {"team": ada_team.id}))
    wish = ask(database, ada, "Bob")
    return Scene(database, competition, owner, ada_team, ada, bob, wish, submission_id)


def disqualify(scene: Scene, session: WriteSession) -> None:
    disqualification.disqualify(
        session, submission_id=scene.submission_id, actor=scene.owner, reason="by hand"
    )


def merge(scene: Scene, session: WriteSession) -> None:
    merging.accept_merge(session, slug="otto", actor=scene.bob, request_id=scene.wish)


def rename(scene: Scene, session: WriteSession) -> None:
    own_team.change_team(session, slug="otto", actor=scene.ada, name="Lovelace")


@pytest.mark.parametrize("act", [disqualify, merge, rename])
def test_the_holder_of_a_board_can_change_submissions_while_others_wait_for_it(
    scene: Scene, act: Callable[[Scene, WriteSession], None]
) -> None:
    """As the application of a rejudging does, and a submission that is just accepted."""
    with scene.database.write() as session:
        locks.lock_board(session, competition_id=scene.competition.id)
        with scene.waiting(lambda other: act(scene, other)) as begun:
            session.execute(text(f"SET LOCAL lock_timeout = '{PATIENCE}'"))
            session.execute(text("UPDATE submissions SET note = 'anew'"))
            session.execute(text("SELECT id FROM teams FOR KEY SHARE"))
            session.commit()
            assert begun.result(timeout=30) == "done"


def test_the_holder_of_a_team_gets_its_board_while_its_member_becomes_an_organizer(
    scene: Scene,
) -> None:
    with scene.database.write() as session:
        locks.locked_team(session, team_id=scene.ada_team.id)

        def add(other: WriteSession) -> None:
            organizers.add_organizer(
                other, actor=scene.owner, slug="otto", user_id=scene.ada.user_id
            )

        with scene.waiting(add) as begun:
            session.execute(text(f"SET LOCAL lock_timeout = '{PATIENCE}'"))
            locks.lock_board(session, competition_id=scene.competition.id)
            session.commit()
            assert begun.result(timeout=30) == "done"


def test_an_act_does_not_wait_for_references_to_the_competition(scene: Scene) -> None:
    with scene.database.write() as session:
        session.execute(text("SELECT id FROM competitions FOR KEY SHARE"))
        freeze = scene.waiting(lambda other: phases.freeze(other, actor=scene.owner, slug="otto"))
        with freeze as begun:
            is_done = begun.done()
            session.rollback()
            assert begun.result(timeout=30) == "done"
        assert is_done


def test_finals_that_meet_a_close_are_chosen_before_it_or_not_at_all(scene: Scene) -> None:
    with scene.database.write() as session:
        phases.close(session, actor=scene.owner, slug="otto")

        def choose(other: WriteSession) -> None:
            selection.select_finals(
                other, slug="otto", actor=scene.ada, submission_ids=[scene.submission_id]
            )

        with scene.waiting(choose) as begun:
            session.commit()
            assert begun.result(timeout=30) == "competition-closed"


def change_slug(scene: Scene, session: WriteSession) -> None:
    change_competition(
        session,
        actor=scene.owner,
        slug="otto",
        changes={"slug": "later"},
        expected_versions=None,
    )


def delete(scene: Scene, session: WriteSession) -> None:
    deletion.delete_competition(session, actor=scene.owner, slug="otto", confirm="otto")


DRAFT, OVER = "launched_at = NULL", "closed_at = launched_at"


@pytest.mark.parametrize(("state", "act"), [(DRAFT, change_slug), (DRAFT, delete), (OVER, delete)])
def test_a_new_member_gets_on_the_board_of_a_competition_whose_slug_changes_or_that_goes(
    scene: Scene, state: str, act: Callable[[Scene, WriteSession], None]
) -> None:
    with scene.database.write() as session:
        session.execute(text(f"UPDATE competitions SET {state}"))
        user_id = add_user(session).user_id
    with scene.database.write() as session:
        forming.add_members(session, scene.ada_team, [user_id])
        session.flush()
        with scene.waiting(lambda other: act(scene, other)) as begun:
            session.execute(text(f"SET LOCAL lock_timeout = '{PATIENCE}'"))
            now = database_now(session)
            locks.touch_board(session, competition_id=scene.competition.id, now=now)
            session.commit()
            assert begun.result(timeout=30) == "done"


@pytest.mark.parametrize("state", [DRAFT, OVER])
def test_a_job_that_ends_gets_its_competition_while_that_is_deleted(
    scene: Scene, state: str
) -> None:
    with scene.database.write() as session:
        session.execute(text(f"UPDATE competitions SET {state}"))
        job = Job(kind="any", competition_id=scene.competition.id, key="k", arguments={})
        job.state, job.priority, job.created_at = "running", 1, database_now(session)
        session.add(job)
    with scene.database.write() as session:
        locks.locked_row(session, Job, job.id)
        with scene.waiting(lambda other: delete(scene, other)) as begun:
            session.execute(text(f"SET LOCAL lock_timeout = '{PATIENCE}'"))
            locks.lock_board(session, competition_id=scene.competition.id)
            session.commit()
            assert begun.result(timeout=30) == "done"
