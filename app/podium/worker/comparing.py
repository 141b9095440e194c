"""Compares a new score with the best one shown to its team, for ladder boards."""

from __future__ import annotations

from dataclasses import replace

from podium.boards.service.stored_hits import StoredHits, looked_at
from podium.core.database.engine import Database
from podium.jobs.means import Means
from podium.judging.service.assignments import Assignment
from podium.sandbox.definitions.hits import FindError
from podium.sandbox.outputs import scratch_folder
from podium.standings.service import ladder
from podium.standings.service.ladder import LadderStep

FILE_BYTES = 64 << 20
"""Bytes that a child may write: only its runtime needs any."""


def compared(
    database: Database, assignment: Assignment, hits_sha256: str, means: Means
) -> LadderStep | None:
    """Returns the step from the team's best shown submission to this one, or None if there is
    nothing to compare with. A child always compares both, whichever scores higher. Raises
    `Unavailable`."""
    with database.read() as session:
        best = ladder.best_to_compare(session, judging_id=assignment.judging_id)
    if best is None or best.hits_sha256 is None:
        return None
    stored = StoredHits(
        hits=(hits_sha256, best.hits_sha256),
        version=best.ground_truth_version,
        truth_sha256=assignment.truth_sha256,
        published_sha256=assignment.published_sha256,
        task=assignment.task,
    )
    limits = replace(means.limits, file_bytes=FILE_BYTES)
    with scratch_folder(means.scratch) as folder:
        small = replace(means, limits=limits, scratch=folder)
        found = looked_at(stored, lambda judged: FindError(judged=judged), small)
    return LadderStep(best.judging_id, found.standard_error)
