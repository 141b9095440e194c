"""Priorities on the real queue, and judgings that may not begin for the moment."""

from __future__ import annotations

import threading
from functools import partial
from typing import Any

import pytest
from sqlalchemy import select

from podium.core.access import Actor
from podium.core.database.engine import WriteSession, database_now
from podium.core.judging_states import State
from podium.core.models import Competition, Judging, JudgingPause, Rejudging, Run, Submission, Team
from podium.judging import queries as judging_queries
from podium.judging.service import failures, pauses
from podium.judging.service.rounds import reconciler as rounds_of
from podium.queue import job_name
from podium.rejudging.service import rejudgings
from podium.rejudging.service import rounds as rounds_service
from podium.rejudging.service.rounds import RejudgingRounds
from tests.builders.jobs.engine import lose
from tests.builders.judging.scene import START, Scene

GONE = partial(failures.record_unusable_truth, report="gone")


def other_team(scene: Scene) -> str:
    """Another team of the same competition."""

    def make(session: WriteSession) -> str:
        first = session.get_one(Team, scene.team_id)
        team = Team(
            competition_id=first.competition_id,
            name="Bob",
            name_key="bob",
            invite_code="other",
            tags=[],
            created_at=START,
        )
        session.add(team)
        session.flush()
        return team.id

    return str(scene.change(make))


def given_to(scene: Scene, team_id: str, judging_id: str) -> str:
    """Lets a submission be another team's: its judging's id."""

    def give(session: WriteSession) -> None:
        row = session.get_one(Judging, judging_id)
        session.query(Submission).filter_by(id=row.submission_id).one().team_id = team_id

    scene.change(give)
    return judging_id


def begun(scene: Scene, **given: Any) -> str:
    """A rejudging of everything."""

    def start(session: WriteSession) -> str:
        competition = session.query(Competition).one()
        actor = Actor(competition.created_by, "ada", is_administrator=True)
        return rejudgings.start(session, actor=actor, slug="otto", reason="r", **given).id

    return str(scene.change(start))


def set_switch(scene: Scene, on: bool) -> None:
    def switch(session: WriteSession) -> None:
        session.query(Competition).one().settings = {"judge_uploads": on}

    scene.change(switch)


def taken_in_order(scene: Scene, count: int) -> list[str]:
    """The judgings that a worker with one slot takes first; none gets a verdict."""
    order: list[str] = []
    enough = threading.Event()

    def note(judging_id: str) -> None:
        order.append(judging_id)
        if len(order) >= count:
            enough.set()

    stop = scene.application.queue.run_worker(
        note, note, note, worker_id="one", slots=1, private_slots=1
    )
    assert enough.wait(60)
    stop()
    return order[:count]


def test_fifty_files_of_one_team_do_not_hold_up_the_first_of_another(scene: Scene) -> None:
    many = [scene.submit(number=number) for number in range(3)]
    for row in many:
        scene.dispatch(row)
    for number in range(3, 50):
        many.append(scene.submit(number=number))
        scene.dispatch(many[-1])
    first = given_to(scene, other_team(scene), scene.submit(number=99))
    scene.dispatch(first)
    assert taken_in_order(scene, 2)[0] == first


def test_every_upload_goes_before_every_rejudging(scene: Scene) -> None:
    old = [scene.submit(number=number) for number in range(4)]
    rejudging_id = begun(scene)
    scene.change(lambda s: rounds_service.feed(s, rejudging_id=rejudging_id))
    RejudgingRounds(scene.application.database, scene.application.queue).round()
    for row in old:
        scene.dispatch(row)
    taken = taken_in_order(scene, 8)
    assert set(taken[:4]) == set(old)
    assert {scene.row(one).rejudging_id for one in taken[4:]} == {rejudging_id}


def test_a_rejudging_does_not_make_its_teams_wait(scene: Scene) -> None:
    for number in range(5):
        scene.submit(number=number)
    rejudging_id = begun(scene)
    scene.change(lambda s: rounds_service.feed(s, rejudging_id=rejudging_id))
    scene.change(
        lambda s: s.query(Judging).filter_by(rejudging_id=None).update({"state": "scored"})
    )
    new = scene.submit(number=9)
    scene.dispatch(new)
    assert scene.run(new).priority == 1


def test_only_a_bounded_number_of_a_rejudging_is_with_the_engine(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds_service, "WINDOW", 3)
    monkeypatch.setattr(rounds_service, "PORTION", 2)
    for number in range(7):
        scene.submit(number=number)
    rejudging_id = begun(scene)
    rounds = RejudgingRounds(scene.application.database, scene.application.queue)
    reconciler = rounds_of(scene.application.database, scene.application.queue, lease_seconds=0.3)
    scene.change(lambda s: s.query(Judging).update({"state": "scored"}))
    assert (rounds.round(), rounds.round()) == (3, 0)
    # The reconciler does not dispatch what was never dispatched, and so does not go around the
    # bound.
    assert reconciler.round() == 0
    with scene.application.database.read() as session:
        ids = list(session.scalars(select(Run.id).order_by(Run.id)))
    scene.reject(scene.taken(ids[0]))
    assert rounds.round() == 1
    assert len(_of(scene, rejudging_id)) == 7


