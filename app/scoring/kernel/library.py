"""The functions of the compiled reader, declared as they are in C."""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("kernel.so")
"""The result of building this package; not there where no compiler was at hand."""

MISSING = (
    "The compiled reader was not built here, because no C compiler was found: every file takes the"
    " slow reader, which finds the same and needs about 30 times as long. Install a C compiler, or"
    " `pip install ziglang`, and install Podium again."
)


class Places(ctypes.Structure):
    """`struct places` of places.h."""

    _fields_ = (
        ("numbers", ctypes.c_void_p),
        ("texts", ctypes.c_void_p),
        ("starts", ctypes.c_void_p),
        ("direct", ctypes.c_void_p),
        ("table", ctypes.c_void_p),
        ("mask", ctypes.c_uint64),
        ("low", ctypes.c_uint32),
        ("span", ctypes.c_uint32),
        ("count", ctypes.c_uint32),
    )


class NameEnding(ctypes.Structure):
    """`struct ending` of lists.c."""

    _fields_ = (("text", ctypes.c_char_p), ("size", ctypes.c_uint64))


class ListTask(ctypes.Structure):
    """`struct task` of lists.c."""

    _fields_ = (
        ("sessions", Places),
        ("endings", ctypes.POINTER(NameEnding)),
        ("objectives", ctypes.c_uint64),
        ("longest_line", ctypes.c_uint64),
        ("depth", ctypes.c_uint64),
        ("text_items", ctypes.c_uint64),
        ("first", ctypes.c_void_p),
        ("items", ctypes.c_void_p),
        ("texts", ctypes.c_void_p),
        ("starts", ctypes.c_void_p),
        ("kept", ctypes.c_void_p),
    )


class ListsFound(ctypes.Structure):
    """`struct found` of lists.c."""

    _fields_ = (
        ("seen", ctypes.c_void_p),
        ("ranks", ctypes.c_void_p),
        ("queries", ctypes.c_void_p),
        ("lengths", ctypes.c_void_p),
        ("numbers", ctypes.c_void_p),
        ("text", ctypes.c_void_p),
        ("rows", ctypes.c_uint64),
        ("empty", ctypes.c_uint64),
        ("lists", ctypes.c_uint64),
        ("items", ctypes.c_uint64),
        ("text_size", ctypes.c_uint64),
    )


class Cells(ctypes.Structure):
    """`struct cells` of rows.c."""

    _fields_ = (
        ("views", ctypes.c_void_p),
        ("buffers", ctypes.c_void_p),
        ("starts", ctypes.c_void_p),
        ("numbers", ctypes.c_void_p),
    )


class Rows(ctypes.Structure):
    """`struct rows` of rows.c."""

    _fields_ = (
        ("ids", Cells),
        ("labels", Cells),
        ("next", ctypes.c_uint64),
        ("end", ctypes.c_uint64),
        ("longest_line", ctypes.c_uint64),
    )


class SessionsFound(ctypes.Structure):
    """`struct sessions` of sessions.c."""

    _fields_ = (
        ("numbers", ctypes.c_void_p),
        ("text", ctypes.c_void_p),
        ("count", ctypes.c_uint64),
        ("text_size", ctypes.c_uint64),
        ("last_size", ctypes.c_uint64),
    )


class ListSide(ctypes.Structure):
    """`struct side` of combining.c."""

    _fields_ = (
        ("items", ctypes.c_void_p),
        ("starts", ctypes.c_void_p),
        ("lengths", ctypes.c_void_p),
        ("names", ctypes.c_void_p),
    )


class ItemRoom(ctypes.Structure):
    """`struct room` of combining.c."""

    _fields_ = (
        ("table", ctypes.c_void_p),
        ("candidates", ctypes.c_void_p),
        ("best", ctypes.c_void_p),
        ("mask", ctypes.c_uint64),
    )


class Names(ctypes.Structure):
    """`struct names` of combining.c."""

    _fields_ = (
        ("numbers", ctypes.c_void_p),
        ("texts", ctypes.c_void_p),
        ("starts", ctypes.c_void_p),
    )


class PairForm(ctypes.Structure):
    """`struct form` of pairs.c."""

    _fields_ = (
        ("roles", ctypes.c_uint32 * 4),
        ("columns", ctypes.c_uint32),
        ("text_users", ctypes.c_uint32),
        ("text_items", ctypes.c_uint32),
    )


class PairIds(ctypes.Structure):
    """`struct ids` of pairs.c."""

    _fields_ = (
        ("numbers", ctypes.c_void_p),
        ("texts", ctypes.c_void_p),
        ("starts", ctypes.c_void_p),
    )


class IndexedPairs(ctypes.Structure):
    """`struct published` of pairs.c."""

    _fields_ = (
        ("users", PairIds),
        ("items", PairIds),
        ("table", ctypes.c_void_p),
        ("mask", ctypes.c_uint64),
        ("count", ctypes.c_uint32),
    )


