"""Reads a whole submission of rows: from a file of unknown bytes to its values, or to a rejection
with all problems."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from podium.scoring.containers.detection import (
    BLOCK_BYTES,
    is_parquet,
)
from podium.scoring.kernel.text import NotPlain, Pieces
from podium.scoring.rewriting.opening import (
    problems_as_written,
    spelled_blocks,
    spelled_source,
    spelling_in,
)
from podium.scoring.rewriting.spelling import Spelling
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
    spelling = spelling_in(file, layout.task)
    with problems_as_written(file, layout.task, spelling):
        if is_parquet(file) and layout.has_texts:
            return _read_cells(file, layout, published, progress)
        return _read_text(_Text(file, layout, published, spelling), progress)


@dataclass(frozen=True)
class _Text:
    """A submission as text of the form `podium`, with what its readers need."""

    file: Path
    layout: RowLayout
    published: PublishedRows
    spelling: Spelling

    def source(self) -> io.RawIOBase:
        if is_parquet(self.file):
            return Pieces(self._pieces())
        return spelled_source(self.file, self.layout.task, self.spelling)

    def blocks(self) -> Iterator[bytes]:
        if is_parquet(self.file):
            return whole_lines(self._pieces(), BLOCK_BYTES)
        return spelled_blocks(self.file, self.layout.task, self.spelling)

    def _pieces(self) -> Iterator[bytes]:
        max_rows = self.published.count + MAX_SURPLUS_ROWS
        return text_pieces(self.file, self.layout, max_rows=max_rows)


def _read_text(text: _Text, progress: Progress | None) -> list[pl.Series]:
    try:
        return _read_plain(text, progress)
    except NotPlain:
        read = read_strictly(text.blocks(), layout=text.layout, published=text.published)
    _finish(progress)
    return read


def _read_plain(text: _Text, progress: Progress | None) -> list[pl.Series]:
    """Reads the values of a plain text. Raises NotPlain."""
    layout, published = text.layout, text.published
    if is_compiled(layout):
        try:
            with text.source() as source:
                return read_compiled(source, layout=layout, published=published, progress=progress)
        except NotPlain:
            # The strict reader needs less memory than frames of millions of pairs.
            if not layout.has_texts:
                raise
    # Also a number that the compiled reader does not support, such as 1e200.
    frames = submission_frames(text.blocks(), layout)
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


def _finish(progress: Progress | None) -> None:
    if progress is not None:
        progress(1.0)
