"""The fast reader of pairs: the compiled pass over a text of pairs with their numbers.

What passes here holds exactly what the strict reader would have found in it. Anything that is not
proven raises `NotPlain`, which says nothing about the file: the strict reader decides.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from functools import partial
from threading import Lock

import polars as pl

from podium.scoring.kernel.columns import Array, Column, TextColumn
from podium.scoring.kernel.structures import (
    IndexedPairs,
    PairColumns,
    PairForm,
    PairIds,
    PairsEntered,
)
from podium.scoring.kernel.text import BLOCK_BYTES, Block, NotPlain, WholeLines
from podium.scoring.kernel.threads import on_threads
from podium.scoring.lists.header import BOM
from podium.scoring.task import Task

Role = str
"""The role of a column of a file: `user`, `item`, `context`, `usage`, `group`, or `number0` and so
on."""

Roles = Callable[[bytes], tuple[Role, ...]]
"""The roles of the columns of a text that begins with its header, without a byte order mark. Raises
NotPlain."""

Progress = Callable[[float], None]

ROLES: tuple[Role, ...] = ("user", "item", "number0", "usage")
"""In the order of `enum role` of pairs.c."""

_SHORTEST_ROW = len("1,1\n")
_ENTRY_BYTES = 4
_UNKNOWN = b"\xff"


def read_numbers(
    lines: WholeLines,
    kernel: ctypes.CDLL,
    *,
    task: Task,
    pairs: pl.DataFrame,
    roles: Roles,
    progress: Progress | None = None,
    threads: int | None = None,
) -> list[pl.Series]:
    """The number of each of the published `pairs` (`user` and `item`), Float64 in their order, from
    lines that are counted.

    `progress` gets the share of the pairs that was read, 0 to 1, from any thread; there are as many
    as Polars has if nothing else is said. Raises NotPlain if the text is not proven good, and lets
    through the `FileRejected` of a broken container if all before it was good.
    """
    run = _Entering(lines, kernel, task, pairs, progress)
    run.read(roles, threads or pl.thread_pool_size())
    if run.seen.bytes.count(1) != run.rows or run.rows != pairs.height:
        raise NotPlain("a pair is missing or occurs twice")
    return [pl.Series(memoryview(run.numbers.bytes).cast("d"), dtype=pl.Float64)]


def read_columns(
    lines: WholeLines, kernel: ctypes.CDLL, *, task: Task, roles: Roles
) -> Iterator[pl.DataFrame]:
    """The rows of a text, some at a time: a column for each role, the ids by their kinds, `rating`
    Float64 and `usage` String. Raises NotPlain."""
    block = Block(BLOCK_BYTES)
    size = lines.fill(block)
    form, start = _header(block, size, task, roles)
    reader = _ColumnReader(kernel, form)
    while size:
        if size > start:
            yield reader.read(block, start, size)
        start, size = 0, lines.fill(block)


def pair_form(roles: tuple[Role, ...], task: Task) -> PairForm:
    """The form of rows as the kernel takes it."""
    if set(roles) - set(ROLES):
        raise NotPlain("columns that are not known")
    return PairForm(
        roles=(ctypes.c_uint32 * len(ROLES))(*map(ROLES.index, roles)),
        columns=len(roles),
        text_users=task.query_ids == "string",
        text_items=task.item_ids == "string",
    )


def _header(block: Block, size: int, task: Task, roles: Roles) -> tuple[PairForm, int]:
    """The form of a text's rows, and where they begin. Raises NotPlain."""
    text = bytes(block.bytes[:size])
    mark = len(BOM) if text.startswith(BOM) else 0
    form = pair_form(roles(text[mark:]), task)
    return form, text.index(b"\n", mark) + 1


class PairIndex:
    """The published pairs as the kernel takes them: `c`, and all that it points to."""

    def __init__(self, kernel: ctypes.CDLL, pairs: pl.DataFrame) -> None:
        self._kernel, self._lock = kernel, Lock()
        self._table: Array | None = None
        self._users, users = _ids(pairs["user"])
        self._items, items = _ids(pairs["item"])
        self.c = IndexedPairs(users=users, items=items, count=pairs.height)

    def indexed(self) -> IndexedPairs:
        """The same, so that pairs can be found that do not come in published order."""
        with self._lock:
            if self._table is None:
                entries = 1 << (self.c.count.bit_length() + 1)
                self._table = Array(_ENTRY_BYTES * entries, fill=_UNKNOWN)
                # Other threads read what there was before, until all pairs are in the table.
                indexed = IndexedPairs.from_buffer_copy(self.c)
                indexed.table, indexed.mask = self._table.address, entries - 1
                self._kernel.podium_index_pairs(ctypes.byref(indexed))
                self.c = indexed
            return self.c


