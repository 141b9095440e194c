"""The fast reader of tables: whole blocks of text, and whole row groups, at a time.

What passes here holds exactly what the strict reader would have found in it. Anything that is not
proven raises `NotPlain`, which says nothing about the file: the strict reader decides.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator

import polars as pl

from podium.scoring.kernel.library import kernel
from podium.scoring.kernel.pairs import NUMBERS, Role, read_numbers
from podium.scoring.kernel.text import NotPlain, WholeLines
from podium.scoring.lists.header import BOM, read_columns
from podium.scoring.pairs.pairs import PublishedPairs
from podium.scoring.problems import FileRejected
from podium.scoring.published import PublishedIds
from podium.scoring.tables.cells import (
    SPELLED,
    plain_ids,
    plain_values,
    spelled,
    unspelled,
)
from podium.scoring.tables.layout import TableLayout
from podium.scoring.task import Task

Progress = Callable[[float], None]

Names = Callable[[bytes], tuple[str, ...]]
"""The names of the columns of a text that begins with its header. Raises NotPlain."""

_UNUSUAL = (b'"', b"\r", b"\0", b"\x1a", b"\n\n")
"""Signs that no plain block holds: quotes, and what no line ends with."""


def is_compiled(task: Task) -> bool:
    """True for tables that the compiled reader takes: few columns, of which none is a text, and no
    row that could be too long."""
    quotes = 2 * len(task.columns)
    return (
        len(task.table) <= len(NUMBERS)
        and all(column.type in SPELLED for column in task.table)
        and TableLayout(task, task.columns).longest_row + quotes < task.max_line_bytes
    )


def read_compiled(
    source: io.RawIOBase, *, task: Task, published: PublishedPairs, progress: Progress | None
) -> pl.DataFrame:
    """The canonical columns by the compiled reader of pairs. Raises NotPlain, also where it was
    not built."""
    functions = kernel()
    if functions is None:
        raise NotPlain("nothing was compiled")
    numbers = read_numbers(
        WholeLines(source, functions.podium_count_lines),
        functions,
        task=task,
        pairs=published.frame,
        roles=lambda text: _roles(text, task),
        spelled=[spelled(column) for column in task.table],
        progress=progress,
    )
    named = zip(task.table, numbers, strict=True)
    return pl.DataFrame([unspelled(each, column).alias(column.name) for column, each in named])


def _roles(text: bytes, task: Task) -> tuple[Role, ...]:
    roles = {column.name: f"number{place}" for place, column in enumerate(task.table)}
    return tuple(map({task.id_column: "user", **roles}.__getitem__, _names(text, task)))


def _names(text: bytes, task: Task) -> tuple[str, ...]:
    try:
        return read_columns(text, task)
    except FileRejected as rejected:
        raise NotPlain("another header") from rejected


def read_plain(
    frames: Iterator[pl.DataFrame],
    *,
    task: Task,
    published: PublishedPairs,
    progress: Progress | None = None,
) -> pl.DataFrame:
    """The canonical columns of frames of cells, which have the task's columns by name. Raises
    NotPlain."""
    ids: list[pl.Series] = []
    parts: list[pl.DataFrame] = []
    rows = 0
    for frame in frames:
        rows += frame.height
        if rows > published.count:
            raise NotPlain("more rows than published ids")
        ids.append(plain_ids(frame[task.id_column], task.query_ids))
        values = [plain_values(frame[column.name], column) for column in task.table]
        parts.append(pl.DataFrame(values))
        if progress is not None:
            progress(rows / published.count)
    if rows < published.count:
        raise NotPlain("fewer rows than published ids")
    found = _aligned(pl.concat(ids), pl.concat(parts, rechunk=True), published.frame["user"])
    # Categories take another order in less time than texts.
    return found.with_columns(pl.selectors.enum().cast(pl.String))


def _aligned(ids: pl.Series, rows: pl.DataFrame, published: pl.Series) -> pl.DataFrame:
    """The rows in published order."""
    if ids.equals(published):
        return rows
    places = PublishedIds(published, ("",)).numbers().number(ids)
    if places.null_count():
        raise NotPlain("an id that is not published")
    nowhere = pl.repeat(len(ids), len(ids), dtype=pl.UInt32, eager=True)
    row_of = nowhere.scatter(places, pl.int_range(len(ids), dtype=pl.UInt32, eager=True))
    # As many rows as there are ids, and none left out: each is there once.
    if (row_of == len(ids)).any():
        raise NotPlain("an id occurs twice")
    return rows[row_of]


def submission_frames(blocks: Iterator[bytes], task: Task) -> Iterator[pl.DataFrame]:
    """The fields of a submission's text, as `csv_frames`."""
    is_long = TableLayout(task, task.columns).longest_row > task.max_line_bytes
    for frame in csv_frames(blocks, lambda text: _names(text, task)):
        if is_long:
            _check_lengths(frame, task.max_line_bytes)
        yield frame


def csv_frames(blocks: Iterator[bytes], names_of: Names) -> Iterator[pl.DataFrame]:
    """The fields of a text as columns of String, null where they are empty. Raises NotPlain, and
    what opening a container raises."""
    text = next(blocks, b"").removeprefix(BOM)
    names = names_of(text)
    ended = False
    for block in _with_rest(text, blocks):
        lines = block.replace(b"\r\n", b"\n") if b"\r" in block else block
        rows = lines.rstrip(b"\n")
        if ended and rows:
            raise NotPlain("a blank line before the end")
        ended = len(lines) - len(rows) != 1
        if rows:
            yield _fields(rows, names)


def _with_rest(text: bytes, blocks: Iterator[bytes]) -> Iterator[bytes]:
    """The text after its first line, and then the other blocks."""
    _, line_feed, rest = text.partition(b"\n")
    if not line_feed:
        raise NotPlain("there is a header alone")
    if rest:
        yield rest
    yield from blocks


def _fields(rows: bytes, names: tuple[str, ...]) -> pl.DataFrame:
    """Lines without a line feed at the end."""
    if any(sign in rows for sign in _UNUSUAL) or rows[:1] == b"\n":
        raise NotPlain("quotes, or lines that are none")
    count = rows.count(b"\n") + 1
    # No row has too many fields, or it is an error; so none can have too few.
    if rows.count(b",") != count * (len(names) - 1):
        raise NotPlain("another number of fields")
    try:
        rows.decode() if not rows.isascii() else None
        frame = pl.read_csv(
            rows,
            has_header=False,
            schema=dict.fromkeys(names, pl.String),
            quote_char=None,
            truncate_ragged_lines=False,
        )
    except (UnicodeDecodeError, pl.exceptions.PolarsError) as wrong:
        raise NotPlain("no table") from wrong
    if frame.height != count:
        raise NotPlain("another number of rows")
    return frame


def _check_lengths(frame: pl.DataFrame, longest: int) -> None:
    fields = pl.all().str.len_bytes().fill_null(0)
    lengths = frame.select(pl.sum_horizontal(fields)).to_series()
    if int(lengths.max()) + frame.width - 1 >= longest:  # type: ignore[arg-type]
        raise NotPlain("a long line")
