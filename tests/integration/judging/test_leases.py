"""Leases and fences: one holder at a time, and the dead change nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from functools import partial

from podium.core import leases
from podium.core.database.engine import WriteSession, database_now
from podium.core.judging_states import State
from podium.core.leases import WORKER_DEATHS, LeaseState
from podium.core.models import PrivateScore, PublicScore, Run, Standing
from podium.judging.service import failures, verdicts
from podium.judging.service.assignments import Assignment
from podium.judging.service.verdicts import Verdict, Work
from podium.sandbox import FailureReason
from podium.sandbox.definitions.judging import Judged
from podium.sandbox.serialization import decoded
from tests.builders.judging.scene import DOCUMENT, Scene


def scored(scene: Scene, held: Assignment) -> bool:
    """Records a score under this lease, if it is still the one on the judging."""
    verdict = Verdict(state=State.SCORED, judged=decoded(Judged, DOCUMENT))
    return scene.write(held, partial(verdicts.record, verdict=verdict))


def test_a_leased_judging_is_given_to_no_other_worker(scene: Scene) -> None:
    row = scene.submit()
    assert scene.taken(row).lease.fence == 1
    assert scene.take(row, worker="w2") is None
    assert scene.take(row, worker="w1") is None
    assert scene.row(row).state == State.RUNNING
    assert scene.run(row).worker_id == "w1"


def test_of_eight_workers_at_once_exactly_one_gets_the_judging(scene: Scene) -> None:
    for number in range(5):
        row = scene.submit(number=number)
        scene.begin(row)
        got: list[Assignment] = []

        def try_to_take(worker: int, row: str = row, got: list[Assignment] = got) -> None:
            assignment = scene.take(row, worker=f"w{worker}")
            if assignment is not None:
                got.append(assignment)

        threads = [threading.Thread(target=try_to_take, args=(worker,)) for worker in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [assignment.lease.fence for assignment in got] == [1]


def test_an_expired_lease_goes_to_the_next_with_a_higher_fence_and_counts_a_worker_death(
    scene: Scene,
) -> None:
    row = scene.submit()
    scene.taken(row, worker="dead")
    scene.expire(row)
    assert scene.taken(row, worker="alive").lease.fence == 2
    assert scene.run(row).worker_deaths == 1
    assert scene.run(row).child_deaths == 0


def test_the_verdict_of_a_worker_that_was_declared_dead_changes_nothing(scene: Scene) -> None:
    row = scene.submit()
    paused = scene.taken(row, worker="paused")
    scene.expire(row)
    current = scene.taken(row, worker="current")
    before = scene.row(row), scene.run(row)

    assert not scored(scene, paused)
    assert not scene.reject(paused)
    acts: list[Callable[[WriteSession, Work], object]] = [
        partial(verdicts.record, verdict=Verdict(state=State.CANCELLED)),
        partial(failures.record_own_failure, report="lost"),
        partial(failures.record_unusable_truth, report="lost"),
    ]
    acts += [
        partial(failures.record_child_failure, failure=failure, report="")
        for failure in FailureReason
    ]
    assert not any(scene.write(paused, act) for act in acts)
    for old, new in zip(before, (scene.row(row), scene.run(row)), strict=True):
        for column in type(old).__table__.columns:
            assert getattr(new, column.key) == getattr(old, column.key), column
    assert scene.slots() == 1

    assert scored(scene, current)
    assert not scored(scene, current)
    assert (scene.count(PublicScore), scene.count(PrivateScore), scene.count(Standing)) == (1, 1, 1)


def test_renewing_says_whether_to_go_on(scene: Scene) -> None:
    row = scene.submit()
    held = scene.taken(row, seconds=5)

    def renewed(assignment: Assignment) -> LeaseState:
        lease_state = scene.change(
            lambda session: leases.renew(session, assignment.lease, seconds=100, progress=0.5)
        )
        assert isinstance(lease_state, LeaseState)
        return lease_state

    assert renewed(held) is LeaseState.OURS
    assert scene.run(row).progress == 0.5
    until = scene.run(row).lease_until
    assert until is not None
    assert until > scene.change(database_now) + timedelta(seconds=90)

    def ask_for_the_end(session: object) -> None:
        session.get_one(Run, row).cancel_requested = True  # type: ignore[attr-defined]

    scene.change(ask_for_the_end)
    assert renewed(held) is LeaseState.CANCELLED

    scene.expire(row)
    assert scene.take(row, worker="w2") is None
    assert scene.row(row).state == State.CANCELLED
    assert renewed(held) is LeaseState.LOST


def test_a_judging_with_a_verdict_is_never_taken_again(scene: Scene) -> None:
    row = scene.submit()
    scored(scene, scene.taken(row))
    assert scene.take(row) is None


def test_fifty_dead_workers_end_in_our_failure_and_the_slot_comes_back(scene: Scene) -> None:
    row = scene.submit()
    for _ in range(WORKER_DEATHS):
        scene.taken(row)
        scene.expire(row)
    assert scene.row(row).state == State.RUNNING
    assert scene.take(row) is None
    assert scene.row(row).state == State.FAILED
    assert scene.row(row).problem is None
    assert scene.slots() == 0
