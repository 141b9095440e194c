"""A whole submission of ratings: a file of unknown bytes in; its predictions, or all that is wrong
with it, out."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl

from podium.scoring.containers.detection import (
    Container,
    as_rows,
    open_blocks,
    open_source,
    recognise,
)
from podium.scoring.kernel.library import kernel
from podium.scoring.kernel.pairs import Role, read_numbers
from podium.scoring.kernel.text import NotPlain, Pieces, WholeLines
from podium.scoring.lists.blocks import whole_lines
from podium.scoring.lists.header import read_columns
from podium.scoring.problems import FileRejected
from podium.scoring.ratings.lines import read_strictly
from podium.scoring.ratings.pairs import PairNumbers, PublishedPairs
from podium.scoring.ratings.parquet import pair_pieces
from podium.scoring.task import MAX_SURPLUS_ROWS, Task

BLOCK_BYTES = 6 << 20
"""Text in one block of the strict reader."""

Progress = Callable[[float], None]


def read_predictions(
    file: Path, *, task: Task, published: PublishedPairs, progress: Progress | None = None
) -> pl.Series:
    """The prediction of every published pair, Float64 in published order. Raises FileRejected.

    `progress` gets the share of the pairs that was read, 0 to 1, from any thread.
    """
    try:
        read = _plain(file, task, published, progress)
        if read is None:
            blocks, numbers = _blocks(file, task, published), PairNumbers(published)
            read = read_strictly(blocks, task=task, published=published, numbers=numbers)
            if progress is not None:
                progress(1.0)
    except FileRejected as rejected:
        if recognise(file) is Container.PARQUET:
            raise FileRejected(as_rows(rejected.rejection)) from rejected
        raise
    return read


def _plain(
    file: Path, task: Task, published: PublishedPairs, progress: Progress | None
) -> pl.Series | None:
    """The predictions by the compiled reader; None where the text is not plain, or it was not
    built."""
    functions = kernel()
    if functions is None:
        return None
    try:
        with _source(file, task, published) as source:
            return read_numbers(
                WholeLines(source, functions.podium_count_lines),
                functions,
                task=task,
                pairs=published.frame,
                roles=lambda text: roles_of(text, task),
                progress=progress,
            )
    except NotPlain:
        return None


def roles_of(text: bytes, task: Task) -> tuple[Role, ...]:
    """The roles of the columns of a text that begins with its header. Raises NotPlain where they
    are not the task's."""
    roles: dict[str, Role] = dict(zip(task.columns, ("user", "item", "rating"), strict=True))
    try:
        return tuple(roles[name] for name in read_columns(text, task))
    except FileRejected as rejected:
        raise NotPlain("another header") from rejected


def _source(file: Path, task: Task, published: PublishedPairs) -> io.RawIOBase:
    max_rows = published.count + MAX_SURPLUS_ROWS
    if recognise(file) is Container.PARQUET:
        return Pieces(pair_pieces(file, task, max_rows=max_rows))
    return open_source(file, task, max_rows=max_rows)


def _blocks(file: Path, task: Task, published: PublishedPairs) -> Iterator[bytes]:
    max_rows = published.count + MAX_SURPLUS_ROWS
    if recognise(file) is Container.PARQUET:
        return whole_lines(pair_pieces(file, task, max_rows=max_rows), BLOCK_BYTES)
    return open_blocks(file, task, max_rows=max_rows, block_bytes=BLOCK_BYTES)
