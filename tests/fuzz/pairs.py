"""The compiled reader of pairs on mutated blocks, beside the strict reader's rules for a line.

A block that takes a way through the code which none has taken before is kept, and mutated further.
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from podium.scoring.kernel.columns import Array
from podium.scoring.kernel.pairs import ROLES, PairIndex, Role, pair_form
from podium.scoring.kernel.structures import PairColumns, PairsEntered
from podium.scoring.pairs.rows import PairRowLayout, read_row
from podium.scoring.task import Task
from tests.builders.scoring.rating_files import NASTY, Case, cases
from tests.fuzz.blocks import BLOCKS_OF_A_TASK, mutated, placed

ROOM = 1024
"""Bytes of the longest block, and more."""

Row = tuple[Any, Any, str]
"""User, item and number; -0.0 and 0.0 differ as text."""


class Subject:
    """The reader under test, with the form of one task."""

    def __init__(self, library: ctypes.CDLL, case: Case, roles: tuple[Role, ...]) -> None:
        self._library, self._task, self._count = library, case.task, len(case.pairs)
        self._form = pair_form(roles, case.task)
        self._index = PairIndex(library, case.published.frame)
        self._pairs = self._index.c, self._index.indexed()
        self._seen, self._numbers = Array(self._count), Array(8 * self._count)
        self._columns = {name: Array(8 * ROOM) for name in ("users", "items", "numbers")}
        self._texts = [Array(ROOM) for _ in ROLES]

    def enter(self, block: bytes, *, indexed: bool) -> tuple[int, int, dict[int, str], bool]:
        """The bytes that were entered, how many rows they are, the number of each pair by its
        place, and whether the pair after them is to be found by an index that is not there."""
        entered = PairsEntered(seen=self._seen.address, numbers=self._numbers.address)
        self._seen.bytes[:] = bytes(self._count)
        with placed(block) as memory:
            done = self._library.podium_enter_pairs(
                ctypes.byref(self._form),
                ctypes.byref(self._pairs[indexed]),
                memory,
                len(block),
                ctypes.byref(entered),
            )
        numbers = memoryview(self._numbers.bytes).cast("d")
        found = {
            place: repr(numbers[place]) for place in range(self._count) if self._seen.bytes[place]
        }
        return done, entered.rows, found, bool(entered.astray)

    def rows(self, block: bytes) -> tuple[int, list[Row]]:
        """The bytes that are plain, and the rows in them."""
        texts = (ctypes.c_void_p * len(ROLES))(*(text.address for text in self._texts))
        addresses = {name: array.address for name, array in self._columns.items()}
        found = PairColumns(texts=texts, **addresses)
        with placed(block) as memory:
            done = self._library.podium_read_pairs(
                ctypes.byref(self._form), memory, len(block), ctypes.byref(found)
            )
        users = self._ids("user", self._task.query_ids == "string", found)
        items = self._ids("item", self._task.item_ids == "string", found)
        numbers = memoryview(self._columns["numbers"].bytes).cast("d")[: found.rows]
        return done, list(zip(users, items, map(repr, numbers.tolist()), strict=True))

    def _ids(self, role: Role, is_text: bool, found: PairColumns) -> list[Any]:
        if not is_text:
            return memoryview(self._columns[f"{role}s"].bytes).cast("I")[: found.rows].tolist()
        number = ROLES.index(role)
        text = bytes(self._texts[number].bytes[: found.sizes[number]])
        return text.decode("ascii").split("\n")[:-1]


def strict_line(task: Task, roles: tuple[Role, ...]) -> Callable[[bytes], Row | None]:
    """The strict reader of one line; None for a line that is refused."""
    ids = tuple(roles.index(role) for role in ("user", "item"))
    form = PairRowLayout(task, ids, (roles.index("number0"),))

    @lru_cache(1 << 14)
    def read(line: bytes) -> Row | None:
        raw = line.removesuffix(b"\n").removesuffix(b"\r")
        row = read_row(raw, 1, form) if raw else None
        if row is None or row.problems:
            return None
        user, item = row.ids
        return user, item, repr(row.numbers[0])

    return read


def expected(
    block: bytes, line_reader: Callable[[bytes], Row | None], pairs: list[tuple[Any, Any]] | None
) -> tuple[int, list[Row]]:
    """The strict reader's answer: up to the first line that it refuses, or that is for none of the
    `pairs`."""
    done, rows = 0, []
    for text in block.split(b"\n"):
        line = text + b"\n"
        row = line_reader(line)
        if row is None or (pairs is not None and row[:2] not in pairs):
            break
        rows.append(row)
        done += len(line)
    return done, rows


def check(subject: Subject, case: Case, block: bytes, reader: Callable[[bytes], Row | None]) -> int:
    """Compares all answers about a block; returns the number of plain rows. Raises
    AssertionError."""
    answer, rows = subject.rows(block), expected(block, reader, None)
    assert answer == rows, (case.seed, block, answer, rows)
    done, known = expected(block, reader, case.pairs)
    numbers = {case.pairs.index((user, item)): number for user, item, number in known}
    entered = subject.enter(block, indexed=True)
    assert entered == (done, len(known), numbers, False), (case.seed, block, entered, known)
    in_order = 0
    while in_order < min(len(known), len(case.pairs)) and (
        known[in_order][:2] == case.pairs[in_order]
    ):
        in_order += 1
    lines = block.split(b"\n")[:in_order]
    done = sum(len(line) + 1 for line in lines)
    numbers = {place: number for place, (_, _, number) in enumerate(known[:in_order])}
    astray = len(rows[1]) > in_order
    entered = subject.enter(block, indexed=False)
    assert entered == (done, in_order, numbers, astray), (case.seed, block, entered, known)
    return len(rows[1])


def run(library: ctypes.CDLL, *, blocks: int, seed: int) -> tuple[int, int]:
    """Tries so many blocks; returns how many of them had a plain row, and how many were kept.
    Raises AssertionError with the block for which the answers differ."""
    rng = random.Random(seed)
    edges = ctypes.c_uint64.in_dll(library, "podium_new_edges")
    accepted = kept = done = 0
    for case in cases(seed, 1 + blocks // BLOCKS_OF_A_TASK, damaged=0):
        header, _, text = case.text.removeprefix(b"\xef\xbb\xbf").partition(b"\n")
        names = header.decode().replace('"', "").strip().split(",")
        roles = tuple(role for name in names for role in ROLES if role == name)
        subject, strict = Subject(library, case, roles), strict_line(case.task, roles)
        library.podium_forget_edges()
        corpus = [text.rstrip(b"\r\n") + b"\n"]
        for _ in range(min(BLOCKS_OF_A_TASK, blocks - done)):
            done += 1
            block = mutated(rng, rng.choice(corpus), rng.choice(corpus), NASTY)
            edges.value = 0
            accepted += check(subject, case, block, strict) > 0
            if edges.value:
                corpus.append(block)
                kept += 1
    return accepted, kept
