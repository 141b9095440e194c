"""Reads a whole submission of rows: from a file of unknown bytes to its values, or to a rejection
with all problems."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl

from podium.scoring.containers.detection import (
    BLOCK_BYTES,
    is_parquet,
    open_blocks,
    open_source,
    problems_in_rows,
)
from podium.scoring.kernel.text import NotPlain, Pieces
from podium.scoring.rows.keys import PublishedRows
from podium.scoring.rows.layout import RowLayout
from podium.scoring.rows.parquet import cell_frames, cell_rows, text_pieces
from podium.scoring.rows.plain import is_compiled, read_compiled, read_plain, submission_frames
from podium.scoring.rows.strict import read_rows_strictly, read_strictly
from podium.scoring.task import MAX_SURPLUS_ROWS
from podium.scoring.text.blocks import whole_lines

Progress = Callable[[float], None]


def read_rows(
    file: Path,
    *,
    layout: RowLayout,
    published: PublishedRows,
    progress: Progress | None = None,
) -> list[pl.Series]:
    """Reads for each value column of the layout the values of every published row, in published
    order; types are those of `COLUMN_KINDS`, a missing value is a null. Raises FileRejected.

    `progress` is called with the share that was read, 0 to 1, from any thread.
    """
    with problems_in_rows(file):
        if is_parquet(file) and layout.has_texts:
            return _read_cells(file, layout, published, progress)
        return _read_text(file, layout, published, progress)


def _read_text(
    file: Path, layout: RowLayout, published: PublishedRows, progress: Progress | None
) -> list[pl.Series]:
    try:
        return _read_plain(file, layout, published, progress)
    except NotPlain:
        read = read_strictly(_blocks(file, layout, published), layout=layout, published=published)
    _finish(progress)
    return read


def _read_plain(
    file: Path, layout: RowLayout, published: PublishedRows, progress: Progress | None
) -> list[pl.Series]:
    """Reads the values of a plain text. Raises NotPlain."""
    if is_compiled(layout):
        try:
            with _source(file, layout, published) as source:
                return read_compiled(source, layout=layout, published=published, progress=progress)
        except NotPlain:
            # The strict reader needs less memory than frames of millions of pairs.
            if not layout.has_texts:
                raise
    # Also a number that the compiled reader does not support, such as 1e200.
    frames = submission_frames(_blocks(file, layout, published), layout)
    return read_plain(frames, layout=layout, published=published, progress=progress)


def _read_cells(
    file: Path, layout: RowLayout, published: PublishedRows, progress: Progress | None
) -> list[pl.Series]:
    max_rows = published.count + MAX_SURPLUS_ROWS
    try:
        frames = cell_frames(file, layout, max_rows=max_rows)
        return read_plain(frames, layout=layout, published=published, progress=progress)
    except NotPlain:
        rows = cell_rows(file, layout, max_rows=max_rows)
        read = read_rows_strictly(rows, layout=layout, published=published)
    _finish(progress)
    return read


def _source(file: Path, layout: RowLayout, published: PublishedRows) -> io.RawIOBase:
    if is_parquet(file):
        return Pieces(_pieces(file, layout, published))
    return open_source(file, layout.task)


def _blocks(file: Path, layout: RowLayout, published: PublishedRows) -> Iterator[bytes]:
    if is_parquet(file):
        return whole_lines(_pieces(file, layout, published), BLOCK_BYTES)
    return open_blocks(file, layout.task)


def _pieces(file: Path, layout: RowLayout, published: PublishedRows) -> Iterator[bytes]:
    return text_pieces(file, layout, max_rows=published.count + MAX_SURPLUS_ROWS)


def _finish(progress: Progress | None) -> None:
    if progress is not None:
        progress(1.0)
