"""A submission's lists on disk, to be had by number of query: memory stays bounded, whatever the
order of the rows and however many submissions are looked at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Lock

import polars as pl

from app.scoring.engine import BLOCK_BYTES, read_submission
from app.scoring.ground_truth import read_published_ids
from app.scoring.published import PublishedIds
from app.scoring.reading.containers import open_blocks
from app.scoring.reading.fast import Doubt, Rows, columns
from app.scoring.task import MAX_K, Task

MAX_LISTED_ROWS = 1 << 28
"""Rows of a Parquet file that is to tell which ids there are."""

PORTION_QUERIES = 100_000
"""Queries that are looked at together."""

_SCHEMA = {"query": pl.UInt32, "labels": pl.String}

Part = dict[int, Path]
"""Where the rows of a block are, by portion."""


class Spool:
    """The lists of one submission."""

    def __init__(self, folder: Path) -> None:
        """`folder` is empty; it takes about as much as the submission's text."""
        self._folder = folder
        self._parts: list[Part] = []
        self._lock = Lock()
        self._made = 0

    def add(self, rows: Rows) -> Part:
        """Writes some rows; any thread may. What it gives back is for `keep`."""
        with self._lock:
            self._made += 1
            number = self._made
        lists = pl.DataFrame({"query": rows.query, "labels": rows.labels}).sort("query")
        runs = (lists["query"] // PORTION_QUERIES).rle().struct.unnest()
        part, start = {}, 0
        for count, portion in runs.iter_rows():
            part[portion] = self._folder / f"{number}-{portion}.arrow"
            # Texts are copied: by reference, each file would hold all texts of the block.
            oldest = pl.CompatLevel.oldest()
            lists.slice(start, count).write_ipc(part[portion], compat_level=oldest)
            start += count
        return part

    def keep(self, parts: list[Part]) -> None:
        """Those parts are the whole submission."""
        self._parts = parts

    def portion(self, number: int) -> pl.DataFrame:
        """The lists of the queries from `number` × `PORTION_QUERIES` on that have a row, by `query`
        (UInt32): `labels`, items between single spaces, or nothing."""
        paths = [part[number] for part in self._parts if number in part]
        found = [pl.read_ipc(path) for path in paths]
        return pl.concat([pl.DataFrame(schema=_SCHEMA), *found]).sort("query")


def spooled(file: Path, *, task: Task, published: PublishedIds, scratch: Path) -> Spool:
    """Checks a submission as the judge does, and keeps its lists in a folder of their own below
    `scratch`. Lists may be longer than what is scored. Raises FileRejected."""
    folder = scratch / f"lists-{len(list(scratch.iterdir()))}"
    folder.mkdir()
    spool = Spool(folder)
    read = read_submission(
        file,
        spool.add,
        task=deep(task),
        published=published,
        scratch=scratch,
        progress=None,
    )
    spool.keep(read.parts)
    return spool


def answered_ids(file: Path, *, task: Task) -> PublishedIds:
    """The sessions that a submission has rows of, in their order, where no list of published ids is
    at hand. What is wrong with the file is for its reader to say; raises FileRejected if it cannot
    even be told which ids there are."""
    try:
        sessions = pl.concat(_sessions(file, deep(task))).unique(maintain_order=True)
    except Doubt:
        return read_published_ids(file, task=deep(task))
    return PublishedIds(sessions, task.names)


def deep(task: Task) -> Task:
    """The same task for lists that are longer than what is scored."""
    return task.scored_by(f"recall_capped@{MAX_K}:micro")


def _sessions(file: Path, task: Task) -> Iterator[pl.Series]:
    header = f"{task.id_column},{task.labels_column}\n".encode()
    kind = pl.String if task.query_ids == "string" else pl.Int32
    blocks = open_blocks(file, task, max_rows=MAX_LISTED_ROWS, block_bytes=BLOCK_BYTES)
    first = next(blocks, b"")
    if not first.startswith(header) or len(first) == len(header):
        raise Doubt("another header, or nothing else")
    yield _of_block(first[len(header) :], task).cast(kind)
    for block in blocks:
        yield _of_block(block, task).cast(kind)


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
        raise Doubt("ids that are not plainly right")
    return sessions.alias("session").unique(maintain_order=True)
