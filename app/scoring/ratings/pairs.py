"""The published pairs of a rating task: what must be predicted, and nothing about the answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path

import polars as pl

from podium.scoring.task import IdKind


@dataclass(frozen=True)
class PublishedPairs:
    """All pairs of a rating competition, in published order.

    `frame` has `user` and `item`, Int32 or String by the kind of their ids, and no pair twice. A
    pair's number is its row.
    """

    frame: pl.DataFrame

    @property
    def count(self) -> int:
        """The number of rows of a complete submission."""
        return self.frame.height

    def id_of(self, number: int) -> str:
        """The pair as text for people: `(user, item)`."""
        return shown(*self.frame.row(number))

    def write(self, path: Path) -> None:
        """Stores the pairs as Parquet."""
        self.frame.write_parquet(path, compression="zstd")

    @classmethod
    def read(cls, path: Path) -> PublishedPairs:
        """Inverse of `write`."""
        return cls(pl.read_parquet(path))


class PairNumbers:
    """Pairs → their number in published order.

    A pair is one number, its key: the place of its user times 2**32 and the place of its item.
    Integers are their own place; texts have one among the sorted texts that are published.
    """

    def __init__(self, pairs: PublishedPairs) -> None:
        self._users, self._items = (_Places(pairs.frame[name]) for name in ("user", "item"))
        self._keys = self.keys(pairs.frame)

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
        """The UInt64 keys of a frame with `user` and `item`; null where one is not published."""
        return self._users.of(frame["user"]) * (1 << 32) + self._items.of(frame["item"])

    def numbers(self, keys: pl.Series) -> pl.Series:
        """UInt32 numbers of keys, fastest for sorted ones; null for a pair not published."""
        at = self._sorted.search_sorted(keys.fill_null(0)).clip(0, len(self._sorted) - 1)
        found = (self._sorted.gather(at) == keys).fill_null(False)
        numbers = at if self._order is None else self._order.gather(at)
        return numbers if found.all() else numbers.set(~found, None)


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


def shown(user: int | str, item: int | str) -> str:
    """A pair as text for people.

    >>> shown(7, 12)
    '(7, 12)'
    """
    return f"({user}, {item})"


def shown_first(pairs: PublishedPairs, numbers: Iterable[int], count: int, most: int) -> str:
    """The first pairs of `count`, with an ellipsis for those that are left out."""
    names = [pairs.id_of(number) for number in islice(numbers, most)]
    return ", ".join(names) + (", …" if count > len(names) else "")
