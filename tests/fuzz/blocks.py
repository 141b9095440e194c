"""The compiled reader of lists on mutated blocks, beside the strict reader's rules for a line.

A block that takes a way through the code which none has taken before is kept, and mutated further.
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import groupby
from typing import Any

import polars as pl

from podium.scoring.kernel.columns import PADDING, Array
from podium.scoring.kernel.endings import name_endings
from podium.scoring.kernel.structures import ListsFound, SessionsFound
from podium.scoring.lists.compiled import ListRowForm
from podium.scoring.lists.plan import ReadingPlan
from podium.scoring.lists.rows import ListLayout, read_id, read_row
from podium.scoring.repeating import repeat
from podium.scoring.text.fields import RowProblem
from tests.builders.scoring.mutations import NASTY, Case, cases

USUAL_ROOM = 400
"""Bytes of most blocks, so that many can be tried."""

ROOM = 8192
"""Bytes of the longest block: longer than a line may be."""

DEPTH = 7
BLOCKS_OF_A_TASK = 1000

Row = tuple[int, list[Any]]
Label = tuple[int, Any]

libc = ctypes.CDLL(None)
libc.malloc.restype = libc.memcpy.restype = ctypes.c_void_p
libc.malloc.argtypes = [ctypes.c_size_t]
libc.memcpy.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
libc.free.argtypes = [ctypes.c_void_p]


@contextmanager
def placed(block: bytes) -> Iterator[int]:
    """The address of a block in memory that is as large as the reader may rely on, and not a byte
    more, for the sanitizer to watch."""
    memory = libc.malloc(len(block) + PADDING)
    libc.memcpy(memory, block + bytes(PADDING), len(block) + PADDING)
    yield memory
    libc.free(memory)


class Subject:
    """The reader under test, with the form of one task."""

    def __init__(self, library: ctypes.CDLL, case: Case, labels: pl.DataFrame) -> None:
        every = repeat(1, case.published.count, pl.UInt8)
        limits = (DEPTH - 1,) * len(case.task.names)
        plan: ReadingPlan[None] = ReadingPlan(DEPTH, labels, every, limits=limits)
        self._library = library
        self._form = ListRowForm(library, case.task, case.published, plan)
        hits: ReadingPlan[None] = ReadingPlan(DEPTH, labels)
        self._hits = ListRowForm(library, case.task, case.published, hits)
        self._endings = name_endings(case.task.names)
        self._text_ids = case.task.query_ids == "string"
        self._text_items = case.task.item_ids == "string"
        self._items = Array(self._form.items_bytes)
        self._arrays = {
            "seen": Array(case.published.count),
            "ranks": Array(2 * labels.height),
            "queries": Array(4 * ROOM),
            "lengths": Array(4 * ROOM),
            "numbers": Array(4 * ROOM),
            "text": Array(ROOM),
            "lengths_of": Array(self._form.lengths_bytes),
        }

    def read(self, block: bytes) -> tuple[int, list[Row], list[int]]:
        """The number of bytes that are plain, the rows in them, and the rank of each label, which
        are the same where no lists are kept."""
        found = ListsFound(**{name: array.address for name, array in self._arrays.items()})
        done, ranks = self._read(self._form, block, found)
        rows, count = self._rows(found), found.rows
        found.rows = 0
        assert self._read(self._hits, block, found) == (done, ranks), block
        assert found.rows == count == len(rows), block
        return done, rows, ranks

    def _read(
        self, form: ListRowForm[None], block: bytes, found: ListsFound
    ) -> tuple[int, list[int]]:
        ranks = self._arrays["ranks"].bytes
        ranks[:] = bytes(len(ranks))
        with placed(block) as memory:
            done = self._library.podium_read_lists(
                ctypes.byref(form.c),
                memory,
                len(block),
                self._items.address,
                ctypes.byref(found),
            )
        return done, memoryview(ranks).cast("H").tolist()

    def sessions(self, block: bytes) -> tuple[int, list[bytes]]:
        """The number of bytes of rows whose ids are plain, and the sessions of these."""
        name = "text" if self._text_ids else "numbers"
        found = SessionsFound(**{name: self._arrays[name].address})
        with placed(block) as memory:
            done = self._library.podium_list_sessions(
                self._endings, len(self._endings), memory, len(block), ctypes.byref(found)
            )
        if self._text_ids:
            return done, bytes(self._arrays["text"].bytes[: found.text_size]).split(b"\n")[:-1]
        numbers = memoryview(self._arrays["numbers"].bytes).cast("I")[: found.count]
        return done, [str(number).encode() for number in numbers]

    def _rows(self, found: ListsFound) -> list[Row]:
        queries, lengths, numbers = (
            memoryview(self._arrays[name].bytes).cast("I")
            for name in ("queries", "lengths", "numbers")
        )
        items: list[Any] = numbers[: found.items].tolist()
        if self._text_items:
            items = bytes(self._arrays["text"].bytes[: found.text_size]).split(b"\n")
        rows, start = [], 0
        for row in range(found.lists):
            rows.append((queries[row], items[start : start + lengths[row]]))
            start += lengths[row]
        return rows


def strict_line(case: Case) -> Callable[[bytes], Row | None]:
    """The strict reader of one line: the query and its list; None for a line that is refused."""
    form = ListLayout.of(case.task, labels_first=False)
    places = {str(session).encode(): place for place, session in enumerate(case.sessions)}
    width = len(case.task.names)
    whole = int if case.task.item_ids == "integer" else bytes

    @lru_cache(1 << 14)
    def read(line: bytes) -> Row | None:
        raw = line.removesuffix(b"\n").removesuffix(b"\r")
        if not raw:
            return None
        row = read_row(raw, 1, form)
        if row.problems or row.session not in places or row.labels is None:
            return None
        query = places[row.session] * width + form.positions[row.objective]
        return query, [whole(item) for item in row.labels.split()][:DEPTH]

    return read


def expected(
    block: bytes, line_reader: Callable[[bytes], Row | None], labels: list[Label]
) -> tuple[int, list[Row], list[int]]:
    """The strict reader's answer: up to the first line that it refuses."""
    done, rows = 0, []
    for text in block.split(b"\n"):
        line = text + b"\n"
        row = line_reader(line)
        if row is None:
            break
        rows.append(row)
        done += len(line)
    ranks = [0] * len(labels)
    for query, items in rows:
        for number, (of_query, item) in enumerate(labels):
            if of_query == query and not ranks[number] and item in items:
                ranks[number] = items.index(item) + 1
    return done, rows, ranks


