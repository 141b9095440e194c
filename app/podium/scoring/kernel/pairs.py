"""The fast reader of pairs: the compiled pass over a text of pairs with their numbers.

A row names a user, an item and perhaps a context, such as an impression or a time stamp; what makes
a pair another one is all of these. Each has some numbers, and in a ground truth words.

What passes here holds exactly what the strict reader would have found in it. Anything that is not
proven raises `NotPlain`, which says nothing about the file: the strict reader decides.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from threading import Lock
from typing import Literal, get_args

import polars as pl

from podium.scoring.kernel.columns import Array, Column, Filled, TextColumn
from podium.scoring.kernel.places import PlaceIndex
from podium.scoring.kernel.structures import (
    PAIR_IDS,
    PAIR_NUMBERS,
    PAIR_TEXTS,
    IndexedPairs,
    PairColumns,
    PairForm,
    PairIds,
    PairsEntered,
    SpelledNumbers,
)
from podium.scoring.kernel.text import BLOCK_BYTES, Block, NotPlain, WholeLines
from podium.scoring.kernel.threads import on_threads
from podium.scoring.lists.header import BOM
from podium.scoring.task import Task

Role = str
"""The role of a column of a file: one of `ROLES`."""

Roles = Callable[[bytes], tuple[Role, ...]]
"""The roles of the columns of a text that begins with its header, without a byte order mark. Raises
NotPlain."""

Progress = Callable[[float], None]

IDS: tuple[Role, ...] = ("user", "item", "context")
"""The ids of a pair; there may be no context."""

NUMBERS: tuple[Role, ...] = tuple(f"number{number}" for number in range(PAIR_NUMBERS))
"""The numbers of a pair, as many as there are columns."""

ROLES: tuple[Role, ...] = (*IDS, "usage", "group", *NUMBERS)
"""In the order of `enum role` of pairs.c."""

Spelling = Literal["decimal", "whole", "word"]
"""In the order of `enum spelling` of pairs.c."""

_SPELLINGS: tuple[Spelling, ...] = get_args(Spelling)
_SHORTEST_FIELD = len("1,")
_ENTRY_BYTES = 4
_UNKNOWN = b"\xff"


@dataclass(frozen=True, slots=True)
class Spelled:
    """A column of numbers: written as decimals, as whole numbers of at most 15 digits, or each as
    one of some distinct words, whose place among them it is. A field that may be empty is NaN
    then."""

    spelling: Spelling = "decimal"
    words: Sequence[str] = ()
    may_be_empty: bool = False


def read_numbers(
    lines: WholeLines,
    kernel: ctypes.CDLL,
    *,
    task: Task,
    pairs: pl.DataFrame,
    roles: Roles,
    spelled: Sequence[Spelled] = (),
    progress: Progress | None = None,
    threads: int | None = None,
) -> list[pl.Series]:
    """The numbers of each of the published `pairs` (`user`, `item` and perhaps `context`), a
    Float64 column for each in their order, from lines that are counted. All are decimals where
    nothing says how they are `spelled`.

    `progress` gets the share of the pairs that was read, 0 to 1, from any thread; there are as many
    as Polars has if nothing else is said. Raises NotPlain if the text is not proven good, and lets
    through the `FileRejected` of a broken container if all before it was good.
    """
    run = _Entering(lines, kernel, task, pairs, progress, threads or pl.thread_pool_size())
    run.read(roles, [SpelledColumn(kernel, each) for each in spelled])
    if run.seen.bytes.count(1) != run.rows or run.rows != pairs.height:
        raise NotPlain("a pair is missing or occurs twice")
    return [numbers.column() for numbers in run.numbers]


def read_columns(
    lines: WholeLines, kernel: ctypes.CDLL, *, task: Task, roles: Roles
) -> Iterator[pl.DataFrame]:
    """The rows of a text, some at a time: a column for each role, the ids by their kinds, numbers
    Float64, and words String. Raises NotPlain."""
    block = Block(BLOCK_BYTES)
    size = lines.fill(block)
    form, start = _header(block, size, task, roles)
    reader = _ColumnReader(kernel, form)
    while size:
        if size > start:
            yield reader.read(block, start, size)
        start, size = 0, lines.fill(block)


def pair_form(
    roles: tuple[Role, ...], task: Task, spelled: Sequence[SpelledColumn] = ()
) -> PairForm:
    """The form of rows as the kernel takes it."""
    kinds = task.query_ids, task.item_ids, task.context_ids
    return PairForm(
        numbers=(SpelledNumbers * PAIR_NUMBERS)(*(each.c for each in spelled)),
        roles=(ctypes.c_uint32 * len(ROLES))(*map(ROLES.index, roles)),
        columns=len(roles),
        is_text=(ctypes.c_uint32 * PAIR_IDS)(*(kind == "string" for kind in kinds)),
    )


class SpelledColumn:
    """A column of numbers as the kernel takes it: `c`, for as long as this lives."""

    def __init__(self, kernel: ctypes.CDLL, numbers: Spelled) -> None:
        self._words = PlaceIndex(kernel, pl.Series(numbers.words, dtype=pl.String))
        self.c = SpelledNumbers(
            words=self._words.places,
            spelling=_SPELLINGS.index(numbers.spelling),
            may_be_empty=numbers.may_be_empty,
        )


def _header(
    block: Block, size: int, task: Task, roles: Roles, spelled: Sequence[SpelledColumn] = ()
) -> tuple[PairForm, int]:
    """The form of a text's rows, and where they begin. Raises NotPlain."""
    text = bytes(block.bytes[:size])
    mark = len(BOM) if text.startswith(BOM) else 0
    form = pair_form(roles(text[mark:]), task, spelled)
    return form, text.index(b"\n", mark) + 1


