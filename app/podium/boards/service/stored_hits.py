"""Evaluation of stored hits, or errors of ratings, after the judging: the input of a child, and the
meaning of its result.

Hits are as secret as the ground truth. They are read in the sandbox only, and the results go to
organizers, or to teams once the competition is revealed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from sqlalchemy.orm import Session

from podium.core import lookups
from podium.core.configuration import settings_of, task_of
from podium.core.judging_states import State
from podium.core.models import Competition
from podium.errors import Unavailable, WrongState
from podium.errors.codes import ErrorCode
from podium.jobs.means import Means
from podium.logs import get_logger
from podium.materials.service.ground_truth_reading import PUBLISHED_AREA
from podium.sandbox import Answer, FailureReason, Rejected, SandboxTask
from podium.sandbox.answers import error_for, not_isolated
from podium.sandbox.definitions.hits import HitsRef
from podium.scoring.task import Task
from podium.storage import Area
from podium.submissions.service.submissions import Found

RETRY_SECONDS = 30

MOST_SECONDS = 120.0
"""Timeout of a child that a request waits for."""

_log = get_logger("boards")


@dataclass(frozen=True, slots=True)
class StoredHits:
    """The hits of some submissions under one version of the ground truth, by their hashes."""

    hits: tuple[str, ...]
    version: int
    truth_sha256: str
    published_sha256: str
    task: Task


def stored_hits(
    session: Session, *, competition: Competition, found: Sequence[Found]
) -> StoredHits:
    """Finds the stored hits of the effective judgings of these submissions.

    Raises `WrongState`: `not-scored`, or `different-ground-truth` where they were judged against
    different versions.
    """
    hits = []
    for each in found:
        stored = lookups.hits_of(session, each.judging)
        if each.judging.state != State.SCORED or stored is None:
            raise WrongState(
                f"Submission {each.submission.id} has no score.", code=ErrorCode.NOT_SCORED
            )
        hits.append(stored)
    versions = sorted({each.judging.ground_truth_version for each in found})
    if len(versions) > 1:
        raise WrongState(
            "The submissions were judged against different versions of the ground truth"
            f" ({', '.join(map(str, versions))}). Rejudge the older ones first.",
            code=ErrorCode.DIFFERENT_GROUND_TRUTH,
            versions=versions,
        )
    truth = lookups.ground_truth(session, competition_id=competition.id, version=versions[0])
    return StoredHits(
        hits=tuple(hits),
        version=versions[0],
        truth_sha256=truth.sha256 or "",
        published_sha256=lookups.published_ids(session, competition_id=competition.id).sha256,
        task=task_of(settings_of(competition)),
    )


def looked_at(
    stored: StoredHits, wanted: Callable[[HitsRef], SandboxTask[Answer]], means: Means
) -> Answer:
    """Runs a task about these hits in the sandbox; raises `Unavailable` when a child gives no
    answer, in time or at all."""
    storage = means.storage
    with ExitStack() as files:
        hits = [files.enter_context(storage.local(Area.HITS, sha256)) for sha256 in stored.hits]
        truth = files.enter_context(storage.local(Area.GROUND_TRUTH, stored.truth_sha256))
        ids = files.enter_context(storage.local(PUBLISHED_AREA, stored.published_sha256))
        judged = HitsRef(
            hits=tuple(hits),
            task=stored.task,
            published=ids,
            truth=truth,
            truth_sha256=stored.truth_sha256,
        )
        task = wanted(judged)
        result = means.run(task)
    if result.failure is FailureReason.NOT_ISOLATED:
        raise error_for(not_isolated().problem)
    # These are files of ours: there is no participant whose file could be rejected.
    if result.answer is None or isinstance(result.answer, Rejected):
        failure, report = result.failure, result.report[:2000]
        log = _log.info if failure is FailureReason.STOPPED else _log.error
        log("hits.not-read", task=task.NAME, failure=failure, report=report)
        raise Unavailable(
            f"This took too long or too much memory ({failure}). Try again later.",
            code=ErrorCode.NOT_COMPUTED,
            retry_after=RETRY_SECONDS,
        )
    return result.answer
