"""The compiled reader of rows on mutated blocks, beside the strict reader's rules for a line.

A block that takes a way through the code which none has taken before is kept, and mutated further.
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from podium.scoring.kernel.columns import Array
from podium.scoring.kernel.places import TextNumbers
from podium.scoring.kernel.structures import (
    ROW_KEYS,
    ROW_NUMBERS,
    ROW_WORDS,
    Dictionary,
    RowColumns,
    RowsEntered,
)
from podium.scoring.rows.compiled import (
    NUMBERS,
    ROLES,
    Role,
    RowIndex,
    SpelledColumn,
    file_form,
)
from podium.scoring.rows.keys import KEYS
from tests.builders.scoring.rating_files import NASTY
from tests.fuzz.blocks import BLOCKS_OF_A_TASK, mutated, placed
from tests.fuzz.row_files import PairFile, Row, kinds_of, pair_files, strict_row

ROOM = 1024
"""Bytes of the longest block, and more."""

Read = Callable[[bytes], Row | None]


class Subject:
    """The reader under test, with the form of one task."""

    def __init__(self, library: ctypes.CDLL, file: PairFile) -> None:
        self._library, self._roles, self._count = library, file.task.roles, len(file.pairs)
        self._kinds = dict(zip(KEYS, kinds_of(file.task), strict=True))
        self._spelled = [SpelledColumn(library, each) for each in file.task.spelled]
        self._form = file_form(self._roles, file.task, self._spelled)
        self._index = RowIndex(library, file.frame)
        self._pairs = self._index.c, self._index.indexed()
        self._seen = Array(self._count)
        width = len(set(NUMBERS) & set(self._roles))
        self._numbers = [Array(8 * self._count) for _ in range(width)]
        self._room = {role: Array(8 * ROOM) for role in ROLES}

    def enter(
        self, block: bytes, *, indexed: bool
    ) -> tuple[int, int, dict[int, tuple[str, ...]], bool]:
        """The bytes that were entered, how many rows they are, the numbers of each pair by its
        place, and whether the pair after them is to be found by an index that is not there."""
        addresses = (ctypes.c_void_p * ROW_NUMBERS)(*(each.address for each in self._numbers))
        entered = RowsEntered(
            seen=self._seen.address, numbers=addresses, columns=len(self._numbers)
        )
        self._seen.bytes[:] = bytes(self._count)
        with placed(block) as memory:
            done = self._library.podium_enter_rows(
                ctypes.byref(self._form),
                ctypes.byref(self._pairs[indexed]),
                memory,
                len(block),
                ctypes.byref(entered),
            )
        numbers = [memoryview(each.bytes).cast("d") for each in self._numbers]
        found = {
            place: tuple(repr(each[place]) for each in numbers)
            for place in range(self._count)
            if self._seen.bytes[place]
        }
        return done, entered.rows, found, bool(entered.astray)

    def rows(self, block: bytes) -> tuple[int, list[Row]]:
        """The bytes that are plain, and the rows in them."""
        given = [self._room[role].address for role in ROLES]
        ids, words = len(KEYS), len(ROLES) - len(NUMBERS)
        self._texts = [TextNumbers(self._library) for _ in KEYS]
        found = RowColumns(
            ids=(ctypes.c_void_p * ROW_KEYS)(*given[:ids]),
            known=(ctypes.POINTER(Dictionary) * ROW_KEYS)(
                *(ctypes.pointer(each.c) for each in self._texts)
            ),
            words=(ctypes.c_void_p * ROW_WORDS)(*given[ids:words]),
            numbers=(ctypes.c_void_p * ROW_NUMBERS)(*given[words:]),
        )
        with placed(block) as memory:
            done = self._library.podium_read_rows(
                ctypes.byref(self._form), memory, len(block), ctypes.byref(found)
            )
        columns = [self._column(role, found) for role in self._roles]
        return done, list(zip(*columns, strict=True))

    def _column(self, role: Role, found: RowColumns) -> list[Any]:
        room = self._room[role]
        if role in NUMBERS:
            return list(map(repr, memoryview(room.bytes).cast("d")[: found.rows].tolist()))
        if role not in KEYS:
            text = bytes(room.bytes[: found.sizes[ROLES.index(role) - ROW_KEYS]])
            return text.decode("ascii").split("\n")[:-1]
        numbers = memoryview(room.bytes).cast("I")[: found.rows].tolist()
        if self._kinds.get(role) == "integer":
            return numbers
        texts = self._texts[KEYS.index(role)].texts().to_list()
        return [texts[number] for number in numbers]


def strict_line(file: PairFile) -> Read:
    """The strict reader of one line; None for a line that is refused."""

    @lru_cache(1 << 14)
    def read(line: bytes) -> Row | None:
        raw = line.removesuffix(b"\n").removesuffix(b"\r")
        return strict_row(file.task, raw) if raw else None

    return read


def expected(block: bytes, line_reader: Read, file: PairFile | None) -> tuple[int, list[Row]]:
    """The strict reader's answer: up to the first line that it refuses, or that is for none of the
    pairs of a file."""
    done, rows = 0, []
    for text in block.split(b"\n"):
        line = text + b"\n"
        row = line_reader(line)
        if row is None or (file is not None and file.pair_of(row) not in file.pairs):
            break
        rows.append(row)
        done += len(line)
    return done, rows


def check(subject: Subject, file: PairFile, block: bytes, reader: Read) -> int:
    """Compares all answers about a block; returns the number of plain rows. Raises
    AssertionError."""
    answer, rows = subject.rows(block), expected(block, reader, None)
    assert answer == rows, (file.seed, block, answer, rows)
    done, known = expected(block, reader, file)
    numbers = {file.pairs.index(file.pair_of(row)): file.numbers_of(row) for row in known}
    entered = subject.enter(block, indexed=True)
    assert entered == (done, len(known), numbers, False), (file.seed, block, entered, known)
    in_order = 0
    while in_order < min(len(known), len(file.pairs)) and (
        file.pair_of(known[in_order]) == file.pairs[in_order]
    ):
        in_order += 1
    lines = block.split(b"\n")[:in_order]
    done = sum(len(line) + 1 for line in lines)
    numbers = {place: file.numbers_of(row) for place, row in enumerate(known[:in_order])}
    astray = len(rows[1]) > in_order
    entered = subject.enter(block, indexed=False)
    assert entered == (done, in_order, numbers, astray), (file.seed, block, entered, known)
    return len(rows[1])


def run(library: ctypes.CDLL, *, blocks: int, seed: int) -> tuple[int, int]:
    """Tries so many blocks; returns how many of them had a plain row, and how many were kept.
    Raises AssertionError with the block for which the answers differ."""
    rng = random.Random(seed)
    edges = ctypes.c_uint64.in_dll(library, "podium_new_edges")
    accepted = kept = done = 0
    for file in pair_files(seed, 1 + blocks // BLOCKS_OF_A_TASK):
        subject, strict = Subject(library, file), strict_line(file)
        library.podium_forget_edges()
        corpus = [file.text.partition(b"\n")[2]]
        for _ in range(min(BLOCKS_OF_A_TASK, blocks - done)):
            done += 1
            block = mutated(rng, rng.choice(corpus), rng.choice(corpus), NASTY)
            edges.value = 0
            accepted += check(subject, file, block, strict) > 0
            if edges.value:
                corpus.append(block)
                kept += 1
    return accepted, kept