class PairIndex:
    """The published pairs as the kernel takes them: `c`, and all that it points to."""

    def __init__(self, kernel: ctypes.CDLL, pairs: pl.DataFrame, threads: int = 1) -> None:
        self._kernel, self._threads, self._lock = kernel, threads, Lock()
        self._table: Array | None = None
        held = [_ids(pairs[name]) for name in IDS if name in pairs.columns]
        self._columns = [column for column, _ in held]
        ids = (PairIds * PAIR_IDS)(*(each for _, each in held))
        self.c = IndexedPairs(ids=ids, width=len(held), count=pairs.height)

    def indexed(self) -> IndexedPairs:
        """The same, so that pairs can be found that do not come in published order."""
        with self._lock:
            if self._table is None:
                entries = 1 << (self.c.count.bit_length() + 1)
                self._table = Array(_ENTRY_BYTES * entries, fill=_UNKNOWN)
                # Other threads read what there was before, until all pairs are in the table.
                indexed = IndexedPairs.from_buffer_copy(self.c)
                indexed.table, indexed.mask = self._table.address, entries - 1
                self._fill(indexed)
                self.c = indexed
            return self.c

    def _fill(self, indexed: IndexedPairs) -> None:
        ends = [indexed.count * part // self._threads for part in range(self._threads + 1)]
        fill = partial(self._kernel.podium_index_pairs, ctypes.byref(indexed))
        parts = [partial(fill, start, end) for start, end in pairwise(ends)]
        on_threads(parts, stop=lambda: None)


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
        threads: int,
    ) -> None:
        self._lines, self._kernel, self._task, self._progress = lines, kernel, task, progress
        self._count, self._threads = pairs.height, threads
        self._ids = set(IDS) & set(pairs.columns)
        self._published = PairIndex(kernel, pairs, threads)
        self._lock = Lock()
        self.rows = 0
        self.seen = Array(self._count)
        self.numbers: list[Filled] = []

    def read(self, roles: Roles, spelled: Sequence[SpelledColumn]) -> None:
        """Reads all lines. Raises NotPlain before anything that a source has raised."""
        block = Block(BLOCK_BYTES)
        size = self._lines.fill(block)
        checked = partial(self._checked, roles)
        self._form, header = _header(block, size, self._task, checked, spelled)
        parts = [partial(self._work, block, header, size)]
        parts += [partial(self._work, Block(BLOCK_BYTES), 0, 0) for _ in range(self._threads - 1)]
        on_threads(parts, stop=self._lines.stop)

    def _checked(self, roles: Roles, text: bytes) -> tuple[Role, ...]:
        """The roles, for which there is room then. Raises NotPlain where the ids are others than
        those of the published pairs."""
        found = roles(text)
        if set(found) & set(IDS) != self._ids:
            raise NotPlain("other ids")
        count = len(set(found) & set(NUMBERS))
        self.numbers = [Filled(pl.Float64, self._count) for _ in range(count)]
        return found

    def _work(self, block: Block, start: int, size: int) -> None:
        """Enters blocks until there are none, or until the reading has failed."""
        numbers = _addresses([numbers.address for numbers in self.numbers], PAIR_NUMBERS)
        entered = PairsEntered(seen=self.seen.address, numbers=numbers, columns=len(self.numbers))
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
        self._roles: list[int] = form.roles[: form.columns]
        rows = BLOCK_BYTES // (_SHORTEST_FIELD * form.columns) + 1
        # Texts are as many bytes as in the block at most, ids of four and numbers of eight.
        self._room = {
            role: Array(BLOCK_BYTES if self._is_text(role) else 8 * rows) for role in self._roles
        }

    def read(self, block: Block, start: int, size: int) -> pl.DataFrame:
        """The rows of a block from `start` on. Raises NotPlain."""
        given = [
            self._room[role].address if role in self._room else 0 for role in range(len(ROLES))
        ]
        found = PairColumns(
            ids=_addresses(given, PAIR_IDS),
            texts=_addresses(given, PAIR_TEXTS),
            numbers=_addresses(given[PAIR_TEXTS:], PAIR_NUMBERS),
        )
        done = self._kernel.podium_read_pairs(
            ctypes.byref(self._form), block.address + start, size - start, ctypes.byref(found)
        )
        if done != size - start:
            raise NotPlain(f"a row that is not plain: {bytes(block.bytes[start + done :][:80])!r}")
        return pl.DataFrame({ROLES[role]: self._column(role, found) for role in self._roles})

    def _is_text(self, role: int) -> bool:
        return bool(self._form.is_text[role]) if role < PAIR_IDS else role < PAIR_TEXTS

    def _column(self, role: int, found: PairColumns) -> pl.Series:
        room = self._room[role]
        if not self._is_text(role):
            return room.column(pl.Int32 if role < PAIR_IDS else pl.Float64, found.rows)
        text = bytes(memoryview(room.bytes)[: found.sizes[role]]).decode("ascii")
        return pl.Series([text.removesuffix("\n")]).str.split("\n").explode()


def _addresses(given: Sequence[int], size: int) -> ctypes.Array[ctypes.c_void_p]:
    """The first addresses, up to `size`, and then none."""
    return (ctypes.c_void_p * size)(*given[:size])
