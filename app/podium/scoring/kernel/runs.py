"""Processes sorted groups of rows, such as the labels of a query or the queries of a session: their
starts, counts and sums.

Where the kernel was not compiled, Polars computes the same in more time.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import polars as pl

from podium.scoring.kernel.columns import Array, Column, Filled
from podium.scoring.kernel.library import kernel
from podium.scoring.kernel.structures import HitsOrdered, QueriesFound
from podium.scoring.repeating import repeat


@dataclass(frozen=True, slots=True)
class Queries:
    """The queries of labels, in order: `queries` has the number of each, its `first` row, the
    number of its `labels` (UInt32 all), and its `split` (UInt8); `keys` are split · objectives +
    objective (UInt32). `sessions` has for the session of these queries the `first` row of `queries`
    (UInt32) and the `split` (UInt8)."""

    queries: pl.DataFrame
    keys: pl.Series
    sessions: pl.DataFrame


def list_queries(of_labels: pl.Series, splits: pl.Series, objectives: int) -> Queries:
    """Lists the queries of labels, whose queries (UInt32) are in order, and splits (UInt8).

    >>> labels = pl.Series([0, 2, 2, 3], dtype=pl.UInt32)
    >>> listed = list_queries(labels, pl.Series([1, 0, 0, 0], dtype=pl.UInt8), 2)
    >>> listed.queries["first"].to_list(), listed.keys.to_list()
    ([0, 1, 3], [2, 0, 1])
    >>> listed.sessions["first"].to_list()
    [0, 1]
    """
    functions, rows = kernel(), len(of_labels)
    if functions is None:
        return _queries(of_labels, splits, objectives)
    given, sides = Column(of_labels), Column(splits)
    queries = {name: Filled(pl.UInt32, rows) for name in ("query", "first", "labels")}
    queries["split"], keys = Filled(pl.UInt8, rows), Filled(pl.UInt32, rows)
    sessions = {"first": Filled(pl.UInt32, rows), "split": Filled(pl.UInt8, rows)}
    addresses = [each.address for each in (*queries.values(), *sessions.values())]
    found = QueriesFound(*addresses[:3], keys.address, *addresses[3:])
    functions.podium_list_queries(
        given.address, sides.address, rows, objectives, ctypes.byref(found)
    )
    return Queries(
        pl.DataFrame({name: each.column(found.count) for name, each in queries.items()}),
        keys.column(found.count),
        pl.DataFrame({name: each.column(found.sessions) for name, each in sessions.items()}),
    )


def _queries(of_labels: pl.Series, splits: pl.Series, objectives: int) -> Queries:
    first = _first_of_runs(of_labels)
    query, split = of_labels.gather(first), splits.gather(first)
    labels = _lengths_of_runs(first, len(of_labels))
    queries = pl.DataFrame({"query": query, "first": first, "labels": labels, "split": split})
    of_session = _first_of_runs(query // objectives)
    sessions = pl.DataFrame({"first": of_session, "split": split.gather(of_session)})
    return Queries(queries, split.cast(pl.UInt32) * objectives + query % objectives, sessions)


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
        return until.gather(first + _lengths_of_runs(first, rows)) - until.gather(first)
    given, starts, counts = Column(ranks), Column(first), Filled(pl.UInt32, runs)
    functions.podium_count_ranks(given.address, rows, starts.address, runs, k, counts.address)
    return counts.column()


def order_hits(ranks: pl.Series, first: pl.Series) -> pl.DataFrame:
    """Sorts the rows of `ranks` (UInt16) that are above 0 by run, then rank: `label` (the row),
    `slot` (the run), `rank`, and `ordinal` (1-based position in the run); UInt32, ranks UInt16.

    >>> ranks = pl.Series([3, 0, 1, 7], dtype=pl.UInt16)
    >>> order_hits(ranks, pl.Series([0, 3], dtype=pl.UInt32)).rows()
    [(2, 0, 1, 1), (0, 0, 3, 2), (3, 1, 7, 1)]
    """
    functions, rows, runs = kernel(), len(ranks), len(first)
    if functions is None:
        return _ordered(ranks, first)
    given, starts, room = Column(ranks), Column(first), int((ranks > 0).sum())
    columns = {name: Filled(pl.UInt32, room) for name in ("label", "slot", "rank", "ordinal")}
    columns["rank"] = Filled(pl.UInt16, room)
    found = HitsOrdered(*(column.address for column in columns.values()))
    functions.podium_order_hits(given.address, rows, starts.address, runs, ctypes.byref(found))
    return pl.DataFrame({name: column.column() for name, column in columns.items()})


def _ordered(ranks: pl.Series, first: pl.Series) -> pl.DataFrame:
    slot = repeat(0, len(ranks), pl.UInt32)
    slot = slot.scatter(first, repeat(1, len(first), pl.UInt32)).cum_sum() - 1
    hits = pl.DataFrame({"slot": slot, "rank": ranks}).with_row_index("label")
    hits = hits.filter(pl.col("rank") > 0).sort("slot", "rank")
    ordinal = pl.int_range(1, pl.len() + 1, dtype=pl.UInt32).over("slot")
    return hits.select("label", "slot", "rank", ordinal.alias("ordinal"))


def sums_by_key(values: pl.Series, keys: pl.Series) -> list[int]:
    """Sums the whole numbers (up to UInt32) of each key (UInt32) up to the largest; keys are small.

    >>> sums_by_key(pl.Series([5, 1, 2]), pl.Series([0, 2, 2], dtype=pl.UInt32))
    [5, 0, 3]
    """
    functions, values = kernel(), values.cast(pl.UInt32)
    size = int(keys.max() or 0) + 1  # type: ignore[arg-type] # the type of any maximum
    if functions is None:
        table = pl.DataFrame({"key": keys, "value": values.cast(pl.UInt64)}).group_by("key").sum()
        sums = repeat(0, size, pl.UInt64)
        return sums.scatter(table["key"], table["value"]).to_list()
    of_key, added, total = Column(keys), Column(values), Array(8 * size)
    functions.podium_add_by_key(of_key.address, added.address, len(keys), total.address)
    return memoryview(total.bytes).cast("Q").tolist()


def sums_of_runs(values: pl.Series, first: pl.Series) -> pl.Series:
    """Sums the values of each run in their order: all second rows are added, then all third."""
    sums, place = values.gather(first), 1
    rows = pl.DataFrame({"row": first, "length": _lengths_of_runs(first, len(values))})
    rows = rows.with_row_index("run").filter(pl.col("length") > place)
    while rows.height:
        added = sums.gather(rows["run"]) + values.gather(rows["row"] + place)
        sums, place = sums.scatter(rows["run"], added), place + 1
        rows = rows.filter(pl.col("length") > place)
    return sums


def _first_of_runs(values: pl.Series) -> pl.Series:
    return (values != values.shift(1)).fill_null(value=True).arg_true()


def _lengths_of_runs(first: pl.Series, rows: int) -> pl.Series:
    return first.shift(-1, fill_value=rows) - first


_NONE = pl.Series([0], dtype=pl.UInt32)
FEW_KEYS = 1 << 16
"""Below this number of keys, sums are entries of an array."""
