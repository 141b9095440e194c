"""For how long a job's outcome is stored, and when a failed job is retried."""

from __future__ import annotations

from datetime import timedelta

from podium.core.leases import WorkState
from podium.scoring.problems import Code

KEPT = timedelta(hours=1)
"""The time for which a job's outcome answers identical requests: its client
fetches it within seconds, and repeated views need not be computed anew."""

FAILURE_KEPT = timedelta(seconds=15)
"""The time for which a failure of ours is stored: long enough for the waiting
client to learn of it, and short enough that a later request tries anew."""

OWN_FAILURES = 3
"""Failures of ours after which a job is `failed`."""


def kept_for(state: WorkState, *, result_kept: timedelta, problem_code: str | None) -> timedelta:
    """Returns how long the outcome of a job answers identical requests. Work that exceeded a limit
    of memory or time is soon tried anew: it may succeed on a machine that has more."""
    if state is WorkState.DONE:
        return result_kept
    if state is WorkState.REFUSED and problem_code != Code.RESOURCE_LIMIT:
        return KEPT
    return FAILURE_KEPT


def wait_after(own_failures: int) -> timedelta:
    """Returns the wait after the n-th failure of ours: 1, 2, 4 … seconds."""
    return timedelta(seconds=2 ** (own_failures - 1))
