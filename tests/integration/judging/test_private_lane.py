"""Private runs of a custom metric have a lane of their own: no file waits for one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from podium.application import Application
from podium.core import leases
from podium.core.judging_states import State
from podium.core.leases import UNFINISHED, LeaseState, WorkState
from podium.sandbox import Limits, Result, SandboxTask
from podium.sandbox.definitions.custom_metrics import RunMetric
from podium.worker.service import start
from tests.builders.judging.scene import ended, until
from tests.builders.judging.table_scene import TableScene
from tests.builders.judging.table_tasks import TASKS
from tests.builders.sandbox.in_process import InProcess

HALF = {"score": 0.5}


class Held(InProcess):
    """Lets private runs begin, and holds each until it is let go."""

    def __init__(self) -> None:
        super().__init__(TASKS)
        self.began = threading.Semaphore(0)
        self.go_on = threading.Event()
        self.in_background: set[tuple[str, bool]] = set()

    def run(self, task: SandboxTask[Any], *, limits: Limits, **given: Any) -> Result[Any]:
        """As in any process of tests."""
        if isinstance(task, RunMetric):
            split = task.solution.read_text()
            self.in_background.add((split, limits.in_background))
            if split == "private":
                self.began.release()
                self.go_on.wait()
        return super().run(task, limits=limits, **given)


@pytest.fixture
def held() -> Held:
    return Held()


@pytest.fixture
def scene(application: Application, tmp_path: Path, held: Held) -> TableScene:
    return TableScene(application, tmp_path, sandbox=held)


@contextmanager
def judged_one_at_a_time(scene: TableScene, held: Held) -> Iterator[None]:
    """A worker with one slot judges while the block runs; what is held then is let go."""
    settings = scene.application.settings.model_copy(update={"judging_slots": 1})
    service = start(replace(scene.application, settings=settings))
    try:
        yield
    finally:
        held.go_on.set()
        service.stop()


def test_a_file_is_judged_while_a_private_run_is_under_way(scene: TableScene, held: Held) -> None:
    first = scene.submit_table(HALF, is_dispatched=True)
    with judged_one_at_a_time(scene, held):
        assert held.began.acquire(timeout=60)
        second = scene.submit_table(HALF, number=2, is_dispatched=True)

        assert ended(scene, second).state == State.SCORED
        assert {scene.private_run(each) for each in (first, second)} <= set(UNFINISHED)
        assert not held.go_on.is_set()

        held.go_on.set()
        until(lambda: {scene.private_run(each) for each in (first, second)} == {WorkState.DONE})
    assert [scene.scores(each) for each in (first, second)] == [("1/2", "1/4")] * 2
    assert held.in_background == {("public", False), ("private", True)}


def test_a_file_is_judged_while_a_rejudging_by_the_metric_is_under_way(
    scene: TableScene, held: Held
) -> None:
    held.go_on.set()
    judged = scene.judged(HALF)
    held.began.acquire()
    held.go_on.clear()
    again = scene.rejudge(judged.id)
    scene.dispatch(again)
    with judged_one_at_a_time(scene, held):
        assert held.began.acquire(timeout=60)
        new = scene.submit_table(HALF, number=2, is_dispatched=True)

        assert ended(scene, new).state == State.SCORED
        assert scene.row(again).state == State.RUNNING

        held.go_on.set()
        assert ended(scene, again).state == State.SCORED
    assert scene.scores(again) == ("1/2", "1/4")


@pytest.mark.parametrize("is_private", [False, True])
def test_what_belongs_to_the_other_lane_is_left_alone(
    scene: TableScene, held: Held, is_private: bool
) -> None:
    """A job of an earlier version, or one that came twice, may be in either."""
    held.go_on.set()
    row_id = scene.submit_table(HALF)
    if is_private:
        assert scene.take(row_id, is_private=True) is None
        assert scene.take(row_id) is not None
    else:
        scene.judge_public(row_id)
        assert scene.take(row_id) is None
        assert scene.take(row_id, is_private=True) is not None


def test_the_heart_of_the_public_run_holds_no_lease_on_the_private_one(
    scene: TableScene,
) -> None:
    row_id = scene.submit_table(HALF)
    public = scene.taken(row_id)
    scene.expire(row_id)
    scene.judge_public(row_id)

    with scene.application.database.write() as session:
        renewed = leases.renew(session, public.lease, seconds=60, progress=0.5)

    assert renewed is LeaseState.LOST
    assert scene.take(row_id, is_private=True) is not None
