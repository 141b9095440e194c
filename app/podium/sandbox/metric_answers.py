"""The answers of children that run an organizer's code: the code may have written them itself, even
a claim that the fault was ours.

Shared by the server and the command line, which use such answers only after this cleaning.
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
"""Failures that say nothing about the code in the child, only about the machine or its settings.
All others are the code's own."""

NO_ANSWER = "no-answer"
"""The code of the problem of a file whose code ended the process that loaded it."""


def run_of(result: Result[MetricRun | Rejected], board: Board) -> MetricRun:
    """Returns the run that a child reports, cleaned: a failed one if the code ended the child
    without a report, or if the board cannot store its numbers."""
    if isinstance(result.answer, MetricRun):
        return board.held(cleaned(result.answer))
    return cleaned(MetricRun(outcome="failed", report=_end_of(result)))


def check_of(result: Result[MetricChecked | Rejected]) -> MetricChecked:
    """Returns the check of a custom metric that a child reports, cleaned likewise."""
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
