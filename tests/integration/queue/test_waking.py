"""Workers that sleep are woken, and find jobs where nothing wakes them. Looks without a
wake-up are hours apart here, but where they are what is tested."""

from __future__ import annotations

import queue as stdlib_queue
import threading
from collections.abc import Callable, Iterator, Sequence

import psycopg
import pytest
import sqlalchemy as sa
import structlog

from podium.core.database.engine import Database
from podium.queue import Lane, taker
from podium.queue import lookout as lookouts
from podium.queue.durable import DurableQueue
from podium.queue.lookout import lookout
from podium.queue.taker import LOOK_SECONDS

NEVER = 3600.0

END_OF_LOOKOUTS = sa.text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND query LIKE 'SELECT EXISTS %workflow_status%'"
)
"""Ends the connections that asked last whether jobs wait, and none that takes or deletes one."""

Start = Callable[..., stdlib_queue.Queue[str]]


@pytest.fixture
def queue(database: Database) -> DurableQueue:
    return DurableQueue(database)


@pytest.fixture
def elsewhere(database: Database) -> Iterator[DurableQueue]:
    """The queue of another process: it cannot wake the worker here by itself."""
    other = Database(database.url)
    yield DurableQueue(other)
    other.close()


@pytest.fixture
def only_woken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(taker, "LOOK_SECONDS", NEVER)


