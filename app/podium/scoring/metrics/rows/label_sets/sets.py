"""Metrics of sets of labels: any number of labels for each row, without order.

A set is text: labels separated by spaces; empty text, or a missing value, is the empty set. As
scikit-learn with `zero_division=0`, what has nothing to be divided by counts as 0.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

import polars as pl

from podium.scoring.columns import ColumnType
from podium.scoring.metrics.rows.base import OfSplit, SplitMetric, TruthForm
from podium.scoring.metrics.rows.forms import label_text
from podium.scoring.metrics.rows.means import mean_of, whole_weights
from podium.scoring.metrics.rows.targets import TargetRows

_GIVEN = ("true", "answered", "both")


@dataclass(frozen=True)
class LabelSets:
    """`pairs` has a row for each label of a row's truth or answer, in their order: `row`, `label`
    (both UInt32), and 1 or 0, Int64: `true`, `answered`, and `both`. There are `count` rows, of
    whole `weights`, and `labels` different labels, of which `known` are of the truth."""

    pairs: pl.DataFrame
    count: int
    weights: pl.Series
    labels: int
    known: int

    @classmethod
    def of(cls, rows: TargetRows) -> LabelSets:
        """The sets of rows that lack nothing."""
        truth, answers = (_exploded(each.to_series()) for each in (rows.truth, rows.answers))
        pairs = pl.concat([truth.with_columns(true=1), answers.with_columns(true=0)])
        pairs = pairs.group_by("row", "text").agg(
            pl.col("true").max(),
            answered=(pl.col("true").min() == 0).cast(pl.Int64),
        )
        pairs = pairs.sort("row", "text").with_columns(
            pl.col("true").cast(pl.Int64),
            label=(pl.col("text").rank("dense") - 1).cast(pl.UInt32),
            both=pl.col("true").cast(pl.Int64) * pl.col("answered"),
        )
        return cls(
            pairs.drop("text"),
            rows.count,
            whole_weights(rows),
            pairs["text"].n_unique(),
            truth["text"].n_unique(),
        )

    @cached_property
    def by_row(self) -> pl.DataFrame:
        """The number of labels of each row that are `true`, `answered`, and `both`, Int64."""
        counts = self.pairs.group_by("row").agg(pl.col(_GIVEN).sum())
        every = pl.DataFrame({"row": pl.int_range(self.count, dtype=pl.UInt32, eager=True)})
        return every.join(counts, on="row", how="left", maintain_order="left").fill_null(0)

    @cached_property
    def by_label(self) -> pl.DataFrame:
        """The weights of rows of which each label is `true`, `answered`, and `both`, Int64."""
        weights = self.weights.gather(self.pairs["row"])
        return (
            self.pairs.with_columns(pl.col(_GIVEN) * weights)
            .group_by("label")
            .agg(pl.col(_GIVEN).sum())
            .sort("label")
        )

    def summed(self, values: pl.Series) -> pl.Series:
        """For each row the sum of the values of its labels, in their order."""
        listed = self.pairs.select("row", value=values).group_by("row", maintain_order=True)
        sums = listed.agg("value").select("row", pl.col("value").list.sum())
        nothing = pl.zeros(self.count, dtype=pl.Float64, eager=True)
        return nothing.scatter(sums["row"], sums["value"])


def _exploded(column: pl.Series) -> pl.DataFrame:
    """`row` (UInt32) and `text` of each label."""
    texts = label_text(column).fill_null("").str.split(" ")
    frame = pl.DataFrame({"text": texts}).with_row_index("row")
    return frame.explode("text").filter(pl.col("text") != "")


@dataclass(frozen=True)
class LabelSetMetric(SplitMetric):
    """A metric of one column of sets of labels."""

    truth_form: ClassVar[TruthForm] = "text"
    types_of_one: ClassVar[tuple[ColumnType, ...]] = ("labels",)
    takes_missing: ClassVar[bool] = True
    upper_bound: ClassVar[int | None] = 1

    def lack(self, rows: TargetRows) -> str | None:
        """Truths without any label."""
        return None if len(_exploded(rows.truth.to_series())) else "no row has a label"


def _ratio(above: pl.Series, below: pl.Series, weights: pl.Series) -> OfSplit:
    """Σ w above / Σ w below, exact; 0 where nothing is below. A row moves the ratio r by
    w (above − r below) / Σ w below."""
    total = _weighed(below, weights)
    if not total:
        return OfSplit(Fraction(0), pl.zeros(len(weights), dtype=pl.Float64, eager=True))
    value = Fraction(_weighed(above, weights), total)
    apart = above.cast(pl.Float64) - float(value) * below.cast(pl.Float64)
    return OfSplit(value, weights.cast(pl.Float64) * apart / float(total))


def _weighed(counts: pl.Series, weights: pl.Series) -> int:
    """Σ w count. The sums of weights alone fit into 64 bits."""
    rows = pl.DataFrame({"count": counts, "weight": weights})
    sums = rows.group_by("count").agg(pl.col("weight").sum())
    return sum(count * weight for count, weight in sums.iter_rows())


class Share(LabelSetMetric):
    """A ratio of two counts of labels, which an average brings together."""

    @staticmethod
    @abstractmethod
    def above(counts: pl.DataFrame) -> pl.Series:
        """The numerator, of counts of `true`, `answered` and `both`."""

    @staticmethod
    @abstractmethod
    def below(counts: pl.DataFrame) -> pl.Series:
        """The denominator."""


class Micro(Share):
    """The ratio of the sums over all labels."""

    is_bounded: ClassVar[bool] = True

    def of_split(self, rows: TargetRows) -> OfSplit:
        """The value; a row moves it by w (above − value · below) / Σ w below."""
        sets = LabelSets.of(rows)
        return _ratio(self.above(sets.by_row), self.below(sets.by_row), sets.weights)


class Macro(Share):
    """The plain mean over labels, those of the truth and those that are answered in the split."""

    is_bounded: ClassVar[bool] = True

    def of_split(self, rows: TargetRows) -> OfSplit:
        """The value; with C labels, a row moves it by Σ w (above − r · below) / (C B) over its own
        labels, where r is the ratio of a label, and B what it is divided by."""
        sets = LabelSets.of(rows)
        above, below = self.above(sets.by_label), self.below(sets.by_label)
        ratios = [Fraction(a, b) if b else Fraction(0) for a, b in zip(above, below, strict=True)]
        value = sum(ratios, Fraction(0)) / sets.labels
        at = sets.pairs["label"]
        ratio = pl.Series(map(float, ratios), dtype=pl.Float64).gather(at)
        pull = [1.0 / (sets.labels * b) if b else 0.0 for b in below]
        apart = self.above(sets.pairs).cast(pl.Float64)
        apart -= ratio * self.below(sets.pairs).cast(pl.Float64)
        moves = sets.summed(apart * pl.Series(pull, dtype=pl.Float64).gather(at))
        return OfSplit(value, sets.weights.cast(pl.Float64) * moves)


class Samples(Share):
    """The mean over rows, by weight. A row without a label counts as 0, so the truth itself may
    stay below 1."""

    def of_split(self, rows: TargetRows) -> OfSplit:
        """The value; a row moves it by w (its ratio − value) / Σ w."""
        counts = LabelSets.of(rows).by_row
        above, below = self.above(counts), self.below(counts)
        ratios = above / below.set(below == 0, None)
        return mean_of(ratios.fill_null(0.0), rows).measure()


class PrecisionOfSets(Share):
    """Right labels of those that are answered."""

    @staticmethod
    def above(counts: pl.DataFrame) -> pl.Series:
        """Labels that are true and answered."""
        return counts["both"]

    @staticmethod
    def below(counts: pl.DataFrame) -> pl.Series:
        """Those that are answered."""
        return counts["answered"]


class RecallOfSets(Share):
    """Right labels of those that are true."""

    @staticmethod
    def above(counts: pl.DataFrame) -> pl.Series:
        """Labels that are true and answered."""
        return counts["both"]

    @staticmethod
    def below(counts: pl.DataFrame) -> pl.Series:
        """Those that are true."""
        return counts["true"]


class F1OfSets(Share):
    """Twice the right labels of those that are true and those that are answered."""

    @staticmethod
    def above(counts: pl.DataFrame) -> pl.Series:
        """Twice those that are true and answered."""
        return 2 * counts["both"]

    @staticmethod
    def below(counts: pl.DataFrame) -> pl.Series:
        """Those that are true and those that are answered."""
        return counts["true"] + counts["answered"]


class JaccardOfSets(Share):
    """Right labels of those that are true or answered."""

    @staticmethod
    def above(counts: pl.DataFrame) -> pl.Series:
        """Labels that are true and answered."""
        return counts["both"]

    @staticmethod
    def below(counts: pl.DataFrame) -> pl.Series:
        """Those that are one or the other."""
        return counts["true"] + counts["answered"] - counts["both"]


class HammingLoss(LabelSetMetric):
    """Wrong and missed labels / (rows · labels of the truth).

    A label that is answered and nowhere true is wrong, but counts below the line not: who names
    many would lower the loss. Source: scikit-learn's `hamming_loss`, over the labels of the truth.

    One label is wrong and one is missed, of two rows and three labels: 2/6.

    >>> round(HammingLoss().example_value(["a", "c d"], ["a c", "c"]), 3)
    0.333
    """

    key: ClassVar[str] = "hamming_loss"
    formula: ClassVar[str] = "wrong and missed labels / (rows · labels of the truth)"
    source: ClassVar[str] = "scikit-learn hamming_loss"
    higher_is_better: ClassVar[bool] = False
    upper_bound: ClassVar[int | None] = None

    def of_split(self, rows: TargetRows) -> OfSplit:
        """The value; a row moves it by w (its share − value) / Σ w. The labels are taken as
        given."""
        sets = LabelSets.of(rows)
        counts = sets.by_row
        apart = counts["true"] + counts["answered"] - 2 * counts["both"]
        cells = pl.repeat(sets.known, sets.count, dtype=pl.Int64, eager=True)
        return _ratio(apart, cells, sets.weights)


class SubsetAccuracy(LabelSetMetric):
    """The share of rows whose answer is the set of the truth, by weight.

    Two empty sets are equal. Source: scikit-learn's `accuracy_score` of several labels.

    One of two rows has the right set: 1/2.

    >>> SubsetAccuracy().example_value(["a b", "c d"], ["b a", "c"])
    0.5
    """

    key: ClassVar[str] = "subset_accuracy"
    formula: ClassVar[str] = "share of rows whose labels are exactly those of the truth"
    source: ClassVar[str] = "scikit-learn accuracy_score"
    is_bounded: ClassVar[bool] = True

    def of_split(self, rows: TargetRows) -> OfSplit:
        """The value; a row moves it by w (right − value) / Σ w."""
        sets = LabelSets.of(rows)
        counts = sets.by_row
        right = (counts["true"] == counts["both"]) & (counts["answered"] == counts["both"])
        ones = pl.repeat(1, sets.count, dtype=pl.Int64, eager=True)
        return _ratio(right.cast(pl.Int64), ones, sets.weights)
