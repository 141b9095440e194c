"""Values that are exchanged between a custom metric's process and its callers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar, Literal

Shape = Literal["kaggle", "podium"]
"""The shape of `score`. `kaggle`: takes pandas frames and returns a number. `podium`: takes Polars
frames and returns a result with several numbers."""

Argument = bool | int | float | str | None
"""The value of a further argument of a metric's function."""

MAX_VISIBLE_CHARACTERS = 280
"""The most characters of a metric's message to a participant; the rest is cut off."""

MAX_OUTPUT_BYTES = 64 << 10
"""Bytes of a metric's output that are retained for the organizer: the end."""

MAX_REPORT_CHARACTERS = 16_000
"""Characters of a traceback that are retained for the organizer: the end."""

MAX_DETAIL_CHARACTERS = 2_000
"""The most characters of one problem of a custom metric."""

MAX_PROBLEMS = 50
"""The most problems of a custom metric that are reported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomArgument:
    """A further argument of a metric's function: its annotated type (`bool`, `int`, `float`, `str`)
    and, as JSON, its default; `is_required` where it has none."""

    name: str
    type: str
    is_required: bool
    default: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeProblem:
    """A problem of a custom metric, with its line (from 1) where known; `file` is the name within a
    package."""

    code: str
    detail: str
    line: int | None = None
    file: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricCall:
    """One run on a split, with the files and values that it needs.

    `columns` are a submission's canonical columns, all rows in published order; `solution` is the
    solution of the split. `arguments` are the values of the function's further arguments; `numbers`
    the names that may be reported beside the score. `resamples` is the number of bootstrap runs
    where the metric returns no terms of rows, over rows or, with a `cluster_column`, over clusters;
    `seed` is that of their draws.
    """

    metric: Path
    columns: Path
    solution: Path
    id_column: str
    arguments: Mapping[str, Argument] = field(default_factory=dict)
    cluster_column: str = ""
    numbers: tuple[str, ...] = ()
    resamples: int = 0
    seed: int = 0
    is_lenient: bool = False
    """True for a version that was accepted before a rule was added that it breaks: it remains
    valid."""
    shuffled_by: int | None = None
    """The seed of an order in which rows are passed instead of the solution's: a launch tests
    whether the score depends on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricChecked:
    """The result of checking a custom metric; it is accepted where there are no `problems`.

    `packages` are the names and versions of the packages that it may import; `doctests` is the
    number of examples that were run.
    """

    STATUS: ClassVar = "checked"

    problems: tuple[CodeProblem, ...]
    shape: Shape | None
    arguments: tuple[CustomArgument, ...]
    has_per_row: bool
    doctests: int
    description: str
    """The docstring of `score`, or of the file."""
    packages: Mapping[str, str]
    output: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricRun:
    """The result of a run for one split. `outcome`: `measured` has `score` and `numbers` by name,
    each as hexadecimal text of a float64, and `standard_error` if there is one; `refused` has
    `text` for the participant; `failed` has `report`, a traceback for the organizer only.

    `terms` is the kind of the file of terms: `rows`, numbers whose mean is the score; `resamples`,
    the score of each resample, NaN where it lacks one; `none`.
    """

    STATUS: ClassVar = "run"

    outcome: Literal["measured", "refused", "failed"]
    score: str | None = None
    numbers: Mapping[str, str] | None = None
    standard_error: float | None = None
    terms: Literal["rows", "resamples", "none"] = "none"
    rows: int = 0
    text: str = ""
    report: str = ""
    output: str = ""
    warnings: tuple[str, ...] = ()
    """Problems for which a new version would be refused, while this older one remains valid."""
    processor: str = ""
    """The processor's name and the packages' versions, for the receipt."""

    def without_score(self) -> MetricRun:
        """Drops the score, and all that belongs to it."""
        return replace(self, score=None, numbers=None, standard_error=None, terms="none")
