"""The compiled writer of lines on rows of columns, beside the same in Python: texts in memory that
is as large as their column says, and lists of any numbers."""

from __future__ import annotations

import ctypes
import random
import struct
from contextlib import ExitStack

from podium.scoring.kernel.columns import PADDING
from podium.scoring.kernel.structures import Cells, Rows
from tests.builders.scoring.mutations import NASTY
from tests.fuzz.blocks import libc

ROWS_OF_A_COLUMN = 6
LONGEST_LINE = 200
NUMBER_BYTES = 21
"""Room that is wanted for each number of a list."""

INLINE_BYTES = 12
BUFFERS = 2

Lists = list[list[int]]


class Memory(ExitStack):
    """Copies of bytes in memory that has not a byte more, for the sanitizer to watch."""

    def place(self, content: bytes) -> int:
        """The address of a copy."""
        address: int = libc.malloc(len(content))
        libc.memcpy(address, content, len(content))
        self.callback(libc.free, address)
        return address


def text_cells(rng: random.Random, memory: Memory, texts: list[bytes]) -> Cells:
    """A column of texts, the longer ones somewhere in its buffers."""
    buffers = [bytearray() for _ in range(BUFFERS)]
    views = b""
    for text in texts:
        if len(text) <= INLINE_BYTES:
            views += struct.pack("<I12s", len(text), text)
            continue
        number = rng.randrange(BUFFERS)
        buffers[number] += rng.randbytes(rng.choice((0, 0, 4)))
        views += struct.pack("<I4sII", len(text), text[:4], number, len(buffers[number]))
        buffers[number] += text
    places = struct.pack("<2Q", *(memory.place(bytes(buffer)) for buffer in buffers))
    return Cells(views=memory.place(views), buffers=memory.place(places))


def list_cells(memory: Memory, lists: Lists) -> Cells:
    """A column of lists."""
    starts, numbers = [0], []
    for each in lists:
        numbers += each
        starts.append(len(numbers))
    return Cells(
        starts=memory.place(struct.pack(f"<{len(starts)}q", *starts)),
        numbers=memory.place(struct.pack(f"<{len(numbers)}q", *numbers)),
    )


def expected(ids: list[bytes], labels: list[bytes] | Lists, room: int) -> tuple[bytes, int]:
    """The lines, and how many rows they are."""
    lines = b""
    for row, (row_id, cell) in enumerate(zip(ids, labels, strict=True)):
        if isinstance(cell, bytes):
            text, most = cell, len(cell)
        else:
            text, most = " ".join(map(str, cell)).encode(), NUMBER_BYTES * len(cell)
        line = row_id + b"," + text
        too_long = len(row_id) > LONGEST_LINE or most > NUMBER_BYTES * LONGEST_LINE
        foreign = row_id[:1] == b'"' or text[:1] == b'"' or text[-1:] == b"\r" or b"\n" in line
        if too_long or foreign or len(lines) + len(row_id) + most + 2 > room:
            return lines, row
        lines += line + b"\n"
    return lines, len(ids)


def written(
    library: ctypes.CDLL, memory: Memory, ids: Cells, labels: Cells, count: int, room: int
) -> tuple[bytes, int]:
    """The writer's answer in the same form."""
    rows = Rows(ids, labels, 0, count, LONGEST_LINE)
    block = memory.place(b"\xff" * (room + PADDING))
    size = library.podium_write_rows(ctypes.byref(rows), block, room)
    assert ctypes.string_at(block + size, PADDING) == bytes(PADDING)
    return ctypes.string_at(block, size), rows.next


def run(library: ctypes.CDLL, *, blocks: int, seed: int) -> tuple[int, int]:
    """Tries so many blocks; returns how many of them had a line, and how many took new ways.
    Raises AssertionError with the rows for which the answers differ."""
    rng = random.Random(seed)
    edges = ctypes.c_uint64.in_dll(library, "podium_new_edges")
    accepted = kept = 0
    library.podium_forget_edges()
    for _ in range(blocks):
        count = rng.randint(0, ROWS_OF_A_COLUMN)
        ids = [_text(rng) for _ in range(count)]
        lists = [_list(rng) for _ in ids] if rng.random() < 0.4 else None
        texts = [_text(rng) for _ in ids] if lists is None else []
        room = rng.choice((0, 1, 40, 200, 1000, 10_000))
        with Memory() as memory:
            columns = (
                text_cells(rng, memory, ids),
                text_cells(rng, memory, texts) if lists is None else list_cells(memory, lists),
            )
            edges.value = 0
            answer = written(library, memory, *columns, count, room)
            kept += edges.value > 0
        accepted += answer[1] > 0
        cells = texts if lists is None else lists
        wanted = expected(ids, cells, room)
        assert answer == wanted, (ids, cells, room, answer, wanted)
    return accepted, kept


def _text(rng: random.Random) -> bytes:
    size = rng.choice((0, 1, 11, 12, 13, 31, 32, 33, 64, rng.randint(0, 150), LONGEST_LINE + 1))
    text = bytes(rng.choices(b"0123456789 _", k=size))
    if rng.random() < 0.1:
        at = rng.choice((0, len(text), rng.randint(0, len(text))))
        text = text[:at] + rng.choice(NASTY) + text[at:]
    return text


def _list(rng: random.Random) -> list[int]:
    size = rng.choice((0, 1, 2, 20, LONGEST_LINE, LONGEST_LINE + 1))
    return [rng.randrange(-(1 << 63), 1 << 63) >> rng.randrange(64) for _ in range(size)]
