"""The consequence of a child that failed without an answer: a table, and the time of the next try.

A child that dies while its worker lives is the file's fault; what the machine or our own code did
is ours and is never charged.
"""

from __future__ import annotations

from enum import StrEnum

from podium.sandbox import FailureReason

OWN_FAILURES = 5
"""After so many failures of ours, people shall look at it: the judging is `failed`."""

TRIES_WITHOUT_MEMORY = 10
"""A machine is full for a while: five minutes are given to it, before the judging is `failed`."""

LONGEST_WAIT_SECONDS = 60.0


class Consequence(StrEnum):
    """The next step of the judging."""

    RETRY = "retry"
    """At once, with more memory: the end may have been bad luck."""
    REJECT = "reject"
    """The file uses more than it may: `resource-limit`, charged."""
    LATER = "later"
    """We failed: again after a while, then `failed`."""
    HAND_BACK = "hand-back"
    """Another worker shall do it; nothing is counted."""


def consequence_of(failure: FailureReason, *, child_deaths: int) -> Consequence:
    """The consequence of a child's failure after `child_deaths` earlier ones of the same judging.

    >>> [str(consequence_of(FailureReason.MEMORY, child_deaths=deaths)) for deaths in (0, 1)]
    ['retry', 'reject']
    """
    match failure:
        case FailureReason.STOPPED:
            return Consequence.HAND_BACK
        case FailureReason.WALL_TIME | FailureReason.CPU_TIME | FailureReason.FILE_SIZE:
            # Limits that a second try would only meet again.
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
    """The number of failures of ours after which a judging that failed for this reason is
    `failed`."""
    return TRIES_WITHOUT_MEMORY if failure is FailureReason.LACK_OF_MEMORY else OWN_FAILURES


def seconds_until_retry(own_failures: int) -> float:
    """Seconds to wait after the n-th failure of ours, or the n-th try to read a ground truth that
    cannot be read: 2, 4, 8 …, at most 60."""
    return min(2.0 ** min(own_failures, 10), LONGEST_WAIT_SECONDS)
