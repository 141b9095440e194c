"""Starting jobs: identical requests share one, and without a worker nothing is started."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from podium.application import Application
from podium.core.database.engine import database_now
from podium.core.leases import WorkState
from podium.core.models import Job
from podium.errors import Unavailable
from podium.jobs.kinds import JobKind
from podium.jobs.leases import Ending, forget_ended
from podium.jobs.starting import MAX_UNFINISHED
from podium.jobs.states import FAILURE_KEPT, KEPT
from podium.operations.service import workers
from podium.queue import EngineJobState, job_name
from tests.builders.jobs.requester import DOUBLE, JobRequester, Number

PROBLEM = {"code": "bad-csv", "detail": "It is bad.", "errors": [], "error_count": 0}


def test_a_job_is_in_the_books_and_with_the_engine_after_one_commit(
    requester: JobRequester,
) -> None:
    job = requester.row(requester.start())
    assert (job.state, job.dispatches, job.created_by) == ("queued", 1, requester.actor.user_id)
    name = job_name(job.id, 1)
    assert requester.application.queue.states([name]) == {name: EngineJobState.WAITING}


def test_identical_requests_share_a_job_and_others_do_not(requester: JobRequester) -> None:
    first = requester.start(1)
    assert requester.start(1) == first
    assert requester.start(2) != first
    lease = requester.taken(first)
    assert requester.start(1) == first
    assert requester.end(lease)
    assert requester.start(1) == first
    stored = requester.row(first).result
    assert stored is not None
    assert DOUBLE.decoded_result(stored) == Number(7)


def test_of_many_at_once_one_starts_it(requester: JobRequester) -> None:
    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(lambda _: requester.start(1), range(8)))) == 1
    with requester.application.database.read() as session:
        assert session.query(Job).count() == 1


@pytest.mark.parametrize(
    ("state", "code", "kept"),
    [
        (WorkState.REFUSED, "bad-csv", KEPT),
        (WorkState.REFUSED, "resource-limit", FAILURE_KEPT),
        (WorkState.FAILED, "reading-failed", FAILURE_KEPT),
    ],
)
def test_a_refusal_is_kept_as_long_as_a_result_and_a_failure_is_tried_again_soon(
    requester: JobRequester, state: WorkState, code: str, kept: timedelta
) -> None:
    first = requester.start()
    requester.end(requester.taken(first), Ending(state, problem={**PROBLEM, "code": code}))
    job = requester.row(first)
    assert job.ended_at is not None
    assert job.keep_until is not None
    assert job.keep_until - job.ended_at == kept
    assert requester.start() == first
    requester.change(first, keep_until=job.ended_at)
    assert requester.start() != first


def test_without_a_live_worker_nothing_is_started(application: Application) -> None:
    requester = JobRequester(application)
    with pytest.raises(Unavailable) as refused:
        requester.start()
    assert refused.value.code == "no-worker"
    assert "podium worker" in refused.value.detail
    requester.register_worker()
    first = requester.start()
    requester.end(requester.taken(first))
    with application.database.write() as session:
        workers.end(session, worker_id="alive")
    # What was made is there all the same.
    assert requester.start() == first
    with pytest.raises(Unavailable):
        requester.start(2)


def test_a_competition_has_so_many_unfinished_jobs_and_no_more(requester: JobRequester) -> None:
    for number in range(MAX_UNFINISHED):
        requester.start(number)
    with pytest.raises(Unavailable) as refused:
        requester.start(MAX_UNFINISHED)
    assert refused.value.code == "busy"
    assert requester.start(0)


def test_a_result_that_is_too_large_for_a_row_is_not_kept() -> None:
    kind = JobKind("large", str, str, work=lambda *_: "")
    with pytest.raises(ValueError, match="1048589 bytes"):
        kind.encoded_result("x" * (1 << 20))


def test_an_outcome_is_forgotten_when_it_is_kept_no_longer(requester: JobRequester) -> None:
    waiting, ended = requester.start(1), requester.start(2)
    requester.end(requester.taken(ended))
    with requester.application.database.write() as session:
        forget_ended(session)
        assert session.query(Job).count() == 2
        session.get_one(Job, ended).keep_until = database_now(session)
    with requester.application.database.write() as session:
        forget_ended(session)
        assert [job.id for job in session.query(Job)] == [waiting]
