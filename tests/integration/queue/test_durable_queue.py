"""The queue on both databases: one transaction with our rows, order, what a dead process leaves."""

from __future__ import annotations

import os
import queue as stdlib_queue
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from podium.core.database.engine import Database, database_now
from podium.core.models import User
from podium.queue import EngineJobState, Lane
from podium.queue.durable import QUEUE, DurableQueue
from tests.builders.jobs.engine import lose


@pytest.fixture
def queue(database: Database) -> DurableQueue:
    return DurableQueue(database)


class Worker:
    """A worker of this process that notes which judgings it was given, in order."""

    def __init__(self, queue: DurableQueue, slots: int = 1) -> None:
        self.given: stdlib_queue.Queue[str] = stdlib_queue.Queue()
        self.private: stdlib_queue.Queue[str] = stdlib_queue.Queue()
        self.jobs: stdlib_queue.Queue[str] = stdlib_queue.Queue()
        self.stop: Callable[[], None] = queue.run_worker(
            self.given.put,
            self.private.put,
            self.jobs.put,
            worker_id=f"test-{uuid.uuid4()}",
            slots=slots,
            private_slots=1,
        )

    def next(self) -> str:
        return self.given.get(timeout=60)


@pytest.fixture
def start_worker(queue: DurableQueue) -> Iterator[Callable[[], Worker]]:
    workers: list[Worker] = []

    def start() -> Worker:
        workers.append(Worker(queue))
        return workers[-1]

    yield start
    for worker in workers:
        worker.stop()


def test_a_committed_job_reaches_a_worker_and_ends(
    database: Database, queue: DurableQueue, start_worker: Callable[[], Worker]
) -> None:
    with database.write() as session:
        queue.enqueue(session, "judging-a:1", lane=Lane.LIVE, priority=1)
    assert _state(queue, "judging-a:1") is EngineJobState.WAITING
    assert start_worker().next() == "judging-a"
    _until(lambda: _state(queue, "judging-a:1") is EngineJobState.GONE)


def test_a_worker_keeps_its_own_number_of_slots_when_another_starts_with_fewer(
    database: Database, queue: DurableQueue
) -> None:
    # No thread gets past it but two jobs at a time.
    both = threading.Barrier(2, timeout=60)
    passed: stdlib_queue.Queue[str] = stdlib_queue.Queue()

    def judge(judging_id: str) -> None:
        both.wait()
        passed.put(judging_id)

    stop = queue.run_worker(judge, judge, judge, worker_id="two slots", slots=2, private_slots=1)
    try:
        queue._client.register_queue(
            QUEUE, worker_concurrency=1, polling_interval_sec=0.25, on_conflict="always_update"
        )
        with database.write() as session:
            for name in ("judging-a", "judging-b"):
                queue.enqueue(session, f"{name}:1", lane=Lane.LIVE, priority=1)
        assert {passed.get(timeout=60) for _ in range(2)} == {"judging-a", "judging-b"}
    finally:
        both.abort()
        stop()


def test_a_worker_keeps_its_own_number_of_slots_from_its_first_look_on(
    database: Database, queue: DurableQueue
) -> None:
    queue._client.register_queue(QUEUE, worker_concurrency=4, polling_interval_sec=0.01)
    with database.write() as session:
        for number in range(4):
            queue.enqueue(session, f"judging-{number}:1", lane=Lane.LIVE, priority=1)
    under_way: list[str] = []
    most: stdlib_queue.Queue[int] = stdlib_queue.Queue()

    def judge(judging_id: str) -> None:
        under_way.append(judging_id)
        time.sleep(0.05)
        most.put(len(under_way))
        under_way.remove(judging_id)

    stop = queue.run_worker(judge, judge, judge, worker_id="one slot", slots=1, private_slots=1)
    try:
        assert [most.get(timeout=60) for _ in range(4)] == [1, 1, 1, 1]
    finally:
        stop()


def test_a_transaction_that_is_rolled_back_leaves_no_job_and_one_that_commits_leaves_both(
    database: Database, queue: DurableQueue
) -> None:
    for number in range(20):
        with database.write() as session:
            session.add(_user(database_now(session), number))
            session.flush()
            queue.enqueue(session, f"rolled-back-{number}:1", lane=Lane.LIVE, priority=1)
            session.rollback()
        with database.write() as session:
            queue.enqueue(session, f"committed-{number}:1", lane=Lane.LIVE, priority=1)
            session.add(_user(database_now(session), number))
    for number in range(20):
        assert _state(queue, f"rolled-back-{number}:1") is EngineJobState.GONE
        assert _state(queue, f"committed-{number}:1") is EngineJobState.WAITING
    with database.read() as session:
        assert session.query(User).count() == 20


def test_a_job_is_invisible_to_workers_until_the_commit(
    database: Database, queue: DurableQueue
) -> None:
    second = Database(database.url)
    # On SQLite a question through the write engine would wait for the session that is open here.
    second.write_engine = second.read_engine
    with database.write() as session:
        queue.enqueue(session, "judging-a:1", lane=Lane.LIVE, priority=1)
        assert _state(DurableQueue(second), "judging-a:1") is EngineJobState.GONE
    assert _state(DurableQueue(second), "judging-a:1") is EngineJobState.WAITING
    second.close()


