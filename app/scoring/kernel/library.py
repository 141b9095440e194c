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


class LabelForm(ctypes.Structure):
    """`struct form` of labels.c."""

    _fields_ = (
        ("endings", ctypes.POINTER(NameEnding)),
        ("objectives", ctypes.c_uint64),
        ("longest_line", ctypes.c_uint64),
        ("is_json", ctypes.c_uint32),
        ("is_long", ctypes.c_uint32),
        ("is_only", ctypes.c_uint32),
    )


class LabelsFound(ctypes.Structure):
    """`struct labels` of labels.c."""

    _fields_ = (
        ("sessions", ctypes.c_void_p),
        ("rows", ctypes.c_void_p),
        ("queries", ctypes.c_void_p),
        ("items", ctypes.c_void_p),
        ("session_count", ctypes.c_uint64),
        ("row_count", ctypes.c_uint64),
        ("label_count", ctypes.c_uint64),
        ("ignored", ctypes.c_uint64),
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


_ADDRESS, _SIZE, _U32, _U64 = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint32, ctypes.c_uint64
_pointer = ctypes.POINTER

_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "podium_index_places": (ctypes.c_bool, [_pointer(Places)]),
    "podium_index_labels": (None, [_ADDRESS, _U64, _U64, _ADDRESS]),
    "podium_read_lists": (
        _SIZE,
        [_pointer(ListTask), _ADDRESS, _SIZE, _ADDRESS, _pointer(ListsFound)],
    ),
    "podium_first_of_runs": (_SIZE, [_ADDRESS, _SIZE, _ADDRESS]),
    "podium_count_ranks": (None, [_ADDRESS, _SIZE, _ADDRESS, _SIZE, _U32, _ADDRESS]),
    "podium_add_moves": (
        None,
        [
            _ADDRESS,
            _ADDRESS,
            ctypes.c_bool,
            _ADDRESS,
            _SIZE,
            _ADDRESS,
            _ADDRESS,
            _ADDRESS,
            _SIZE,
            _ADDRESS,
        ],
    ),
    "podium_add_by_key": (None, [_ADDRESS, _ADDRESS, _SIZE, _ADDRESS]),
    "podium_add_in_order": (None, [_ADDRESS, _ADDRESS, _SIZE, _ADDRESS]),
    "podium_add_exactly": (None, [_ADDRESS, _ADDRESS, _SIZE, ctypes.c_int, ctypes.c_int, _ADDRESS]),
    "podium_enter_pairs": (
        _SIZE,
        [_pointer(PairForm), _pointer(IndexedPairs), _ADDRESS, _SIZE, _pointer(PairsEntered)],
    ),
    "podium_index_pairs": (None, [_pointer(IndexedPairs)]),
    "podium_read_pairs": (_SIZE, [_pointer(PairForm), _ADDRESS, _SIZE, _pointer(PairColumns)]),
    "podium_count_lines": (_SIZE, [_ADDRESS, _SIZE]),
    "podium_overlap": (
        None,
        [_pointer(ListSide), _U32, _U32, _U32, _pointer(ItemRoom), _U64, _ADDRESS, _ADDRESS],
    ),
    "podium_list_sessions": (
        _SIZE,
        [_pointer(NameEnding), _U64, _ADDRESS, _SIZE, _pointer(SessionsFound)],
    ),
    "podium_place_lists": (None, [_ADDRESS, _ADDRESS, _U64, _U64, _ADDRESS, _ADDRESS]),
    "podium_blend": (
        _SIZE,
        [
            _pointer(ListSide),
            _U32,
            _U32,
            _ADDRESS,
            _U32,
            _U32,
            _pointer(ItemRoom),
            _pointer(RowForm),
            _pointer(Names),
            _ADDRESS,
        ],
    ),
    "podium_read_labels": (_SIZE, [_pointer(LabelForm), _ADDRESS, _SIZE, _pointer(LabelsFound)]),
    "podium_find_places": (_SIZE, [_pointer(Places), _ADDRESS, _SIZE, _ADDRESS]),
    "podium_place_queries": (None, [_ADDRESS, _SIZE, _ADDRESS, _U64, _U32, _ADDRESS]),
    "podium_claim_queries": (_SIZE, [_ADDRESS, _SIZE, _ADDRESS]),
    "podium_count_ascending": (_SIZE, [_ADDRESS, _ADDRESS, _SIZE]),
    "podium_write_rows": (_SIZE, [_pointer(Rows), _ADDRESS, _SIZE]),
    "podium_make_column": (
        ctypes.c_bool,
        [_ADDRESS, _SIZE, ctypes.c_int64, ctypes.c_char_p, _ADDRESS, _ADDRESS],
    ),
}
