"""Computes areas under the ROC curve: the probability that a positive row scores above a negative
one, over all rows of a split, unit by unit, or column by column. Rows with the same score count
half.

Only the order of numbers matters: any increasing function of them gives the same value.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

import polars as pl

from podium.scoring.columns import ColumnType
from podium.scoring.kernel.ranks import pair_columns, placements
from podium.scoring.metrics.rows.base import (
    Classes,
    OfSplit,
    RowMeasure,
    RowMetric,
    SplitMetric,
    split_by_split,
)
from podium.scoring.metrics.rows.binary.precision import ScoreSteps
from podium.scoring.metrics.rows.forms import (
    NUMBERS,
    BinaryMetric,
    lack_of_classes,
    lack_of_one_class,
    lack_of_ones,
    true_class,
)
from podium.scoring.metrics.rows.means import SIDES, exact_sum, mean_of, mean_over_units, slices
from podium.scoring.metrics.rows.targets import TargetRows
from podium.scoring.metrics.sums import exact_sums, sums_by_slot
from podium.scoring.repeating import repeat
from podium.scoring.splits import ALL


@dataclass(frozen=True)
class CurveArea(BinaryMetric):
    """The area under the ROC curve of one column of numbers."""

    is_bounded: ClassVar[bool] = True
    classes: ClassVar[Classes] = "both in a split"


class AreaUnderCurve(CurveArea):
    """The share of all combinations of a positive and a negative row in which the positive one
    scores higher, ties half: the area under the ROC curve.

    Counted in whole numbers, so the value is exact; with weights, a combination counts the product
    of both. The standard error is that of DeLong, DeLong & Clarke-Pearson 1988 for units of several
    rows, as in Obuchowski 1997. Source: Hanley & McNeil 1982; scikit-learn's `roc_auc_score`.

    Positives score 0.8 and 0.4, negatives 0.4 and 0.1: (1 + 1 + 1/2 + 1) / 4 = 0.875.

    >>> AreaUnderCurve().example_value([1, 1, 0, 0], [0.8, 0.4, 0.4, 0.1])
    0.875
    """

    key: ClassVar[str] = "auc"
    formula: ClassVar[str] = (
        "share of combinations of a positive and a negative row in which the positive one scores"
        " higher, ties half"
    )
    source: ClassVar[str] = "Hanley & McNeil 1982; scikit-learn roc_auc_score"

    def measure_part(self, rows: TargetRows) -> RowMeasure:
        """Computes the value by split.

        With the share V of the other class that a row beats, a unit moves
        Σ (V − auc) / P over its positive rows and Σ (V − auc) / N over its negative ones.
        """
        if rows.weights is not None:
            return split_by_split(_weighted, rows)
        placed = placements(rows.numbers, rows.positive, rows.side, size=SIDES)
        counts = _classes(rows)
        twice = _twice(rows, placed, counts)
        values, center, pull = {}, [0.0] * SIDES, [0.0] * (2 * SIDES)
        for split in rows.splits:
            negatives, positives = counts[2 * split], counts[2 * split + 1]
            values[split] = twice.get(split, 0) / Fraction(2 * positives * negatives)
            center[split] = float(values[split])
            pull[2 * split : 2 * split + 2] = 1 / negatives, 1 / positives

        def parts() -> Iterator[tuple[pl.Series, pl.Series]]:
            for start, part in slices(rows):
                # A split that is not scored may lack the other class.
                shares = placed.slice(start, part.count).fill_nan(0.0)
                moved = shares - pl.Series(center).gather(part.side)
                yield part.slots, moved * pl.Series(pull).gather(_class_of(part))

        return RowMeasure(values, sums_by_slot(parts(), size=rows.units.height))


def _weighted(rows: TargetRows) -> OfSplit:
    """Computes the area by weight: a row moves it by w (share of the other class that it is ranked
    correctly against − value) / weights of its class."""
    steps = ScoreSteps.of(rows)
    positive, negative, more_p, more_n = steps.table.drop("place").get_columns()
    all_p, all_n = float(positive.sum()), float(negative.sum())
    beaten = (all_n - more_n - negative / 2) / all_n
    value = float(exact_sum(positive * beaten) / Fraction(all_p))
    above = (more_p + positive / 2) / all_p
    moves = steps.moves((beaten - value) / all_p, (above - value) / all_n)
    return OfSplit(Fraction(value), moves)


def _class_of(part: TargetRows) -> pl.Series:
    """Encodes the class of a row: twice the split, plus one for a positive row."""
    return part.side * 2 + part.positive.cast(pl.UInt8)


def _classes(rows: TargetRows) -> Counter[int]:
    """Counts the rows by their class."""
    counts: Counter[int] = Counter()
    for _, part in slices(rows):
        counts.update(dict(_class_of(part).value_counts().iter_rows()))
    return counts


def _twice(rows: TargetRows, placed: pl.Series, counts: Counter[int]) -> dict[int, Fraction]:
    """Counts by split twice the combinations in which the positive row scores higher, plus those
    with equal scores: whole numbers, as the shares of positive rows are halves of negative ones."""
    halves = pl.Series([2.0 * counts[2 * split] for split in range(SIDES)])
    twice: dict[int, Fraction] = {}
    for start, part in slices(rows):
        side = part.side.filter(part.positive)
        shares = placed.slice(start, part.count).filter(part.positive).fill_nan(0.0)
        for split, total in exact_sums((shares * halves.gather(side)).round(), side).items():
            twice[split] = twice.get(split, Fraction(0)) + total
    return twice


class GroupedArea(CurveArea):
    """A mean of the area of each unit (users, or contexts: the task's unit)."""

    takes_weights: ClassVar[bool] = False
    classes: ClassVar[Classes] = "both in a unit"

    @abstractmethod
    def weights(self, classes: pl.DataFrame) -> pl.Series:
        """Computes the weight of each unit (Float64) by its counts of `positives` and
        `negatives`."""

    def measure_part(self, rows: TargetRows) -> RowMeasure:
        """Computes the value by split: a mean over the units that have both classes. `notes` count
        the others, as `units_of_one_class`."""
        found = pair_columns(rows.numbers, rows.positive, rows.slots, size=rows.units.height)
        both = (found["positives"] > 0) & (found["negatives"] > 0)
        weights = self.weights(found) * both.cast(pl.Float64)
        all_ = found["positives"].cast(pl.UInt64) * found["negatives"] * 2
        areas = found["twice"] / all_.set(~both, 1)
        return mean_over_units(areas, weights, rows, left_out="units_of_one_class")


class MeanArea(GroupedArea):
    """The mean over units of the area under the ROC curve of their own pairs.

    All units count alike. Those whose pairs are all positive or all negative have no area: they are
    left out, and counted. Source: Zhou et al., Deep Interest Network, 2018, without weights; the
    `AUC` of MIND (Wu et al. 2020), where a unit is an impression.

    A user with areas 1, one with 0.5 and one without a negative pair: (1 + 0.5) / 2 = 0.75.

    >>> MeanArea().weights(pl.DataFrame({"positives": [1, 2], "negatives": [3, 2]})).to_list()
    [1.0, 1.0]
    """

    key: ClassVar[str] = "gauc"
    formula: ClassVar[str] = "mean over units with both classes of the auc of their own pairs"
    source: ClassVar[str] = "Zhou et al. 2018; Wu et al. 2020"

    def weights(self, classes: pl.DataFrame) -> pl.Series:
        """Returns 1 for every unit."""
        return repeat(1.0, classes.height, pl.Float64)


class WeightedMeanArea(GroupedArea):
    """The mean over units of the area under the ROC curve of their own pairs, weighted by their
    number of pairs.

    Units whose pairs are all positive or all negative are left out, and counted. Source: Zhou et
    al., Deep Interest Network, 2018, who weight users by their impressions.

    A user of 4 pairs with area 1, one of 2 with 0.5: (4 · 1 + 2 · 0.5) / 6 = 0.833.

    >>> classes = pl.DataFrame({"positives": [1, 1], "negatives": [3, 1]})
    >>> WeightedMeanArea().weights(classes).to_list()
    [4.0, 2.0]
    """

    key: ClassVar[str] = "gauc_weighted"
    formula: ClassVar[str] = (
        "mean over units with both classes of the auc of their own pairs, weighted by their number"
        " of pairs"
    )
    source: ClassVar[str] = "Zhou et al. 2018"

    def weights(self, classes: pl.DataFrame) -> pl.Series:
        """Returns the number of pairs."""
        return (classes["positives"] + classes["negatives"]).cast(pl.Float64)


@dataclass(frozen=True)
class AreaOfColumns(CurveArea, SplitMetric):
    """A mean over columns of the area under the ROC curve of each."""

    types_of_one: ClassVar[tuple[ColumnType, ...]] = ()
    types_of_several: ClassVar[tuple[ColumnType, ...]] = NUMBERS

    def lack(self, rows: TargetRows) -> str | None:
        """Refuses truths without a class for each column, or columns of one class."""
        lack = self.lack_of_truth(rows)
        if lack is not None:
            return lack
        for name, part in zip(rows.answers.columns, _columns_of(rows), strict=True):
            lack = lack_of_one_class(part)
            if lack is not None:
                return f"{name}: {lack}"
        return None

    def lack_of_truth(self, rows: TargetRows) -> str | None:
        """Refuses truths of another form."""
        return lack_of_classes(rows)

    def of_split(self, rows: TargetRows) -> OfSplit:
        """Computes the value; a row moves it by the mean of its moves of each column."""
        parts = _columns_of(rows)
        return self.mean([area_of(part) for part in parts], parts)

    @abstractmethod
    def mean(self, areas: list[OfSplit], parts: list[TargetRows]) -> OfSplit:
        """Averages the areas of the columns, whose rows are `parts`."""


def area_of(rows: TargetRows) -> OfSplit:
    """Computes the area under the ROC curve of the only column."""
    # Each row is a unit of its own here.
    alone = replace(
        TargetRows.of(rows.truth, rows.answers, {ALL: rows.count}), weights=rows.weights
    )
    found = AreaUnderCurve().measure_part(alone)
    return OfSplit(found.values[ALL], found.moves)


def _columns_of(rows: TargetRows) -> list[TargetRows]:
    """Splits answers into columns, each with a truth of 0 or 1: whether it is the true one."""
    names = rows.answers.columns
    if rows.truth.width == 1:
        true = true_class(rows)
        truths = [(true == n).cast(pl.Float64).alias(name) for n, name in enumerate(names)]
    else:
        truths = [rows.truth[name].cast(pl.Float64) for name in names]
    return [
        replace(rows, truth=truth.to_frame(), answers=rows.answers.select(name))
        for truth, name in zip(truths, names, strict=True)
    ]


class MeanColumnArea(AreaOfColumns):
    """The plain mean over columns of the area under the ROC curve of each.

    A row may have a 1 in several columns of the truth, or in none. Source: Kaggle's mean
    column-wise AUC; scikit-learn's `roc_auc_score` of several labels.

    Column a has the area 1, and column b, where all score the same, 1/2.

    >>> truth, answers = {"a": [1, 0], "b": [1, 0]}, {"a": [0.9, 0.1], "b": [0.5, 0.5]}
    >>> MeanColumnArea().example_value(truth, answers)
    0.75
    """

    key: ClassVar[str] = "auc_mean"
    formula: ClassVar[str] = "mean over columns of the auc of each"
    source: ClassVar[str] = "scikit-learn roc_auc_score of several labels"

    def lack_of_truth(self, rows: TargetRows) -> str | None:
        """Refuses truths that are neither labels nor of 0 and 1."""
        return lack_of_classes(rows) if rows.truth.width == 1 else lack_of_ones(rows)

    def mean(self, areas: list[OfSplit], parts: list[TargetRows]) -> OfSplit:
        """Averages with equal weights, values and influence alike."""
        value = sum((area.value for area in areas), Fraction(0)) / len(areas)
        moves = [area.moves for area in areas if area.moves is not None]
        return OfSplit(Fraction(float(value)), _total(moves) / float(len(areas)))


class MacroArea(MeanColumnArea):
    """The plain mean over classes of the area under the ROC curve of each class against all others.

    Each row is of one class. Numbers need not add up to 1. Source: Provost & Domingos 2000;
    scikit-learn's `roc_auc_score` with `multi_class="ovr"` and `average="macro"`.

    Classes a and b of two rows, in the right order for a, tied for b: (1 + 1/2) / 2.

    >>> MacroArea().example_value(["a", "b"], {"a": [0.9, 0.1], "b": [0.5, 0.5]})
    0.75
    """

    key: ClassVar[str] = "auc_ovr_macro"
    formula: ClassVar[str] = "mean over classes of the auc of each against all others"
    source: ClassVar[str] = "scikit-learn roc_auc_score, ovr, macro"

    def lack_of_truth(self, rows: TargetRows) -> str | None:
        """Refuses truths without exactly one class for each row."""
        return lack_of_classes(rows)


class WeightedMeanOfAreas(AreaOfColumns):
    """The mean over classes of the area under the ROC curve of each class against all others,
    weighed by the class's share of the truth.

    Source: Provost & Domingos 2000; scikit-learn's `roc_auc_score` with `multi_class="ovr"` and
    `average="weighted"`.

    Two rows of a and one of b; in the right order for a, tied for b: 2/3 · 1 + 1/3 · 1/2.

    >>> answers = {"a": [0.9, 0.8, 0.1], "b": [0.5, 0.5, 0.5]}
    >>> round(WeightedMeanOfAreas().example_value(["a", "a", "b"], answers), 4)
    0.8333
    """

    key: ClassVar[str] = "auc_ovr_weighted"
    formula: ClassVar[str] = (
        "mean over classes of the auc of each against all others, weighed by their rows"
    )
    source: ClassVar[str] = "scikit-learn roc_auc_score, ovr, weighted"

    def mean(self, areas: list[OfSplit], parts: list[TargetRows]) -> OfSplit:
        """Averages by class weights; a row moves the areas, and contributes to the weight of its
        class."""
        shares = [mean_of(part.truth.to_series(), part) for part in parts]
        value = sum(
            (Fraction(share.value) * area.value for share, area in zip(shares, areas, strict=True)),
            Fraction(0),
        )
        moves = [
            share.value * area.moves + float(area.value) * share.moves
            for share, area in zip(shares, areas, strict=True)
            if area.moves is not None
        ]
        return OfSplit(Fraction(float(value)), _total(moves))


def _total(columns: list[pl.Series]) -> pl.Series:
    return pl.DataFrame({str(n): each for n, each in enumerate(columns)}).sum_horizontal()


AREAS: tuple[type[RowMetric], ...] = (
    AreaUnderCurve,
    MeanColumnArea,
    MacroArea,
    WeightedMeanOfAreas,
)
"""The metrics of tables that are areas under curves."""
