"""Computes areas under a part of the ROC curve: up to a false positive rate, or from a true
positive rate on. The curve has straight lines between its points, also where the part ends."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Self

import polars as pl

from podium.scoring.metrics.rows.base import OfSplit, SplitMetric, WithHundredths
from podium.scoring.metrics.rows.binary.areas import CurveArea
from podium.scoring.metrics.rows.binary.precision import ScoreSteps
from podium.scoring.metrics.rows.means import exact_sum
from podium.scoring.metrics.rows.targets import TargetRows


@dataclass(frozen=True)
class _AreaPart:
    """The `area` under the curve up to the false positive rate `share`, both exact, and how much
    each row moves it (Float64)."""

    area: Fraction
    share: Fraction
    moves: pl.Series

    @classmethod
    def of(cls, rows: TargetRows, hundredths: int) -> Self:
        """Adds up trapezes, one for each distinct score.

        With N and P the weights of both classes, and the part inside of the step of a score, whose
        negative rows it covers by a share f: a positive row moves the area by (the part's rates at
        which it is found − area) / P. A negative one moves the rest of the curve to the right, up
        to the end of the part, where the true positive rate is `reached`.
        """
        steps = ScoreSteps.of(rows)
        positive, negative, more_p, more_n = steps.table.drop("place").get_columns()
        all_p, all_n = float(positive.sum()), float(negative.sum())
        # In hundredths of a row, so that the widths add up to the part's.
        limit, sizes, before = hundredths * all_n, 100 * negative, 100 * more_n
        width = (limit - before).clip(0.0).clip(upper_bound=sizes)
        is_begun = (before < limit).cast(pl.Float64)
        inside = (width / sizes).zip_with(negative > 0, is_begun)
        height = (more_p + inside * positive / 2) / all_p
        area, share = exact_sum(width * height) / Fraction(100 * all_n), Fraction(hundredths, 100)
        reached = float((more_p + inside * positive).filter(inside > 0).max()) / all_p  # type: ignore[arg-type]
        found = (limit - width.cum_sum() + inside * width / 2) / (100 * all_n)
        pushed = (height - reached).zip_with(inside == 1, -positive * inside * inside / 2 / all_p)
        mean = float(share) * reached - float(area)
        moves = steps.moves((found - float(area)) / all_p, (mean + pushed) / all_n)
        return cls(area, share, moves)


@dataclass(frozen=True)
class PartialArea(WithHundredths, CurveArea, SplitMetric):
    """The area under a part of the ROC curve of one column of numbers."""


class AreaUpToRate(PartialArea):
    """The area under the ROC curve up to a false positive rate m, standardized: 1/2 · (1 + (area −
    m² / 2) / (m − m² / 2)), so that chance has 1/2 and the best 1.

    m is written in hundredths behind the name: `auc_max_fpr_10` looks at the rates up to 0.10;
    `auc_max_fpr` is `auc_max_fpr_50`. Source: McClish 1989; scikit-learn's `roc_auc_score` with
    `max_fpr`.

    Positives score 0.8 and 0.4, negatives 0.6 and 0.1: up to the rate 1/2 half of the positives are
    found, an area of 1/4, so 1/2 · (1 + (1/4 − 1/8) / (1/2 − 1/8)).

    >>> round(AreaUpToRate().example_value([1, 1, 0, 0], [0.8, 0.4, 0.6, 0.1]), 3)
    0.667
    >>> AreaUpToRate(10).name
    'auc_max_fpr_10'
    """

    key: ClassVar[str] = "auc_max_fpr"
    formula: ClassVar[str] = (
        "1/2 · (1 + (area - m^2 / 2) / (m - m^2 / 2)) of the area under the ROC curve up to the"
        " false positive rate m"
    )
    source: ClassVar[str] = "McClish 1989; scikit-learn roc_auc_score, max_fpr"
    hundredths_word: ClassVar[str] = "false positive rate"

    def of_split(self, rows: TargetRows) -> OfSplit:
        """Computes the value; a row moves it in proportion to the area."""
        part = _AreaPart.of(rows, self.hundredths)
        least = part.share * part.share / 2
        most = part.share - least
        value = (1 + (part.area - least) / most) / 2
        return OfSplit(Fraction(float(value)), part.moves / float(2 * most))


class AreaFromRate(PartialArea):
    """The area between the ROC curve and a true positive rate t below it, as it is: from 0 to 1 −
    t.

    t is written in hundredths behind the name: `auc_min_tpr_80` looks at the rates from 0.80 on,
    and has 0.2 at best; `auc_min_tpr` is `auc_min_tpr_50`. It is the area, without being
    standardized, under the ROC curve of the negative rows up to the rate 1 − t. Source: Kaggle's
    ISIC 2024, which demands a rate of at least 0.80.

    Positives score 0.8 and 0.4, negatives 0.6 and 0.1: above the rate 1/2 the second negative row
    alone is below, 1/2 of a height of 1/2.

    >>> AreaFromRate().example_value([1, 1, 0, 0], [0.8, 0.4, 0.6, 0.1]), AreaFromRate(80).name
    (0.25, 'auc_min_tpr_80')
    """

    key: ClassVar[str] = "auc_min_tpr"
    formula: ClassVar[str] = "area between the ROC curve and the true positive rate t below it"
    source: ClassVar[str] = "Kaggle ISIC 2024"
    is_bounded: ClassVar[bool] = False
    hundredths_word: ClassVar[str] = "true positive rate"

    def of_split(self, rows: TargetRows) -> OfSplit:
        """Computes the value by the curve of the other class, whose scores are negated."""
        others, numbers = ~rows.positive, -rows.numbers
        swapped = replace(rows, truth=others.to_frame(), answers=numbers.to_frame())
        part = _AreaPart.of(swapped, 100 - self.hundredths)
        return OfSplit(Fraction(float(part.area)), part.moves)


PARTIAL_AREAS: tuple[type[PartialArea], ...] = (AreaUpToRate, AreaFromRate)
"""The metrics of this family."""
