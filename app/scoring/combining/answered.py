"""The sessions that a submission has rows of, where no list of published ids is at hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from podium.scoring.combining.spool import deep
from podium.scoring.combining.turns import in_turn
from podium.scoring.containers.detection import open_blocks
from podium.scoring.kernel.text import NotPlain
from podium.scoring.published import PublishedIds
from podium.scoring.ratings.fast import columns
from podium.scoring.task import Task
from podium.scoring.truth import read_published_ids

MAX_LISTED_ROWS = 1 << 28
"""Rows of a Parquet file that is to tell which ids there are."""


def answered_ids(file: Path, *, task: Task) -> PublishedIds:
    """The sessions that a submission has rows of, in their order, where no list of published ids is
    at hand. What is wrong with the file is for its reader to say; raises FileRejected if it cannot
    even be told which ids there are."""
    try:
        sessions = pl.concat(_sessions(file, deep(task))).unique(maintain_order=True)
    except NotPlain:
        return read_published_ids(file, task=deep(task))
    return PublishedIds(sessions, task.names)


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
