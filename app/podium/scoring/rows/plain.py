"""Reads rows fast: whole blocks of text, and whole row groups, at a time.

A file that passes has exactly the contents that the strict reader would have found. Anything not
proven raises `NotPlain`, which does not mean that the file is invalid: the strict reader
decides.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator

import polars as pl

from podium.scoring.column_kinds import kind_of_column, plain_values
from podium.scoring.kernel.library import kernel
from podium.scoring.kernel.text import NotPlain, WholeLines
from podium.scoring.problems import FileRejected
from podium.scoring.repeating import repeat
from podium.scoring.rows.cells import plain_ids, spelled, unspelled
from podium.scoring.rows.compiled import NUMBERS, Role, read_numbers
from podium.scoring.rows.frames import csv_frames
from podium.scoring.rows.keys import KEYS, PublishedRows, RowNumbers
from podium.scoring.rows.layout import RowLayout
from podium.scoring.text.header import read_columns

Progress = Callable[[float], None]


def is_compiled(layout: RowLayout) -> bool:
    """True for rows that the compiled reader supports: few values, none of which is a text, and no
    row that could be too long."""
    quotes = 2 * len(layout.names)
    return (
        len(layout.values) <= len(NUMBERS)
        and all(kind_of_column(column).spelling is not None for column in layout.values)
        and layout.longest_row + quotes < layout.task.max_line_bytes
    )


def read_compiled(
    source: io.RawIOBase, *, layout: RowLayout, published: PublishedRows, progress: Progress | None
) -> list[pl.Series]:
    """Reads for each value column the values of every published row, by the compiled reader. Raises
    NotPlain, also where it was not built."""
    functions = kernel()
    if functions is None:
        raise NotPlain("nothing was compiled")
    numbers = read_numbers(
        WholeLines(source, functions.podium_count_lines),
        functions,
        task=layout.task,
        published=published.frame,
        roles=lambda text: roles_under(text, layout),
        spelled=[spelled(column) for column in layout.values],
        progress=progress,
    )
    found = map(unspelled, numbers, layout.values)
    return [layout.settled(values) for values in found]


def roles_under(text: bytes, layout: RowLayout) -> tuple[Role, ...]:
    """Determines the roles of the columns of a text that begins with its header. Raises NotPlain
    where they are not those of the layout."""
    return tuple(map(roles_by_column(layout).__getitem__, _names(text, layout)))


def roles_by_column(layout: RowLayout) -> dict[str, Role]:
    """Maps each column of a submission to its role."""
    keys = {key.name: role for key, role in zip(layout.keys, KEYS, strict=False)}
    return keys | {each.name: role for each, role in zip(layout.values, NUMBERS, strict=False)}


def _names(text: bytes, layout: RowLayout) -> tuple[str, ...]:
    try:
        return read_columns(text, layout.task)
    except FileRejected as rejected:
        raise NotPlain("another header") from rejected


def read_plain(
    frames: Iterator[pl.DataFrame],
    *,
    layout: RowLayout,
    published: PublishedRows,
    progress: Progress | None = None,
) -> list[pl.Series]:
    """Reads the same from frames of cells, which have the layout's columns by name. Raises
    NotPlain."""
    order, parts = _Order(published), []
    for frame in frames:
        keys = [plain_ids(frame[key.name], key.kind) for key in layout.keys]
        order.add(pl.DataFrame([key.alias(name) for key, name in zip(keys, KEYS, strict=False)]))
        parts.append(pl.DataFrame([plain_values(frame[each.name], each) for each in layout.values]))
        if progress is not None:
            progress(order.rows / published.count)
    found = order.arranged(pl.concat(parts, rechunk=True) if parts else pl.DataFrame())
    # Categories are reordered in less time than texts.
    found = found.with_columns(pl.selectors.enum().cast(pl.String))
    return [layout.settled(values) for values in found.get_columns()]


class _Order:
    """Arranges rows that come part by part, each the next published ones or any others; each must
    occur exactly once."""

    def __init__(self, published: PublishedRows) -> None:
        self._published = published
        self._places: list[pl.Series] = []
        self._numbers: RowNumbers | None = None
        self.rows = 0

    def add(self, keys: pl.DataFrame) -> None:
        """Checks and counts some rows. Raises NotPlain where one is not published, or there are too
        many."""
        start, self.rows = self.rows, self.rows + keys.height
        if self.rows > self._published.count:
            raise NotPlain("more rows than are published")
        if self._numbers is None:
            if keys.equals(self._published.frame.slice(start, keys.height)):
                return
            self._numbers = RowNumbers(self._published)
            self._places.append(pl.int_range(start, dtype=pl.UInt32, eager=True))
        self._places.append(self._numbers.of(keys))
        if self._places[-1].null_count():
            raise NotPlain("a row that is not published")

    def arranged(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Sorts the rows in published order. Raises NotPlain where one is missing or occurs
        twice."""
        count = self._published.count
        if self.rows < count:
            raise NotPlain("fewer rows than are published")
        if not self._places:
            return rows
        nowhere = repeat(count, count, pl.UInt32)
        at = pl.int_range(count, dtype=pl.UInt32, eager=True)
        row_of = nowhere.scatter(pl.concat(self._places), at)
        # As many rows as are published, and none missing: each is there once.
        if (row_of == count).any():
            raise NotPlain("a row occurs twice")
        return rows[row_of]


def submission_frames(blocks: Iterator[bytes], layout: RowLayout) -> Iterator[pl.DataFrame]:
    """Parses the fields of a submission's text, as `csv_frames` does."""
    longest = layout.task.max_line_bytes
    is_long = layout.longest_row > longest
    for frame in csv_frames(blocks, lambda text: _names(text, layout)):
        if is_long:
            fields = pl.all().str.len_bytes().fill_null(0)
            lengths = frame.select(pl.sum_horizontal(fields)).to_series()
            if int(lengths.max()) + frame.width - 1 >= longest:  # type: ignore[arg-type]
                raise NotPlain("a long line")
        yield frame
