"""Leases of jobs: one worker at a time, fences, deaths that are no job's fault, cancellation."""

from __future__ import annotations

from datetime import timedelta

from podium.core.database.engine import database_now
from podium.core.workers import WORKER_DEATHS, LeaseState
from podium.jobs import leases
from podium.jobs.leases import Ending
from podium.jobs.rounds import JobReconciler
from podium.jobs.states import OWN_FAILURES, JobState
from podium.sandbox.answers import OUR_FAULT
from tests.builders.jobs.desk import DOUBLE, Desk

FAILED = Ending(JobState.FAILED, problem=OUR_FAULT.problem)


def _let_lapse(desk: Desk, job_id: str) -> None:
    with desk.application.database.read() as session:
        before = database_now(session) - timedelta(seconds=1)
    desk.change(job_id, lease_until=before)


def _renewed(desk: Desk, lease: leases.Lease, progress: float = 0.5) -> LeaseState:
    with desk.application.database.write() as session:
        return leases.renew(session, lease=lease, lease_seconds=60, progress=progress)


def test_one_worker_has_it_and_its_progress_is_seen(desk: Desk) -> None:
    job = desk.start()
    lease = desk.taken(job)
    assert desk.take(job) is None
    assert _renewed(desk, lease, 0.25) is LeaseState.OURS
    assert (desk.row(job).state, desk.row(job).progress) == ("running", 0.25)


def test_a_worker_that_was_declared_dead_changes_nothing(desk: Desk) -> None:
    job = desk.start()
    dead = desk.taken(job)
    _let_lapse(desk, job)
    alive = desk.taken(job)
    assert desk.row(job).worker_deaths == 1
    assert _renewed(desk, dead) is LeaseState.LOST
    assert not desk.end(dead)
    assert desk.end(alive)
    assert not desk.end(alive)
    assert desk.row(job).fence == 2


def test_a_job_that_takes_worker_after_worker_down_is_given_up_at_last(desk: Desk) -> None:
    job = desk.start()
    desk.taken(job)
    for _ in range(WORKER_DEATHS - 1):
        _let_lapse(desk, job)
        assert desk.taken(job).ending is None
    _let_lapse(desk, job)
    ending = desk.taken(job).ending
    assert ending is not None
    assert ending.state is JobState.FAILED


def test_a_failure_of_ours_is_tried_again_a_few_times(desk: Desk) -> None:
    job = desk.start()
    for _ in range(OWN_FAILURES - 1):
        lease = desk.taken(job)
        with desk.application.database.write() as session:
            leases.fail(session, lease=lease, kind=DOUBLE, ending=FAILED)
        assert desk.row(job).state == "queued"
        # Not at once.
        assert desk.take(job) is None
        _let_lapse(desk, job)
    lease = desk.taken(job)
    with desk.application.database.write() as session:
        leases.fail(session, lease=lease, kind=DOUBLE, ending=FAILED)
    assert (desk.row(job).state, desk.row(job).problem) == ("failed", OUR_FAULT.problem)


def test_a_cancelled_job_ends_whether_it_runs_or_waits(desk: Desk) -> None:
    running, waiting = desk.start(1), desk.start(2)
    lease = desk.taken(running)
    with desk.application.database.write() as session:
        leases.cancel(session, competition_id=desk.competition_id, kind=DOUBLE)
    assert _renewed(desk, lease) is LeaseState.CANCELLED
    ending = desk.taken(waiting).ending
    assert ending is not None
    assert ending.state is JobState.CANCELLED
    # Who asks anew gets a job of their own.
    assert desk.start(1) != running


def test_what_a_dead_worker_had_or_the_engine_lost_is_dispatched_again(desk: Desk) -> None:
    application = desk.application
    reconciler = JobReconciler(application.database, application.queue, 1.0)
    dead, lost, fine = desk.start(1), desk.start(2), desk.start(3)
    desk.taken(dead)
    for job in (dead, lost):
        application.queue.cancel(f"{job}:1")
    _let_lapse(desk, dead)
    assert reconciler.round() == 2
    assert [desk.row(job).dispatches for job in (dead, lost, fine)] == [2, 2, 1]
    assert reconciler.round() == 0


def test_a_worker_of_an_older_version_leaves_kinds_that_it_does_not_know(desk: Desk) -> None:
    job = desk.start()
    with desk.application.database.write() as session:
        lease = leases.take(session, job_id=job, kinds=(), worker_id="w", lease_seconds=1)
    assert lease is None
    assert desk.row(job).state == "queued"
