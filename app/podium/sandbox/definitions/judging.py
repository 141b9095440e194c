"""The task of judging a submission."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from podium.sandbox import SandboxTask
from podium.scoring.task import Task

HITS = "hits.parquet"
"""The name of the file of hits that a judging writes into its folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgingInputs:
    """The form of a submission, and the files of the published ids and of the canonical truth that
    it is scored against, with the hash of the latter."""

    task: Task
    published: Path
    truth: Path
    truth_sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Counts of a submission's rows."""

    rows: int
    missing: int
    empty: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitFigures:
    """The figures of one split, as in `scoring.scores.result.SplitScore`; exact values are texts
    `p/q`."""

    hits: Mapping[str, int]
    denominators: Mapping[str, int]
    queries: Mapping[str, int]
    values: Mapping[str, str]
    diagnostics: Mapping[str, Mapping[str, str]]
    standard_error: float | None
    diagnostic_errors: Mapping[str, float | None]
    notes: Mapping[str, Mapping[str, Mapping[str, int]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthFigures:
    """Statistics of the lists of one objective, as in `scoring.lists.statistics.ListLengths`."""

    k: int
    lists: int
    empty: int
    full: int
    items: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueFigures:
    """Statistics of the lists against the catalogue, as in `CatalogueUse` there."""

    items: int
    predicted: int
    unknown: int
    without_zeros: int
    as_floats: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFigures:
    """Statistics of the lists themselves, as in `ListStatistics` there."""

    objectives: Mapping[str, LengthFigures]
    counted_share: int
    distinct: int | None
    catalogue: CatalogueFigures | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FingerprintFigures:
    """The fingerprint of a file, by which similar files are found; `sketch` is in hexadecimal
    digits."""

    scheme: str
    content: str
    sketch: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A good file. `metrics` maps each objective to its metric; `scores` has the weighted score of
    each split as text `p/q`, `diagnostic_scores` the same for each diagnostic. `lists` is None
    unless the submission has lists; `form` is in words, and empty for the usual one."""

    STATUS: ClassVar = "scored"

    counts: Counts
    splits: Mapping[str, SplitFigures]
    scorer_version: str
    metrics: Mapping[str, str]
    scores: Mapping[str, str]
    diagnostic_scores: Mapping[str, Mapping[str, str]]
    fingerprint: FingerprintFigures | None
    lists: ListFigures | None
    form: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeFile(JudgingInputs, SandboxTask[Judged]):
    """Scores a submission against canonical truth; leaves the file `HITS`."""

    NAME: ClassVar = "judge"
    RESULT: ClassVar = Judged
    LEAVES: ClassVar = (HITS,)

    file: Path
    items: Path | None = None
    items_sha256: str | None = None
    fingerprint_seed: int | None = None
