"""The published pairs of a task: what wants a number, and nothing about the answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path

import polars as pl

from podium.scoring.containers.parquet_files import read_parquet
from podium.scoring.task import IdKind, Task


@dataclass(frozen=True)
class PublishedPairs:
    """All pairs of a competition, in published order.

    `frame` has `user`, and `item` and `context` where pairs have them; Int32 or String by the kind
    of their ids, and no pair twice. A pair's number is its row.
    """

    frame: pl.DataFrame

    @property
    def count(self) -> int:
        """The number of rows of a complete submission."""
        return self.frame.height

    def id_of(self, number: int) -> str:
        """The pair as text for people: `(user, item)`, or `(user, item, context)`."""
        return shown(*self.frame.row(number))

    def write(self, path: Path) -> None:
        """Stores the pairs as Parquet."""
        self.frame.write_parquet(path, compression="zstd")

    @classmethod
    def read(cls, path: Path) -> PublishedPairs:
        """Inverse of `write`."""
        return cls(read_parquet(path))


class PairNumbers:
    """Pairs → their number in published order.

    A pair is one number, its key: the place of its user times 2**32 and the place of its item.
    Integers are their own place; texts have one among the sorted texts that are published. Where
    there are contexts, the place is that of the user and the item, among the pairs of both.
    """

    def __init__(self, pairs: PublishedPairs) -> None:
        frame = pairs.frame
        self._users = _Places(frame["user"])
        self._items = _Places(frame["item"]) if "item" in frame.columns else None
        self._contexts: _Places | None = None
        if "context" in frame.columns:
            self._both = self._keys_of_two(frame).unique().sort()
            self._contexts = _Places(frame["context"])
        self._keys = self.keys(frame)

    @cached_property
    def _order(self) -> pl.Series | None:
        return None if self._keys.is_sorted() else self._keys.arg_sort()

    @cached_property
    def _sorted(self) -> pl.Series:
        return self._keys if self._order is None else self._keys.gather(self._order)

    def have_repeats(self) -> bool:
        """True where a pair occurs twice."""
        return bool((self._sorted == self._sorted.shift()).any())

    def keys(self, frame: pl.DataFrame) -> pl.Series:
        """The UInt64 keys of a frame of ids; null where one is not published."""
        of_two = self._keys_of_two(frame)
        if self._contexts is None:
            return of_two
        at = _found_in(self._both, of_two).cast(pl.UInt64)
        return at * (1 << 32) + self._contexts.of(frame["context"])

    def _keys_of_two(self, frame: pl.DataFrame) -> pl.Series:
        users = self._users.of(frame["user"])
        return users if self._items is None else users * (1 << 32) + self._items.of(frame["item"])

    def numbers(self, keys: pl.Series) -> pl.Series:
        """UInt32 numbers of keys, fastest for sorted ones; null for a pair not published."""
        at = _found_in(self._sorted, keys)
        return at if self._order is None else self._order.gather(at)


def _found_in(known: pl.Series, keys: pl.Series) -> pl.Series:
    """The UInt32 places of keys among sorted ones; null for a key that is not there."""
    at = known.search_sorted(keys.fill_null(0)).clip(0, len(known) - 1)
    found = (known.gather(at) == keys).fill_null(False)
    return at if found.all() else at.set(~found, None)


class _Places:
    """Ids of one column → UInt64 places."""

    def __init__(self, published: pl.Series) -> None:
        is_text = published.dtype == pl.String
        self._texts = pl.Enum(published.unique().sort()) if is_text else None

    def of(self, ids: pl.Series) -> pl.Series:
        if self._texts is not None:
            ids = ids.cast(self._texts, strict=False).to_physical()
        return ids.cast(pl.UInt64)


def type_of(kind: IdKind) -> type[pl.Int32] | type[pl.String]:
    """The type of a column of ids."""
    return pl.String if kind == "string" else pl.Int32


def shown(*ids: int | str) -> str:
    """A pair as text for people.

    >>> shown(7, 12)
    '(7, 12)'
    """
    return f"({', '.join(map(str, ids))})"


def id_types(task: Task) -> dict[str, type[pl.Int32] | type[pl.String]]:
    """The type of each id of a pair, by its role."""
    kinds = dict(zip(ROLES, (task.query_ids, task.item_ids, task.context_ids), strict=True))
    return {role: type_of(kinds[role]) for role, _ in zip(ROLES, task.pair_columns, strict=False)}


ROLES = ("user", "item", "context")
"""The ids of a pair, in the order of `Task.pair_columns`."""


def shown_first(pairs: PublishedPairs, numbers: Iterable[int], count: int, most: int) -> str:
    """The first pairs of `count`, with an ellipsis for those that are left out."""
    names = [pairs.id_of(number) for number in islice(numbers, most)]
    return ", ".join(names) + (", …" if count > len(names) else "")
