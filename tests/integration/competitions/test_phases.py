"""The acts of a competition's life that depend on the clock, or on what is still under way."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from podium.competitions.service import phases
from podium.core.access import Actor
from podium.core.database.engine import Database, database_now
from podium.core.judging_states import State
from podium.core.models import Competition
from podium.errors import WrongState
from podium.submissions.service import submissions
from tests.builders.rows import RULES, add_competition, add_scored, add_team, add_user


@pytest.fixture
def organizer(database: Database) -> Actor:
    """The administrator, beside a competition that is open."""
    with database.write() as session:
        add_competition(session)
        return add_user(session, is_administrator=True)


def moved(database: Database, **moments: timedelta) -> datetime:
    """Sets moments of the competition, seen from now, which it answers."""
    with database.write() as session:
        now = database_now(session)
        competition = session.query(Competition).one()
        for name, distance in moments.items():
            setattr(competition, name, now + distance)
        return now


def test_a_competition_whose_end_has_passed_is_not_reopened(
    database: Database, organizer: Actor
) -> None:
    moved(database, ends_at=timedelta(0))
    with database.write() as session, pytest.raises(WrongState) as refusal:
        phases.reopen(session, actor=organizer, slug="otto")
    assert refusal.value.code == "competition-closed"
    assert "Its closing date has passed" in refusal.value.detail
    moved(database, ends_at=timedelta(hours=1), closed_at=timedelta(0))
    with database.write() as session:
        assert phases.reopen(session, actor=organizer, slug="otto").closed_at is None


def test_a_reveal_waits_for_judgings_and_uploads_and_says_how_many(
    database: Database, organizer: Actor
) -> None:
    with database.write() as session:
        team, member = add_team(session, session.query(Competition).one())
        add_scored(session, team, public="0", state=State.QUEUED)
        add_scored(session, team, public="0", state=State.RUNNING)
        submissions.admit(session, slug="otto", actor=member, rules=RULES)
        phases.close(session, actor=organizer, slug="otto")
    with database.write() as session, pytest.raises(WrongState) as refusal:
        phases.reveal(session, actor=organizer, slug="otto")
    assert refusal.value.code == "still-judging"
    assert refusal.value.facts == {"unjudged": 2, "uploads": 1}
    assert refusal.value.retry_after == phases.JUDGING_RETRY_SECONDS


def test_a_reveal_after_the_end_keeps_the_end_as_the_close(
    database: Database, organizer: Actor
) -> None:
    now = moved(database, ends_at=timedelta(hours=-1))
    with database.write() as session:
        phases.reveal(session, actor=organizer, slug="otto")
    with database.read() as session:
        revealed = session.query(Competition).one()
    assert revealed.closed_at == now - timedelta(hours=1)
    assert revealed.revealed_at is not None
    assert revealed.revealed_at >= now
