"""The lists of some queries in all submissions as one column of numbers.

An entry says: this query has this item at this rank in this submission. Packed into 64 bits and
sorted, all entries about one item of a query lie side by side, which is all that blending and
comparing need; a hundred million of them are a few seconds of sorting.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from app.scoring.combining.spool import PORTION_QUERIES, Spool

MOST_ENTRIES = 4_000_000
"""Items of lists that are looked at together, at most: about half a gigabyte on the way."""

MAX_FILES = 32
"""Submissions side by side at most."""

_FILE, _RANK, _ITEM = 1 << 5, 1 << 10, 1 << 32


@dataclass(frozen=True)
class Portion:
    """Queries `start` … `stop - 1` in all submissions.

    `lists` has for each submission its labels by query, as `Spool.portion`. `entries` has one row
    for each item of a list, by query, item and file: `pair` (UInt64, query and item as one number),
    `file` and `rank` (UInt16, 0-based). An item that occurs twice in a list has its first place;
    what follows it keeps its own.
    """

    start: int
    stop: int
    lists: Sequence[pl.DataFrame]
    entries: pl.DataFrame
    names: pl.Series | None

    def queries(self, pairs: pl.Series) -> pl.Series:
        """The number of the query of each pair, UInt32."""
        return (pairs // _ITEM + self.start).cast(pl.UInt32)

    def items(self, pairs: pl.Series) -> pl.Series:
        """The item of each pair, as text."""
        codes = (pairs % _ITEM).cast(pl.UInt32)
        return codes.cast(pl.String) if self.names is None else self.names.gather(codes)


def portions(
    spools: Sequence[Spool], *, queries: int, depth: int, text_items: bool
) -> Iterator[Portion]:
    """All queries, some at a time; lists are cut to `depth` items before anything else."""
    step = max(1, MOST_ENTRIES // (len(spools) * depth))
    for number, begin in enumerate(range(0, queries, PORTION_QUERIES)):
        whole = [spool.portion(number) for spool in spools]
        end = min(begin + PORTION_QUERIES, queries)
        for start in range(begin, end, step):
            stop = min(start + step, end)
            within = pl.col("query").is_between(start, stop, closed="left")
            lists = [each.filter(within) for each in whole]
            yield _portion(start, stop, lists, depth, text_items=text_items)


def _portion(
    start: int, stop: int, lists: Sequence[pl.DataFrame], depth: int, *, text_items: bool
) -> Portion:
    places = [_places(each, depth) for each in lists]
    items = pl.concat([each["item"] for each in places])
    names = items.unique().sort() if text_items else None
    if names is None:
        codes = items.cast(pl.UInt64)
    else:
        codes = items.cast(pl.Enum(names)).to_physical().cast(pl.UInt64)
    query = pl.concat([each["query"] for each in places]).cast(pl.UInt64) - start
    rank = pl.concat([each["rank"] for each in places]).cast(pl.UInt64)
    file = pl.concat(
        [pl.repeat(n, each.height, dtype=pl.UInt64, eager=True) for n, each in enumerate(places)]
    )
    packed = ((query * _ITEM + codes) * _FILE + file) * _RANK + rank
    return Portion(start, stop, lists, _unpacked(packed.sort()), names)


def _unpacked(packed: pl.Series) -> pl.DataFrame:
    in_file = packed // _RANK
    # Of the places of an item in a list the first one is kept: they are sorted by rank.
    first = in_file != in_file.shift()
    first = first.fill_null(value=True)
    in_file, rank = in_file.filter(first), (packed % _RANK).filter(first)
    return pl.DataFrame(
        {
            "pair": (in_file // _FILE).set_sorted(),
            "file": (in_file % _FILE).cast(pl.UInt16),
            "rank": rank.cast(pl.UInt16),
        }
    )


def _places(lists: pl.DataFrame, depth: int) -> pl.DataFrame:
    """The items of lists, one a row: query, item (text), rank."""
    taken = lists.filter(pl.col("labels") != "").select(
        "query", item=pl.col("labels").str.split(" ").list.head(depth)
    )
    ranks = pl.int_ranges(0, pl.col("item").list.len(), dtype=pl.UInt16)
    return taken.with_columns(rank=ranks).explode("item", "rank")
