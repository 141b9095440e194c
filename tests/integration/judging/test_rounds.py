"""The reconciler: judgings that it dispatches again, and those that it leaves alone."""

from __future__ import annotations

import threading
import time
from datetime import timedelta

import pytest
from sqlalchemy import event

from podium.core.database.engine import WriteSession, database_now
from podium.core.judging_states import State
from podium.core.leases import WorkState
from podium.core.models import Judging, Run
from podium.judging.service.rounds import reconciler as rounds_of
from podium.queue import EngineJobState, job_name
from podium.queue.reconciler import Rounds
from podium.submissions.service import dispatch
from tests.builders.jobs.engine import lose
from tests.builders.judging.scene import Scene


@pytest.fixture
def reconciler(scene: Scene) -> Rounds[Run]:
    application = scene.application
    return rounds_of(application.database, application.queue, lease_seconds=0.3)


def state(scene: Scene, job: str) -> EngineJobState:
    return scene.application.queue.states([job])[job]


def test_a_judging_that_was_never_dispatched_is_dispatched(
    scene: Scene, reconciler: Rounds[Run]
) -> None:
    row = scene.begin(scene.submit())
    assert reconciler.round() == 1
    assert state(scene, job_name(row, 1)) is EngineJobState.WAITING
    assert reconciler.round() == 0


@pytest.mark.parametrize("meanwhile", ["leased", "dispatched", "ended"])
def test_a_judging_that_another_took_care_of_since_it_was_seen_is_left_alone(
    scene: Scene, reconciler: Rounds[Run], meanwhile: str
) -> None:
    row = scene.begin(scene.submit())
    with scene.application.database.read() as session:
        (seen,) = reconciler.find(session, after="", limit=10)
    if meanwhile == "leased":
        scene.taken(row)
    elif meanwhile == "dispatched":
        scene.dispatch(row)
    else:
        scene.change(lambda session: setattr(session.get_one(Run, row), "state", WorkState.FAILED))
    before = scene.run(row).dispatches
    assert not scene.change(lambda session: reconciler.dispatch_again(session, seen))
    assert scene.run(row).dispatches == before


def test_a_round_is_one_statement_where_nothing_is_unfinished(
    scene: Scene, reconciler: Rounds[Run]
) -> None:
    row, statements = scene.begin(scene.submit()), list[str]()
    scene.change(lambda session: setattr(session.get_one(Run, row), "state", WorkState.FAILED))
    engine = scene.application.database.read_engine
    event.listen(engine, "before_cursor_execute", lambda *given: statements.append(given[2]))
    assert reconciler.round() == 0
    assert [text for text in statements if text != "BEGIN"] == statements[-1:]


def test_a_waiting_job_is_left_alone(scene: Scene, reconciler: Rounds[Run]) -> None:
    scene.dispatch(scene.submit())
    assert reconciler.round() == 0


def test_a_leased_judging_is_left_alone_and_an_expired_one_is_dispatched(
    scene: Scene, reconciler: Rounds[Run]
) -> None:
    row = scene.submit()
    scene.dispatch(row)
    lose(scene.application.queue, job_name(row, 1))
    scene.taken(row)
    assert reconciler.round() == 0
    scene.expire(row)
    assert reconciler.round() == 1
    assert state(scene, job_name(row, 2)) is EngineJobState.WAITING


def test_a_lease_from_before_the_clock_was_set_back_delays_nothing(
    scene: Scene, reconciler: Rounds[Run]
) -> None:
    row = scene.submit()
    scene.dispatch(row)
    lose(scene.application.queue, job_name(row, 1))
    scene.taken(row, worker="dead")

    def begun_tomorrow(session: WriteSession) -> None:
        session.get_one(Run, row).lease_until = database_now(session) + timedelta(days=1)

    scene.change(begun_tomorrow)
    assert reconciler.round() == 1
    assert scene.taken(row, worker="alive").lease.fence == 2


def test_a_judging_whose_job_ended_without_a_verdict_is_dispatched(
    scene: Scene, reconciler: Rounds[Run]
) -> None:
    row = scene.submit()
    scene.dispatch(row)
    lose(scene.application.queue, job_name(row, 1))
    assert reconciler.round() == 1


def test_a_job_that_was_taken_but_not_leased_is_dispatched_after_a_lease(
    scene: Scene, reconciler: Rounds[Run]
) -> None:
    row = scene.submit()
    scene.dispatch(row)
    taken, let_go = threading.Event(), threading.Event()

    def hang(_: str) -> None:
        taken.set()
        let_go.wait(30)

    stop = scene.application.queue.run_worker(
        hang, hang, hang, worker_id="hangs", slots=1, private_slots=1
    )
    assert taken.wait(20)
    assert reconciler.round() == 0
    time.sleep(0.4)
    assert reconciler.round() == 1
    assert scene.run(row).dispatches == 2
    let_go.set()
    stop()


def test_a_judging_with_a_verdict_is_left_alone(scene: Scene, reconciler: Rounds[Run]) -> None:
    row = scene.begin(scene.submit())

    def end(session: object) -> None:
        session.get_one(Run, row).state = WorkState.REFUSED  # type: ignore[attr-defined]

    scene.change(end)
    assert reconciler.round() == 0


def test_two_reconcilers_at_once_dispatch_once(scene: Scene, reconciler: Rounds[Run]) -> None:
    rows = [scene.begin(scene.submit(number=number)) for number in range(5)]
    application = scene.application
    others = [
        rounds_of(application.database, application.queue, lease_seconds=1.0) for _ in range(4)
    ]
    threads = [threading.Thread(target=other.round) for other in (*others, reconciler)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [scene.run(row).dispatches for row in rows] == [1] * 5


def test_the_first_dispatch_sets_the_priority_by_the_teams_judgings_in_flight(scene: Scene) -> None:
    rows = [scene.submit(number=number) for number in range(3)]
    for row in rows:
        scene.dispatch(row)
    assert [scene.run(row).priority for row in rows] == [3, 3, 3]

    def end(session: object) -> None:
        for row in rows:
            session.get_one(Judging, row).state = State.SCORED  # type: ignore[attr-defined]

    scene.change(end)
    later = scene.submit(number=9)
    scene.dispatch(later)
    assert scene.run(later).priority == 1


def test_offering_and_taking_survive_a_rolled_back_transaction(scene: Scene) -> None:
    row = scene.submit()
    with scene.application.database.write() as session:
        dispatch.begin(session, scene.application.queue, session.get_one(Judging, row))
        session.rollback()
    assert scene.count(Run) == 0
    assert state(scene, job_name(row, 1)) is EngineJobState.GONE
