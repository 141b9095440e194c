"""The tasks that run an organizer's code: checking a metric file, and scoring one split with it.

Their children are isolated more closely than others, and are given nothing but what is named here:
never the file of a participant, never the other split.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from podium.sandbox import SandboxTask

TERMS = "terms.bin"
"""The file that standard errors and comparisons come from, as raw little-endian float64: one number
for each row of the solution of the split, or one for each resample."""

MOST_VISIBLE_CHARACTERS = 280
"""Characters of the text that a metric may say to a participant; the rest is cut off."""

MOST_OUTPUT_BYTES = 64 << 10
"""Bytes of what a metric prints that are kept for the organizer: the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnArgument:
    """A further argument of a metric's function: its annotated type (`bool`, `int`, `float`, `str`)
    and, as JSON, its default; `is_required` where it has none."""

    name: str
    type: str
    is_required: bool
    default: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeProblem:
    """Something that is wrong with a metric file, and the line of it (from 1) where known; `file`
    is the name within a package."""

    code: str
    detail: str
    line: int | None = None
    file: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricChecked:
    """A metric file that was looked at; it is accepted where there are no `problems`.

    `shape` is `kaggle` (its function takes pandas frames and answers a number) or `podium` (Polars
    frames, a result with several numbers). `packages` are the names and versions of what it may
    import; `doctests` the number of examples that were run.
    """

    STATUS: ClassVar = "checked"

    problems: tuple[CodeProblem, ...]
    shape: Literal["kaggle", "podium"] | None
    arguments: tuple[OwnArgument, ...]
    has_per_row: bool
    doctests: int
    description: str
    """The docstring of `score`, or of the file."""
    packages: Mapping[str, str]
    output: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckMetric(SandboxTask[MetricChecked]):
    """Loads a metric file (Python, or a zip with one package), looks at its function, and runs its
    doctests."""

    NAME: ClassVar = "check-metric"
    RESULT: ClassVar = MetricChecked
    RUNS_FOREIGN_CODE: ClassVar = True

    metric: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricRun:
    """The end of a run for one split. `outcome`: `measured` has `score` and `numbers` by name, each
    as hexadecimal text of a float64, and `standard_error` if there is one; `refused` has `text` for
    the participant; `failed` has `report`, a traceback for the organizer only.

    `terms` says what `TERMS` holds: `rows`, numbers whose mean is the score; `resamples`, the score
    of each resample; `none`.
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
    processor: str = ""
    """The processor's name and the packages' versions, for the receipt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunMetric(SandboxTask[MetricRun]):
    """Scores one split with an organizer's metric.

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
    arguments: Mapping[str, bool | int | float | str | None]
    columns: Path
    solution: Path
    id_column: str
    cluster_column: str = ""
    numbers: tuple[str, ...] = ()
    resamples: int = 0
    seed: int = 0
    hash_seed: int | None = None
    shuffled_by: int | None = None
    """The seed of an order in which rows are handed over instead of the solution's: a launch tries
    whether the score depends on it."""
