"""Checks that a leaderboard can hold the numbers of a metric: the same wherever a metric is run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from podium.custom_metric_runner.values import MetricRun

SHOWN_BITS = 62
"""The most bits of a score, as an integer in units of its last shown digit."""


@dataclass(frozen=True, slots=True)
class Board:
    """The further numbers that a competition's diagnostics use, and the decimals of its
    leaderboard."""

    numbers: Sequence[str]
    decimals: int

    def held(self, run: MetricRun) -> MetricRun:
        """Checks a cleaned run; one with a missing number, or one that the leaderboard cannot hold,
        has failed, and its report explains why."""
        if run.outcome != "measured":
            return run
        assert run.score is not None, "a cleaned run that measured has a score"
        numbers = run.numbers or {}
        for name in self.numbers:
            if name not in numbers:
                return _failed(
                    run,
                    f"The metric told no finite number {name}, which is one of the diagnostics.",
                )
        bound = (1 << SHOWN_BITS) / 10**self.decimals
        found = {"the score": run.score, **{name: numbers[name] for name in self.numbers}}
        for name, text in found.items():
            if abs(value := float.fromhex(text)) >= bound:
                return _failed(
                    run,
                    f"{name.capitalize()} is {value:.4g}: with {self.decimals} decimals a board"
                    f" holds numbers below {bound:.4g}. Scale it, or set fewer `decimals`.",
                )
        return run


def _failed(run: MetricRun, report: str) -> MetricRun:
    return replace(run.without_score(), outcome="failed", report=report)
