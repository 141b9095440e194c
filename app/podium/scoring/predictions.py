"""Maps the items of a submission's lists to numbers of the item file, for metrics beyond accuracy.

Only lists that count are parsed, block by block in the reading threads; only a few numbers for each
query are stored, and one byte for each recommended item.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, takewhile
from threading import Lock
from typing import Protocol

import polars as pl

from podium.scoring.items import ItemFile, item_type
from podium.scoring.lists.plan import ListBlock
from podium.scoring.repeating import repeat
from podium.scoring.splits import SPLIT_NAMES
from podium.scoring.truth.canonical import GroundTruth


@dataclass(frozen=True)
class Lists:
    """Lists, cut to the same number of positions.

    `numbers` (UInt32) holds the first items of all lists, then all second ones, and so on: the
    item's number in `items`, null after the end of the list, and for a repeated item. `lengths`
    (UInt32) counts the items of each list, repetitions included.
    """

    numbers: pl.Series
    lengths: pl.Series
    width: int
    items: ItemFile
    slots: pl.Series | None = None
    """The row of `GroundTruth.queries` that each list answers, where that is known."""
    truth: GroundTruth | None = None

    @classmethod
    def of(cls, columns: Sequence[pl.Series], items: ItemFile) -> Lists:
        """Creates lists from one column of items per position, null after the end of a list."""
        frame = pl.DataFrame({f"place{number}": column for number, column in enumerate(columns)})
        taken = pl.sum_horizontal(pl.all().is_not_null().cast(pl.UInt32)).alias("taken")
        different = pl.concat_arr(pl.all()).arr.n_unique().alias("different")
        counted = frame.select(taken, different)
        item = pl.concat(columns, rechunk=True)
        numbers = items.numbers(item).set(item.is_null(), None)
        # Where it occurs, null counts as a distinct value.
        gaps = (counted["taken"] < len(columns)).cast(pl.UInt32)
        repeating = (counted["different"] < counted["taken"] + gaps).arg_true()
        if len(repeating):
            numbers = numbers.scatter(_repetitions(frame, repeating), None)
        return cls(numbers, counted["taken"], len(columns), items)

    def first(self, k: int) -> list[pl.Series]:
        """Lists the numbers at the first K positions, or all if there are fewer, one column per
        position."""
        size = len(self.lengths)
        return [self.numbers.slice(place * size, size) for place in range(min(k, self.width))]


def _repetitions(frame: pl.DataFrame, rows: pl.Series) -> pl.Series:
    """Finds the positions, among all first items, then all second ones, and so on, at which some
    rows repeat an item."""
    columns = frame[rows].get_columns()
    places = [rows + number * frame.height for number in range(len(columns))]
    table = pl.DataFrame({"row": pl.concat([rows] * len(columns)), "item": pl.concat(columns)})
    return pl.concat(places).filter(~table.to_struct().is_first_distinct())


class ListMetric(Protocol):
    """A metric that is computed for each list separately."""

    @property
    def id(self) -> str:
        """The id of the metric, for example `novelty@20`."""

    @property
    def depth(self) -> int:
        """The length to which lists are read."""

    def of_lists(self, lists: Lists) -> Mapping[str, pl.Series]:
        """Computes columns for each list, by name."""


@dataclass(frozen=True)
class Predictions:
    """Values of a submission's lists, and the item file that they were computed with.

    `kept` has, by metric id and name, a value for each row of `GroundTruth.queries`, 0 for a query
    without a list. `recommended` has by K, for every split and objective in the order of
    `GroundTruth.totals`' sorted keys, one UInt8 for each item of the file: 1 if it is in a list.
    `exposed` has in the same layout the number of lists with each item, UInt32.
    """

    items: ItemFile
    kept: Mapping[tuple[str, str], pl.Series] = field(default_factory=dict)
    recommended: Mapping[int, pl.Series] = field(default_factory=dict)
    exposed: Mapping[int, pl.Series] = field(default_factory=dict)


class PredictionReader:
    """Reads the predictions of one submission; threads may share it."""

    def __init__(
        self,
        truth: GroundTruth,
        items: ItemFile,
        *,
        metrics: Sequence[ListMetric],
        coverages: Sequence[int],
        exposures: Sequence[int] = (),
    ) -> None:
        """Prepares to compute `metrics` of each list, to mark recommended items for each K of
        `coverages`, and to count the lists with each item for each K of `exposures`."""
        self._truth, self._items, self._metrics = truth, items, metrics
        self._depth = max([*coverages, *exposures, *(metric.depth for metric in metrics)])
        doubled = takewhile(lambda width: width < self._depth, (1 << n for n in count()))
        self._widths = [*doubled, self._depth]
        queries = truth.queries
        counted = queries["split"].is_in(list(SPLIT_NAMES))
        slots = pl.int_range(1, queries.height + 1, dtype=pl.UInt32, eager=True)
        slot = repeat(0, truth.query_count, pl.UInt32)
        self._slot = slot.scatter(queries["query"].filter(counted), slots.filter(counted))
        self.looked_at = self._slot > 0
        """True for each query whose list counts."""
        keys = sorted(truth.totals)
        self._starts = _starts(truth, keys, items.size)
        self._recommended = {k: repeat(0, len(keys) * items.size, pl.UInt8) for k in coverages}
        self._exposed = {k: repeat(0, len(keys) * items.size, pl.UInt32) for k in exposures}
        self._is_counted = repeat(0, queries.height, pl.UInt8)
        self._lock = Lock()

    def read(self, block: ListBlock) -> pl.DataFrame:
        """Computes the metrics' columns for some lists: `slot` (row of `GroundTruth.queries`) and a
        column `<metric>/<name>` each. Marks recommended items and counts the lists that they are
        in; repeating it for the same lists has no effect."""
        seen = self.looked_at.gather(block.query) & (block.length > 0)
        slot = self._slot.gather(block.query.filter(seen)) - 1
        first, length = block.first.filter(seen), block.length.filter(seen)
        found, shorter = [], 0
        for width in self._widths:
            # Lists of about the same length share a table, so that one long list among many short
            # ones takes no memory for them.
            alike = (length > shorter) & ((length <= width) | (width == self._depth))
            if alike.any():
                places = _places(block.items, first.filter(alike), length.filter(alike), width)
                found.append(self._look_at(slot.filter(alike), places))
            shorter = width
        return pl.concat(found) if found else self._look_at(slot, self._no_places())

    def _look_at(self, slot: pl.Series, places: Sequence[pl.Series]) -> pl.DataFrame:
        lists = replace(Lists.of(places, self._items), slots=slot, truth=self._truth)
        self._mark(slot, lists)
        if self._exposed:
            self._count(slot, lists)
        found = {
            f"{metric.id}/{name}": kept
            for metric in self._metrics
            for name, kept in metric.of_lists(lists).items()
        }
        return pl.DataFrame({"slot": slot, **found})

    def _no_places(self) -> list[pl.Series]:
        return [pl.Series([], dtype=item_type(self._truth.task))] * self._depth

    def whole(self, parts: Sequence[pl.DataFrame]) -> Predictions:
        """Combines the parts of all blocks, once all rows were read."""
        found = pl.concat(parts or [self._look_at(_NO_SLOTS, self._no_places())])
        size = self._truth.queries.height
        kept = {}
        for name in found.columns[1:]:
            values = repeat(0, size, found[name].dtype)
            metric, _, what = name.partition("/")
            kept[metric, what] = values.scatter(found["slot"], found[name])
        return Predictions(self._items, kept, self._recommended, self._exposed)

    def _mark(self, slot: pl.Series, lists: Lists) -> None:
        start = self._starts.gather(self._truth.query_keys.gather(slot))
        for k, recommended in self._recommended.items():
            places = lists.first(k)
            numbers = pl.concat(places, rechunk=True)
            at = pl.concat([start] * len(places), rechunk=True) + numbers
            at = at.filter(numbers < self._items.size)
            with self._lock:
                recommended.scatter(at, 1)

    def _count(self, slot: pl.Series, lists: Lists) -> None:
        """Counts the lists that show each item. A list that was counted before, in a file that is
        read again, is skipped."""
        start = self._starts.gather(self._truth.query_keys.gather(slot))
        with self._lock:
            is_new = self._is_counted.gather(slot) == 0
            self._is_counted.scatter(slot, 1)
            for k, exposed in self._exposed.items():
                places = lists.first(k)
                numbers = pl.concat(places, rechunk=True)
                at = pl.concat([start] * len(places), rechunk=True) + numbers
                shown = pl.concat([is_new] * len(places), rechunk=True)
                found = at.filter((numbers < self._items.size) & shown).alias("at").value_counts()
                exposed.scatter(found["at"], exposed.gather(found["at"]) + found["count"])


LengthPart = tuple[pl.Series, pl.Series]
"""Queries and the lengths of their lists."""


class LengthReader:
    """Counts the items of the lists of one submission; threads may share it. It stores one number
    for each labeled query."""

    def __init__(self, truth: GroundTruth) -> None:
        self._truth = truth
        queries = truth.queries["query"]
        none = repeat(0, truth.query_count, pl.UInt8)
        self.looked_at = none.scatter(queries, 1) == 1
        """True for each query that has labels."""

    def read(self, block: ListBlock) -> LengthPart:
        """Returns the lengths of some lists."""
        seen = self.looked_at.gather(block.query)
        return block.query.filter(seen), block.length.filter(seen)

    def whole(self, parts: Sequence[LengthPart]) -> pl.Series:
        """Combines the lengths for each row of `GroundTruth.queries`, UInt32, 0 without a list."""
        lengths = repeat(0, self._truth.query_count, pl.UInt32)
        for queries, found in parts:
            lengths = lengths.scatter(queries, found)
        return lengths.gather(self._truth.queries["query"])


_NO_SLOTS = pl.Series([], dtype=pl.UInt32)


def _starts(truth: GroundTruth, keys: Sequence[tuple[int, int]], size: int) -> pl.Series:
    """Computes the offset of the items of each of `GroundTruth.query_keys`, UInt32."""
    width = len(truth.task.objectives)
    starts = [0] * (max(split for split, _ in keys) + 1) * width
    for place, (split, position) in enumerate(keys):
        starts[split * width + position] = place * size
    return pl.Series(starts, dtype=pl.UInt32)


def _places(items: pl.Series, first: pl.Series, length: pl.Series, width: int) -> list[pl.Series]:
    """Selects the items at the first `width` positions of lists, one column per position, null
    after a list's end."""
    return [items.gather((first + place).set(length <= place, None)) for place in range(width)]
