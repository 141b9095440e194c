"""Metrics for Prometheus that are counted over rows, on both databases."""

from __future__ import annotations

from datetime import timedelta

import pytest

from podium.core.database.engine import Database, database_now
from podium.core.judging_states import State
from podium.core.models import Judging, Run, Submission, Worker
from podium.operations.service.progress import BOUNDS, measure
from tests.builders.rows import START, add_competition, add_scored, add_team


def test_an_empty_installation_has_nothing_to_count(database: Database) -> None:
    with database.read() as session:
        seen = measure(session)
    assert (seen.submissions, seen.submission_bytes) == (0, 0)
    assert (seen.queued, seen.durations, seen.rejected, seen.heartbeat_ages) == ([], {}, {}, {})


def test_judgings_count_in_every_bound_that_they_kept(database: Database) -> None:
    with database.write() as session:
        competition = add_competition(session)
        team, _ = add_team(session, competition)
        for seconds in (0.4, 1.5, 45.0, 1000.0):
            sent = add_scored(
                session, team, public="1/2", judged_at=START + timedelta(seconds=seconds)
            )
            judging = session.query(Judging).filter_by(submission_id=sent).one()
            session.get_one(Run, judging.id).started_at = START
        session.flush()
    with database.read() as session:
        found = measure(session).durations["upload"]
    assert dict(zip(BOUNDS, found.within, strict=True)) == {
        0.5: 1,
        1.0: 1,
        2.0: 2,
        5.0: 2,
        10.0: 2,
        20.0: 2,
        30.0: 2,
        60.0: 3,
        120.0: 3,
        300.0: 3,
        600.0: 3,
    }
    assert found.judgings == 4
    assert found.seconds == pytest.approx(1046.9, abs=0.01)


def test_what_waits_is_told_by_state_with_the_age_of_the_oldest(database: Database) -> None:
    with database.write() as session:
        competition = add_competition(session)
        team, _ = add_team(session, competition)
        now = database_now(session)
        for state, minutes in ((State.QUEUED, 5), (State.QUEUED, 2), (State.RUNNING, 9)):
            sent = add_scored(session, team, public="0", state=state)
            judging = session.query(Judging).filter_by(submission_id=sent).one()
            judging.created_at = now - timedelta(minutes=minutes)
        session.flush()
    with database.read() as session:
        seen = {each.state: each for each in measure(session).queued}
    assert {state: each.judgings for state, each in seen.items()} == {
        State.QUEUED: 2,
        State.RUNNING: 1,
    }
    assert {each.kind for each in seen.values()} == {"upload"}
    assert seen[State.QUEUED].oldest_seconds == pytest.approx(300, abs=60)
    assert seen[State.RUNNING].oldest_seconds == pytest.approx(540, abs=60)


def test_rejected_files_are_counted_by_the_code_of_their_problem(database: Database) -> None:
    with database.write() as session:
        competition = add_competition(session)
        team, _ = add_team(session, competition)
        for code in ("missing-rows", "missing-rows", "bad-header"):
            problem = {"code": code, "detail": "…"}
            add_scored(session, team, public="0", state=State.REJECTED, problem=problem)
    with database.read() as session:
        seen = measure(session)
    assert seen.rejected == {"missing-rows": 2, "bad-header": 1}


def test_files_count_with_their_bytes(database: Database) -> None:
    with database.write() as session:
        competition = add_competition(session)
        team, _ = add_team(session, competition)
        for size in (3 << 30, 5):
            sent = add_scored(session, team, public="0")
            session.query(Submission).filter_by(id=sent).one().bytes = size // 4
        session.flush()
    with database.read() as session:
        seen = measure(session)
    assert (seen.submissions, seen.submission_bytes) == (2, (3 << 28) + 1)


def test_a_host_is_as_alive_as_the_latest_of_its_workers(database: Database) -> None:
    with database.write() as session:
        now = database_now(session)
        for name, host, seconds, stopped in (
            ("a", "one", 100, False),
            ("b", "one", 40, False),
            ("c", "two", 200, False),
            ("d", "gone", 1, True),
        ):
            at = now - timedelta(seconds=seconds)
            session.add(
                Worker(
                    id=name,
                    host=host,
                    process_id=1,
                    version="1",
                    started_at=at,
                    heartbeat_at=at,
                    stopped_at=at if stopped else None,
                )
            )
    with database.read() as session:
        ages = measure(session).heartbeat_ages
    assert set(ages) == {"one", "two"}
    assert ages["one"] == pytest.approx(40, abs=20)
    assert ages["two"] == pytest.approx(200, abs=20)
