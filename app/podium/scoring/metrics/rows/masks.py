"""Computes the overlap of masks, run-length encoded as runs of pixels: Jaccard's index and Dice's
coefficient.

A mask is text: a start and a length, the next start and its length, and so on, separated by spaces.
Pixels are numbered from 1, as Kaggle does down each column of an image; the metrics need neither
its size nor this order. Empty text, or a missing value, is an empty mask.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import polars as pl

from podium.scoring.columns import ColumnType
from podium.scoring.metrics.rows.base import OfSplit, RowMetric, SplitMetric, TruthForm
from podium.scoring.metrics.rows.forms import TEXTS, texts_of
from podium.scoring.metrics.rows.means import mean_of
from podium.scoring.metrics.rows.targets import TargetRows

Runs = Sequence[tuple[int, int]]
"""The first pixels and the ends (exclusive) of runs, in order, without overlaps."""

_NUMBER = "0{0,20}[1-9][0-9]{0,17}"

_MASK = re.compile(rf" *(?:{_NUMBER} +{_NUMBER}(?: +{_NUMBER} +{_NUMBER})*)? *")


def runs_of(mask: str) -> Runs | None:
    """Parses the runs of a mask; those that touch or overlap become one. None for text that is not
    a mask.

    >>> runs_of("4 2 1 2"), runs_of("1 3 2 2"), runs_of(""), runs_of("1 2 3"), runs_of("0 1")
    ([(1, 3), (4, 6)], [(1, 4)], [], None, None)
    """
    if _MASK.fullmatch(mask) is None:
        return None
    numbers = iter(map(int, mask.split()))
    found: list[tuple[int, int]] = []
    for start, length in sorted(zip(numbers, numbers, strict=True)):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], start + length)
        else:
            found.append((start, start + length))
    return found


def size_of(runs: Runs) -> int:
    """Counts the pixels of a mask.

    >>> size_of([(1, 3), (4, 6)])
    4
    """
    return sum(end - start for start, end in runs)


def common(one: Runs, other: Runs) -> int:
    """Counts the pixels that are in both masks.

    >>> common([(1, 5), (8, 10)], [(4, 9)])
    2
    """
    found, ahead = 0, iter(other)
    current = next(ahead, None)
    for start, end in one:
        while current is not None and current[0] < end:
            found += max(0, min(end, current[1]) - max(start, current[0]))
            if current[1] > end:
                break
            current = next(ahead, None)
    return found


@dataclass(frozen=True)
class MaskMetric(SplitMetric):
    """The mean over rows of the overlap of a mask with the true one. An answer that is not a mask
    scores 0, and is counted in the notes; such a truth is refused."""

    truth_form: ClassVar[TruthForm] = "text"
    is_bounded: ClassVar[bool] = True
    types_of_one: ClassVar[tuple[ColumnType, ...]] = TEXTS
    takes_missing: ClassVar[bool] = True

    @abstractmethod
    def overlap(self, both: int, sizes: int) -> float:
        """Computes the value of a row from the pixels in both masks, and the sum of the sizes of
        both."""

    def lack(self, rows: TargetRows) -> str | None:
        """Refuses truths that are not masks."""
        truth, _ = texts_of(rows)
        wrong = next((mask for mask in truth if runs_of(mask) is None), None)
        return None if wrong is None else f"the truth {wrong[:40]!r} is not a mask"

    def of_one(self, truth: str, answer: str) -> float | None:
        """Computes the value of one row; None where a text is not a mask."""
        true, given = runs_of(truth), runs_of(answer)
        if true is None or given is None:
            return None
        sizes = size_of(true) + size_of(given)
        return self.overlap(common(true, given), sizes) if sizes else 1.0

    def of_split(self, rows: TargetRows) -> OfSplit:
        """Averages over rows; a row moves it by w (overlap − mean) / Σ w."""
        found = [self.of_one(*both) for both in zip(*texts_of(rows), strict=True)]
        values = pl.Series(found, dtype=pl.Float64).fill_null(0.0)
        measured = mean_of(values, rows).measure()
        return replace(measured, notes={"unreadable_masks": found.count(None)})


class JaccardOfRuns(MaskMetric):
    """Mean over rows of |A ∩ B| / |A ∪ B| of the pixels of both masks; 1 where both are empty.

    Runs may be in any order, and count once where they overlap. What is not a mask counts as 0.
    Source: Jaccard 1912; intersection over union.

    Pixels 1 to 4 are true, 3 to 6 are answered: 2 of 6.

    >>> round(JaccardOfRuns().of_one("1 4", "3 4"), 3)
    0.333
    """

    key: ClassVar[str] = "jaccard_rle"
    formula: ClassVar[str] = "mean over rows of pixels in both masks / pixels in one or the other"
    source: ClassVar[str] = "Jaccard 1912"

    def overlap(self, both: int, sizes: int) -> float:
        """Computes intersection over union."""
        return both / (sizes - both)


class DiceOfRuns(MaskMetric):
    """Mean over rows of 2 |A ∩ B| / (|A| + |B|) of the pixels of both masks; 1 where both are
    empty.

    Runs may be in any order, and count once where they overlap. What is not a mask counts as 0.
    Source: Dice 1945; Kaggle's segmentation competitions.

    Pixels 1 to 4 are true, 3 to 6 are answered: 2 · 2 / (4 + 4).

    >>> DiceOfRuns().of_one("1 4", "3 4"), DiceOfRuns().of_one("", "")
    (0.5, 1.0)
    """

    key: ClassVar[str] = "dice_rle"
    formula: ClassVar[str] = "mean over rows of 2 · pixels in both masks / (pixels of one + other)"
    source: ClassVar[str] = "Dice 1945"

    def overlap(self, both: int, sizes: int) -> float:
        """Computes twice the intersection over the sum of both sizes."""
        return 2 * both / sizes


MASKS: tuple[type[RowMetric], ...] = (JaccardOfRuns, DiceOfRuns)
"""The metrics of this family."""