def expected_sessions(block: bytes, case: Case) -> tuple[int, list[bytes]]:
    """The strict reader's answer, one of several rows with the same session in a row: up to the
    first id that it refuses."""
    form = ListLayout.of(case.task, labels_first=False)
    sessions, done = [], 0
    for text in block.split(b"\n")[:-1]:
        if text.startswith(b'"'):
            row_id, separator, _ = text[1:].partition(b'",')
        else:
            row_id, separator, _ = text.partition(b",")
        try:
            session, _ = read_id(row_id, form)
        except RowProblem:
            break
        if not separator:
            break
        sessions.append(session)
        done += len(text) + 1
    return done, [session for session, _ in groupby(sessions)]


def mutated(
    rng: random.Random, block: bytes, other: bytes, nasty: Sequence[bytes] = NASTY
) -> bytes:
    """A block with a few changes, some of them `nasty`, ended by LF."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        at = rng.randint(0, len(block))
        kind = rng.randrange(6)
        if kind == 0:
            block = block[:at] + rng.choice(nasty) + block[at:]
        elif kind == 1:
            block = block[:at] + bytes([rng.randrange(256)]) + block[at + 1 :]
        elif kind == 2:
            block = block[:at] + block[at + rng.randint(1, 12) :]
        elif kind == 3:
            block = block[:at] + other[rng.randint(0, len(other)) :]
        elif kind == 4:
            block = block[: at + rng.randint(1, 40)] + block[at:]
        else:
            piece = rng.choice(nasty)
            block = block[:at] + piece + block[at + len(piece) :]
    block = block[:USUAL_ROOM]
    if rng.random() < 0.002:
        at = rng.randint(0, len(block))
        longest = 4096 - len(block) + rng.randint(-40, 40)
        block = block[:at] + b" " * longest + block[at:]
    return block if block.endswith(b"\n") else block + b"\n"


def run(library: ctypes.CDLL, *, blocks: int, seed: int) -> tuple[int, int]:
    """Tries so many blocks; returns how many of them had a plain row, and how many were kept.
    Raises AssertionError with the block for which the answers differ."""
    rng = random.Random(seed)
    edges = ctypes.c_uint64.in_dll(library, "podium_new_edges")
    accepted = kept = done = 0
    for case in cases(seed, 1 + blocks // BLOCKS_OF_A_TASK, damaged=0):
        labels = _labels(case)
        subject, strict = Subject(library, case, labels), strict_line(case)
        plain_labels = [
            (query, item.encode() if isinstance(item, str) else item)
            for query, item in labels.iter_rows()
        ]
        library.podium_forget_edges()
        corpus = [case.text.replace(b"\r\n", b"\n").partition(b"\n")[2] or b"\n"]
        for _ in range(min(BLOCKS_OF_A_TASK, blocks - done)):
            done += 1
            block = mutated(rng, rng.choice(corpus), rng.choice(corpus))
            edges.value = 0
            answer, ids = subject.read(block), subject.sessions(block)
            if edges.value:
                corpus.append(block)
                kept += 1
            accepted += answer[0] > 0
            rows = expected(block, strict, plain_labels)
            assert answer == rows, (case.seed, block, answer, rows)
            sessions = expected_sessions(block, case)
            assert ids == sessions, (case.seed, block, ids, sessions)
    return accepted, kept


def _labels(case: Case) -> pl.DataFrame:
    """The same few items for each query, among them those that lists often have."""
    texts = case.task.item_ids == "string"
    few = ["0", "1", "x-7", "~" * 64] if texts else [0, 1, 7, 2_147_483_647]
    items = few + ([f"{n}" for n in range(20, 32)] if texts else list(range(20, 32)))
    rows = [
        (query, item)
        for query in range(case.published.count)
        for item in sorted(items if query % 2 else few)
    ]
    schema = {"query": pl.UInt32, "item": pl.String if texts else pl.Int32}
    return pl.DataFrame(rows, schema=schema, orient="row")
