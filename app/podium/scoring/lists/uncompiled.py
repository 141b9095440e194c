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
from podium.scoring.published import PublishedIds
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
    places = _places(published)
    for number, text in enumerate(file_blocks(path, _BLOCK_BYTES)):
        block = _lists(text if number else text.partition(b"\n")[2], task, places, plan.depth)
        lengths.add(block)
        if distinct is not None:
            distinct.add(block)
        if ranks is not None:
            found = _found(block, labels)
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
        place = pl.int_range(len(block.items), dtype=pl.UInt32, eager=True)
        place = place - block.first.gather(lists)
        limit = self._limits.gather(block.query % width).gather(lists)
        is_marked = (block.query // width % self._every == 0).gather(lists)
        self._parts.append(block.items.filter((place < limit) & is_marked).unique())

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


def _places(published: PublishedIds) -> pl.DataFrame:
    sessions = published.sessions.cast(pl.String).alias("session")
    return sessions.to_frame().with_row_index("place")


def _lists(text: bytes, task: Task, places: pl.DataFrame, depth: int) -> ListBlock:
    lines = pl.Series([text.decode("ascii").removesuffix("\n")], dtype=pl.String)
    lines = lines.str.split("\n").explode()
    if not text:
        lines = lines.clear()
    rows = lines.str.split_exact(",", 1).struct.rename_fields(["id", "labels"]).struct.unnest()
    position, session = pl.lit(0, dtype=pl.UInt32), pl.col("id")
    for number, name in enumerate(task.names):
        named = pl.col("id").str.ends_with(f"_{name}") if name else pl.lit(value=True)
        position = pl.when(named).then(pl.lit(number, dtype=pl.UInt32)).otherwise(position)
        ending = f"_{name}" if name else ""
        session = pl.when(named).then(pl.col("id").str.strip_suffix(ending)).otherwise(session)
    rows = rows.with_columns(session=session, position=position)
    rows = rows.join(places, on="session", how="left", maintain_order="left")
    kind = pl.String if task.item_ids == "string" else pl.Int32
    listed = pl.col("labels").str.split(" ").list.head(depth)
    items = pl.when(pl.col("labels") != "").then(listed).otherwise([]).cast(pl.List(kind))
    rows = rows.select(query=pl.col("place") * len(task.names) + pl.col("position"), items=items)
    return ListBlock(
        rows["query"], rows["items"].list.len(), rows["items"].explode(empty_as_null=False)
    )


def _found(block: ListBlock, labels: pl.DataFrame) -> pl.DataFrame:
    """Finds the first `rank` of each `label` that occurs in the lists."""
    number = pl.int_range(len(block.items), dtype=pl.UInt32, eager=True)
    listed = pl.DataFrame(
        {
            "query": block.query.gather(block.list_of),
            "item": block.items,
            "rank": (number - block.first.gather(block.list_of) + 1).cast(pl.UInt16),
        }
    )
    found = listed.join(labels, on=["query", "item"], how="inner")
    return found.group_by("label").agg(pl.col("rank").min())