def test_lower_priorities_run_first_and_rejudgings_last(
    database: Database, queue: DurableQueue, start_worker: Callable[[], Worker]
) -> None:
    with database.write() as session:
        queue.enqueue(session, "rejudged:1", lane=Lane.REJUDGING, priority=1)
        for priority in (30, 10, 20):
            queue.enqueue(session, f"live-{priority}:1", lane=Lane.LIVE, priority=priority)
    worker = start_worker()
    assert [worker.next() for _ in range(4)] == ["live-10", "live-20", "live-30", "rejudged"]


def test_private_runs_have_a_lane_of_their_own(
    database: Database, queue: DurableQueue, start_worker: Callable[[], Worker]
) -> None:
    with database.write() as session:
        queue.enqueue(session, "judged:2", lane=Lane.PRIVATE, priority=1)
        queue.enqueue(session, "live:1", lane=Lane.LIVE, priority=1)
    worker = start_worker()
    assert (worker.next(), worker.private.get(timeout=60)) == ("live", "judged")
    assert worker.given.empty()


def test_the_same_name_twice_is_one_job(
    database: Database, queue: DurableQueue, start_worker: Callable[[], Worker]
) -> None:
    for _ in range(2):
        with database.write() as session:
            queue.enqueue(session, "judging-a:1", lane=Lane.LIVE, priority=1)
    with database.write() as session:
        queue.enqueue(session, "judging-b:1", lane=Lane.LIVE, priority=9)
    worker = start_worker()
    assert [worker.next(), worker.next()] == ["judging-a", "judging-b"]


def test_a_job_whose_judge_raises_ends_and_the_worker_goes_on(
    database: Database, queue: DurableQueue
) -> None:
    with database.write() as session:
        queue.enqueue(session, "poison:1", lane=Lane.LIVE, priority=1)
        queue.enqueue(session, "good:1", lane=Lane.LIVE, priority=2)
    given: stdlib_queue.Queue[str] = stdlib_queue.Queue()

    def judge(judging: str) -> None:
        given.put(judging)
        if judging == "poison":
            raise RuntimeError("planted")

    stop = queue.run_worker(judge, judge, judge, worker_id="w", slots=1, private_slots=1)
    assert [given.get(timeout=60), given.get(timeout=60)] == ["poison", "good"]
    _until(lambda: _state(queue, "poison:1") is EngineJobState.GONE)
    stop()


def test_stopping_waits_for_the_judging_under_way(database: Database, queue: DurableQueue) -> None:
    with database.write() as session:
        queue.enqueue(session, "slow:1", lane=Lane.LIVE, priority=1)
    started, ended = threading.Event(), threading.Event()

    def judge(_: str) -> None:
        started.set()
        time.sleep(0.5)
        ended.set()

    stop = queue.run_worker(judge, judge, judge, worker_id="w", slots=1, private_slots=1)
    assert started.wait(60)
    stop()
    assert ended.is_set()


def test_a_killed_process_leaves_its_job_running_in_the_books_and_a_new_dispatch_is_taken(
    database: Database, queue: DurableQueue, start_worker: Callable[[], Worker]
) -> None:
    with database.write() as session:
        queue.enqueue(session, "judging-a:1", lane=Lane.LIVE, priority=1)
    code = (
        "import os, sys, time; from podium.core.database.engine import Database;"
        "from podium.queue.durable import DurableQueue;"
        "DurableQueue(Database(sys.argv[1])).run_worker("
        "  lambda _: os.kill(os.getpid(), 9), print, print,"
        "  worker_id='dead', slots=1, private_slots=1); time.sleep(30)"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path.cwd())}
    killed = subprocess.run(
        [sys.executable, "-c", code, database.url], env=environment, check=False, timeout=60
    )
    assert killed.returncode == -9
    worker = start_worker()
    assert _state(queue, "judging-a:1") is EngineJobState.RUNNING
    with database.write() as session:
        queue.enqueue(session, "judging-a:2", lane=Lane.LIVE, priority=1)
    assert worker.next() == "judging-a"
    assert queue.forget_ended(older_than_seconds=3600) == 0
    queue.forget_ended(older_than_seconds=-60)
    assert _state(queue, "judging-a:1") is EngineJobState.GONE


def test_ended_jobs_are_forgotten_and_waiting_ones_are_not(
    database: Database, queue: DurableQueue
) -> None:
    with database.write() as session:
        queue.enqueue(session, "ended:1", lane=Lane.LIVE, priority=1)
        queue.enqueue(session, "waiting:1", lane=Lane.LIVE, priority=1)
    lose(queue, "ended:1")
    assert queue.forget_ended(older_than_seconds=3600) == 0
    assert queue.forget_ended(older_than_seconds=-60) == 1
    assert _state(queue, "ended:1") is EngineJobState.GONE
    assert _state(queue, "waiting:1") is EngineJobState.WAITING


def _state(queue: DurableQueue, job: str) -> EngineJobState:
    return queue.states([job])[job]


def _user(now: object, number: int) -> User:
    return User(name=f"user {number}", name_key=f"user {number}", created_at=now)


def _until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "this did not happen within 60 s"
        time.sleep(0.05)
