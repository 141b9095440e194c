"""A whole submission of ratings: a file of unknown bytes in; its predictions, or all that is wrong
with it, out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl

from podium.scoring.containers.detection import Container, as_rows, open_blocks, recognise
from podium.scoring.kernel.text import NotPlain
from podium.scoring.lists.blocks import whole_lines
from podium.scoring.lists.texts import plain_rows
from podium.scoring.problems import FileRejected
from podium.scoring.ratings.fast import RatingBlockReader, Role
from podium.scoring.ratings.lines import read_strictly
from podium.scoring.ratings.pairs import PairNumbers, PublishedPairs
from podium.scoring.ratings.parquet import pair_pieces
from podium.scoring.task import MAX_SURPLUS_ROWS, Task

BLOCK_BYTES = 6 << 20
"""Text in one block."""

Progress = Callable[[float], None]


def read_predictions(
    file: Path, *, task: Task, published: PublishedPairs, progress: Progress | None = None
) -> pl.Series:
    """The prediction of every published pair, Float64 in published order. Raises FileRejected.

    `progress` gets the share of the pairs that was read, 0 to 1.
    """
    numbers = PairNumbers(published)
    try:
        try:
            blocks = _blocks(file, task, published)
            return read_fast(
                blocks, task=task, count=published.count, numbers=numbers, progress=progress
            )
        except NotPlain:
            blocks = _blocks(file, task, published)
            return read_strictly(blocks, task=task, published=published, numbers=numbers)
    except FileRejected as rejected:
        if recognise(file) is Container.PARQUET:
            raise FileRejected(as_rows(rejected.rejection)) from rejected
        raise


def roles_of(header: bytes, task: Task) -> tuple[Role, ...]:
    """The roles of the columns under this header. Raises NotPlain where they are not the task's."""
    roles: dict[str, Role] = dict(zip(task.columns, ("user", "item", "rating"), strict=True))
    names = header.removesuffix(b"\n").decode("utf-8", "replace").split(",")
    if sorted(names) != sorted(roles):
        raise NotPlain("another header")
    return tuple(roles[name] for name in names)


def read_fast(
    blocks: Iterator[bytes],
    *,
    task: Task,
    count: int,
    numbers: PairNumbers,
    progress: Progress | None,
) -> pl.Series:
    """Reads the predictions of a text that is proven good, in blocks that end after LF. Raises
    NotPlain."""
    texts = plain_rows(blocks)
    reader = RatingBlockReader(task, roles_of(next(texts), task))
    predictions = pl.zeros(count, dtype=pl.Float64, eager=True)
    seen = pl.zeros(count, dtype=pl.UInt8, eager=True)
    rows = 0
    for text in texts:
        frame = reader.read(text)
        if rows + frame.height > count:
            raise NotPlain("more rows than published pairs")
        keys, ratings = numbers.keys(frame), frame["rating"]
        if numbers.are_next(keys, rows):
            place = pl.int_range(rows, rows + frame.height, dtype=pl.UInt32, eager=True)
        else:
            # Neighbours are found close to each other, which is many times faster.
            order = keys.arg_sort()
            keys, ratings = keys.gather(order), ratings.gather(order)
            place = numbers.numbers(keys)
        if place.null_count():
            raise NotPlain("a pair is not published")
        rows += frame.height
        # In place: a one, and the number, for every pair that was answered.
        seen.scatter(place, 1)
        predictions.scatter(place, ratings)
        if progress is not None:
            progress(rows / count)
    if rows != count or seen.sum() != count:
        raise NotPlain("a pair is missing or occurs twice")
    return predictions


def _blocks(file: Path, task: Task, published: PublishedPairs) -> Iterator[bytes]:
    max_rows = published.count + MAX_SURPLUS_ROWS
    if recognise(file) is Container.PARQUET:
        return whole_lines(pair_pieces(file, task, max_rows=max_rows), BLOCK_BYTES)
    return open_blocks(file, task, max_rows=max_rows, block_bytes=BLOCK_BYTES)
