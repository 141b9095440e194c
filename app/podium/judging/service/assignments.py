"""A judging from its dispatch to its lease: which worker may judge it, and for how long.

A lease is by the database's clock. Every new lease raises the fence, and only the holder of the
current fence may renew it or record a verdict (`verdicts`).
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy.orm import Session

from podium.core import locks, lookups
from podium.core.competition_settings import CompetitionSettings
from podium.core.configuration import (
    is_scored_by_own_metric,
    numbers_of_own_metric,
    task_of,
)
from podium.core.database.engine import WriteSession, database_now
from podium.core.judging_states import State
from podium.core.leases import WORKER_DEATHS, LeaseState, begin_lease, is_held, renew_lease
from podium.core.lookups import waiting_teams
from podium.core.models import (
    Competition,
    CompetitionSecret,
    GroundTruthVersion,
    Judging,
)
from podium.judging import queries
from podium.judging.service import own_verdicts, verdicts
from podium.judging.service.own_runs import OwnRun
from podium.logs import get_logger
from podium.materials.service import item_files
from podium.queue import Lane
from podium.scoring.task import Task
from podium.submissions.service import dispatch

_log = get_logger("judging")


@dataclass(frozen=True, slots=True)
class Assignment:
    """A worker's input for a judging: files by their hashes, the task, and the fence of its lease.

    The version of the ground truth is fixed here; replacing it meanwhile changes nothing. `own` is
    the organizer's metric, where one scores. `in_background` is what no one waits for: its children
    work with what all others leave.
    """

    judging_id: str
    fence: int
    file_sha256: str
    published_sha256: str
    truth_sha256: str
    items_sha256: str | None
    task: Task
    max_expanded_bytes: int
    fingerprint_seed: int | None
    is_retry: bool
    own: OwnRun | None
    in_background: bool
    request_id: str | None
    traceparent: str | None


def take(
    session: WriteSession,
    *,
    judging_id: str,
    worker_id: str,
    lease_seconds: float,
    is_private: bool = False,
) -> Assignment | None:
    """Leases the judging to this worker; None when there is nothing to do here.

    That is so when it has a verdict, was cancelled, is leased, or may not be begun just now; and
    where what is due belongs to the lane of private runs, and the slot does not, or the other way
    round. A lease that ran out counts as a worker's death.
    """
    judging = locks.locked_judging(session, judging_id=judging_id)
    now = database_now(session)
    if judging is None or (State(judging.state).is_final and not judging.is_private_due):
        return None
    if is_held(judging.lease_until, now=now):
        return None
    if (dispatch.lane_of(session, judging) is Lane.PRIVATE) != is_private:
        return None
    if judging.cancel_requested and not judging.is_private_due:
        verdicts.end(session, judging=judging, state=State.CANCELLED)
        return None
    team_id = lookups.submission_of(session, submission_id=judging.submission_id).team_id
    waiting = waiting_teams(session, team_ids=[team_id])
    if queries.is_stopped(session, judging_id=judging_id, now=now, waiting=waiting):
        return None
    if _has_taken_too_many_workers(session, judging):
        return None
    if judging.is_private_due:
        # What is seen of the verdict stays as it is.
        judging.fence += 1
        judging.worker_id = worker_id
        judging.lease_until = now + timedelta(seconds=lease_seconds)
    else:
        begin_lease(
            judging,
            running=State.RUNNING,
            worker_id=worker_id,
            now=now,
            lease_seconds=lease_seconds,
        )
    session.flush()
    return _assignment(session, judging, is_private=is_private)


def _has_taken_too_many_workers(session: WriteSession, judging: Judging) -> bool:
    """Counts the death of the worker whose lease ran out; True if it was the last one allowed, with
    which the judging ends."""
    is_due = judging.is_private_due
    if judging.state != State.RUNNING and not (is_due and judging.worker_id is not None):
        return False
    judging.worker_deaths += 1
    _log.warning(
        "worker.died", judging=judging.id, worker=judging.worker_id, deaths=judging.worker_deaths
    )
    if judging.worker_deaths < WORKER_DEATHS:
        return False
    report = f"{judging.worker_deaths} workers died while judging this file."
    if is_due:
        own_verdicts.end_private(session, judging, report)
    else:
        judging.failure = report
        verdicts.end(session, judging=judging, state=State.FAILED)
    return True


def renew(
    session: WriteSession, *, assignment: Assignment, lease_seconds: float, progress: float
) -> LeaseState:
    """Records a heartbeat with the share that is done; answers the standing of the lease."""
    return renew_lease(
        session,
        Judging,
        row_id=assignment.judging_id,
        fence=assignment.fence,
        is_under_way=queries.is_under_way(),
        lease_seconds=lease_seconds,
        progress=progress,
    )


def _assignment(session: WriteSession, judging: Judging, *, is_private: bool) -> Assignment:
    competition = session.get_one(Competition, judging.competition_id)
    settings = lookups.settings_of_judging(session, judging)
    submission = lookups.submission_of(session, submission_id=judging.submission_id)
    truth = lookups.ground_truth(
        session, competition_id=competition.id, version=judging.ground_truth_version
    )
    return Assignment(
        judging_id=judging.id,
        fence=judging.fence,
        file_sha256=submission.sha256,
        published_sha256=lookups.published_ids(session, competition_id=competition.id).sha256,
        truth_sha256=truth.sha256 or "",
        items_sha256=item_files.canonical_sha256(session, competition.id, settings),
        task=task_of(settings),
        max_expanded_bytes=settings.max_expanded_bytes,
        fingerprint_seed=fingerprint_seed(session, competition_id=competition.id),
        is_retry=judging.child_deaths > 0,
        own=_own(session, judging, settings, truth),
        in_background=is_private,
        request_id=judging.request_id,
        traceparent=judging.traceparent,
    )


def _own(
    session: Session,
    judging: Judging,
    settings: CompetitionSettings,
    truth: GroundTruthVersion,
) -> OwnRun | None:
    """The organizer's metric and how it is run, where it scores."""
    if not is_scored_by_own_metric(settings):
        return None
    chosen = settings.own_metric
    if chosen is None:
        raise ValueError("the organizer's metric scores, and the settings name no version of it")
    stored = lookups.metric_version(session, judging.competition_id, chosen.version)
    if stored is None:
        raise ValueError("the organizer's metric scores, and no version of it is stored")
    if judging.is_private_due:
        splits: tuple[str, ...] = ("private",)
    else:
        splits = ("public",) if judging.rejudging_id is None else ("public", "private")
    return OwnRun(
        version=chosen.version,
        sha256=stored.sha256,
        arguments=chosen.arguments,
        seconds=chosen.seconds,
        memory_bytes=chosen.memory_bytes,
        numbers=numbers_of_own_metric(settings),
        resamples=chosen.resamples,
        seed=_derived(session, judging.competition_id, b"podium resamples", 4) or 0,
        parts=truth.parts or {},
        splits=splits,
        decimals=settings.decimals,
        is_lenient=lookups.goes_on(session.get_one(Competition, judging.competition_id), stored),
    )


def fingerprint_seed(session: Session, *, competition_id: str) -> int | None:
    """The seed of the sampled queries: a participant who does not know it cannot leave them
    alone."""
    return _derived(session, competition_id, b"podium fingerprints", 8)


def _derived(session: Session, competition_id: str, purpose: bytes, length: int) -> int | None:
    """A number of so many bytes that only the competition's secret tells; None without one."""
    secret = session.get(CompetitionSecret, competition_id)
    if secret is None:
        return None
    digest = hmac.new(bytes.fromhex(secret.split_key), purpose, hashlib.sha256)
    return int.from_bytes(digest.digest()[:length], "little")
