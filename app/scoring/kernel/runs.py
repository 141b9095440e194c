"""Rows that lie group by group, as labels lie query by query, and queries session by session: where
each group begins, and what is counted or added up in it.

Where nothing was compiled, Polars finds the same in more time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import polars as pl

from podium.scoring.kernel.columns import Array, Column, Filled
from podium.scoring.kernel.library import kernel


def first_of_runs(values: pl.Series) -> pl.Series:
    """The first row of each run of equal values (UInt32 both).

    >>> first_of_runs(pl.Series([7, 7, 9, 8], dtype=pl.UInt32)).to_list()
    [0, 2, 3]
    """
    functions, rows = kernel(), len(values)
    if functions is None:
        return (values != values.shift(1)).fill_null(value=True).arg_true()
    given, first = Column(values), Filled(pl.UInt32, rows)
    runs = functions.podium_first_of_runs(given.address, rows, first.address)
    return first.series.head(runs)


def lengths_of_runs(first: pl.Series, rows: int) -> pl.Series:
    """The number of rows of each run, UInt32.

    >>> lengths_of_runs(pl.Series([0, 2, 3], dtype=pl.UInt32), 4).to_list()
    [2, 1, 1]
    """
    return first.shift(-1, fill_value=rows) - first


def counts_of_ranks(ranks: pl.Series, first: pl.Series, k: int) -> pl.Series:
    """Counts the ranks (UInt16) from 1 to `k` in each run, UInt32.

    >>> ranks = pl.Series([3, 0, 21], dtype=pl.UInt16)
    >>> counts_of_ranks(ranks, pl.Series([0, 2], dtype=pl.UInt32), 20).to_list()
    [1, 0]
    """
    functions, rows, runs = kernel(), len(ranks), len(first)
    if functions is None:
        found = ((ranks > 0) & (ranks <= k)).cast(pl.UInt32)
        until = pl.concat([_NONE, found.cum_sum()], rechunk=True)
        return until.gather(first + lengths_of_runs(first, rows)) - until.gather(first)
    given, starts, counts = Column(ranks), Column(first), Filled(pl.UInt32, runs)
    functions.podium_count_ranks(given.address, rows, starts.address, runs, k, counts.address)
    return counts.series


@dataclass(frozen=True, slots=True)
class LinePerKey:
    """For each key (UInt32) the slope and the root of a line, Float64."""

    keys: pl.Series
    pull: pl.Series
    value: pl.Series


def moves_of_runs(
    above: pl.Series, below: pl.Series, of: LinePerKey, first: pl.Series
) -> pl.Series:
    """The sums of pull · (above − value · below) of each run, added in their order, Float64. What
    is above and below is Float64 both, or UInt32.

    >>> line = LinePerKey(
    ...     pl.Series([0, 1, 1], dtype=pl.UInt32), pl.Series([1.0, 2.0]), pl.Series([0.5, 0.25])
    ... )
    >>> above, below = pl.Series([1.0, 0.0, 1.0]), pl.Series([1.0, 2.0, 4.0])
    >>> moves_of_runs(above, below, line, pl.Series([0, 2], dtype=pl.UInt32)).to_list()
    [-0.5, 0.0]
    """
    functions, rows, runs = kernel(), len(above), len(first)
    if functions is None:
        expected = of.value.gather(of.keys) * below
        return _sums_of_runs(of.pull.gather(of.keys) * (above - expected), first)
    counts = above.dtype == pl.UInt32
    columns = [Column(each) for each in (above, below, of.keys, of.pull, of.value, first)]
    one, other, keys, pull, value, starts = (column.address for column in columns)
    sums = Filled(pl.Float64, runs)
    functions.podium_add_moves(
        one, other, counts, keys, rows, pull, value, starts, runs, sums.address
    )
    return sums.series


def sums_by_key(values: pl.Series, keys: pl.Series) -> list[int]:
    """The sum of the whole numbers (up to UInt32) of each key (UInt32) up to the largest; keys are
    small.

    >>> sums_by_key(pl.Series([5, 1, 2]), pl.Series([0, 2, 2], dtype=pl.UInt32))
    [5, 0, 3]
    """
    functions, values = kernel(), values.cast(pl.UInt32)
    size = int(keys.max() or 0) + 1  # type: ignore[arg-type] # the type of any maximum
    if functions is None:
        table = _grouped(values, keys)
        sums = pl.zeros(size, dtype=pl.UInt64, eager=True)
        return sums.scatter(table["key"], table["value"]).to_list()
    of_key, added, total = Column(keys), Column(values), Array(8 * size)
    functions.podium_add_by_key(of_key.address, added.address, len(keys), total.address)
    return memoryview(total.bytes).cast("Q").tolist()


def nonzero_sums(values: pl.Series, keys: pl.Series) -> Iterator[tuple[int, int]]:
    """Each key of any size with the sum of its whole numbers (up to UInt32), unless that is 0.

    >>> keys = pl.Series([7, 1 << 40, 7, 2], dtype=pl.UInt64)
    >>> sorted(nonzero_sums(pl.Series([5, 1, 2, 0]), keys))
    [(7, 7), (1099511627776, 1)]
    """
    if int(keys.max() or 0) < FEW_KEYS:  # type: ignore[arg-type] # the type of any maximum
        found: Any = enumerate(sums_by_key(values, keys.cast(pl.UInt32)))
    else:
        found = _grouped(values, keys).iter_rows()
    return ((key, total) for key, total in found if total)


def _grouped(values: pl.Series, keys: pl.Series) -> pl.DataFrame:
    table = pl.DataFrame({"key": keys, "value": values.cast(pl.UInt64)})
    return table.group_by("key").sum()


def _sums_of_runs(values: pl.Series, first: pl.Series) -> pl.Series:
    """The sums of the values of each run: all second rows are added, then all third."""
    sums, place = values.gather(first), 1
    rows = pl.DataFrame({"row": first, "length": lengths_of_runs(first, len(values))})
    rows = rows.with_row_index("run").filter(pl.col("length") > place)
    while rows.height:
        added = sums.gather(rows["run"]) + values.gather(rows["row"] + place)
        sums, place = sums.scatter(rows["run"], added), place + 1
        rows = rows.filter(pl.col("length") > place)
    return sums


_NONE = pl.Series([0], dtype=pl.UInt32)
FEW_KEYS = 1 << 16
"""Below it, sums of keys are entries of an array."""
