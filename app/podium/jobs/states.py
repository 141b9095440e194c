"""The times for which outcomes of jobs are kept, and until one that failed is tried again."""

from __future__ import annotations

from datetime import timedelta

from podium.core.leases import JobState
from podium.scoring.problems import Code

KEPT = timedelta(hours=1)
"""Time that the outcome of a job is kept for identical requests: its client comes back for it
within seconds, and repeated views are not computed anew each time."""

FAILURE_KEPT = timedelta(seconds=15)
"""Time that a failure of ours is kept: a client that comes back for the outcome hears of it, and
one that tries again later has it tried again."""

OWN_FAILURES = 3
"""After so many failures of ours a job is `failed`."""


def kept_for(state: JobState, *, result_kept: timedelta, problem_code: str | None) -> timedelta:
    """The time that the outcome of a job answers identical requests. What used up memory or time
    may succeed on a machine that has more."""
    if state is JobState.DONE:
        return result_kept
    if state is JobState.REFUSED and problem_code != Code.RESOURCE_LIMIT:
        return KEPT
    return FAILURE_KEPT


def wait_after(own_failures: int) -> timedelta:
    """The time to wait after the n-th failure of ours: 1, 2 … seconds."""
    return timedelta(seconds=2 ** (own_failures - 1))
