"""Defines the plan of a reading of lists, and its results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Generic, Protocol, TypeVar

import polars as pl

T = TypeVar("T")


@dataclass(frozen=True)
class ListBlock:
    """Some lists: `query` (UInt32) and `length` (UInt32) of each, and the concatenated `items` of
    all (Int32, or String where items are text)."""

    query: pl.Series
    length: pl.Series
    items: pl.Series

    @cached_property
    def first(self) -> pl.Series:
        """The index of each list's first item among all items, UInt32."""
        return self.length.cum_sum() - self.length

    @cached_property
    def list_of(self) -> pl.Series:
        """The index of each item's list, UInt32."""
        rows = pl.DataFrame({"length": self.length}).with_row_index("row")
        repeated = pl.col("row").repeat_by("length").explode(empty_as_null=False)
        return rows.select(repeated).to_series()

    @property
    def place(self) -> pl.Series:
        """The position of each item in its list, from 0, UInt32."""
        number = pl.int_range(len(self.items), dtype=pl.UInt32, eager=True)
        return number - self.first.gather(self.list_of)

    def only(self, chosen: pl.Series) -> ListBlock:
        """Selects the lists for which `chosen` (Boolean) is true."""
        if chosen.all():
            return self
        items = self.items.filter(chosen.gather(self.list_of))
        return ListBlock(self.query.filter(chosen), self.length.filter(chosen), items)


@dataclass(frozen=True)
class ReadingPlan(Generic[T]):
    """The data that a reading collects from lists, besides validating them.

    Lists are first cut to `depth`. `labels` are sorted rows of `query` and `item` whose ranks are
    found. The lists of queries for which `lists_of` (UInt8, by query) is 1 are passed to
    `on_lists`, in batches, in no particular order, from any thread; its results are lost if a later
    row is not plain. With `limits`, one for each objective, the distinct items in that many first
    positions are counted, in the lists of every n-th published session, n being `marked_every`, a
    power of two.
    """

    depth: int
    labels: pl.DataFrame | None = None
    lists_of: pl.Series | None = None
    on_lists: Callable[[ListBlock], T] | None = None
    limits: tuple[int, ...] | None = None
    marked_every: int = 1


class DistinctItems(Protocol):
    """The distinct items of lists."""

    @property
    def count(self) -> int | None:
        """Their number; None for texts where there are more than `items.MAX_TEXTS`."""

    def count_among(self, catalogue: pl.Series) -> int:
        """Counts the items of the catalog, which are distinct, that occur in lists, if these are
        not too many."""


@dataclass(frozen=True)
class ListsRead(Generic[T]):
    """The result of reading a whole submission: counts of its rows, of published ids without one,
    and of rows without any item; the 1-based rank of every label (UInt16, 0 where it is not in the
    list), if there are any; the results of `on_lists`; and the count of lists that may be several
    items joined by other characters than spaces. `lengths` has for each objective the number of
    lists with no item, one, and so on up to the plan's depth, at which they are cut. `distinct` are
    the items that were counted."""

    rows: int
    missing: int
    empty: int
    ranks: pl.Series | None = None
    parts: list[T] = field(default_factory=list)
    joined: int = 0
    lengths: list[list[int]] = field(default_factory=list)
    distinct: DistinctItems | None = None
