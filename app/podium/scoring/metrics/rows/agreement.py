"""Computes the agreement of decided classes with the truth beyond chance: Matthews' correlation,
Cohen's kappa, and the adjusted Rand index of groups."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import ClassVar

import polars as pl

from podium.scoring.columns import ColumnType
from podium.scoring.metrics.rows.base import OfSplit, RowMetric, SplitMetric, TruthForm
from podium.scoring.metrics.rows.forms import lack_of_numbers
from podium.scoring.metrics.rows.labels import LabelMetric, Tally
from podium.scoring.metrics.rows.means import exact_sum, mean_of, whole_weights
from podium.scoring.metrics.rows.targets import TargetRows


class MatthewsCorrelation(LabelMetric):
    """The correlation of decided and true classes: with s rows, c of which are right, and t and p
    of each class in the truth and in the answers, (c s − Σ t p) / √((s² − Σ p²) (s² − Σ t²)).

    1 is perfect, and 0 is what chance reaches; who says the same class always has 0, and no
    standard error. Source: Matthews 1975, Gorodkin 2004; scikit-learn's `matthews_corrcoef`.

    Truths 1, 1, 0, 0; answered 1, 0, 0, 0:
    (3 · 4 − 2 · 3 − 2 · 1) / √((16 − 10) (16 − 8)) = 4 / √48.

    >>> round(MatthewsCorrelation().example_value([1, 1, 0, 0], [1, 0, 0, 0]), 4)
    0.5774
    """

    key: ClassVar[str] = "mcc"
    formula: ClassVar[str] = (
        "correlation of decided and true classes:"
        " (c s - sum of t p) / sqrt((s^2 - sum of p^2) (s^2 - sum of t^2))"
    )
    source: ClassVar[str] = "Matthews 1975; Gorodkin 2004; scikit-learn matthews_corrcoef"
    lower_bound: ClassVar[int | None] = -1
    least_classes: ClassVar[int] = 2

    def of_split(self, rows: TargetRows) -> OfSplit:
        """Computes the value, from whole numbers; with a / √(b d), a row moves it by the derivative
        by its weight: w (a' / √(b d) − value / 2 · (b' / b + d' / d))."""
        tally = Tally.of(rows)
        s, c = tally.total, sum(tally.right)
        above = c * s - sum(t * p for t, p in zip(tally.truth, tally.given, strict=True))
        given, true = (s * s - sum(n * n for n in each) for each in (tally.given, tally.truth))
        if not given:
            return OfSplit(Fraction(0), None)
        value = math.copysign(math.sqrt(Fraction(above * above, given * true)), above)
        # All is divided by s, or by its square, so that nothing overflows.
        of_truth, of_given = ([n / s for n in each] for each in (tally.truth, tally.given))
        b, d = given / (s * s), true / (s * s)
        root = math.sqrt(b * d)
        moved = c / s + tally.labels.right - tally.by_truth(of_given) - tally.by_answer(of_truth)
        by_b, by_d = 1.0 - tally.by_answer(of_given), 1.0 - tally.by_truth(of_truth)
        moves = tally.weights / float(s) * (moved / root - value * (by_b / b + by_d / d))
        return OfSplit(Fraction(value), moves)


class Kappa(LabelMetric):
    """(accuracy − chance) / (1 − chance), chance being Σ t p over the classes, with their shares t
    of the truth and p of the answers.

    Source: Cohen 1960; scikit-learn's `cohen_kappa_score`.

    Truths 1, 1, 0, 0; answered 1, 0, 0, 0: chance is 2/4 · 3/4 + 2/4 · 1/4 = 1/2, so
    (3/4 − 1/2) / (1/2).

    >>> Kappa().example_value([1, 1, 0, 0], [1, 0, 0, 0])
    0.5
    """

    key: ClassVar[str] = "kappa"
    formula: ClassVar[str] = "(accuracy - chance) / (1 - chance)"
    source: ClassVar[str] = "Cohen 1960; scikit-learn cohen_kappa_score"
    lower_bound: ClassVar[int | None] = -1
    least_classes: ClassVar[int] = 2

    def of_split(self, rows: TargetRows) -> OfSplit:
        """Computes the value: 1 − (1 − accuracy) / (1 − chance). With shares, a row moves accuracy
        by w (right − accuracy) / s and chance by w (p of its truth + t of its answer − 2 chance) /
        s."""
        tally = Tally.of(rows)
        s, c = tally.total, sum(tally.right)
        chance = sum(t * p for t, p in zip(tally.truth, tally.given, strict=True))
        wrong = Fraction(s * (s - c), s * s - chance)
        value, by_chance = float(1 - wrong), chance / (s * s)
        of_truth, of_given = ([n / s for n in each] for each in (tally.truth, tally.given))
        expected = tally.by_truth(of_given) + tally.by_answer(of_truth) - 2 * by_chance
        apart = tally.labels.right - c / s - float(wrong) * expected
        return OfSplit(Fraction(value), tally.weights * apart / (s * (1 - by_chance)))


class AdjustedRand(SplitMetric):
    """The agreement of two groupings, beyond chance: (S − T G / M) / ((T + G) / 2 − T G / M), where
    of M pairs of rows T have the same truth, G the same answer, and S both.

    Names of groups mean nothing: only which rows are together does. 1 is perfect, and 0 is what
    random groups of these sizes have. Source: Hubert & Arabie 1985; scikit-learn's
    `adjusted_rand_score`.

    Truths a, a, b, b; answered 1, 1, 1, 2: of 6 pairs T = 2, G = 3 and S = 1, so (1 − 1) / (5/2 −
    1) = 0.

    >>> AdjustedRand().example_value(["a", "a", "b", "b"], ["1", "1", "1", "2"])
    0.0
    >>> AdjustedRand().example_value(["a", "a", "b", "b"], ["2", "2", "1", "1"])
    1.0
    """

    key: ClassVar[str] = "adjusted_rand"
    formula: ClassVar[str] = (
        "(S - T G / M) / ((T + G) / 2 - T G / M), of M pairs of rows T with the same truth, G with"
        " the same answer, S with both"
    )
    source: ClassVar[str] = "Hubert & Arabie 1985; scikit-learn adjusted_rand_score"
    truth_form: ClassVar[TruthForm] = "class"
    is_bounded: ClassVar[bool] = True
    lower_bound: ClassVar[int | None] = -1
    takes_weights: ClassVar[bool] = False
    types_of_one: ClassVar[tuple[ColumnType, ...]] = ("text", "category", "integer")

    def lack(self, rows: TargetRows) -> str | None:
        """Refuses truths of one group, or without two rows together."""
        groups = rows.truth.to_series().n_unique()
        if groups < 2:
            return "all rows have the same truth"
        return "no two rows have the same truth" if groups == rows.count else None

    def of_split(self, rows: TargetRows) -> OfSplit:
        """Computes the value, from whole numbers; with its own pairs s, t, g and m, a row moves
        numerator and denominator by their derivatives."""
        named = (("truth", rows.truth.to_series()), ("answer", rows.answers.to_series()))
        table = pl.DataFrame([column.alias(name) for name, column in named])
        together = table.select(
            both=pl.len().over("truth", "answer").cast(pl.Int64) - 1,
            truth=pl.len().over("truth").cast(pl.Int64) - 1,
            answer=pl.len().over("answer").cast(pl.Int64) - 1,
        )
        both, true, given = (int(each.sum()) // 2 for each in together.get_columns())
        all_ = math.comb(rows.count, 2)
        chance = Fraction(true * given, all_)
        below = Fraction(true + given, 2) - chance
        value = (both - chance) / below
        s, t, g = (each.cast(pl.Float64) for each in together.get_columns())
        expected = t * (given / all_) + g * (true / all_) - 2 * float(chance) / rows.count
        moves = s - expected - float(value) * ((t + g) / 2 - expected)
        return OfSplit(Fraction(float(value)), moves / float(below))


class QuadraticKappa(SplitMetric):
    """1 − Σ O (i − j)² / Σ E (i − j)² over true grades i and answered grades j: O are the shares of
    rows, E the products of the shares of i among truths and of j among answers.

    Grades are whole numbers, and their distances those of the numbers: scikit-learn's
    `cohen_kappa_score` with `weights="quadratic"` counts places in the list of labels, which is the
    same where `labels` has every grade between the lowest and the highest. Source: Cohen 1968;
    Kaggle's quadratic weighted kappa.

    Truths 1, 2, 3; answered 1, 2, 2: the mean squares are 1/3 observed and, over all nine
    combinations, 9/9 expected: 1 − 1/3.

    >>> round(QuadraticKappa().example_value([1, 2, 3], [1, 2, 2]), 3)
    0.667
    """

    key: ClassVar[str] = "kappa_quadratic"
    formula: ClassVar[str] = (
        "1 - mean (truth - answer)^2 over rows / mean of the same over all combinations of a truth"
        " and an answer"
    )
    source: ClassVar[str] = "Cohen 1968; scikit-learn cohen_kappa_score, weights quadratic"
    truth_form: ClassVar[TruthForm] = "number"
    is_bounded: ClassVar[bool] = True
    lower_bound: ClassVar[int | None] = -1
    types_of_one: ClassVar[tuple[ColumnType, ...]] = ("integer",)

    def lack(self, rows: TargetRows) -> str | None:
        """Refuses truths that are not whole numbers, or are all equal."""
        lack = lack_of_numbers(rows)
        if lack is None:
            if (rows.targets != rows.targets.floor()).any():
                return "a truth is not a whole number"
            lack = "all rows have the same truth" if rows.targets.n_unique() < 2 else None
        return lack

    def of_split(self, rows: TargetRows) -> OfSplit:
        """Computes the value. With x and y the distances of truth and answer from the mean truth,
        the expected square is E x² + E y² (E x is 0); a row moves the value by −w ((x − y)² − (1 −
        value) (x² + y² − 2 x E y)) / Σ w / expected."""
        center = mean_of(rows.targets, rows).value
        x, y = rows.targets - center, rows.numbers - center
        weights = whole_weights(rows).cast(pl.Float64)
        total = exact_sum(weights)
        mean_x, mean_y = (exact_sum(weights * each) / total for each in (x, y))
        observed, squares = (x - y) * (x - y), x * x + y * y
        found, all_ = (exact_sum(weights * each) / total for each in (observed, squares))
        expected = all_ - 2 * mean_x * mean_y
        left = float(found / expected)
        products = 2.0 * (x * float(mean_y) + y * float(mean_x))
        moves = weights * (left * (squares - products) - observed) / float(total * expected)
        return OfSplit(Fraction(1.0 - left), moves)


AGREEMENTS: tuple[type[RowMetric], ...] = (
    MatthewsCorrelation,
    Kappa,
    AdjustedRand,
    QuadraticKappa,
)
"""The metrics of this family."""
