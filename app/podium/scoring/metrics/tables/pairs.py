"""Metrics of scored pairs, for tables with one column of numbers: each row is a pair, and alone.

The metrics are those of `metrics.pairs`, and so are their values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeVar

import polars as pl

from podium.scoring.metrics.pairs.base import PairMetric
from podium.scoring.metrics.pairs.calibration import CalibrationError
from podium.scoring.metrics.pairs.decisions import BinaryF1
from podium.scoring.metrics.pairs.precision import PrecisionRecallArea
from podium.scoring.metrics.pairs.probabilities import NormalizedEntropy, RelativeCrossEntropy
from podium.scoring.metrics.tables.base import TableMeasure, TableMetric, TargetRows, TruthForm
from podium.scoring.metrics.tables.forms import NUMBERS, lack_of_binary, numbers_of
from podium.scoring.pairs.answers import ScoredPairs
from podium.scoring.splits import ALL
from podium.scoring.tables.columns import ColumnType

Base = TypeVar("Base", bound="OfPairs")


def scored_pairs(rows: TargetRows) -> ScoredPairs:
    """Rows of one column of numbers as pairs, each of a unit of its own."""
    truth, answers = numbers_of(rows)
    split, one = pl.lit(ALL, dtype=pl.UInt8), pl.lit(1, dtype=pl.UInt32)
    slots = pl.int_range(rows.count, dtype=pl.UInt32, eager=True).alias("slot")
    units = slots.to_frame().select(split=split, pairs=one, slot="slot").drop("slot")
    return ScoredPairs(
        numbers=answers.rename("number"),
        targets=truth.rename("target"),
        side=units["split"],
        slots=slots,
        units=units,
        splits=(ALL,),
    )


def measure_pairs(metric: PairMetric, rows: TargetRows) -> TableMeasure:
    """A metric of pairs over rows without weights."""
    found = metric.measure(scored_pairs(rows))
    notes = {name: counts[ALL] for name, counts in found.notes.items()}
    return TableMeasure(found.values[ALL], found.moves, notes)


def lack_of_one_class(rows: TargetRows) -> str | None:
    """The reason why a truth is not of both 0 and 1."""
    lack = lack_of_binary(rows)
    if lack is None:
        positive = numbers_of(rows)[0] > 0
        lack = None if positive.any() and not positive.all() else "all rows are of one class"
    return lack


@dataclass(frozen=True)
class OfPairs(TableMetric):
    """A metric of pairs, as it is: without weights."""

    truth_form: ClassVar[TruthForm] = "class"
    takes_weights: ClassVar[bool] = False
    types_of_one: ClassVar[tuple[ColumnType, ...]] = NUMBERS
    pair: ClassVar[type[PairMetric]]

    def lack(self, rows: TargetRows) -> str | None:
        """Truths that are no class of two, or all of one where both are needed."""
        return lack_of_binary(rows) if self.pair.classes == "any" else lack_of_one_class(rows)

    def of_pairs(self) -> PairMetric:
        """The metric that measures."""
        return self.pair()

    def measure(self, rows: TargetRows) -> TableMeasure:
        """As for pairs of units of one."""
        return measure_pairs(self.of_pairs(), rows)


@dataclass(frozen=True)
class BinaryF1OfTables(OfPairs):
    """F1 of what is decided by a threshold, as for pairs."""

    hundredths: int = 50
    """The threshold, 1 to 99."""

    def __post_init__(self) -> None:
        """Refuses a threshold that decides nothing."""
        self.of_pairs()

    @property
    def name(self) -> str:
        """The name, with its threshold where that is not 0.5."""
        return self.of_pairs().name

    def of_pairs(self) -> PairMetric:
        """The metric with this threshold."""
        return BinaryF1(self.hundredths)


def _of_tables(pair: type[PairMetric], base: type[Base]) -> type[Base]:
    """A metric of pairs as one of tables, under the same name and with the same definition."""
    shared = (
        "key",
        "formula",
        "source",
        "is_bounded",
        "upper_bound",
        "lower_bound",
        "higher_is_better",
        "ranks",
        "needs_probabilities",
    )
    members = {name: getattr(pair, name) for name in shared}
    return type(
        f"{pair.__name__}OfTables", (base,), {**members, "pair": pair, "__doc__": pair.__doc__}
    )


F1_OF_TABLES: type[BinaryF1OfTables] = _of_tables(BinaryF1, BinaryF1OfTables)

METRICS_OF_PAIRS: tuple[type[TableMetric], ...] = (
    F1_OF_TABLES,
    _of_tables(PrecisionRecallArea, OfPairs),
    _of_tables(NormalizedEntropy, OfPairs),
    _of_tables(RelativeCrossEntropy, OfPairs),
    _of_tables(CalibrationError, OfPairs),
)
"""The metrics of this family."""
