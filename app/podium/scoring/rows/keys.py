"""Represents the published rows of a task, without their answers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import polars as pl

from podium.scoring.parquet.files import read_parquet
from podium.scoring.published import IdPlaces, PublishedIds, id_type
from podium.scoring.repeating import repeat
from podium.scoring.task import Task

KEYS = ("key0", "key1", "key2")
"""The columns of keys, in the order of `Task.pair_columns`."""

ID_WORDS = ("user", "item", "context")
"""The words for the ids of a pair in messages; and the names of all keys in stored files, as the
first files had pairs only."""


@dataclass(frozen=True)
class PublishedRows:
    """All rows of a competition, in published order: pairs, or the ids of a table.

    `frame` has one to three of `KEYS`, Int32 or String by the kind of their ids, and no row twice.
    A row's number is its index.
    """

    frame: pl.DataFrame

    width: ClassVar[int] = 1
    """The number of rows for each published one."""

    @property
    def count(self) -> int:
        """The number of rows of a complete submission."""
        return self.frame.height

    @property
    def counts(self) -> dict[str, int]:
        """The counts of a valid file: it has every row, and no row may be empty."""
        return {"rows": self.count, "missing": 0, "empty": 0}

    @property
    def ids(self) -> PublishedIds:
        """The distinct first keys, in the order in which they first appear: the ids of a table, or
        the queries of pairs."""
        first = self.frame["key0"]
        is_only = self.frame.width == 1
        return PublishedIds(first if is_only else first.unique(maintain_order=True), ("",))

    def name_of(self, number: int) -> str:
        """Formats the keys of a row in parentheses: `(7, 12)`."""
        return shown(*self.frame.row(number))

    def keys_of(self, number: int) -> str:
        """Formats the keys of a row as text for people: `7, 12`."""
        return ", ".join(map(str, self.frame.row(number)))

    def write(self, path: Path) -> None:
        """Stores the keys as Parquet."""
        stored = dict(zip(KEYS, ID_WORDS, strict=True))
        self.frame.rename(stored, strict=False).write_parquet(path, compression="zstd")

    @classmethod
    def read(cls, path: Path) -> PublishedRows:
        """Reads the keys that `write` has stored."""
        stored = dict(zip(ID_WORDS, KEYS, strict=True))
        return cls(read_parquet(path).rename(stored, strict=False))


def as_texts(rows: pl.DataFrame) -> pl.DataFrame:
    """Converts ids that are an Enum to String."""
    return rows.with_columns(pl.selectors.enum().cast(pl.String))


class RowNumbers:
    """Maps rows to their number in published order.

    The keys of a row become one number: the code of the first times 2**32 plus that of the second.
    Integers are their own code; that of a text is its index among the published texts. Where
    there is a third key, the first two are replaced by the index of their combination.
    """

    def __init__(self, published: PublishedRows) -> None:
        self._published, frame = published, published.frame
        self._second = _Places(frame["key1"]) if "key1" in frame.columns else None
        self._third: _Places | None = None
        if "key2" in frame.columns:
            self._both = self._keys_of_two(frame).unique().sort()
            self._third = _Places(frame["key2"])

    def of(self, rows: pl.DataFrame) -> pl.Series:
        """Looks up UInt32 numbers of rows by their keys, fastest for those in published order; null
        for a row that is not published."""
        if rows.width == 1:
            return self.of_first(rows["key0"])
        at = _found_in(self._sorted, self._keys_of(rows))
        return at if self._order is None else self._order.gather(at)

    def of_first(self, ids: pl.Series) -> pl.Series:
        """Looks up UInt32 numbers of rows with a single key; null for one that is not published."""
        if isinstance(ids.dtype, pl.Enum):
            return self._ids.number(ids.dtype.categories).gather(ids.to_physical())
        return self._ids.number(ids)

    @cached_property
    def _ids(self) -> IdPlaces:
        """The index of single keys, which is faster."""
        return IdPlaces(as_texts(self._published.frame)["key0"])

    @cached_property
    def _first(self) -> _Places:
        return _Places(self._published.frame["key0"])

    @cached_property
    def _keys(self) -> pl.Series:
        return self._keys_of(self._published.frame)

    @cached_property
    def _order(self) -> pl.Series | None:
        return None if self._keys.is_sorted() else self._keys.arg_sort()

    @cached_property
    def _sorted(self) -> pl.Series:
        return self._keys if self._order is None else self._keys.gather(self._order)

    def have_repeats(self) -> bool:
        """True where a row occurs twice."""
        return bool((self._sorted == self._sorted.shift()).any())

    def _keys_of(self, frame: pl.DataFrame) -> pl.Series:
        """Computes the UInt64 keys of a frame of ids; null where one is not published."""
        of_two = self._keys_of_two(frame)
        if self._third is None:
            return of_two
        at = _found_in(self._both, of_two).cast(pl.UInt64)
        return at * (1 << 32) + self._third.of(frame["key2"])

    def _keys_of_two(self, frame: pl.DataFrame) -> pl.Series:
        first = self._first.of(frame["key0"])
        return first if self._second is None else first * (1 << 32) + self._second.of(frame["key1"])


def _found_in(known: pl.Series, keys: pl.Series) -> pl.Series:
    """Finds the UInt32 indices of keys among sorted ones; null for a key that is not there."""
    if known.is_empty():
        return repeat(None, len(keys), pl.UInt32)
    at = known.search_sorted(keys.fill_null(0)).clip(0, len(known) - 1)
    found = (known.gather(at) == keys).fill_null(False)
    return at if found.all() else at.set(~found, None)


class _Places:
    """Maps ids of one column to UInt64 codes. Those of an Enum are known only in the same one."""

    def __init__(self, published: pl.Series) -> None:
        texts = published.unique(maintain_order=True) if published.dtype == pl.String else None
        self._numbers = None if texts is None else IdPlaces(texts)

    def of(self, ids: pl.Series) -> pl.Series:
        if not isinstance(ids.dtype, pl.Enum):
            return (ids if self._numbers is None else self._numbers.number(ids)).cast(pl.UInt64)
        codes = ids.to_physical()
        if self._numbers is not None:
            codes = self._numbers.number(ids.dtype.categories).gather(codes)
        return codes.cast(pl.UInt64)


def shown(*ids: int | str) -> str:
    """Formats a row's keys as text for people.

    >>> shown(7, 12)
    '(7, 12)'
    """
    return f"({', '.join(map(str, ids))})"


def key_types(task: Task) -> dict[str, type[pl.Int32] | type[pl.String]]:
    """Maps each key to its data type."""
    kinds = (task.query_ids, task.item_ids, task.context_ids)
    keys = KEYS[: len(task.pair_columns)]
    return {key: id_type(kind) for key, kind in zip(keys, kinds, strict=False)}
