"""Represents the organizer's item file: the catalog, the number of users of each item, and item
features.

Metrics beyond accuracy evaluate lists with it. `items_reading` reads an `ItemFile` from a file.
"""

from __future__ import annotations

import functools
import hashlib
import math
import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any, Literal

import polars as pl

from podium.scoring.parquet.files import write_frame
from podium.scoring.repeating import repeat
from podium.scoring.task import Task

ITEM, USERS = "item", "users"
"""The columns that are not features."""

Need = Literal["items", "users", "features"]
"""Facts about items that a metric may need: the catalog, the number of users of each item, or
features."""

MAX_ITEMS = 10_000_000
"""The most items of a catalog."""

MAX_TEXTS = 1 << 21
"""The most distinct items of lists that are counted where items are texts."""

MAX_FEATURE_VALUES = 1 << 25
"""The largest product of items and features: 256 MB in memory."""

_TRAINING_USERS = "training_users"
_DENSEST = 1 << 26


class ItemFileCorrupt(Exception):
    """The stored bytes are not those that were written, or belong to another competition."""


@dataclass(frozen=True)
class ItemFile:
    """The catalog: one row per item, sorted by `item` (Int32, or String where items are text).

    `users` (Int64), where the file has it, are the users of the training data that had the item, of
    `training_users` in all. All other columns are features (Float64), null for an item without
    features. A row's number is the item's number, and `size` stands for all items not listed.
    """

    frame: pl.DataFrame
    training_users: int | None = None

    @property
    def size(self) -> int:
        """The number of items, one for each row."""
        return self.frame.height

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the feature columns."""
        return tuple(name for name in self.frame.columns if name not in (ITEM, USERS))

    @property
    def tells(self) -> frozenset[Need]:
        """The kinds of facts in this file that metrics may need."""
        found: set[Need] = {"items"}
        if USERS in self.frame.columns:
            found.add("users")
        if self.features:
            found.add("features")
        return frozenset(found)

    def numbers(self, items: pl.Series) -> pl.Series:
        """Looks up the UInt32 numbers of items of the catalog's type; `size` for those that it
        lacks."""
        if self._table is None:
            asked = items.alias(ITEM).to_frame()
            found = asked.join(self._numbered, on=ITEM, how="left", maintain_order="left")
            return found["number"].fill_null(self.size)
        return self._table.gather(items.clip(0, len(self._table) - 1))

    @cached_property
    def _numbered(self) -> pl.DataFrame:
        numbers = pl.int_range(self.size, dtype=pl.UInt32, eager=True)
        return pl.DataFrame({ITEM: self.frame[ITEM], "number": numbers})

    @cached_property
    def _table(self) -> pl.Series | None:
        """Maps every integer up to the largest item, and the next one, to its number; None for
        texts and where the table would be large."""
        items = self.frame[ITEM]
        if items.dtype == pl.String or int(items[-1]) >= _DENSEST:
            return None
        table = repeat(self.size, int(items[-1]) + 2, pl.UInt32)
        return table.scatter(items, self._numbered["number"])

    @cached_property
    def surprises(self) -> pl.Series:
        """The self-information −log2(n / N) of every item and then of an unlisted one, Float64: n
        users of N had it, and a cold item counts as if one user had."""
        known = self.frame[USERS].clip(lower_bound=1)
        total = self.training_users or 1
        # Few numbers of users occur; each logarithm is computed once, always by the same function.
        distinct = known.unique().sort()
        bits = pl.Series([-math.log2(n / total) for n in distinct], dtype=pl.Float64).abs()
        unlisted = pl.Series([abs(math.log2(1 / total))], dtype=pl.Float64)
        return pl.concat([bits.gather(distinct.search_sorted(known)), unlisted])

    def popular(self, k: int) -> pl.Series:
        """Finds the K items that most users had; ties go to the smaller item."""
        ordered = self.frame.select(ITEM, USERS).sort(USERS, descending=True, maintain_order=True)
        return ordered[ITEM].head(k)

    @cached_property
    def popularities(self) -> pl.Series:
        """The training users of every item and then of an unlisted one, which has 0, Float64."""
        return pl.concat([self.frame[USERS].cast(pl.Float64), pl.Series([0.0])])

    @cached_property
    def is_long_tail(self) -> pl.Series:
        """1 for every item outside the short head, else 0, UInt32; the last row, of unlisted items,
        is 1. The short head is the smallest set of the most popular items that together have 80 %
        of the interactions with users; ties go to the smaller item."""
        users = self.frame[USERS]
        ordered = self.frame.select(
            pl.int_range(pl.len(), dtype=pl.UInt32).alias("number"), USERS
        ).sort(USERS, descending=True, maintain_order=True)
        before = ordered[USERS].cum_sum() - ordered[USERS]
        head = ordered["number"].filter(before * 10 < int(users.sum()) * 8)
        tail = repeat(1, self.size + 1, pl.UInt32)
        return tail.scatter(head, 0)

    @cached_property
    def categories(self) -> list[pl.Series]:
        """The features as shares of an item, one column each: those above 0, divided by their sum;
        zeros for an item without features, and for an unlisted one (the last row)."""
        columns = [self.frame[name].fill_null(0.0).clip(lower_bound=0.0) for name in self.features]
        # Dividing by the largest first keeps sums of huge numbers finite.
        largest = pl.select(pl.max_horizontal(columns)).to_series()
        columns = [column / largest.set(largest == 0, 1.0) for column in columns]
        total = added(columns)
        total = total.set(total == 0, 1.0)
        zero = pl.Series([0.0])
        return [pl.concat([column / total, zero], rechunk=True) for column in columns]

    @cached_property
    def has_category(self) -> pl.Series:
        """1 for every item with a feature above 0, else 0, Float64; the last row is 0."""
        has_one = pl.any_horizontal(column > 0 for column in self.categories)
        return pl.select(has_one.cast(pl.Float64)).to_series()

    @cached_property
    def directions(self) -> list[pl.Series]:
        """The features of every item as a vector of length 1, one column each; zeros for an item
        without features, or whose features are all 0, and for an unlisted one (the last row)."""
        zero = pl.Series([0.0])
        columns = [self.frame[name].fill_null(0.0) for name in self.features]
        # Dividing by the largest first keeps squares of huge and tiny numbers finite and above 0.
        largest = pl.select(pl.max_horizontal(column.abs() for column in columns)).to_series()
        scale = largest.set(largest == 0, 1.0)
        columns = [column / scale for column in columns]
        square = added([column * column for column in columns])
        length = square.sqrt().set(square == 0, 1.0)
        return [pl.concat([column / length, zero], rechunk=True) for column in columns]

    @cached_property
    def has_direction(self) -> pl.Series:
        """1 for every item whose direction is not zero, else 0, UInt32; the last row is 0."""
        has_one = pl.any_horizontal(column != 0 for column in self.directions)
        return pl.select(has_one.cast(pl.UInt32)).to_series()

    def summary(self) -> dict[str, Any]:
        """Summarizes the file for organizers, JSON-ready."""
        users = self.frame[USERS] if "users" in self.tells else None
        lacking = self.frame[self.features[0]].null_count() if self.features else 0
        return {
            "items": self.size,
            "item_ids": "string" if self.frame.schema[ITEM] == pl.String else "integer",
            "training_users": self.training_users,
            "features": list(self.features),
            "without_features": lacking,
            "without_users": None if users is None else int((users == 0).sum()),
            "tells": sorted(self.tells),
        }

    def write(self, path: Path) -> str:
        """Stores the file as Parquet; equal content gives equal bytes. Returns their sha256."""
        known = {} if self.training_users is None else {_TRAINING_USERS: str(self.training_users)}
        return write_frame(self.frame, path, metadata=known)

    @classmethod
    def load(cls, path: Path, *, sha256: str, task: Task) -> ItemFile:
        """Loads a stored item file. Raises ItemFileCorrupt if the bytes do not have this hash, or
        the items are not of the task's kind."""
        stored = path.read_bytes()
        if hashlib.sha256(stored).hexdigest() != sha256:
            raise ItemFileCorrupt(f"{path.name} does not have the recorded hash")
        frame = pl.read_parquet(BytesIO(stored))
        if frame.schema.get(ITEM) != item_type(task):
            raise ItemFileCorrupt(f"{path.name} is not an item file of this task")
        users = pl.read_parquet_metadata(BytesIO(stored)).get(_TRAINING_USERS)
        return cls(frame, None if users is None else int(users))


def added(columns: Sequence[pl.Series]) -> pl.Series:
    """Sums each row, from the first column to the last."""
    return functools.reduce(operator.add, columns)


def item_type(task: Task) -> pl.DataType:
    """Returns the data type of a column of the task's items."""
    return pl.String() if task.item_ids == "string" else pl.Int32()


def lacks(needs: Iterable[Need], items: ItemFile | None) -> list[Need]:
    """Lists the facts that metrics need and the item file lacks, sorted."""
    return sorted(set(needs) - (items.tells if items else frozenset()))
