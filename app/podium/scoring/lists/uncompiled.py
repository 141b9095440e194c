"""Reads canonical text with Polars, where the compiled reader was not built.

The strict reader has written the text, so that it need not be checked again.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TypeVar

import polars as pl

from podium.scoring.items import MAX_TEXTS
from podium.scoring.lists.lines import LineCounts
from podium.scoring.lists.plan import ListBlock, ListsRead, ReadingPlan
from podium.scoring.published import IdPlaces, PublishedIds, id_type
from podium.scoring.repeating import repeat
from podium.scoring.task import Task
from podium.scoring.text.blocks import file_blocks

T = TypeVar("T")

_BLOCK_BYTES = 6 << 20


def read_canonical(
    path: Path, *, task: Task, published: PublishedIds, counts: LineCounts, plan: ReadingPlan[T]
) -> ListsRead[T]:
    """Collects the results of a plan from a canonical text with these counts."""
    ranks, parts, lengths = None, [], _LengthCounts(len(task.names), plan.depth)
    distinct = None if plan.limits is None else _Distinct(plan.limits, plan.marked_every)
    if plan.labels is not None:
        labels = plan.labels.select("query", "item").with_row_index("label")
        ranks = repeat(0, labels.height, pl.UInt16)
    numbers = IdPlaces(published.sessions)
    for number, text in enumerate(file_blocks(path, _BLOCK_BYTES)):
        block = _lists(text if number else text.partition(b"\n")[2], task, numbers, plan.depth)
        lengths.add(block)
        if distinct is not None:
            distinct.add(block)
        if ranks is not None:
            listed = pl.DataFrame(
                {
                    "query": block.query.gather(block.list_of),
                    "item": block.items,
                    "rank": (block.place + 1).cast(pl.UInt16),
                }
            )
            found = listed.join(labels, on=["query", "item"], how="inner")
            found = found.group_by("label").agg(pl.col("rank").min())
            ranks = ranks.scatter(found["label"], found["rank"])
        if plan.on_lists is not None and plan.lists_of is not None:
            parts.append(plan.on_lists(block.only(plan.lists_of.gather(block.query) == 1)))
    return ListsRead(
        counts.rows,
        counts.missing,
        counts.empty,
        ranks,
        parts,
        lengths=lengths.counts,
        distinct=distinct,
    )


class _LengthCounts:
    """Counts lists of each objective and length."""

    def __init__(self, objectives: int, depth: int) -> None:
        self.counts = [[0] * (depth + 1) for _ in range(objectives)]

    def add(self, block: ListBlock) -> None:
        """Counts the lists of a block."""
        objective = block.query % len(self.counts)
        lists = pl.DataFrame({"objective": objective, "length": block.length})
        for place, length, count in lists.group_by("objective", "length").len().iter_rows():
            self.counts[place][length] += count


class _Distinct:
    """Collects the distinct items in the first positions of lists, by the limits of a plan."""

    def __init__(self, limits: tuple[int, ...], every: int) -> None:
        self._limits, self._every = pl.Series(limits, dtype=pl.UInt32), every
        self._parts: list[pl.Series] = []

    def add(self, block: ListBlock) -> None:
        """Collects the items of a block."""
        lists, width = block.list_of, len(self._limits)
        limit = self._limits.gather(block.query % width).gather(lists)
        is_marked = (block.query // width % self._every == 0).gather(lists)
        self._parts.append(block.items.filter((block.place < limit) & is_marked).unique())

    @cached_property
    def _items(self) -> pl.Series:
        return pl.concat(self._parts).unique() if self._parts else pl.Series()

    @property
    def count(self) -> int | None:
        """Their number; None for texts where there are more than `MAX_TEXTS`."""
        is_too_many = self._items.dtype == pl.String and len(self._items) > MAX_TEXTS
        return None if is_too_many else len(self._items)

    def count_among(self, catalogue: pl.Series) -> int:
        """Counts the items of the catalog, which are distinct, that occur in lists."""
        return int(catalogue.is_in(self._items.implode()).sum()) if len(self._items) else 0


def _lists(text: bytes, task: Task, numbers: IdPlaces, depth: int) -> ListBlock:
    lines = pl.Series([text.decode("ascii").removesuffix("\n")]).str.split("\n").explode()
    if not text:
        lines = lines.clear()
    # Names have no underscore, and so end a row id from its last one on.
    row_id = "(.*)()" if task.names == ("",) else "(.*)_([^_]*)"
    session, name, labels = lines.str.extract_groups(f"^{row_id},(.*)$").struct.unnest()
    place = numbers.number(session.cast(id_type(task.query_ids)))
    count = len(task.names)
    position = name.replace_strict(task.names, range(count), return_dtype=pl.UInt32)
    items = labels.set(labels == "", None).str.split(" ").list.head(depth).fill_null([])
    items = items.cast(pl.List(id_type(task.item_ids)))
    return ListBlock(place * count + position, items.list.len(), items.explode(empty_as_null=False))
