"""The tasks that run an organizer's code: checking a custom metric, and scoring one split with it.

Their children are isolated more strictly than others, and get nothing but the files named here:
never a participant's file, never the other split.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from podium.custom_metric_runner.values import (
    CodeProblem,
    MetricCall,
    MetricChecked,
    MetricRun,
)
from podium.sandbox import SandboxTask

TERMS = "terms.bin"
"""The file from which standard errors and comparisons are computed: raw little-endian float64, one
number for each row of the split's solution, or one for each resample."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckMetric(SandboxTask[MetricChecked]):
    """Loads a custom metric (Python, or a zip with one package), checks its function, and runs its
    doctests."""

    NAME: ClassVar = "check-metric"
    RESULT: ClassVar = MetricChecked
    RUNS_FOREIGN_CODE: ClassVar = True

    metric: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class RunMetric(MetricCall, SandboxTask[MetricRun]):
    """Scores one split with a custom metric. `hash_seed` is the seed of Python's hashes; None:
    random."""

    NAME: ClassVar = "run-metric"
    RESULT: ClassVar = MetricRun
    LEAVES: ClassVar = (TERMS,)
    RUNS_FOREIGN_CODE: ClassVar = True

    hash_seed: int | None = None


__all__ = [
    "TERMS",
    "CheckMetric",
    "CodeProblem",
    "MetricChecked",
    "MetricRun",
    "RunMetric",
]
