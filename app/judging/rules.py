"""The consequence of a child that failed without an answer: a table, and the time of the next try.

A child that dies while its worker lives is the file's fault; what the machine or our own code did
is ours and is never charged.
"""

from __future__ import annotations

from enum import StrEnum

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


AT_ONCE = frozenset({"wall-time", "cpu-time", "file-size"})
"""Limits that a second try would only meet again."""

ONE_RETRY = frozenset({"memory", "crash", "no-answer"})


def consequence_of(failure: str, *, child_deaths: int) -> Consequence:
    """The consequence of a child's failure after `child_deaths` earlier ones of the same judging.

    >>> str(consequence_of("memory", child_deaths=0)), str(consequence_of("memory", child_deaths=1))
    ('retry', 'reject')
    """
    if failure == "stopped":
        return Consequence.HAND_BACK
    if failure in AT_ONCE:
        return Consequence.REJECT
    if failure in ONE_RETRY:
        return Consequence.REJECT if child_deaths else Consequence.RETRY
    return Consequence.LATER


def tries_after(failure: str) -> int:
    """The number of failures of ours after which a judging that failed for this reason is
    `failed`."""
    return TRIES_WITHOUT_MEMORY if failure == "lack-of-memory" else OWN_FAILURES


def seconds_until_retry(own_failures: int) -> float:
    """Seconds to wait after the n-th failure of ours, or the n-th try to read a ground truth that
    cannot be read: 2, 4, 8 …, at most 60."""
    return min(2.0 ** min(own_failures, 10), LONGEST_WAIT_SECONDS)
