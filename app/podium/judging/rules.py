"""Rules for a child that failed without an answer: the consequence for its judging, and the time of
the next try.

A child that dies while its worker lives is the file's fault; a failure of the machine or of our own
code is ours and is never charged.
"""

from __future__ import annotations

from enum import StrEnum

from podium.sandbox import FailureReason

OWN_FAILURES = 5
"""Failures of ours after which a judging is `failed`: then a person must look at it."""

TRIES_WITHOUT_MEMORY = 10
"""Tries on a machine without free memory before the judging is `failed`: about five minutes,
because such shortages pass."""

LONGEST_WAIT_SECONDS = 60.0


class Consequence(StrEnum):
    """The next step of the judging."""

    RETRY = "retry"
    """At once, with more memory: the failure may have been bad luck."""
    REJECT = "reject"
    """The file exceeds a limit: `resource-limit`, charged."""
    LATER = "later"
    """We failed: retried after a while, and `failed` after a few tries."""
    HAND_BACK = "hand-back"
    """Back to the queue for another worker; no failure is counted."""


def consequence_of(failure: FailureReason, *, child_deaths: int) -> Consequence:
    """Returns the consequence of a child's failure, after `child_deaths` earlier ones of the same
    judging.

    >>> [str(consequence_of(FailureReason.MEMORY, child_deaths=deaths)) for deaths in (0, 1)]
    ['retry', 'reject']
    """
    match failure:
        case FailureReason.STOPPED:
            return Consequence.HAND_BACK
        case FailureReason.WALL_TIME | FailureReason.CPU_TIME | FailureReason.FILE_SIZE:
            # A second try would meet the same limits.
            return Consequence.REJECT
        case FailureReason.MEMORY | FailureReason.CRASH | FailureReason.NO_ANSWER:
            return Consequence.REJECT if child_deaths else Consequence.RETRY
        case (  # pragma: no branch - mypy refuses a failure that no case names
            FailureReason.LACK_OF_MEMORY
            | FailureReason.NOT_STARTED
            | FailureReason.NOT_ISOLATED
            | FailureReason.NOT_ALLOWED
            | FailureReason.OUR_ERROR
        ):
            return Consequence.LATER


def tries_after(failure: FailureReason) -> int:
    """Returns how many failures of ours for this reason make a judging `failed`."""
    return TRIES_WITHOUT_MEMORY if failure is FailureReason.LACK_OF_MEMORY else OWN_FAILURES


def seconds_until_retry(own_failures: int) -> float:
    """Returns the seconds to wait after the n-th failure of ours, or the n-th failed try to read a
    ground truth: 2, 4, 8 …, at most 60."""
    return min(2.0 ** min(own_failures, 10), LONGEST_WAIT_SECONDS)
