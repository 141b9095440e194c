"""The compiled count of rows on texts in pieces, beside the one in Python, in memory that has not
a byte more than each piece."""

from __future__ import annotations

import ctypes
import random
from itertools import pairwise

from podium.scoring.containers.csv_rows import count_uncompiled
from podium.scoring.kernel.structures import RowCount
from tests.fuzz.cells import Memory

SEPARATORS = (ord(","), ord("\t"), 0xFF)
MAX_PIECES = 12
PIECES = (
    b'"',
    b'""',
    b",",
    b"\t",
    b"\n",
    b"\r\n",
    b"\r",
    b'","',
    b'"\n"',
    b'"\r\n"',
    b"\n\n",
    b"a",
)
FORMS = (b'"%s","%s"\n', b"%s,%s\n", b'%s,"%s"\r\n', b'"%s"\t%s\n', b'"%s, ""%s"""\n')

Counts = tuple[bool, tuple[object, ...]]


def counts_of(is_good: bool, result: RowCount) -> Counts:
    """All that was counted of a good text; of another, the line of the bad field."""
    if not is_good:
        return False, (result.opened,)
    return True, tuple(getattr(result, name) for name, *_ in RowCount._fields_)


def run(library: ctypes.CDLL, *, blocks: int, seed: int) -> tuple[int, int]:
    """Tries so many texts; returns how many of them were good, and how many took new ways. Raises
    AssertionError with the text and its pieces for which the answers differ."""
    rng = random.Random(seed)
    edges = ctypes.c_uint64.in_dll(library, "podium_new_edges")
    accepted = kept = 0
    library.podium_forget_edges()
    for _ in range(blocks):
        text = _text(rng)
        quote = rng.choice((ord('"'), ord('"'), ord('"'), 0xFF))
        start = RowCount(before=ord("\n"), separator=rng.choice(SEPARATORS), quote=quote)
        places = sorted(rng.choices(range(len(text) + 1), k=rng.choice((0, 1, 1, 2, MAX_PIECES))))
        edges.value = 0
        accepted += _agree(library, start, text, [0, *places, len(text)])
        kept += edges.value > 0
    return accepted, kept


def _agree(library: ctypes.CDLL, count: RowCount, text: bytes, places: list[int]) -> bool:
    """True for a text that is good."""
    for first, end in pairwise(places):
        found, size = RowCount.from_buffer_copy(count), end - first
        with Memory() as memory:
            piece = ctypes.cast(memory.place(text[first:end]), ctypes.c_char_p)
            is_good = library.podium_count_rows(ctypes.byref(found), piece, size)
        is_good_too = count_uncompiled(count, text[first:end])
        answers = counts_of(is_good, found), counts_of(is_good_too, count)
        assert answers[0] == answers[1], (text, places, *answers)
        if not is_good:
            return False
    return True


def _text(rng: random.Random) -> bytes:
    """Rows of a form, in which pieces were put that mean something to a reader."""
    form = rng.choice(FORMS)
    text = b"".join(form % (_cell(rng), _cell(rng)) for _ in range(rng.choice((0, 1, 4, 20))))
    for _ in range(rng.choice((0, 0, 1, 2, MAX_PIECES))):
        at = rng.randint(0, len(text))
        text = text[:at] + rng.choice(PIECES) + text[at:]
    return text


def _cell(rng: random.Random) -> bytes:
    return b"x" * rng.choice((0, 1, 5, rng.randint(0, 40)))
