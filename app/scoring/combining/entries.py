"""The lists of some queries in all submissions as one column of numbers.

An entry says: this query has this item at this rank in this submission. Packed into 63 bits and
sorted, all entries about one item of a query lie side by side, which is all that blending and
comparing need. Columns stay small enough for the cache of a processor: two hundred million entries
are some seconds of sorting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import polars as pl

from podium.scoring.combining.spool import ListSpool
from podium.scoring.combining.turns import in_turn

MOST_ENTRIES = 200_000
"""Items of lists that are looked at together, at most; a list of each submission is the least."""

MOST_QUERIES = 1 << 16
"""Queries that are looked at together, at most, so that entries fit into 63 bits."""

MAX_FILES = 32
"""Submissions side by side at most."""

PLACE = 1 << 15
"""More than the places of a query: file × `RANKS` + rank."""

RANKS = 1 << 10
QUERY = 1 << 46
"""The step of an entry from one query to the next: more than all items × `PLACE`."""

T = TypeVar("T")


@dataclass(frozen=True)
class QueryPortion:
    """Queries `start` … `stop - 1` in all submissions; within, they are counted from 0.

    `items` has the items of all lists, one list behind the other, Int32 or String; the list of a
    query in a file has `length[file × queries + query]` of them, from `first[…]` on. `entries`
    (Int64, sorted) has query × `QUERY` + item × `PLACE` + file × `RANKS` + rank for each of them,
    ranks counted from 0 and items that are text by numbers. An item that occurs twice in a list has
    its first place; what follows it keeps its own.
    """

    start: int
    stop: int
    items: pl.Series
    first: pl.Series
    length: pl.Series
    entries: pl.Series

    @property
    def queries(self) -> int:
        """The number of queries."""
        return self.stop - self.start

    def until(self, entries: pl.Series, unit: int = QUERY) -> pl.Series:
        """Counts the sorted entries, of `unit` a query, that come before each query, then all of
        them: one number more than queries, UInt32."""
        numbers = pl.int_range(self.queries + 1, dtype=pl.Int64, eager=True)
        return entries.search_sorted(numbers * unit)


def of_portions(
    work: Callable[[QueryPortion], T],
    spools: Sequence[ListSpool],
    *,
    queries: int,
    text_items: bool,
) -> Iterator[T]:
    """Applies `work` to all queries, several threads at a time, and yields the results in the order
    of queries. The spools are of the same depth."""
    size = spools[0].portion_queries
    step = min(max(1, MOST_ENTRIES // (len(spools) * spools[0].depth)), MOST_QUERIES)

    def whole(number: int) -> list[T]:
        lists = [_numbered(spool.portion(number), file) for file, spool in enumerate(spools)]
        begin, end = number * size, min((number + 1) * size, queries)
        return [
            work(_portion(start, min(start + step, end), lists, text_items=text_items))
            for start in range(begin, end, step)
        ]

    for found in in_turn(whole, range(-(-queries // size))):
        yield from found


def _numbered(lists: pl.DataFrame, file: int) -> pl.DataFrame:
    query = pl.col("query").cast(pl.Int64)
    return lists.select("items", query=query, file=pl.lit(file, dtype=pl.Int64))


def _portion(
    start: int, stop: int, whole: Sequence[pl.DataFrame], *, text_items: bool
) -> QueryPortion:
    count = stop - start
    lists = []
    for each in whole:
        begin, end = each["query"].search_sorted(pl.Series([start, stop]))
        lists.append(each.slice(begin, end - begin))
    rows = pl.concat(lists, rechunk=True)
    rows = rows.with_columns(pl.col("query") - start)
    length = rows["items"].list.len()
    first = length.cum_sum() - length
    place = rows["query"] + rows["file"] * count
    none = pl.zeros(len(whole) * count, dtype=pl.UInt32, eager=True)
    items = rows["items"].explode(empty_as_null=False)
    return QueryPortion(
        start,
        stop,
        items,
        none.clone().scatter(place, first),
        none.scatter(place, length),
        _entries(rows, first, items, text_items=text_items),
    )


def _entries(
    rows: pl.DataFrame, first: pl.Series, items: pl.Series, *, text_items: bool
) -> pl.Series:
    # What the entry of an item has beside the item and its place among all items.
    base = rows["query"] * QUERY + rows["file"] * RANKS - first.cast(pl.Int64)
    table = pl.DataFrame({"base": base, "items": rows["items"]})
    base = table.explode("items", empty_as_null=False)["base"]
    if text_items:
        items = items.cast(pl.Enum(items.unique().sort())).to_physical()
    number = pl.int_range(len(items), dtype=pl.Int64, eager=True)
    entries = base + items.cast(pl.Int64) * PLACE + number
    # By several threads, of which there are enough, sorting would take twice the processor's time.
    entries = entries.sort(multithreaded=False)
    # Of the places of an item in a list the first one is kept: they are sorted by rank.
    in_file = entries // RANKS
    is_first = in_file != in_file.shift()
    is_first = is_first.fill_null(value=True)
    return entries if is_first.all() else entries.filter(is_first)
