"""Assigns a run to a worker: whether it may begin, its lease, and the inputs of its work."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass

from sqlalchemy.orm import Session

from podium.core import leases, lookups
from podium.core.competition_settings import CompetitionSettings
from podium.core.configuration import is_scored_by_custom_metric, missing_add_ons, task_of
from podium.core.database.engine import WriteSession
from podium.core.judging_states import State
from podium.core.leases import WORKER_DEATHS, Lease
from podium.core.lookups import waiting_teams
from podium.core.models import (
    Competition,
    CompetitionSecret,
    GroundTruthVersion,
    Run,
    Submission,
)
from podium.judging import queries
from podium.judging.service import verdicts
from podium.judging.service.custom_runs import CustomRun
from podium.judging.service.verdicts import Verdict, Work
from podium.logs import get_logger
from podium.materials.service import item_files
from podium.queue import Lane
from podium.scoring.task import Task
from podium.submissions.service import dispatch

_log = get_logger("judging")


@dataclass(frozen=True, slots=True)
class Assignment:
    """A worker's input for a run: files by their hashes, the task, and its lease.

    The version of the ground truth is fixed here; replacing it meanwhile changes nothing. `custom`
    is the custom metric, if one scores. `in_background`: no one waits for the run, so its children
    yield the processor to all others.
    """

    judging_id: str
    lease: Lease[Run]
    file_sha256: str
    published_sha256: str
    truth_sha256: str
    items_sha256: str | None
    task: Task
    max_expanded_bytes: int
    fingerprint_seed: int | None
    is_retry: bool
    custom: CustomRun | None
    in_background: bool


def take(
    session: WriteSession,
    *,
    run_id: str,
    worker_id: str,
    lease_seconds: float,
    is_private: bool = False,
) -> Assignment | None:
    """Leases the run to this worker; returns None if there is nothing to do here.

    That is so when the run has ended, was cancelled, is leased, or may not begin now; when its lane
    is not that of the slot (`is_private`: the lane of private runs); and when this process lacks an
    add-on, which another worker may have.
    """
    work = verdicts.free_work(session, run_id)
    if work is None or (dispatch.lane_of(session, work.run) is Lane.PRIVATE) != is_private:
        return None
    judging, run = work
    if run.cancel_requested:
        verdicts.record(session, work, Verdict(state=State.CANCELLED))
        return None
    submission = lookups.submission_of(session, submission_id=judging.submission_id)
    waiting = waiting_teams(session, team_ids=[submission.team_id])
    if queries.is_stopped(session, run_id, waiting=waiting):
        return None
    settings = lookups.settings_of_judging(session, judging)
    if lacking := missing_add_ons(settings):
        _log.warning("run.left", judging=judging.id, add_ons=lacking)
        return None
    lease = leases.begin(session, run, worker_id=worker_id, seconds=lease_seconds)
    if run.worker_deaths >= WORKER_DEATHS:
        report = f"{run.worker_deaths} workers died while judging this file."
        verdicts.record(session, work, Verdict(state=State.FAILED, failure=report))
        return None
    if not run.is_private:
        judging.state = State.RUNNING
        session.flush()
    return _assignment(session, work, submission, lease, settings, is_private=is_private)


def _assignment(
    session: WriteSession,
    work: Work,
    submission: Submission,
    lease: Lease[Run],
    settings: CompetitionSettings,
    *,
    is_private: bool,
) -> Assignment:
    judging, run = work
    competition = session.get_one(Competition, judging.competition_id)
    truth = lookups.ground_truth(
        session, competition_id=competition.id, version=judging.ground_truth_version
    )
    return Assignment(
        judging_id=judging.id,
        lease=lease,
        file_sha256=submission.sha256,
        published_sha256=lookups.published_ids(session, competition_id=competition.id).sha256,
        truth_sha256=truth.sha256 or "",
        items_sha256=item_files.canonical_sha256(session, competition.id, settings),
        task=task_of(settings),
        max_expanded_bytes=settings.max_expanded_bytes,
        fingerprint_seed=fingerprint_seed(session, competition_id=competition.id),
        is_retry=run.child_deaths > 0,
        custom=_custom(session, work, settings, truth),
        in_background=is_private,
    )


def _custom(
    session: Session,
    work: Work,
    settings: CompetitionSettings,
    truth: GroundTruthVersion,
) -> CustomRun | None:
    """Returns the custom metric and how to run it, or None if no custom metric scores."""
    if not is_scored_by_custom_metric(settings):
        return None
    judging, chosen = work.judging, settings.own_metric
    stored = lookups.metric_in_force(session, judging.competition_id, settings)
    if chosen is None or stored is None:
        raise ValueError("the custom metric scores, and no version of it is named and stored")
    return CustomRun.of(
        session.get_one(Competition, judging.competition_id),
        settings,
        stored,
        arguments=chosen.arguments,
        solutions=truth.parts or {},
        seed=_derived(session, judging.competition_id, b"podium resamples", 4) or 0,
        splits=_splits(work),
        terms_sha256=judging.hits_sha256,
    )


def _splits(work: Work) -> tuple[str, ...]:
    if work.run.is_private:
        return ("private",)
    return ("public",) if work.judging.rejudging_id is None else ("public", "private")


def fingerprint_seed(session: Session, *, competition_id: str) -> int | None:
    """Returns the seed of the sampled queries. It is secret: a participant who knew it could leave
    exactly these queries unchanged."""
    return _derived(session, competition_id, b"podium fingerprints", 8)


def _derived(session: Session, competition_id: str, purpose: bytes, length: int) -> int | None:
    """Derives a number of `length` bytes from the competition's secret; None without a secret."""
    secret = session.get(CompetitionSecret, competition_id)
    if secret is None:
        return None
    digest = hmac.new(bytes.fromhex(secret.split_key), purpose, hashlib.sha256)
    return int.from_bytes(digest.digest()[:length], "little")
