"""Ranks scores of two classes within groups: the exact number of pairs in which a positive scores
above a negative, and the share of the other class that each row beats. The area under the ROC curve
is computed from the first, and its standard error from the second.

Scores are compared as float64; −0.0 equals 0.0, and none is NaN. Where the kernel was not compiled,
Polars computes the same with more time and memory.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any

import polars as pl

from podium.scoring.kernel.columns import Array, Column, Filled
from podium.scoring.kernel.library import kernel
from podium.scoring.kernel.structures import ScoredRows
from podium.scoring.kernel.threads import on_threads
from podium.scoring.repeating import repeat

_ROWS_OF_A_THREAD = 1 << 16
"""Fewer rows are not worth another thread."""


def pair_columns(
    scores: pl.Series,
    positives: pl.Series,
    groups: pl.Series,
    *,
    size: int,
    threads: int | None = None,
) -> pl.DataFrame:
    """Counts the pairs of each group, 0 to `size` − 1: `twice` (UInt64), and the numbers of
    `positives` and `negatives` (UInt32).

    Of all pairs of a positive and a negative of a group, `twice` counts two for each in which the
    positive scores higher, and one where both score the same: the area under the ROC curve is twice
    / (2 · positives · negatives). It never overflows, since all rows are fewer than 2**32.

    `positives` are Boolean or 0 and 1, `groups` UInt8 or UInt32. By default there are as many
    threads as Polars has. Raises ValueError for a group that is out of range.

    >>> scores = pl.Series([0.9, 0.5, 0.5, 0.1])
    >>> positives = pl.Series([True, True, False, False])
    >>> pair_columns(scores, positives, pl.Series([0] * 4, dtype=pl.UInt8), size=1).rows()
    [(7, 2, 2)]
    """
    _check(scores, positives, groups, size)
    functions = kernel()
    if functions is None:
        return _pairs_by_polars(scores, positives, groups, size)
    ranks = _Ranks(functions, scores, positives, groups, size, threads)
    sums = Filled(pl.UInt64, size, zeros=True)
    ranks.on_rows(functions.podium_add_wins, sums.address)
    counts = ranks.counts.column(pl.UInt32, 2 * size)
    columns = {
        "twice": sums.column(),
        "positives": counts.gather_every(2, 1),
        "negatives": counts.gather_every(2),
    }
    return pl.DataFrame(columns)


def placements(
    scores: pl.Series,
    positives: pl.Series,
    groups: pl.Series,
    *,
    size: int,
    threads: int | None = None,
) -> pl.Series:
    """Computes for each row a share of the rows of the other class in its group, Float64, where
    rows of the same score count half: for a positive, the negatives that score lower; for a
    negative, the positives that score higher. NaN where the group has no row of the other class.

    The mean over the positives, or over the negatives, is the area under the ROC curve; these are
    the structural components of DeLong, DeLong and Clarke-Pearson (1988). For the arguments, see
    `pair_columns`.

    >>> placements(
    ...     pl.Series([0.9, 0.5, 0.5, 0.1]),
    ...     pl.Series([True, True, False, False]),
    ...     pl.Series([0] * 4, dtype=pl.UInt8),
    ...     size=1,
    ... ).to_list()
    [1.0, 0.75, 0.75, 1.0]
    """
    _check(scores, positives, groups, size)
    functions = kernel()
    if functions is None:
        return _placements_by_polars(scores, positives, groups)
    ranks = _Ranks(functions, scores, positives, groups, size, threads)
    shares = Filled(pl.Float64, len(scores))
    gaps, ties = (Filled(pl.UInt32, ranks.keys, zeros=True) for _ in range(2))
    ranks.on_rows(functions.podium_place_others, gaps.address, ties.address, shares.address)
    ranks.on_groups(functions.podium_add_gaps, gaps.address, ties.address)
    ranks.on_rows(functions.podium_place_keys, gaps.address, ties.address, shares.address)
    return shares.column()


def _check(scores: pl.Series, positives: pl.Series, groups: pl.Series, size: int) -> None:
    if not len(scores) == len(positives) == len(groups):
        raise ValueError("columns of different lengths")
    if len(groups) and int(groups.max()) >= size:  # type: ignore[arg-type] # the type of any maximum
        raise ValueError("a group that there is not")


class _Ranks:
    """The smaller class of each group in sorted order, in which rows of the other are looked up;
    `keys` is the number of its rows."""

    def __init__(
        self,
        functions: ctypes.CDLL,
        scores: pl.Series,
        positives: pl.Series,
        groups: pl.Series,
        size: int,
        threads: int | None,
    ) -> None:
        self._rows, self._size = len(scores), size
        most = threads or pl.thread_pool_size()
        self._threads = most if self._rows >= _ROWS_OF_A_THREAD or threads else 1
        self._scores, self._groups = Column(scores), Column(groups)
        self._positives = Column(positives.cast(pl.Boolean).cast(pl.UInt8))
        self.counts, self._starts = Array(8 * size), Filled(pl.UInt32, size + 1)
        of_groups = "small_groups" if groups.dtype == pl.UInt8 else "groups"
        self._c = ScoredRows(
            scores=self._scores.address,
            positives=self._positives.address,
            counts=self.counts.address,
            starts=self._starts.address,
            size=size,
            **{of_groups: self._groups.address},
        )
        self.on_rows(functions.podium_count_classes)
        self.keys: int = functions.podium_start_keys(ctypes.byref(self._c))
        self._keys = Filled(pl.UInt64, self.keys)
        self._table = Filled(pl.UInt32, self.keys // 2)
        self._c.keys, self._c.table = self._keys.address, self._table.address
        functions.podium_collect_keys(ctypes.byref(self._c), self._rows)
        self.on_groups(functions.podium_sort_keys)

    def on_rows(self, function: Callable[..., Any], *more: int) -> None:
        """Calls a function for parts of all rows, each in its own thread."""
        self._on(function, self._rows, more)

    def on_groups(self, function: Callable[..., Any], *more: int) -> None:
        """Calls a function for parts of all groups, each in its own thread."""
        self._on(function, self._size, more)

    def _on(self, function: Callable[..., Any], count: int, more: tuple[int, ...]) -> None:
        ends = [count * part // self._threads for part in range(self._threads + 1)]
        call = partial(function, ctypes.byref(self._c))
        parts = [partial(call, start, end, *more) for start, end in pairwise(ends)]
        on_threads(parts, stop=lambda: None)


def _classes(scores: pl.Series, positives: pl.Series, groups: pl.Series) -> pl.DataFrame:
    """Counts the rows of both classes at each score of a group, in order, and the rows of both
    classes below it, all UInt64."""
    # Polars treats -0.0 and 0.0 as equal, in groups and joins too.
    given = pl.DataFrame({"group": groups, "score": scores, "positive": positives})
    positive = pl.col("positive").cast(pl.UInt64)
    classes = given.group_by("group", "score").agg(
        P=positive.sum(), N=pl.len().cast(pl.UInt64) - positive.sum()
    )
    below = pl.col("P", "N").cum_sum().over("group") - pl.col("P", "N")
    return classes.sort("group", "score").with_columns(below.name.prefix("below_"))


def _pairs_by_polars(
    scores: pl.Series, positives: pl.Series, groups: pl.Series, size: int
) -> pl.DataFrame:
    twice = pl.col("P") * (2 * pl.col("below_N") + pl.col("N"))
    sums = (
        _classes(scores, positives, groups)
        .group_by("group")
        .agg(pl.sum("P", "N"), twice=twice.sum())
    )
    return pl.DataFrame(
        {
            name: repeat(0, size, kind).scatter(sums["group"], sums[column].cast(kind))
            for name, column, kind in (
                ("twice", "twice", pl.UInt64),
                ("positives", "P", pl.UInt32),
                ("negatives", "N", pl.UInt32),
            )
        }
    )


def _placements_by_polars(scores: pl.Series, positives: pl.Series, groups: pl.Series) -> pl.Series:
    all_p, all_n = (pl.sum(name).over("group") for name in ("P", "N"))
    above = all_p - pl.col("below_P") - pl.col("P")
    classes = _classes(scores, positives, groups).select(
        "group",
        "score",
        of_positive=(2 * pl.col("below_N") + pl.col("N")) / (2 * all_n),
        of_negative=(2 * above + pl.col("P")) / (2 * all_p),
    )
    rows = pl.DataFrame({"group": groups, "score": scores, "positive": positives})
    placed = rows.join(classes, on=["group", "score"], how="left", maintain_order="left")
    chosen = pl.when(pl.col("positive").cast(pl.Boolean)).then("of_positive")
    return placed.select(share=chosen.otherwise("of_negative")).to_series().rename("")
