"""The start of children: each by itself, and forked from a warm process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from podium.sandbox import SandboxTask

TASKS_MODULE = "benchmarks.children.tasks"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The score of a small table."""

    STATUS: ClassVar = "measured"

    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallMetric(SandboxTask[Measured]):
    """Scores a small table with pandas and scikit-learn, as a custom metric does."""

    NAME: ClassVar = "small-metric"
    RESULT: ClassVar = Measured
    RUNS_FOREIGN_CODE: ClassVar = True

    rows: int = 1000
