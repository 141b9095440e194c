"""The tasks that run an organizer's code: checking a custom metric, and scoring one split with it.

Their children are isolated more closely than others, and are given nothing but what is named here:
never the file of a participant, never the other split.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from podium.custom_metric_runner.values import (
    Argument,
    CodeProblem,
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
class RunMetric(SandboxTask[MetricRun]):
    """Scores one split with a custom metric.

    `columns` are a submission's canonical columns, all rows in published order; `solution` is the
    solution of one split. `arguments` are the values of the function's further arguments;
    `numbers` the names that may be told beside the score. `resamples` counts the bootstrap's runs
    where it tells no terms of rows, over rows or, with a `cluster_column`, over clusters; `seed` is
    that of their draws. `hash_seed` is that of Python's hashes; None leaves it to chance.
    """

    NAME: ClassVar = "run-metric"
    RESULT: ClassVar = MetricRun
    LEAVES: ClassVar = (TERMS,)
    RUNS_FOREIGN_CODE: ClassVar = True

    metric: Path
    arguments: Mapping[str, Argument]
    columns: Path
    solution: Path
    id_column: str
    cluster_column: str = ""
    numbers: tuple[str, ...] = ()
    resamples: int = 0
    seed: int = 0
    hash_seed: int | None = None
    is_lenient: bool = False
    """True for a version that was in force before a rule came that it breaks: it goes on."""
    shuffled_by: int | None = None
    """The seed of an order in which rows are handed over instead of the solution's: a launch tries
    whether the score depends on it."""


__all__ = [
    "TERMS",
    "CheckMetric",
    "CodeProblem",
    "MetricChecked",
    "MetricRun",
    "RunMetric",
]
