"""A whole submission of pairs: a file of unknown bytes in; its numbers, or all that is wrong with
it, out."""

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
from podium.scoring.kernel.pairs import Role
from podium.scoring.kernel.pairs import read_numbers as enter_numbers
from podium.scoring.kernel.text import NotPlain, Pieces, WholeLines
from podium.scoring.lists.blocks import whole_lines
from podium.scoring.lists.header import read_columns
from podium.scoring.metrics.pairs import pair_metric_of
from podium.scoring.pairs.lines import read_strictly
from podium.scoring.pairs.orders import has_orders, read_orders
from podium.scoring.pairs.pairs import ROLES, PairNumbers, PublishedPairs
from podium.scoring.pairs.parquet import pair_pieces
from podium.scoring.problems import FileRejected
from podium.scoring.task import MAX_SURPLUS_ROWS, Task

BLOCK_BYTES = 6 << 20
"""Text in one block of the strict reader."""

Progress = Callable[[float], None]


def read_numbers(
    file: Path, *, task: Task, published: PublishedPairs, progress: Progress | None = None
) -> list[pl.Series]:
    """For each objective the number of every published pair, Float64 in published order. Raises
    FileRejected.

    `progress` gets the share of the pairs that was read, 0 to 1, from any thread.
    """
    wanted = [pair_metric_of(metric).needs_probabilities for metric in task.metrics]
    try:
        if has_orders(file, task, published):
            return [read_orders(file, task=task, published=published, progress=progress)]
        read = _plain(file, task, published, progress)
        if read is not None and any(wanted) and not all(map(_are_probabilities, read)):
            read = None
        if read is None:
            read = read_strictly(
                _blocks(file, task, published),
                task=task,
                published=published,
                numbers=PairNumbers(published),
                probabilities=any(wanted),
            )
            if progress is not None:
                progress(1.0)
    except FileRejected as rejected:
        if recognise(file) is Container.PARQUET:
            raise FileRejected(as_rows(rejected.rejection)) from rejected
        raise
    return read


def _are_probabilities(numbers: pl.Series) -> bool:
    return bool(numbers.is_between(0, 1).all())


def _plain(
    file: Path, task: Task, published: PublishedPairs, progress: Progress | None
) -> list[pl.Series] | None:
    """The numbers by the compiled reader; None where the text is not plain, or it was not built."""
    functions = kernel()
    if functions is None:
        return None
    try:
        with _source(file, task, published) as source:
            return enter_numbers(
                WholeLines(source, functions.podium_count_lines),
                functions,
                task=task,
                pairs=published.frame,
                roles=lambda text: roles_of(text, task),
                progress=progress,
            )
    except NotPlain:
        return None


def roles_by_column(task: Task) -> dict[str, Role]:
    """The role of each column of a submission."""
    ids = dict(zip(task.pair_columns, ROLES, strict=False))
    return ids | {name: f"number{place}" for place, name in enumerate(task.number_columns)}


def roles_of(text: bytes, task: Task) -> tuple[Role, ...]:
    """The roles of the columns of a text that begins with its header. Raises NotPlain where they
    are not the task's."""
    roles = roles_by_column(task)
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