@pytest.fixture
def not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing tells the worker what another process has committed."""
    monkeypatch.setattr(lookouts, "GLANCE_SECONDS", NEVER)
    monkeypatch.setattr(lookouts, "CHANNEL", "another")


@pytest.fixture
def start(queue: DurableQueue) -> Iterator[Start]:
    """Starts a worker and waits until it has found nothing to do; answers what it is given."""
    stops: list[Callable[[], None]] = []

    def begin(slots: int = 1) -> stdlib_queue.Queue[str]:
        given: stdlib_queue.Queue[str] = stdlib_queue.Queue()
        stops.append(
            queue.run_worker(
                given.put, given.put, given.put, worker_id="w", slots=slots, private_slots=1
            )
        )
        send(queue, "first", Lane.LIVE)
        assert given.get(timeout=60) == "first"
        return given

    yield begin
    for stop in stops:
        stop()


def send(queue: DurableQueue, name: str, lane: Lane) -> None:
    with queue._database.write() as session:
        queue.enqueue(session, f"{name}:1", lane=lane, priority=1)


@pytest.mark.parametrize("lane", list(Lane))
@pytest.mark.usefixtures("only_woken", "not_told")
def test_a_commit_of_this_process_wakes_its_worker(
    queue: DurableQueue, start: Start, lane: Lane
) -> None:
    given = start()
    send(queue, "second", lane)
    assert given.get(timeout=60) == "second"


@pytest.mark.parametrize("lane", list(Lane))
@pytest.mark.usefixtures("only_woken")
def test_a_commit_of_another_process_wakes_it_too(
    elsewhere: DurableQueue, start: Start, lane: Lane
) -> None:
    given = start()
    send(elsewhere, "second", lane)
    assert given.get(timeout=60) == "second"


@pytest.mark.usefixtures("not_told")
def test_a_job_whose_wake_up_was_lost_is_found_within_a_second(
    elsewhere: DurableQueue, start: Start
) -> None:
    given = start()
    send(elsewhere, "second", Lane.LIVE)
    assert given.get(timeout=60) == "second"
    assert LOOK_SECONDS < 1


@pytest.mark.usefixtures("only_woken", "not_told")
def test_a_slot_that_becomes_free_takes_the_next_job_at_once(
    database: Database, queue: DurableQueue, start: Start
) -> None:
    given = start()
    with database.write() as session:
        for number in range(20):
            queue.enqueue(session, f"{number:02}:1", lane=Lane.LIVE, priority=number + 1)
    assert [given.get(timeout=60) for _ in range(20)] == [f"{number:02}" for number in range(20)]


@pytest.mark.usefixtures("only_woken", "not_told")
def test_a_worker_is_woken_after_the_commit_and_not_by_a_savepoint(
    database: Database, queue: DurableQueue, start: Start
) -> None:
    given = start()
    with database.write() as session:
        with session.begin_nested():
            queue.enqueue(session, "second:1", lane=Lane.LIVE, priority=1)
        # Whatever was woken until now finds nothing.
        with pytest.raises(stdlib_queue.Empty):
            given.get(timeout=0.3)
    assert given.get(timeout=60) == "second"


def test_no_one_is_woken_by_what_was_rolled_back(
    database: Database, queue: DurableQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    woken: list[str] = []
    monkeypatch.setattr(queue, "_wake", lambda: woken.append("woken"))
    with database.write() as session:
        queue.enqueue(session, "never:1", lane=Lane.LIVE, priority=1)
        session.rollback()
    with database.write() as session:
        for number in range(3):
            queue.enqueue(session, f"{number}:1", lane=Lane.LIVE, priority=1)
        assert woken == []
    assert woken == ["woken"]


@pytest.mark.usefixtures("only_woken")
def test_a_server_that_lets_no_one_listen_is_asked(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(taker, "LOOK_SECONDS", LOOK_SECONDS)
    monkeypatch.setattr(lookouts, "CHANNEL", "no channel")
    database = Database(postgres_url)
    queue, given = DurableQueue(database), stdlib_queue.Queue[str]()
    with structlog.testing.capture_logs() as log:
        stop = queue.run_worker(
            given.put, given.put, given.put, worker_id="w", slots=1, private_slots=1
        )
        other = Database(postgres_url)
        send(DurableQueue(other), "judging", Lane.LIVE)
        assert given.get(timeout=60) == "judging"
    stop()
    database.close()
    other.close()
    assert [line["event"] for line in log] == ["queue.not-notified"]


@pytest.mark.usefixtures("only_woken")
def test_a_connection_that_the_server_ends_is_made_anew_and_listens(
    postgres_url: str,
) -> None:
    database = Database(postgres_url)
    queue, given = DurableQueue(database), stdlib_queue.Queue[str]()
    other = Database(postgres_url)
    with structlog.testing.capture_logs() as log:
        stop = queue.run_worker(
            given.put, given.put, given.put, worker_id="w", slots=1, private_slots=1
        )
        for number in range(3):
            send(DurableQueue(other), f"judging-{number}", Lane.LIVE)
            assert given.get(timeout=60) == f"judging-{number}"
            ended: Sequence[bool] = ()
            while not ended:
                with other.write_engine.begin() as connection:
                    ended = connection.scalars(END_OF_LOOKOUTS).all()
    stop()
    database.close()
    other.close()
    assert log == []


@pytest.mark.usefixtures("only_woken")
def test_wake_ups_do_not_hurry_a_worker_whose_database_is_away(
    database: Database, queue: DurableQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[None] = []
    is_asked = threading.Event()

    def away(_: object) -> None:
        asked.append(None)
        is_asked.set()
        raise psycopg.OperationalError("away")

    monkeypatch.setattr(lookouts.Lookout, "_connect", away)
    stop = queue.run_worker(print, print, print, worker_id="w", slots=1, private_slots=1)
    assert is_asked.wait(60)
    for number in range(100):
        send(queue, f"judging-{number}", Lane.LIVE)
    stop()
    assert len(asked) == 1


def test_a_worker_has_one_thread_besides_those_of_its_slots(
    queue: DurableQueue, start: Start
) -> None:
    before = set(threading.enumerate())
    start()
    names = {thread.name.partition("_")[0] for thread in set(threading.enumerate()) - before}
    assert names == {"taking-jobs", "slot"}


def test_the_look_for_jobs_uses_the_index_of_the_engine(database: Database) -> None:
    look = lookout(database, ["judgings", "jobs"])
    look.waiting()
    if database.is_sqlite:
        plan = look._driver.execute(f"EXPLAIN QUERY PLAN {look._statement}").fetchall()
    else:
        look._driver.execute("SET enable_seqscan = off")
        plan = look._driver.execute(f"EXPLAIN {look._statement}").fetchall()
    look.close()
    assert str(plan).count("in_flight") == 2
