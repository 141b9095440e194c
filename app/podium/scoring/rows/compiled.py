"""Reads rows fast: the compiled pass over a text of rows with one to three keys.

A row is identified by all of its keys. Each has some numbers, and in a ground truth words.

A text that passes has exactly the contents that the strict reader would have found. Anything not
proven raises `NotPlain`, which does not mean that the file is invalid: the strict reader decides.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from threading import Lock
from typing import get_args

import polars as pl

from podium.scoring.column_kinds.base import Spelling
from podium.scoring.kernel.columns import Array, Column, Filled, TextColumn, Workspace
from podium.scoring.kernel.places import PlaceIndex, TextNumbers, no_places
from podium.scoring.kernel.structures import (
    ROW_KEYS,
    ROW_NUMBERS,
    ROW_TEXTS,
    ROW_WORDS,
    Dictionary,
    FileForm,
    IndexedRows,
    RowColumns,
    RowKeys,
    RowsEntered,
    SpelledNumbers,
)
from podium.scoring.kernel.text import BLOCK_BYTES, Block, NotPlain, WholeLines
from podium.scoring.kernel.threads import on_threads
from podium.scoring.rows.keys import KEYS
from podium.scoring.task import Task
from podium.scoring.text.header import BOM

Role = str
"""The role of a column of a file: one of `ROLES`."""

Roles = Callable[[bytes], tuple[Role, ...]]
"""Determines the roles of the columns of a text that begins with its header, without a byte order
mark. Raises NotPlain."""

Progress = Callable[[float], None]

NUMBERS: tuple[Role, ...] = tuple(f"number{number}" for number in range(ROW_NUMBERS))
"""The roles of the numbers of a row, as many as there may be columns."""

ROLES: tuple[Role, ...] = (*KEYS, "usage", "group", *NUMBERS)
"""All roles, in the order of `enum role` of rows.c."""

_SPELLINGS: tuple[Spelling, ...] = get_args(Spelling)
_SHORTEST_FIELD = len("1,")


@dataclass(frozen=True, slots=True)
class Spelled:
    """The spelling of a column of numbers: decimals, whole numbers of at most 15 digits, or words
    from a list, which are read as their indices. An empty field, where allowed, is NaN."""

    spelling: Spelling = "decimal"
    words: Sequence[str] = ()
    may_be_empty: bool = False


def read_numbers(
    lines: WholeLines,
    kernel: ctypes.CDLL,
    *,
    task: Task,
    published: pl.DataFrame,
    roles: Roles,
    spelled: Sequence[Spelled] = (),
    progress: Progress | None = None,
    threads: int | None = None,
) -> list[pl.Series]:
    """Reads the numbers of each of the `published` rows, which have some of `KEYS`, from lines that
    are counted: one Float64 column for each, in their order. All are decimals unless `spelled`
    describes them.

    `progress` is called with the share of the rows that was read, 0 to 1, from any thread; by
    default there are as many threads as Polars has. Raises NotPlain if the text is not proven
    valid, and passes on the `FileRejected` of a broken container if all before it was valid.
    """
    run = _Entering(lines, kernel, task, published, progress, threads or pl.thread_pool_size())
    run.read(roles, [SpelledColumn(kernel, each) for each in spelled])
    if run.seen.bytes.count(1) != run.rows or run.rows != published.height:
        raise NotPlain("a row is missing or occurs twice")
    return [numbers.column() for numbers in run.numbers]


def read_columns(
    lines: WholeLines,
    kernel: ctypes.CDLL,
    *,
    task: Task,
    roles: Roles,
    reduced: Callable[[pl.DataFrame], pl.DataFrame] = lambda rows: rows,
) -> pl.DataFrame:
    """Reads the rows of a text: a column for each role, ids Int32, or where they are text an Enum
    of all texts of the column, numbers Float64, and words String. The rows of each block are
    `reduced` before they are kept. Raises NotPlain."""
    block = Block(BLOCK_BYTES)
    size = lines.fill(block)
    form, start = _header(block, size, task, roles)
    reader, parts = _ColumnReader(kernel, form), list[pl.DataFrame]()
    while size:
        if size > start:
            parts.append(reduced(reader.read(block, start, size)))
        start, size = 0, lines.fill(block)
    if not parts:
        raise NotPlain("there are no rows")
    rows = pl.concat(parts)
    parts.clear()
    for name in rows.columns:
        # One column after the other: two copies of all would be the most that reading needs.
        rows = rows.with_columns(reader.named(rows[name].rechunk()))
    return rows


def file_form(
    roles: tuple[Role, ...], task: Task, spelled: Sequence[SpelledColumn] = ()
) -> FileForm:
    """Builds the structure of the layout of rows for the kernel."""
    kinds = task.query_ids, task.item_ids, task.context_ids
    return FileForm(
        numbers=(SpelledNumbers * ROW_NUMBERS)(*(each.c for each in spelled)),
        roles=(ctypes.c_uint32 * len(ROLES))(*map(ROLES.index, roles)),
        columns=len(roles),
        is_text=(ctypes.c_uint32 * ROW_KEYS)(*(kind == "string" for kind in kinds)),
    )


class SpelledColumn:
    """The structure `c` of a column of numbers for the kernel, valid for as long as this lives."""

    def __init__(self, kernel: ctypes.CDLL, numbers: Spelled) -> None:
        self._words = PlaceIndex(kernel, pl.Series(numbers.words, dtype=pl.String))
        self.c = SpelledNumbers(
            words=self._words.places,
            spelling=_SPELLINGS.index(numbers.spelling),
            may_be_empty=numbers.may_be_empty,
        )


def _header(
    block: Block, size: int, task: Task, roles: Roles, spelled: Sequence[SpelledColumn] = ()
) -> tuple[FileForm, int]:
    """Reads the header, and returns the layout of rows and their offset. Raises NotPlain."""
    text = bytes(block.bytes[:size])
    mark = len(BOM) if text.startswith(BOM) else 0
    form = file_form(roles(text[mark:]), task, spelled)
    return form, text.index(b"\n", mark) + 1


class RowIndex:
    """The published rows as the structure `c` of the kernel, with all memory that it points to."""

    def __init__(self, kernel: ctypes.CDLL, published: pl.DataFrame, threads: int = 1) -> None:
        self._kernel, self._threads, self._lock = kernel, threads, Lock()
        self._table: Array | None = None
        held = [_ids(published[name]) for name in KEYS if name in published.columns]
        self._columns = [column for column, _ in held]
        ids = (RowKeys * ROW_KEYS)(*(each for _, each in held))
        self.c = IndexedRows(ids=ids, width=len(held), count=published.height)

    def indexed(self) -> IndexedRows:
        """Builds the index with which rows in another than the published order are found."""
        with self._lock:
            if self._table is None:
                entries = 1 << (self.c.count.bit_length() + 1)
                self._table = no_places(entries)
                # Other threads read the old structure, until all rows are in the table.
                indexed = IndexedRows.from_buffer_copy(self.c)
                indexed.table, indexed.mask = self._table.address, entries - 1
                ends = [indexed.count * part // self._threads for part in range(self._threads + 1)]
                fill = partial(self._kernel.podium_index_rows, ctypes.byref(indexed))
                parts = [partial(fill, start, end) for start, end in pairwise(ends)]
                on_threads(parts, stop=lambda: None)
                self.c = indexed
            return self.c


def _ids(column: pl.Series) -> tuple[Column | TextColumn, RowKeys]:
    if column.dtype == pl.String:
        texts = TextColumn(column)
        return texts, RowKeys(texts=texts.address, starts=texts.starts.address)
    numbers = Column(column)
    return numbers, RowKeys(numbers=numbers.address)


class _Entering:
    """The state that the threads of one reading share; `lock` is held while they change it."""

    def __init__(
        self,
        lines: WholeLines,
        kernel: ctypes.CDLL,
        task: Task,
        published: pl.DataFrame,
        progress: Progress | None,
        threads: int,
    ) -> None:
        self._lines, self._kernel, self._task, self._progress = lines, kernel, task, progress
        self._count, self._threads = published.height, threads
        self._ids = set(KEYS) & set(published.columns)
        self._published = RowIndex(kernel, published, threads)
        self._lock = Lock()
        self.rows = 0
        self.seen = Array(self._count)
        self.numbers: list[Filled] = []

    def read(self, roles: Roles, spelled: Sequence[SpelledColumn]) -> None:
        """Reads all lines. Raises NotPlain in preference to exceptions of the source."""
        block = Block(BLOCK_BYTES)
        size = self._lines.fill(block)
        checked = partial(self._checked, roles)
        self._form, header = _header(block, size, self._task, checked, spelled)
        parts = [partial(self._work, block, header, size)]
        parts += [partial(self._work, Block(BLOCK_BYTES), 0, 0) for _ in range(self._threads - 1)]
        on_threads(parts, stop=self._lines.stop)

    def _checked(self, roles: Roles, text: bytes) -> tuple[Role, ...]:
        """Determines the roles, and allocates their columns. Raises NotPlain where the ids differ
        from those of the published rows."""
        found = roles(text)
        if set(found) & set(KEYS) != self._ids:
            raise NotPlain("other ids")
        count = len(set(found) & set(NUMBERS))
        self.numbers = [Filled(pl.Float64, self._count) for _ in range(count)]
        return found

    def _work(self, block: Block, start: int, size: int) -> None:
        """Reads blocks until there are no more, or until the reading has failed."""
        numbers = _addresses([numbers.address for numbers in self.numbers], ROW_NUMBERS)
        entered = RowsEntered(seen=self.seen.address, numbers=numbers, columns=len(self.numbers))
        published = self._published.c
        while size or (size := self._lines.fill(block)):
            # One of the lines before was the header.
            entered.next = max(0, block.first_line - 1)
            rows = entered.rows
            start += self._enter(block, start, size, published, entered)
            if start < size and entered.astray:
                published = self._published.indexed()
                start += self._enter(block, start, size, published, entered)
            if start < size:
                raise NotPlain(f"a row that is not plain: {bytes(block.bytes[start:][:80])!r}")
            with self._lock:
                self.rows += entered.rows - rows
                if self.rows > self._count:
                    raise NotPlain("more rows than published")
                if self._progress is not None and self._count:
                    self._progress(self.rows / self._count)
            start = size = 0

    def _enter(
        self, block: Block, start: int, size: int, published: IndexedRows, entered: RowsEntered
    ) -> int:
        """Stores the lines of a block from `start` on; returns the size of those that were
        found."""
        done: int = self._kernel.podium_enter_rows(
            ctypes.byref(self._form),
            ctypes.byref(published),
            block.address + start,
            size - start,
            ctypes.byref(entered),
        )
        return done


class _ColumnReader:
    """Reads the columns of a block into its own memory."""

    def __init__(self, kernel: ctypes.CDLL, form: FileForm) -> None:
        self._kernel, self._form = kernel, form
        self._roles: list[int] = form.roles[: form.columns]
        rows = BLOCK_BYTES // (_SHORTEST_FIELD * form.columns) + 1
        # Words have at most as many bytes as the block, ids four and numbers eight.
        self._room = {
            role: Workspace(BLOCK_BYTES if ROW_KEYS <= role < ROW_TEXTS else 8 * rows)
            for role in self._roles
        }
        self._texts = {
            role: TextNumbers(kernel)
            for role in self._roles
            if role < ROW_KEYS and form.is_text[role]
        }
        self._known = (ctypes.POINTER(Dictionary) * ROW_KEYS)()
        for role, texts in self._texts.items():
            self._known[role] = ctypes.pointer(texts.c)

    def read(self, block: Block, start: int, size: int) -> pl.DataFrame:
        """Reads the rows of a block from `start` on. Raises NotPlain."""
        given = [
            self._room[role].address if role in self._room else 0 for role in range(len(ROLES))
        ]
        found = RowColumns(
            ids=_addresses(given, ROW_KEYS),
            known=self._known,
            words=_addresses(given[ROW_KEYS:], ROW_WORDS),
            numbers=_addresses(given[ROW_TEXTS:], ROW_NUMBERS),
        )
        done = self._kernel.podium_read_rows(
            ctypes.byref(self._form), block.address + start, size - start, ctypes.byref(found)
        )
        if done != size - start:
            raise NotPlain(f"a row that is not plain: {bytes(block.bytes[start + done :][:80])!r}")
        return pl.DataFrame({ROLES[role]: self._column(role, found) for role in self._roles})

    def named(self, column: pl.Series) -> pl.Series:
        """Gives the ids of a column of all rows their texts, where they are text."""
        texts = self._texts.get(ROLES.index(column.name)) if column.name in ROLES else None
        return column if texts is None else column.cast(pl.UInt32).cat.to(pl.Enum(texts.texts()))

    def _column(self, role: int, found: RowColumns) -> pl.Series:
        room = self._room[role]
        if ROW_KEYS <= role < ROW_TEXTS:
            return room.texts(found.sizes[role - ROW_KEYS])
        return room.column(pl.Int32 if role < ROW_KEYS else pl.Float64, found.rows)


def _addresses(given: Sequence[int], size: int) -> ctypes.Array[ctypes.c_void_p]:
    """Converts the first addresses, up to `size`, and fills up with nulls."""
    return (ctypes.c_void_p * size)(*given[:size])
