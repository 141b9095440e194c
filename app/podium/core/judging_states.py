"""The states of a judging, as a table, and what each costs the team.

queued ──▶ judging ──▶ scored | rejected | failed
  │  ▲        │
  │  └────────┘  the worker died, or the child may be tried once more
  └──▶ cancelled ◀── judging
"""

from __future__ import annotations

from enum import StrEnum

from podium.errors.codes import ErrorCode
from podium.scoring.problems import Code

CHARGED_PROBLEMS = (Code.RESOURCE_LIMIT, Code.METRIC_REFUSED)
"""Problems of rejected files that may have met the ground truth, and are charged."""

METRIC_FAILED = str(ErrorCode.METRIC_FAILED)
"""The problem of a judging that failed because the custom metric did."""


class State(StrEnum):
    """Where a judging is. `rejected`: the file is at fault. `failed`: we are, or the custom
    metric is."""

    QUEUED = "queued"
    RUNNING = "judging"
    SCORED = "scored"
    REJECTED = "rejected"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_final(self) -> bool:
        """True if no other state follows."""
        return not TRANSITIONS[self]


TRANSITIONS: dict[State, frozenset[State]] = {
    State.QUEUED: frozenset({State.RUNNING, State.CANCELLED, State.FAILED}),
    State.RUNNING: frozenset(
        {State.QUEUED, State.SCORED, State.REJECTED, State.FAILED, State.CANCELLED}
    ),
    State.SCORED: frozenset(),
    State.REJECTED: frozenset(),
    State.FAILED: frozenset(),
    State.CANCELLED: frozenset(),
}
"""From each state, the states that may follow."""

FINAL_STATES = tuple(state for state in State if state.is_final)
"""States with a verdict or an end."""


def may_follow(before: State, after: State) -> bool:
    """True if a judging may go from one state to the other."""
    return after in TRANSITIONS[before]


def is_charged(state: State, *, problem_code: str | None, before: State = State.RUNNING) -> bool:
    """True if a submission in this state, and in another one `before`, uses up its quota slot.

    A bad file, our own failures, and files that are cancelled while they wait are free. A file that
    killed the child, that a custom metric refused or failed on, or that was cancelled while it ran
    is charged: it may have met the ground truth.
    """
    if state is State.REJECTED:
        return problem_code in CHARGED_PROBLEMS
    if state is State.FAILED:
        return problem_code == METRIC_FAILED
    if state is State.CANCELLED:
        return before is not State.QUEUED
    return True


class RejudgingState(StrEnum):
    """The state of a rejudging. `ready`: everything is judged, and it can be applied."""

    RUNNING = "running"
    READY = "ready"
    APPLIED = "applied"
    CANCELLED = "cancelled"
