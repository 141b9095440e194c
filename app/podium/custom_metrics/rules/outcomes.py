"""Outcomes of runs of a metric, as trials and launches use them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from podium.custom_metric_runner.values import MetricRun

SPLITS = ("public", "private")

AGREEING = "chance"
"""The file that is scored with each of the hash seeds, and with a shuffled solution."""

FILES = ("perfect", "sample", AGREEING, "shuffled")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOutcome(MetricRun):
    """The outcome of one run; `line` is that of the custom metric where it failed, if known."""

    seconds: float
    line: int | None = None

    @property
    def value(self) -> float | None:
        """The score as a float; None if there is none, or if it is not finite."""
        return None if self.score is None else finite(float.fromhex(self.score))


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """A run on one of `FILES` and a split, in a process with this seed of Python's hashes, or with
    a random one; `is_reordered` with the solution's rows in another order."""

    file: str
    split: str
    hash_seed: int | None
    is_reordered: bool = False


@dataclass(frozen=True, slots=True)
class ProbeRun:
    """A run before a launch, with its outcome."""

    planned: PlannedRun
    outcome: RunOutcome


@dataclass(frozen=True, slots=True)
class CustomProbed:
    """The runs, and how many were skipped because they would have taken too long. `unmatched` are
    columns whose perfect values the solution does not contain; with a `refusal`, the reason why the
    sample submission was not accepted, there are no runs."""

    runs: tuple[ProbeRun, ...]
    unmatched: tuple[str, ...] = ()
    refusal: str = ""
    left_out: int = 0


def finite(value: float) -> float | None:
    """Returns the number if it is finite, else None."""
    return value if math.isfinite(value) else None