class PairsEntered(ctypes.Structure):
    """`struct entered` of pairs.c."""

    _fields_ = (
        ("seen", ctypes.c_void_p),
        ("numbers", ctypes.c_void_p),
        ("rows", ctypes.c_uint64),
        ("next", ctypes.c_uint32),
        ("astray", ctypes.c_uint32),
    )


class PairColumns(ctypes.Structure):
    """`struct columns` of pairs.c."""

    _fields_ = (
        ("users", ctypes.c_void_p),
        ("items", ctypes.c_void_p),
        ("numbers", ctypes.c_void_p),
        ("texts", ctypes.c_void_p * 4),
        ("sizes", ctypes.c_uint64 * 4),
        ("rows", ctypes.c_uint64),
    )


class RowForm(ctypes.Structure):
    """`struct form` of combining.c."""

    _fields_ = (
        ("sessions", Names),
        ("endings", ctypes.POINTER(NameEnding)),
        ("objectives", ctypes.c_uint64),
    )


ENTRY_BYTES, CANDIDATE_BYTES = 12, 16
"""The sizes of a `struct entry` and a `struct candidate` of combining.c."""

ITEM_BYTES = 16
"""The size of a `struct text` of lists.c, which is larger than a number."""

ROWS_UNDER_WAY = 8
"""That of lists.c."""


@cache
def kernel() -> ctypes.CDLL | None:
    """The compiled functions; None where they were not built."""
    return declared(ctypes.CDLL(str(FILE))) if FILE.exists() else None


def compiled() -> ctypes.CDLL:
    """The compiled functions. Raises RuntimeError where they were not built."""
    functions = kernel()
    if functions is None:
        raise RuntimeError(MISSING)
    return functions


def declared(library: ctypes.CDLL) -> ctypes.CDLL:
    """The same library, whose functions know their arguments."""
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "podium_index_places": (ctypes.c_bool, [ctypes.POINTER(Places)]),
    "podium_index_labels": (
        None,
        [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_void_p],
    ),
    "podium_read_lists": (
        ctypes.c_size_t,
        [
            ctypes.POINTER(ListTask),
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_void_p,
            ctypes.POINTER(ListsFound),
        ],
    ),
    "podium_first_of_runs": (
        ctypes.c_size_t,
        [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p],
    ),
    "podium_count_ranks": (
        None,
        [
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_uint32,
            ctypes.c_void_p,
        ],
    ),
    "podium_add_moves": (
        None,
        [
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_bool,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_void_p,
        ],
    ),
    "podium_add_by_key": (
        None,
        [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p],
    ),
    "podium_add_in_order": (
        None,
        [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p],
    ),
    "podium_add_exactly": (
        None,
        [
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_int,
            ctypes.c_int,
            ctypes.c_void_p,
        ],
    ),
    "podium_enter_pairs": (
        ctypes.c_size_t,
        [
            ctypes.POINTER(PairForm),
            ctypes.POINTER(IndexedPairs),
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.POINTER(PairsEntered),
        ],
    ),
    "podium_index_pairs": (None, [ctypes.POINTER(IndexedPairs)]),
    "podium_read_pairs": (
        ctypes.c_size_t,
        [
            ctypes.POINTER(PairForm),
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.POINTER(PairColumns),
        ],
    ),
    "podium_count_lines": (ctypes.c_size_t, [ctypes.c_void_p, ctypes.c_size_t]),
    "podium_overlap": (
        None,
        [
            ctypes.POINTER(ListSide),
            ctypes.c_uint32,
            ctypes.c_uint32,
            ctypes.c_uint32,
            ctypes.POINTER(ItemRoom),
            ctypes.c_uint64,
            ctypes.c_void_p,
            ctypes.c_void_p,
        ],
    ),
    "podium_list_sessions": (
        ctypes.c_size_t,
        [
            ctypes.POINTER(NameEnding),
            ctypes.c_uint64,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.POINTER(SessionsFound),
        ],
    ),
    "podium_place_lists": (
        None,
        [
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_uint64,
            ctypes.c_uint64,
            ctypes.c_void_p,
            ctypes.c_void_p,
        ],
    ),
    "podium_blend": (
        ctypes.c_size_t,
        [
            ctypes.POINTER(ListSide),
            ctypes.c_uint32,
            ctypes.c_uint32,
            ctypes.c_void_p,
            ctypes.c_uint32,
            ctypes.c_uint32,
            ctypes.POINTER(ItemRoom),
            ctypes.POINTER(RowForm),
            ctypes.POINTER(Names),
            ctypes.c_void_p,
        ],
    ),
    "podium_write_rows": (
        ctypes.c_size_t,
        [ctypes.POINTER(Rows), ctypes.c_void_p, ctypes.c_size_t],
    ),
    "podium_make_column": (
        ctypes.c_bool,
        [
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_int64,
            ctypes.c_char_p,
            ctypes.c_void_p,
            ctypes.c_void_p,
        ],
    ),
}
