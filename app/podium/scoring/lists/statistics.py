"""Computes statistics of a submission's lists: their lengths, and their items.

They depend on the file, K and the organizer's catalog, and never on the ground truth, so that a
team may see all of them at any time. Lengths are counted while the file is read. Counting each item
would take longer than all other work on most lists, so that in large files only the items of some
lists are counted, the same ones in every file of a competition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from podium.scoring.items import ITEM, ItemFile
from podium.scoring.lists.plan import DistinctItems

MAX_PLACES = 1 << 21
"""The most positions of lists at which the items of all of them are counted: 100,000 lists of
20."""


def counted_share(sessions: int, depths: Sequence[int]) -> int:
    """Computes n, a power of two, such that the items of every n-th published session are counted;
    `depths` are the K of all objectives.

    >>> counted_share(1 << 15, [20, 20, 20]), counted_share(1_671_803, [20, 20, 20])
    (1, 64)
    """
    share = 1
    while sessions * sum(depths) > MAX_PLACES * share:
        share *= 2
    return share


@dataclass(frozen=True)
class ListLengths:
    """The lengths of the lists of one objective, cut to the `k` items that count: the number of
    `lists`, of those that are `empty` or `full` (K items), and of `items` in all of them."""

    k: int
    lists: int
    empty: int
    full: int
    items: int

    @classmethod
    def of(cls, counts: Sequence[int], k: int) -> ListLengths:
        """Summarizes the numbers of lists with no item, one, and so on, at least up to K.

        >>> ListLengths.of([3, 0, 1, 2, 5], k=3)
        ListLengths(k=3, lists=11, empty=3, full=7, items=23)
        """
        items = sum(count * min(length, k) for length, count in enumerate(counts))
        return cls(k, sum(counts), counts[0], sum(counts[k:]), items)


@dataclass(frozen=True)
class CatalogueUse:
    """The coverage of the organizer's catalog by lists: its number of `items`, how many of them are
    `predicted`, and how many distinct predicted items are `unknown` to it; of these, how many are
    an item `without_zeros` at its start, and how many one that became a float (`as_floats`)."""

    items: int
    predicted: int
    unknown: int
    without_zeros: int = 0
    as_floats: int = 0

    @classmethod
    def of(cls, distinct: DistinctItems, count: int, items: ItemFile) -> CatalogueUse:
        """Compares `count` distinct items with the catalog."""
        known = items.frame[ITEM]
        predicted = distinct.count_among(known)
        unknown = count - predicted
        if not unknown or known.dtype != pl.String:
            return cls(items.size, predicted, unknown)
        numbers = known.filter(known.str.contains(r"\A[0-9]+\z"))
        bare = numbers.str.strip_chars_start("0")
        bare = bare.filter(bare != "")
        changed = [
            spelled.filter(~spelled.is_in(known.implode())).unique()
            for spelled in (bare, pl.concat([numbers, bare]) + ".0")
        ]
        found = [distinct.count_among(spelled) if len(spelled) else 0 for spelled in changed]
        return cls(items.size, predicted, unknown, *found)


@dataclass(frozen=True)
class ListStatistics:
    """Lengths by objective, and the number of distinct items of all objectives' lists among the
    first K.

    Items are those in the lists of every n-th session (`counted_share`). `distinct` is None for
    texts where there are too many to be counted, and `catalogue` also where the organizer has not
    provided one.
    """

    objectives: dict[str, ListLengths]
    counted_share: int
    distinct: int | None
    catalogue: CatalogueUse | None

    @classmethod
    def of(
        cls,
        lengths: dict[str, ListLengths],
        distinct: DistinctItems | None,
        items: ItemFile | None,
        share: int,
    ) -> ListStatistics:
        """Combines the counts of a reading."""
        count = None if distinct is None else distinct.count
        if distinct is None or count is None or items is None:
            return cls(lengths, share, count, None)
        return cls(lengths, share, count, CatalogueUse.of(distinct, count, items))

    def to_dict(self) -> dict[str, Any]:
        """Converts the statistics to JSON-ready values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> ListStatistics:
        """Creates statistics from the values of `to_dict`."""
        use = values["catalogue"]
        return cls(
            {name: ListLengths(**lengths) for name, lengths in values["objectives"].items()},
            values["counted_share"],
            values["distinct"],
            None if use is None else CatalogueUse(**use),
        )
