"""Defines an engine, the implementation of a kind of task: published ids and ground truths, read,
written and judged.

A kind names the module with its engine, which is imported when it is needed: a judging of lists
starts without the code that judges tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from io import RawIOBase
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import polars as pl

from podium.scoring.fingerprint import FingerprintReader
from podium.scoring.items import ItemFile
from podium.scoring.problems import Problem
from podium.scoring.scores.extremes import Extremes
from podium.scoring.scores.result import ScoreResult, SplitScore
from podium.scoring.task import Task
from podium.scoring.uncertainty import Influence

if TYPE_CHECKING:
    # Judging one form loads none of the others.
    from podium.scoring.hits import Hits
    from podium.scoring.pairs.truth import TruePairs
    from podium.scoring.published import PublishedIds
    from podium.scoring.rows.keys import PublishedRows
    from podium.scoring.scores.moves import TableMoves
    from podium.scoring.scores.pair_answers import Answers
    from podium.scoring.tables.truth import TrueTable
    from podium.scoring.truth.canonical import GroundTruth

Progress = Callable[[float], None]


Published: TypeAlias = "PublishedIds | PublishedRows"
"""The published part of a task, which a submission must answer."""

Truth: TypeAlias = "GroundTruth | TruePairs | TrueTable"
"""The hidden part of a task: labels, the targets of pairs, or the solution of a table."""

Kept: TypeAlias = "Hits | Answers | TableMoves"
"""The part of a judging that is stored: hits of lists, numbers of pairs, or the influence of each
row of a table."""


class Weighable(Protocol):
    """Metrics of a submission that can be weighted into a score."""

    def weighted(
        self, metrics: Sequence[str], weights: Sequence[Fraction], /
    ) -> tuple[Mapping[int, Fraction], Influence | None]:
        """Computes Σ weight · value over the objectives, by split, each with its own metric, and
        the influence of each unit, where that is known."""


@dataclass(frozen=True, slots=True)
class Submitted:
    """A submission and all inputs of its judging."""

    file: Path
    task: Task
    published: Any
    truth: Any
    scratch: Path
    items: ItemFile | None
    kept_to: Path | None
    progress: Progress | None
    marks: FingerprintReader | None
    unpacked: RawIOBase | None


@dataclass(frozen=True, slots=True)
class Probing:
    """A competition whose range of scores is estimated, with the scores of a perfect file and of
    the sample; `score` judges any other file."""

    truth: Any
    published: Any
    task: Task
    perfect: ScoreResult
    sample: ScoreResult
    score: Callable[[Iterator[bytes]], ScoreResult]


Judged = tuple[dict[str, int], dict[str, SplitScore], *tuple[Any, ...]]
"""The counts of a valid file, its score on every split, and the further fields of a
`ScoreResult`."""


@dataclass(frozen=True)
class Engine:
    """Implements the parts of scoring that differ by the kind of task, with its own formats of
    published ids and ground truths. The functions of the package document each field."""

    published: type[Any]
    load_published: Callable[[Path, Task], Published]
    load_truth: Callable[..., Truth]
    read_published: Callable[..., Published]
    read_truth: Callable[..., tuple[Truth, Published]]
    undefined: Callable[[Any], Iterable[Problem]]
    """Finds the metrics of the task that have no value for a truth, whatever the predictions."""
    sides: Callable[[Any], pl.DataFrame]
    """Returns the `split` of each unit that has one, by its number (`whose`)."""
    judge: Callable[[Submitted], Judged]
    validate: Callable[..., dict[str, int]]
    sample: Callable[[Any, Task], Iterator[bytes]]
    perfect: Callable[[Any, Any, Task], Iterator[bytes]]
    extremes: Callable[[Probing], Extremes]
    counted: Callable[[SplitScore, Any, str], dict[str, int | None]]
    """The counts of an objective's score: labels found, `hits`, all labels, `denominator`, and
    `queries` that count. Of a micro average, the integers whose ratio it is."""
    keep: Callable[..., Kept]
    read_kept: Callable[[Path, Any], Kept]
    keeps: Callable[[str, Task], bool]
    """True for a diagnostic that can be computed from the stored part."""
    measure: Callable[[Sequence[str], Any], Weighable]
    """Computes the metrics of objectives, or one metric for all of them, from the stored part."""
    redraw: Callable[..., list[pl.Series] | None] = lambda *_: None
    """Computes bootstrap replicates of submissions over resampled units."""
    parts: Callable[[Any, Mapping[str, Path]], dict[str, str] | None] = lambda *_: None
    """Writes the truth of each split separately, where another process scores it; returns the
    hashes by the names of splits."""
