"""The answers of children that run an organizer's code: the code may have said them itself, also
that the fault was ours.

Shared by the server and the command line; nothing else of such an answer is looked at before.
"""

from __future__ import annotations

from typing import Any

from podium.custom_metric_runner.answers import cleaned, cleaned_check
from podium.custom_metric_runner.boards import Board
from podium.custom_metric_runner.values import CodeProblem, MetricChecked, MetricRun
from podium.sandbox import FailureReason, Rejected, Result

OF_THE_MACHINE = frozenset(
    {
        FailureReason.STOPPED,
        FailureReason.NOT_STARTED,
        FailureReason.NOT_ISOLATED,
        FailureReason.NOT_ALLOWED,
        FailureReason.LACK_OF_MEMORY,
    }
)
"""Ends of a child that say nothing about the code in it, but of the machine, or of what is allowed
there. All others are the code's own."""

NO_ANSWER = "no-answer"
"""Code of the problem of a file whose code ended the process that loaded it."""


def run_of(result: Result[MetricRun | Rejected], board: Board) -> MetricRun:
    """The run that a child tells of, cleaned; one that failed where the child was ended by its code
    without telling of any, and where the board cannot hold its numbers."""
    if isinstance(result.answer, MetricRun):
        return board.held(cleaned(result.answer))
    return cleaned(MetricRun(outcome="failed", report=_end_of(result)))


def check_of(result: Result[MetricChecked | Rejected]) -> MetricChecked:
    """The same for the look at a custom metric."""
    if isinstance(result.answer, MetricChecked):
        return cleaned_check(result.answer)
    problem = CodeProblem(code=NO_ANSWER, detail=_end_of(result))
    return cleaned_check(
        MetricChecked(
            problems=(problem,),
            shape=None,
            arguments=(),
            has_per_row=False,
            doctests=0,
            description="",
            packages={},
            output="",
        )
    )


def _end_of(result: Result[Any]) -> str:
    ended = result.failure or "an answer to another task"
    return f"The code ended the process that ran it: {ended}. {result.report}".rstrip()
