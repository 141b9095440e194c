"""The tasks that run an organizer's code: checking a custom metric, and scoring one split with it.

Their children are isolated more closely than others, and are given nothing but what is named here:
never the file of a participant, never the other split.
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
"""The file that standard errors and comparisons come from, as raw little-endian float64: one number
for each row of the solution of the split, or one for each resample."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckMetric(SandboxTask[MetricChecked]):
    """Loads a custom metric (Python, or a zip with one package), looks at its function, and runs
    its doctests."""

    NAME: ClassVar = "check-metric"
    RESULT: ClassVar = MetricChecked
    RUNS_FOREIGN_CODE: ClassVar = True

    metric: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class RunMetric(MetricCall, SandboxTask[MetricRun]):
    """Scores one split with a custom metric. `hash_seed` is that of Python's hashes; None leaves it
    to chance."""

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
