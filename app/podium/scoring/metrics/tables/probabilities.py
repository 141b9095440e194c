"""Losses of probabilities, of one column for two classes or of a column for each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from podium.scoring.metrics.pairs.probabilities import BrierScore, log_losses
from podium.scoring.metrics.tables.adding import mean_of
from podium.scoring.metrics.tables.base import TableMeasure, TableMetric, TargetRows, TruthForm
from podium.scoring.metrics.tables.forms import (
    lack_of_binary,
    lack_of_classes,
    number_of,
    numbers_of,
    true_class,
)
from podium.scoring.tables.columns import ColumnType


@dataclass(frozen=True)
class LossOfProbabilities(TableMetric):
    """A mean over rows of a loss of probabilities. Less is better, and 0 is perfect."""

    truth_form: ClassVar[TruthForm] = "class"
    higher_is_better: ClassVar[bool] = False
    needs_probabilities: ClassVar[bool] = True
    types_of_one: ClassVar[tuple[ColumnType, ...]] = ("number",)
    types_of_several: ClassVar[tuple[ColumnType, ...]] = ("number",)

    def lack(self, rows: TargetRows) -> str | None:
        """Truths that name no class."""
        return lack_of_classes(rows) if rows.answers.width > 1 else lack_of_binary(rows)

    def losses(self, rows: TargetRows) -> pl.Series:
        """The loss of each row."""
        truth, answers = numbers_of(rows)
        return self.binary_losses(answers, truth)

    def binary_losses(self, numbers: pl.Series, targets: pl.Series) -> pl.Series:
        """The losses of probabilities of 1."""
        return log_losses(numbers, targets)

    def measure(self, rows: TargetRows) -> TableMeasure:
        """The mean; a row moves it by w (loss − mean) / Σ w."""
        return mean_of(self.losses(rows), rows).measure()


class LogLossOfTables(LossOfProbabilities):
    """Σ w (−ln q) / Σ w, q being the probability that was given to what is true.

    One column is the probability of 1, and q is p or 1 − p. Of several columns q is the number in
    that of the true class; numbers of a row need not add up to 1, and are not divided by their sum:
    `log_loss_normalized` does that. q is raised to 1e-15 where it is less, so that no loss is above
    34.54. Source: scikit-learn's `log_loss`, which had this ε before version 1.2 and has 2.2e-16
    since.

    The true classes were given 0.5 and 0.25: (ln 2 + ln 4) / 2 = 1.04.

    >>> answers = pl.DataFrame({"a": [0.5, 0.7], "b": [0.5, 0.25], "c": [0.0, 0.05]})
    >>> rows = TargetRows(pl.DataFrame({"y": ["a", "b"]}), answers)
    >>> round(float(LogLossOfTables().measure(rows).value), 3)
    1.04
    """

    key: ClassVar[str] = "log_loss"
    formula: ClassVar[str] = (
        "mean of −ln of the probability that was given to what is true, of no less than 1e-15"
    )
    source: ClassVar[str] = "scikit-learn log_loss"

    def losses(self, rows: TargetRows) -> pl.Series:
        """−ln q."""
        if rows.answers.width == 1:
            return super().losses(rows)
        return _log_losses_of(_given(rows))


class NormalizedLogLoss(LossOfProbabilities):
    """Σ w (−ln q) / Σ w, q being the number that was given to the true class, divided by the sum of
    its row. Numbers are at least 0, and may be above 1.

    q is raised to 1e-15 where it is less; a row of zeros counts as the same for all classes.
    Source: Kaggle's competitions of several classes, which divide and then replace p by
    max(min(p, 1 − 1e-15), 1e-15), a difference of at most 1e-15.

    A row of 0.2 and 0.6 whose first class is true: −ln(0.2 / 0.8) = 1.386.

    >>> rows = TargetRows(pl.DataFrame({"y": ["a"]}), pl.DataFrame({"a": [0.2], "b": [0.6]}))
    >>> round(float(NormalizedLogLoss().measure(rows).value), 3)
    1.386
    """

    key: ClassVar[str] = "log_loss_normalized"
    formula: ClassVar[str] = (
        "mean of −ln of the probability that was given to what is true, divided by the sum of its"
        " row, of no less than 1e-15"
    )
    source: ClassVar[str] = "Kaggle, multi-class logarithmic loss"
    needs_probabilities: ClassVar[bool] = False
    least_answer: ClassVar[float | None] = 0.0
    types_of_one: ClassVar[tuple[ColumnType, ...]] = ()

    def losses(self, rows: TargetRows) -> pl.Series:
        """−ln q."""
        total = pl.DataFrame(list(map(number_of, rows.answers.get_columns()))).sum_horizontal()
        share = (_given(rows) / total).fill_nan(1.0 / rows.answers.width)
        return _log_losses_of(share.clip(upper_bound=1.0))


class BrierOfTables(LossOfProbabilities):
    """Σ w (p − y)² / Σ w, y being 1 for what is true; of several columns the squares of a row are
    added up.

    One column is the probability of 1, and its score lies between 0 and 1; several have 0 to 2.
    Source: Brier 1950; scikit-learn's `brier_score_loss`.

    A row of 0.5, 0.3 and 0.2 whose first class is true: 0.25 + 0.09 + 0.04 = 0.38.

    >>> answers = pl.DataFrame({"a": [0.5], "b": [0.3], "c": [0.2]})
    >>> rows = TargetRows(pl.DataFrame({"y": ["a"]}), answers)
    >>> round(float(BrierOfTables().measure(rows).value), 6)
    0.38
    """

    key: ClassVar[str] = "brier"
    formula: ClassVar[str] = (
        "mean of (p − y)^2 over all rows, y being 1 for what is true; added up over columns, where"
        " there are several"
    )
    source: ClassVar[str] = "Brier 1950; scikit-learn brier_score_loss"

    def losses(self, rows: TargetRows) -> pl.Series:
        """The squared distances."""
        if rows.answers.width == 1:
            return super().losses(rows)
        true = true_class(rows)
        parts = {
            name: self.binary_losses(number_of(rows.answers[name]), (true == n).cast(pl.Float64))
            for n, name in enumerate(rows.answers.columns)
        }
        return pl.DataFrame(parts).sum_horizontal()

    def binary_losses(self, numbers: pl.Series, targets: pl.Series) -> pl.Series:
        """The squared distances of one column."""
        return BrierScore().terms(numbers, targets)


def _given(rows: TargetRows) -> pl.Series:
    """The number that was given to the true class of each row."""
    true = true_class(rows)
    given = pl.zeros(rows.count, dtype=pl.Float64, eager=True)
    for place, column in enumerate(rows.answers.get_columns()):
        given = number_of(column).zip_with(true == place, given)
    return given


def _log_losses_of(given: pl.Series) -> pl.Series:
    return log_losses(given, pl.repeat(1, len(given), dtype=pl.UInt8, eager=True))


LOSSES: tuple[type[TableMetric], ...] = (LogLossOfTables, NormalizedLogLoss, BrierOfTables)
"""The metrics of this family."""
