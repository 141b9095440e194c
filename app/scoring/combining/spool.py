"""A submission's lists on disk, to be had by number of query: memory stays bounded, whatever the
order of the rows and however many submissions are looked at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

import polars as pl

from podium.scoring.combining.turns import in_turn
from podium.scoring.containers.detection import open_blocks
from podium.scoring.hits import Hits
from podium.scoring.kernel.text import NotPlain
from podium.scoring.lists.plan import ListBlock, ListsRead, ReadingPlan
from podium.scoring.lists.reading import read_submission
from podium.scoring.published import PublishedIds
from podium.scoring.ratings.fast import columns
from podium.scoring.task import MAX_K, Task
from podium.scoring.truth import GroundTruth, read_published_ids

MAX_LISTED_ROWS = 1 << 28
"""Rows of a Parquet file that is to tell which ids there are."""

PORTION_ITEMS = 2_000_000
"""Queries are looked at together as long as all their lists have no more items than this."""


@dataclass(frozen=True)
class SpoolPart:
    """A file with some lists by query, and where those of each portion are in it: begin and end,
    in bytes."""

    file: Path
    places: dict[int, tuple[int, int]]

    def read(self, portion: int) -> pl.DataFrame:
        """The lists of a portion that it has."""
        begin, end = self.places[portion]
        with self.file.open("rb") as source:
            source.seek(begin)
            return pl.read_ipc_stream(source.read(end - begin))


class ListSpool:
    """The first `depth` items of the lists of one submission."""

    def __init__(self, folder: Path, *, task: Task, depth: int) -> None:
        """`folder` is empty; it takes four bytes an item, or as much as the text where items are
        text."""
        self._folder = folder
        self._items = pl.List(pl.String if task.item_ids == "string" else pl.Int32)
        self.depth = depth
        self._parts: list[SpoolPart] = []
        self._lock = Lock()
        self._made = 0

    @property
    def portion_queries(self) -> int:
        """The number of queries in a portion."""
        return portion_queries(self.depth)

    def add(self, rows: ListBlock) -> SpoolPart:
        """Writes some rows; any thread may. What it gives back is for `keep`."""
        with self._lock:
            self._made += 1
            file = self._folder / f"{self._made}.arrow"
        lists = self._lists(rows)
        runs = (lists["query"] // self.portion_queries).rle().struct.unnest()
        places, first = {}, 0
        with file.open("wb") as sink:
            for count, portion in runs.iter_rows():
                begin = sink.tell()
                # Texts are copied: by reference, each part would hold all texts of the block.
                oldest = pl.CompatLevel.oldest()
                lists.slice(first, count).write_ipc_stream(sink, compat_level=oldest)
                places[portion] = (begin, sink.tell())
                first += count
        return SpoolPart(file, places)

    def keep(self, parts: list[SpoolPart]) -> None:
        """Those parts are the whole submission."""
        self._parts = parts

    def portion(self, number: int) -> pl.DataFrame:
        """The lists of the queries from `number` × `portion_queries` on that are not empty, by
        `query` (UInt32): `items`, a list of Int32, or of String where items are text."""
        none = pl.DataFrame(schema={"query": pl.UInt32, "items": self._items})
        found = [part.read(number) for part in self._parts if number in part.places]
        return _by_query(pl.concat([none, *found], rechunk=True))

    def _lists(self, rows: ListBlock) -> pl.DataFrame:
        listed = pl.DataFrame({"query": rows.query.gather(rows.list_of), "items": rows.items})
        lists = listed.group_by("query", maintain_order=True).agg("items")
        return _by_query(lists.cast({"items": self._items}))


def portion_queries(depth: int) -> int:
    """The number of queries that are processed together where lists have at most `depth` items."""
    return max(1, PORTION_ITEMS // depth)


def _by_query(lists: pl.DataFrame) -> pl.DataFrame:
    return lists if lists["query"].is_sorted() else lists.sort("query")


def spooled(
    file: Path, *, task: Task, published: PublishedIds, depth: int, scratch: Path
) -> ListSpool:
    """Checks a submission as the judge does, and keeps the first `depth` items of its lists in a
    folder of their own below `scratch`. Lists may be longer than what is scored. Raises
    FileRejected."""
    spool = _empty(task, depth, scratch)
    spool.keep(_read(file, spool, task, published, scratch, None).parts)
    return spool


def spooled_with_hits(
    file: Path, truth: GroundTruth, *, published: PublishedIds, depth: int, scratch: Path
) -> tuple[ListSpool, Hits]:
    """As `spooled`, and of the same reading, which labels are among the items that are kept."""
    spool = _empty(truth.task, depth, scratch)
    read = _read(file, spool, truth.task, published, scratch, truth.frame)
    spool.keep(read.parts)
    assert read.ranks is not None
    return spool, Hits(read.ranks, truth)


def _empty(task: Task, depth: int, scratch: Path) -> ListSpool:
    folder = scratch / f"lists-{len(list(scratch.iterdir()))}"
    folder.mkdir()
    return ListSpool(folder, task=task, depth=depth)


def _read(
    file: Path,
    spool: ListSpool,
    task: Task,
    published: PublishedIds,
    scratch: Path,
    labels: pl.DataFrame | None,
) -> ListsRead[SpoolPart]:
    every = pl.repeat(1, published.count, dtype=pl.UInt8, eager=True)
    return read_submission(
        file,
        task=deep(task),
        published=published,
        plan=ReadingPlan(spool.depth, labels, every, spool.add),
        scratch=scratch,
    )


def answered_ids(file: Path, *, task: Task) -> PublishedIds:
    """The sessions that a submission has rows of, in their order, where no list of published ids is
    at hand. What is wrong with the file is for its reader to say; raises FileRejected if it cannot
    even be told which ids there are."""
    try:
        sessions = pl.concat(_sessions(file, deep(task))).unique(maintain_order=True)
    except NotPlain:
        return read_published_ids(file, task=deep(task))
    return PublishedIds(sessions, task.names)


def deep(task: Task) -> Task:
    """The same task for lists that are longer than what is scored."""
    return task.scored_by(f"recall_capped@{MAX_K}:micro")


def _sessions(file: Path, task: Task) -> Iterator[pl.Series]:
    header = f"{task.id_column},{task.labels_column}\n".encode()
    kind = pl.String if task.query_ids == "string" else pl.Int32
    blocks = open_blocks(file, task, max_rows=MAX_LISTED_ROWS)
    first = next(blocks, b"")
    if not first.startswith(header) or len(first) == len(header):
        raise NotPlain("another header, or nothing else")
    yield _of_block(first[len(header) :], task).cast(kind)
    yield from in_turn(lambda block: _of_block(block, task).cast(kind), blocks)


def _of_block(block: bytes, task: Task) -> pl.Series:
    ids = columns(block, {"id": pl.String, "labels": pl.String})["id"]
    endings = [f"_{name}" if name else "" for name in task.names]
    session = pl.coalesce(
        pl.when(pl.col("id").str.ends_with(ending)).then(pl.col("id").str.strip_suffix(ending))
        for ending in endings
    )
    sessions = ids.to_frame().select(session).to_series()
    plain = "^.+$" if task.query_ids == "string" else "^[0-9]{1,9}$"
    if sessions.null_count() or not sessions.str.contains(plain).all():
        raise NotPlain("ids that are not plainly right")
    return sessions.alias("session").unique(maintain_order=True)
