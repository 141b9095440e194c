"""Leases of jobs: one worker at a time, fences, deaths that are not a job's fault, cancellation."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import event

from podium.core import leases as core_leases
from podium.core.database.engine import database_now
from podium.core.leases import WORKER_DEATHS, LeaseState, WorkState
from podium.jobs import leases
from podium.jobs.leases import Ending
from podium.jobs.starting import reconciler as rounds_of
from podium.jobs.states import OWN_FAILURES
from podium.queue import EngineJobState, job_name
from podium.sandbox.answers import OUR_FAULT
from tests.builders.jobs.engine import lose
from tests.builders.jobs.requester import DOUBLE, JobRequester

FAILED = Ending(WorkState.FAILED, problem=OUR_FAULT.problem)


def _let_lapse(requester: JobRequester, job_id: str) -> None:
    with requester.application.database.read() as session:
        before = database_now(session) - timedelta(seconds=1)
    requester.change(job_id, lease_until=before)


def _renewed(
    requester: JobRequester, leased: leases.LeasedJob, progress: float = 0.5
) -> LeaseState:
    with requester.application.database.write() as session:
        return core_leases.renew(session, leased.lease, seconds=60, progress=progress)


def test_one_worker_has_it_and_its_progress_is_seen(requester: JobRequester) -> None:
    job = requester.start()
    leased = requester.taken(job)
    assert requester.take(job) is None
    assert _renewed(requester, leased, 0.25) is LeaseState.OURS
    assert (requester.row(job).state, requester.row(job).progress) == ("running", 0.25)


def _end(requester: JobRequester, leased: leases.LeasedJob) -> None:
    assert requester.end(leased)


def _hand_back(requester: JobRequester, leased: leases.LeasedJob) -> None:
    with requester.application.database.write() as session:
        leases.hand_back(session, leased=leased, queue=requester.application.queue)


def _fail(requester: JobRequester, leased: leases.LeasedJob) -> None:
    with requester.application.database.write() as session:
        leases.fail(session, leased=leased, kind=DOUBLE, ending=FAILED)


def _take_from_the_dead(requester: JobRequester, leased: leases.LeasedJob) -> None:
    requester.taken(leased.lease.row_id)


@pytest.mark.parametrize("act", [_end, _hand_back, _fail, _take_from_the_dead])
def test_a_transaction_writes_a_job_once(
    requester: JobRequester, act: Callable[[JobRequester, leases.LeasedJob], None]
) -> None:
    """PostgreSQL checks the references of a row that is written again, and waits for a competition
    that another transaction has locked, which in turn may wait for the job."""
    leased = requester.taken(requester.start())
    if act is _take_from_the_dead:
        _let_lapse(requester, leased.lease.row_id)
    statements: list[str] = []
    engine = requester.application.database.write_engine
    event.listen(engine, "before_cursor_execute", lambda *given: statements.append(given[2]))
    act(requester, leased)
    assert len([text for text in statements if text.startswith("UPDATE jobs")]) == 1


def test_a_worker_that_was_declared_dead_changes_nothing(requester: JobRequester) -> None:
    job = requester.start()
    dead = requester.taken(job)
    _let_lapse(requester, job)
    alive = requester.taken(job)
    assert requester.row(job).worker_deaths == 1
    assert _renewed(requester, dead) is LeaseState.LOST
    assert not requester.end(dead)
    assert requester.end(alive)
    assert not requester.end(alive)
    assert requester.row(job).fence == 2


def test_a_job_that_takes_worker_after_worker_down_is_given_up_at_last(
    requester: JobRequester,
) -> None:
    job = requester.start()
    requester.taken(job)
    for _ in range(WORKER_DEATHS - 1):
        _let_lapse(requester, job)
        assert requester.taken(job).ending is None
    _let_lapse(requester, job)
    ending = requester.taken(job).ending
    assert ending is not None
    assert ending.state is WorkState.FAILED


def test_a_failure_of_ours_is_tried_again_a_few_times(requester: JobRequester) -> None:
    job = requester.start()
    for _ in range(OWN_FAILURES - 1):
        leased = requester.taken(job)
        with requester.application.database.write() as session:
            leases.fail(session, leased=leased, kind=DOUBLE, ending=FAILED)
        assert requester.row(job).state == "queued"
        # Not at once.
        assert requester.take(job) is None
        _let_lapse(requester, job)
    leased = requester.taken(job)
    with requester.application.database.write() as session:
        leases.fail(session, leased=leased, kind=DOUBLE, ending=FAILED)
    assert (requester.row(job).state, requester.row(job).problem) == ("failed", OUR_FAULT.problem)


def test_a_cancelled_job_ends_whether_it_runs_or_waits(requester: JobRequester) -> None:
    running, waiting = requester.start(1), requester.start(2)
    leased = requester.taken(running)
    with requester.application.database.write() as session:
        leases.cancel(session, competition_id=requester.competition_id, kind=DOUBLE)
    assert _renewed(requester, leased) is LeaseState.CANCELLED
    ending = requester.taken(waiting).ending
    assert ending is not None
    assert ending.state is WorkState.CANCELLED
    # Who asks anew gets a job of their own.
    assert requester.start(1) != running


def test_what_a_dead_worker_had_or_the_engine_lost_is_dispatched_again(
    requester: JobRequester,
) -> None:
    application = requester.application
    reconciler = rounds_of(application.database, application.queue, lease_seconds=1.0)
    dead, lost, fine = requester.start(1), requester.start(2), requester.start(3)
    requester.taken(dead)
    for job in (dead, lost):
        lose(application.queue, f"{job}:1")
    _let_lapse(requester, dead)
    assert reconciler.round() == 2
    assert [requester.row(job).dispatches for job in (dead, lost, fine)] == [2, 2, 1]
    assert reconciler.round() == 0


@pytest.mark.parametrize("meanwhile", ["leased", "dispatched", "ended"])
def test_a_job_that_another_took_care_of_since_it_was_seen_is_left_alone(
    requester: JobRequester, meanwhile: str
) -> None:
    application = requester.application
    reconciler = rounds_of(application.database, application.queue, lease_seconds=1.0)
    job = requester.start()
    with application.database.read() as session:
        (seen,) = reconciler.find(session, after="", limit=10)
    if meanwhile == "dispatched":
        requester.change(job, dispatches=2)
    else:
        leased = requester.taken(job)
        if meanwhile == "ended":
            requester.end(leased)
    before = requester.row(job).dispatches
    with application.database.write() as session:
        assert not reconciler.dispatch_again(session, seen)
    assert requester.row(job).dispatches == before


def test_a_job_that_is_handed_back_waits_for_another_worker_and_nothing_is_counted(
    requester: JobRequester,
) -> None:
    application = requester.application
    job = requester.start()
    leased = requester.taken(job)
    with application.database.write() as session:
        leases.hand_back(session, leased=leased, queue=application.queue)
    again = requester.row(job)
    assert (again.state, again.worker_deaths, again.own_failures) == ("queued", 0, 0)
    name = job_name(job, again.dispatches)
    assert application.queue.states([name]) == {name: EngineJobState.WAITING}
    assert requester.taken(job).lease.fence == 2
    assert requester.row(job).worker_deaths == 0


def test_a_worker_that_lost_its_lease_neither_hands_back_nor_fails_the_job(
    requester: JobRequester,
) -> None:
    application = requester.application
    job = requester.start()
    dead = requester.taken(job)
    _let_lapse(requester, job)
    requester.taken(job)
    with application.database.write() as session:
        leases.hand_back(session, leased=dead, queue=application.queue)
        leases.fail(session, leased=dead, kind=DOUBLE, ending=FAILED)
    row = requester.row(job)
    assert (row.state, row.fence, row.dispatches, row.own_failures) == ("running", 2, 1, 0)


def test_a_worker_of_an_older_version_leaves_kinds_that_it_does_not_know(
    requester: JobRequester,
) -> None:
    job = requester.start()
    with requester.application.database.write() as session:
        leased = leases.take(session, job_id=job, kinds=(), worker_id="w", lease_seconds=1)
    assert leased is None
    assert requester.row(job).state == "queued"