def test_a_dispatched_judging_of_a_rejudging_that_got_lost_is_dispatched_again(
    scene: Scene,
) -> None:
    scene.begin(scene.submit())
    rejudging_id = begun(scene)
    rounds = RejudgingRounds(scene.application.database, scene.application.queue)
    rounds.round()
    (row,) = _of(scene, rejudging_id)
    lose(scene.application.queue, job_name(row.id, 1))
    reconciler = rounds_of(scene.application.database, scene.application.queue, lease_seconds=0.3)
    assert reconciler.round() == 2
    assert scene.run(row.id).dispatches == 2


def test_a_judging_of_a_rejudging_is_made_with_its_truth_and_its_settings(scene: Scene) -> None:
    scene.submit()
    rejudging_id = begun(scene, settings={"missing_rows": "zero"})
    scene.change(lambda s: rounds_service.feed(s, rejudging_id=rejudging_id))
    (row,) = _of(scene, rejudging_id)
    assert scene.taken(row.id).task.missing_rows == "zero"


def test_a_cancelled_rejudging_takes_the_lease_from_its_worker(scene: Scene) -> None:
    scene.submit()
    rejudging_id = begun(scene)
    scene.change(lambda s: rounds_service.feed(s, rejudging_id=rejudging_id))
    (row,) = _of(scene, rejudging_id)
    assignment = scene.taken(row.id)

    def cancel(session: WriteSession) -> None:
        actor = Actor("", "root", is_administrator=True)
        rejudgings.cancel(session, actor=actor, rejudging_id=rejudging_id)

    scene.change(cancel)
    assert not scene.reject(assignment)
    assert scene.row(row.id).state == State.CANCELLED


def test_while_judging_is_switched_off_uploads_wait_and_then_go_on(scene: Scene) -> None:
    row = scene.submit()
    scene.dispatch(row)
    set_switch(scene, on=False)
    reconciler = rounds_of(scene.application.database, scene.application.queue, lease_seconds=0.3)
    assert scene.take(row) is None
    lose(scene.application.queue, job_name(row, 1))
    assert reconciler.round() == 0
    assert (scene.row(row).state, scene.run(row).fence) == (State.QUEUED, 0)
    set_switch(scene, on=True)
    assert reconciler.round() == 1
    assert scene.take(row) is not None


def test_a_rejudging_goes_on_while_the_judging_of_uploads_is_switched_off(scene: Scene) -> None:
    scene.submit()
    rejudging_id = begun(scene)
    set_switch(scene, on=False)
    scene.change(lambda s: rounds_service.feed(s, rejudging_id=rejudging_id))
    (row,) = _of(scene, rejudging_id)
    assert scene.take(row.id) is not None


def test_an_unreadable_truth_stops_its_own_version_only_and_longer_each_time(
    scene: Scene,
) -> None:
    row, later = scene.submit(number=1), scene.submit(number=2)

    def wait() -> float:
        scene.change(lambda s: s.query(JudgingPause).update({"retry_at": START, "since": START}))
        scene.write(scene.taken(row), GONE)
        with scene.application.database.read() as session:
            pause = session.query(JudgingPause).one()
            return (pause.retry_at - database_now(session)).total_seconds()

    for expected in (2.0, 4.0, 8.0):
        assert wait() == pytest.approx(expected, abs=0.5)
        assert scene.take(later) is None
    assert (scene.row(row).state, scene.run(row).own_failures) == (State.QUEUED, 0)
    scene.change(lambda s: s.query(Judging).filter_by(id=later).update({"ground_truth_version": 2}))
    scene.begin(later)
    assert not scene.change(lambda s: _is_stopped(s, later))

    def resume(session: WriteSession) -> None:
        actor = Actor("", "root", is_administrator=True)
        pauses.resume(session, actor=actor, slug="otto")

    scene.change(resume)
    scene.reject(scene.taken(row))
    assert scene.count(JudgingPause) == 0


def test_workers_that_meet_an_unreadable_truth_at_once_lengthen_its_pause_once(
    scene: Scene,
) -> None:
    held = [scene.taken(scene.submit(number=number)) for number in (1, 2, 3)]
    for assignment in held:
        scene.write(assignment, GONE)
    with scene.application.database.read() as session:
        pause = session.query(JudgingPause).one()
        assert (pause.attempts, pause.because) == (1, "gone")


def _is_stopped(session: WriteSession, judging_id: str) -> bool:
    return judging_queries.is_stopped(session, judging_id, waiting=())


def _of(scene: Scene, rejudging_id: str) -> list[Judging]:
    with scene.application.database.read() as session:
        assert session.get_one(Rejudging, rejudging_id)
        return session.query(Judging).filter_by(rejudging_id=rejudging_id).all()
