"""Runs one job from its lease to its end: files, child, heartbeat, outcome.

It has no rules about what an outcome means: these are in the kind's own `record`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from podium.boards.jobs import KINDS as BOARDS
from podium.core.database.engine import WriteSession
from podium.core.leases import LeaseState, WorkState
from podium.custom_metrics.jobs import KINDS as CUSTOM_METRICS
from podium.errors import Unavailable, lone_problem
from podium.jobs import leases
from podium.jobs.kinds import JobKind
from podium.jobs.leases import CANCELLED, Ending, LeasedJob
from podium.jobs.means import Means
from podium.logs import get_logger
from podium.materials.jobs import KINDS as MATERIALS
from podium.sandbox import Limits
from podium.sandbox.answers import NOT_ISOLATED, OUR_FAULT, NoAnswer, Refused
from podium.worker.heartbeat import Heartbeat
from podium.worker.holding import LeaseHolder
from podium.worker.patience import STORE_FAILS, write_patiently

KINDS: Mapping[str, JobKind[Any, Any]] = {
    kind.name: kind for kind in (*CUSTOM_METRICS, *MATERIALS, *BOARDS)
}
"""All kinds of jobs, by name."""

FILE_BYTES = 64 << 30
"""Bytes that a child may write into its scratch folder."""

_log = get_logger("worker")


class JobRunner:
    """Runs one job at a time in each thread that calls `run`."""

    def __init__(
        self, holder: LeaseHolder, *, kinds: Mapping[str, JobKind[Any, Any]] = KINDS
    ) -> None:
        self._application = holder.application
        self._holder = holder
        self._kinds = kinds

    def run(self, job_id: str) -> None:
        """Leases the job, does its work and records the outcome."""
        with self._application.database.write(is_minor=True) as session:
            leased = leases.take(
                session,
                job_id=job_id,
                kinds=self._kinds.keys(),
                worker_id=self._holder.worker_id,
                lease_seconds=self._holder.lease_seconds,
            )
        if leased is None:
            return
        with self._holder.at_work(leased.lease, "job", {"job": job_id}, kind=leased.kind) as place:
            tried = _Tried(leased.ending) if leased.ending else self._try(leased, *place)
            self._settle(leased, self._kinds[leased.kind], tried, place.heartbeat)

    def _try(self, leased: LeasedJob, scratch: Path, heartbeat: Heartbeat) -> _Tried:
        kind = self._kinds[leased.kind]
        settings = self._application.settings
        means = Means(
            storage=self._application.storage,
            sandbox=self._application.sandbox,
            limits=Limits(
                memory_bytes=settings.judging_memory_bytes,
                wall_seconds=settings.judging_seconds,
                file_bytes=FILE_BYTES,
            ),
            scratch=scratch,
            should_stop=heartbeat.should_stop,
            on_progress=heartbeat.progressed,
            retry_memory_bytes=settings.judging_retry_memory_bytes,
        )
        try:
            arguments = kind.decoded_arguments(leased.arguments)
            result = kind.work(self._application, arguments, means)
            if kind.record is None:
                kind.encoded_result(result)
        except NoAnswer as error:
            return _tried_without_answer(error)
        except Unavailable as error:
            problem = lone_problem(error.code, error.detail)
            ending = Ending(WorkState.FAILED, problem=problem)
            return _Tried(ending, is_passing=error.code in STORE_FAILS)
        except Exception as error:  # noqa: BLE001 - whatever it is, the job ends with an outcome
            _log.error("job.failed", kind=kind.name, exc_info=error)
            return _Tried(Ending(WorkState.FAILED, problem=OUR_FAULT.problem), is_passing=True)
        return _Tried(Ending(WorkState.DONE, result=result))

    def _settle(
        self, leased: LeasedJob, kind: JobKind[Any, Any], tried: _Tried, heartbeat: Heartbeat
    ) -> None:
        if heartbeat.lease_state is LeaseState.LOST:
            _log.warning("lease.lost", fence=leased.lease.fence)
            return
        _log.info("job.ended", kind=kind.name, state=str(tried.ending.state))
        write_patiently(self._application, self._write_of(leased, kind, tried, heartbeat))

    def _write_of(
        self, leased: LeasedJob, kind: JobKind[Any, Any], tried: _Tried, heartbeat: Heartbeat
    ) -> Callable[[WriteSession], object]:
        ending, queue = tried.ending, self._application.queue
        if ending.state is WorkState.FAILED and heartbeat.lease_state is LeaseState.CANCELLED:
            ending = Ending(WorkState.CANCELLED, problem=CANCELLED)
        elif ending.state is WorkState.FAILED and self._holder.is_stopping.is_set():
            return lambda session: leases.hand_back(session, leased=leased, queue=queue)
        elif tried.is_passing:
            return lambda session: leases.fail(session, leased=leased, kind=kind, ending=ending)
        return lambda session: leases.end(session, leased=leased, kind=kind, ending=ending)


@dataclass(frozen=True, slots=True)
class _Tried:
    """The ending of an attempt; if it `is_passing`, the next attempt may succeed."""

    ending: Ending
    is_passing: bool = False


def _tried_without_answer(error: NoAnswer) -> _Tried:
    problem = error.answer.problem
    if isinstance(error.answer, Refused):
        return _Tried(Ending(WorkState.REFUSED, problem=problem))
    is_passing = problem["code"] != NOT_ISOLATED
    return _Tried(Ending(WorkState.FAILED, problem=problem), is_passing=is_passing)