def _ids(column: pl.Series) -> tuple[Column | TextColumn, PairIds]:
    if column.dtype == pl.String:
        texts = TextColumn(column)
        return texts, PairIds(texts=texts.address, starts=texts.starts.address)
    numbers = Column(column)
    return numbers, PairIds(numbers=numbers.address)


class _Entering:
    """The state that the threads of one reading share; `lock` is held while they change it."""

    def __init__(
        self,
        lines: WholeLines,
        kernel: ctypes.CDLL,
        task: Task,
        pairs: pl.DataFrame,
        progress: Progress | None,
    ) -> None:
        self._lines, self._kernel, self._task, self._progress = lines, kernel, task, progress
        self._count = pairs.height
        self._published = PairIndex(kernel, pairs)
        self._lock = Lock()
        self.rows = 0
        self.seen = Array(self._count)
        self.numbers = Array(8 * self._count)

    def read(self, roles: Roles, threads: int) -> None:
        """Reads all lines. Raises NotPlain before anything that a source has raised."""
        block = Block(BLOCK_BYTES)
        size = self._lines.fill(block)
        self._form, header = _header(block, size, self._task, roles)
        parts = [partial(self._work, block, header, size)]
        parts += [partial(self._work, Block(BLOCK_BYTES), 0, 0) for _ in range(threads - 1)]
        on_threads(parts, stop=self._lines.stop)

    def _work(self, block: Block, start: int, size: int) -> None:
        """Enters blocks until there are none, or until the reading has failed."""
        entered = PairsEntered(seen=self.seen.address, numbers=self.numbers.address)
        published = self._published.c
        while size or (size := self._lines.fill(block)):
            # Of the lines before, the first one was the header.
            entered.next = max(0, block.first_line - 1)
            rows = entered.rows
            start += self._enter(block, start, size, published, entered)
            if start < size and entered.astray:
                published = self._published.indexed()
                start += self._enter(block, start, size, published, entered)
            if start < size:
                raise NotPlain(f"a row that is not plain: {bytes(block.bytes[start:][:80])!r}")
            self._note(entered.rows - rows)
            start = size = 0

    def _enter(
        self, block: Block, start: int, size: int, published: IndexedPairs, entered: PairsEntered
    ) -> int:
        """Enters the lines of a block from `start` on; returns the size of those that it knows."""
        done: int = self._kernel.podium_enter_pairs(
            ctypes.byref(self._form),
            ctypes.byref(published),
            block.address + start,
            size - start,
            ctypes.byref(entered),
        )
        return done

    def _note(self, rows: int) -> None:
        with self._lock:
            self.rows += rows
            if self.rows > self._count:
                raise NotPlain("more rows than published pairs")
            if self._progress is not None and self._count:
                self._progress(self.rows / self._count)


class _ColumnReader:
    """Room for the columns of a block."""

    def __init__(self, kernel: ctypes.CDLL, form: PairForm) -> None:
        self._kernel, self._form = kernel, form
        rows = BLOCK_BYTES // _SHORTEST_ROW + 1
        self._texts = [Array(BLOCK_BYTES) for _ in ROLES]
        self._users, self._items = Array(4 * rows), Array(4 * rows)
        self._numbers = Array(8 * rows)

    def read(self, block: Block, start: int, size: int) -> pl.DataFrame:
        """The rows of a block from `start` on. Raises NotPlain."""
        found = PairColumns(
            users=self._users.address,
            items=self._items.address,
            numbers=self._numbers.address,
            texts=(ctypes.c_void_p * len(ROLES))(*(texts.address for texts in self._texts)),
        )
        done = self._kernel.podium_read_pairs(
            ctypes.byref(self._form), block.address + start, size - start, ctypes.byref(found)
        )
        if done != size - start:
            raise NotPlain(f"a row that is not plain: {bytes(block.bytes[start + done :][:80])!r}")
        roles = self._form.roles[: self._form.columns]
        return pl.DataFrame({ROLES[role]: self._column(role, found) for role in roles})

    def _column(self, role: int, found: PairColumns) -> pl.Series:
        if ROLES[role] == "number0":
            return self._numbers.column(pl.Float64, found.rows)
        if ROLES[role] == "user" and not self._form.text_users:
            return self._users.column(pl.Int32, found.rows)
        if ROLES[role] == "item" and not self._form.text_items:
            return self._items.column(pl.Int32, found.rows)
        text = bytes(memoryview(self._texts[role].bytes)[: found.sizes[role]]).decode("ascii")
        return pl.Series([text.removesuffix("\n")]).str.split("\n").explode()
