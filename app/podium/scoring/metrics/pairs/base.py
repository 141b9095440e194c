"""The form of a metric of pairs: values by split, and what each unit moves.

A metric is a frozen value with one method, `measure`, over the pairs of one objective. The unit (a
user, or an impression: `Task.unit`) is what is drawn and divided into splits, never the pair; so
every metric says how much each unit moves its value, from which standard errors, and those of
differences, follow: SE² = n / (n − 1) · Σ moves², over the n units of a split.

Results never depend on the order of rows, on chunks or on threads.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, Literal, Self

import polars as pl

from podium.scoring.metrics.base import Average
from podium.scoring.pairs.answers import ScoredPairs
from podium.scoring.task import TaskKind

Classes = Literal["any", "relevant in a split", "both in a split", "both in a unit"]
"""The targets that a metric needs: any; in each split some that are not 0; or also some that are 0,
in the split or in at least one unit of it."""


@dataclass(frozen=True)
class PairMeasure:
    """A metric over the pairs of a submission.

    `values` by split. `moves`: for each row of `ScoredPairs.units` the influence of that unit on
    the value of its split, Float64; they add up to 0 in each split. None where it is not known, and
    there is no standard error. `notes` are counts by name and split that help to read the value.
    """

    values: Mapping[int, Fraction]
    moves: pl.Series | None
    notes: Mapping[str, Mapping[int, int]] = field(default_factory=dict)


@dataclass(frozen=True)
class PairMetric(ABC):
    """A metric of numbers for pairs."""

    key: ClassVar[str]
    """The name without parameter."""
    formula: ClassVar[str]
    """The computation over the pairs of a split, as a sentence; `{k}` stands for K."""
    source: ClassVar[str]
    """The publication of the definition."""
    tasks: ClassVar[tuple[TaskKind, ...]]
    """The kinds of task that it suits."""
    averages: ClassVar[tuple[Average, ...]] = ()
    """There is nothing to choose: a metric says itself how pairs, or units, are averaged."""
    takes_k: ClassVar[str] = "never"
    """`never`, `always` or `perhaps`, as for ranked lists."""
    is_bounded: ClassVar[bool] = False
    """True where a perfect answer reaches exactly 1, and nothing more."""
    upper_bound: ClassVar[int | None] = None
    """The number above which there is no value, reached or not; None where there is none."""
    lower_bound: ClassVar[int | None] = 0
    """The number below which there is no value; None where there is none."""
    higher_is_better: ClassVar[bool] = True
    ranks: ClassVar[bool] = True
    """False where an answer that says nothing of use may be the best: it only tells."""
    needs_probabilities: ClassVar[bool] = False
    """True where numbers below 0 or above 1 mean nothing."""
    classes: ClassVar[Classes] = "any"

    @classmethod
    def made(cls, parameter: str | None) -> Self:
        """The metric with what stands behind the @ of its id. Raises ValueError."""
        if parameter is not None:
            raise ValueError(f"{cls.key} has nothing behind an @")
        return cls()

    @property
    def name(self) -> str:
        """The name, with its parameter where it has one."""
        return self.key

    @property
    def id(self) -> str:
        """The id, which is the name."""
        return self.name

    @property
    def k(self) -> int | None:
        """The number of candidates that count; None where all do."""
        return None

    @abstractmethod
    def measure(self, scored: ScoredPairs) -> PairMeasure:
        """The values, and what moves them."""
