"""Defines metrics of sets of labels: any number of labels for each row, without order.

A set is text: labels separated by spaces; empty text, or a missing value, is the empty set. As in
scikit-learn with `zero_division=0`, a ratio with the denominator 0 counts as 0.
"""

from __future__ import annotations

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
from podium.scoring.repeating import repeat

_GIVEN = ("true", "answered", "both")


@dataclass(frozen=True)
class LabelSets:
    """The label sets of truth and answers. `pairs` has a row for each label of a row's truth or
    answer, in their order: `row`, `label` (both UInt32), and 1 or 0, Int64: `true`, `answered`, and
    `both`. There are `count` rows, of whole `weights`, and `labels` distinct labels, of which
    `known` occur in the truth."""

    pairs: pl.DataFrame
    count: int
    weights: pl.Series
    labels: int
    known: int

    @classmethod
    def of(cls, rows: TargetRows) -> LabelSets:
        """Parses the sets of rows whose truth `lack` accepts."""
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
        """The weights of rows in which each label is `true`, `answered`, and `both`, Int64."""
        weights = self.weights.gather(self.pairs["row"])
        return (
            self.pairs.with_columns(pl.col(_GIVEN) * weights)
            .group_by("label")
            .agg(pl.col(_GIVEN).sum())
            .sort("label")
        )

    def summed(self, values: pl.Series) -> pl.Series:
        """Sums for each row the values of its labels, in their order."""
        listed = self.pairs.select("row", value=values).group_by("row", maintain_order=True)
        sums = listed.agg("value").select("row", pl.col("value").list.sum())
        nothing = repeat(0, self.count, pl.Float64)
        return nothing.scatter(sums["row"], sums["value"])


def _exploded(column: pl.Series) -> pl.DataFrame:
    """Splits sets into rows of `row` (UInt32) and `text` for each label."""
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
        """Refuses truths without any label."""
        return None if len(_exploded(rows.truth.to_series())) else "no row has a label"


def _ratio(above: pl.Series, below: pl.Series, weights: pl.Series) -> OfSplit:
    """Computes Σ w above / Σ w below, exactly; 0 where the denominator is 0. A row moves the ratio
    r by w (above − r below) / Σ w below."""
    total = _weighed(below, weights)
    if not total:
        return OfSplit(Fraction(0), repeat(0, len(weights), pl.Float64))
    value = Fraction(_weighed(above, weights), total)
    apart = above.cast(pl.Float64) - float(value) * below.cast(pl.Float64)
    return OfSplit(value, weights.cast(pl.Float64) * apart / float(total))


def _weighed(counts: pl.Series, weights: pl.Series) -> int:
    """Computes Σ w count. Only the sums of weights alone are sure to fit in 64 bits."""
    rows = pl.DataFrame({"count": counts, "weight": weights})
    sums = rows.group_by("count").agg(pl.col("weight").sum())
    return sum(count * weight for count, weight in sums.iter_rows())


class Share(LabelSetMetric):
    """A ratio of two counts of labels, which subclasses average in different ways."""

    above: ClassVar[pl.Expr]
    """The numerator, from counts of labels that are `true`, `answered` and `both`."""
    below: ClassVar[pl.Expr]
    """The denominator, from the same counts."""

    def parts(self, counts: pl.DataFrame) -> list[pl.Series]:
        """Computes the numerators and the denominators of these counts."""
        return counts.select(above=self.above, below=self.below).get_columns()


class Micro(Share):
    """The ratio of the sums over all labels."""

    is_bounded: ClassVar[bool] = True

    def of_split(self, rows: TargetRows) -> OfSplit:
        """Computes the value; a row moves it by w (above − value · below) / Σ w below."""
        sets = LabelSets.of(rows)
        above, below = self.parts(sets.by_row)
        return _ratio(above, below, sets.weights)


class Macro(Share):
    """The unweighted mean over labels, those of the truth and those of the answers in the split."""

    is_bounded: ClassVar[bool] = True

    def of_split(self, rows: TargetRows) -> OfSplit:
        """Computes the value; with C labels, a row moves it by Σ w (above − r · below) / (C B) over
        its own labels, where r is the ratio of a label, and B its denominator."""
        sets = LabelSets.of(rows)
        above, below = self.parts(sets.by_label)
        ratios = [Fraction(a, b) if b else Fraction(0) for a, b in zip(above, below, strict=True)]
        value = sum(ratios, Fraction(0)) / sets.labels
        at = sets.pairs["label"]
        ratio = pl.Series(map(float, ratios), dtype=pl.Float64).gather(at)
        pull = [1.0 / (sets.labels * b) if b else 0.0 for b in below]
        own_above, own_below = (each.cast(pl.Float64) for each in self.parts(sets.pairs))
        apart = own_above - ratio * own_below
        moves = sets.summed(apart * pl.Series(pull, dtype=pl.Float64).gather(at))
        return OfSplit(value, sets.weights.cast(pl.Float64) * moves)


class Samples(Share):
    """The mean over rows, by weight. A row without labels counts as 0, so that even a perfect
    answer may be below 1."""

    def of_split(self, rows: TargetRows) -> OfSplit:
        """Computes the value; a row moves it by w (its ratio − value) / Σ w."""
        above, below = self.parts(LabelSets.of(rows).by_row)
        ratios = above / below.set(below == 0, None)
        return mean_of(ratios.fill_null(0.0), rows).measure()


class PrecisionOfSets(Share):
    """The share of answered labels that are true."""

    above: ClassVar[pl.Expr] = pl.col("both")
    below: ClassVar[pl.Expr] = pl.col("answered")


class RecallOfSets(Share):
    """The share of true labels that are answered."""

    above: ClassVar[pl.Expr] = pl.col("both")
    below: ClassVar[pl.Expr] = pl.col("true")


class F1OfSets(Share):
    """Twice the labels that are true and answered, divided by the sum of true and of answered
    labels."""

    above: ClassVar[pl.Expr] = 2 * pl.col("both")
    below: ClassVar[pl.Expr] = pl.col("true") + pl.col("answered")


class JaccardOfSets(Share):
    """The share of labels in the union of true and answered ones that are both."""

    above: ClassVar[pl.Expr] = pl.col("both")
    below: ClassVar[pl.Expr] = pl.col("true") + pl.col("answered") - pl.col("both")


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
        """Computes the value; a row moves it by w (its share − value) / Σ w. The set of labels is
        treated as fixed."""
        sets = LabelSets.of(rows)
        counts = sets.by_row
        apart = counts["true"] + counts["answered"] - 2 * counts["both"]
        cells = repeat(sets.known, sets.count, pl.Int64)
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
        """Computes the value; a row moves it by w (right − value) / Σ w."""
        sets = LabelSets.of(rows)
        counts = sets.by_row
        right = (counts["true"] == counts["both"]) & (counts["answered"] == counts["both"])
        ones = repeat(1, sets.count, pl.Int64)
        return _ratio(right.cast(pl.Int64), ones, sets.weights)
