"""Loads the compiled functions, and declares their types as in C."""

from __future__ import annotations

import ctypes
import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from podium.scoring.kernel.structures import (
    Dictionary,
    FileForm,
    HitsOrdered,
    IndexedRows,
    ItemRoom,
    ItemRows,
    LabelForm,
    LabelsFound,
    ListsFound,
    ListSide,
    ListTask,
    Marks,
    NameEnding,
    Names,
    Places,
    QueriesFound,
    RowColumns,
    RowCount,
    RowForm,
    Rows,
    RowsEntered,
    ScoredRows,
    SessionsFound,
    Squares,
    TermColumns,
)

FILE = Path(__file__).with_name("kernel.so")
"""The compiled library; missing where no compiler was available during the installation."""

MISSING = (
    "The compiled reader was not built here, because no C compiler was found: every file takes the"
    " slow reader, which finds the same and needs about 30 times as long. Install a C compiler, or"
    " `pip install ziglang`, and install Podium again."
)

OUTDATED = (
    "The compiled reader was built of other sources than these: build it again with `python"
    " setup.py build_ext --inplace`."
)


@cache
def kernel() -> ctypes.CDLL | None:
    """Loads the compiled functions; None where they were not built. Raises RuntimeError where they
    were built from other sources than these."""
    return opened(FILE) if FILE.exists() else None


def opened(file: Path) -> ctypes.CDLL:
    """Loads the functions of a library. Raises RuntimeError where it was built from other sources
    than those beside it, which an editable installation has: its structures may differ from
    these."""
    functions = declared(ctypes.CDLL(str(file)))
    sources = sorted(file.with_name("c").glob("*.[ch]"))
    if sources and functions.podium_sources() != _digest(sources):
        raise RuntimeError(OUTDATED)
    return functions


def _digest(sources: list[Path]) -> bytes:
    """Computes the SHA-256 of sources in hex, which setup.py passes to the compiler."""
    found = hashlib.sha256()
    for path in sources:
        found.update(path.read_bytes())
    return found.hexdigest().encode()


def compiled() -> ctypes.CDLL:
    """Loads the compiled functions. Raises RuntimeError where they were not built."""
    functions = kernel()
    if functions is None:
        raise RuntimeError(MISSING)
    return functions


def declared(library: ctypes.CDLL) -> ctypes.CDLL:
    """Declares the argument types of the functions of a library. Raises RuntimeError where it was
    built from older sources."""
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name, None)
        if function is None:
            raise RuntimeError(OUTDATED)
        function.restype, function.argtypes = result, arguments
    return library


_ADDRESS, _SIZE, _U32, _U64 = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint32, ctypes.c_uint64
_pointer = ctypes.POINTER

_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "podium_sources": (ctypes.c_char_p, []),
    "podium_index_places": (ctypes.c_bool, [_pointer(Places)]),
    "podium_index_labels": (None, [_ADDRESS, _U64, _U64, _ADDRESS]),
    "podium_read_lists": (
        _SIZE,
        [_pointer(ListTask), _ADDRESS, _SIZE, _ADDRESS, _pointer(ListsFound)],
    ),
    "podium_count_marked_numbers": (_SIZE, [_pointer(Marks), _ADDRESS, _SIZE]),
    "podium_count_marked_texts": (_SIZE, [_pointer(Marks), _ADDRESS, _ADDRESS, _SIZE]),
    "podium_list_queries": (None, [_ADDRESS, _ADDRESS, _SIZE, _U32, _pointer(QueriesFound)]),
    "podium_count_ranks": (None, [_ADDRESS, _SIZE, _ADDRESS, _SIZE, _U32, _ADDRESS]),
    "podium_order_hits": (_SIZE, [_ADDRESS, _SIZE, _ADDRESS, _SIZE, _pointer(HitsOrdered)]),
    "podium_add_moves": (
        None,
        [_pointer(TermColumns), _ADDRESS, _ADDRESS, _ADDRESS, _SIZE, _ADDRESS],
    ),
    "podium_add_moves_squared": (
        None,
        [
            _pointer(TermColumns),
            _ADDRESS,
            _ADDRESS,
            _ADDRESS,
            _ADDRESS,
            _SIZE,
            ctypes.c_double,
            _pointer(Squares),
        ],
    ),
    "podium_add_squares": (None, [_ADDRESS, _SIZE, ctypes.c_double, _pointer(Squares)]),
    "podium_find_powers": (None, [_pointer(TermColumns), _ADDRESS]),
    "podium_add_by_ideal": (None, [_pointer(TermColumns), _U64, _ADDRESS]),
    "podium_add_by_key": (None, [_ADDRESS, _ADDRESS, _SIZE, _ADDRESS]),
    "podium_add_in_order": (None, [_ADDRESS, _ADDRESS, _SIZE, _ADDRESS]),
    "podium_add_by_slot": (None, [_ADDRESS, _ADDRESS, _SIZE, _ADDRESS]),
    "podium_add_exactly": (None, [_pointer(TermColumns), ctypes.c_int, _ADDRESS]),
    "podium_enter_rows": (
        _SIZE,
        [_pointer(FileForm), _pointer(IndexedRows), _ADDRESS, _SIZE, _pointer(RowsEntered)],
    ),
    "podium_index_rows": (None, [_pointer(IndexedRows), _U32, _U32]),
    "podium_read_rows": (_SIZE, [_pointer(FileForm), _ADDRESS, _SIZE, _pointer(RowColumns)]),
    "podium_count_classes": (None, [_pointer(ScoredRows), _U64, _U64]),
    "podium_start_keys": (_U64, [_pointer(ScoredRows)]),
    "podium_collect_keys": (None, [_pointer(ScoredRows), _U64]),
    "podium_sort_keys": (None, [_pointer(ScoredRows), _U64, _U64]),
    "podium_add_wins": (None, [_pointer(ScoredRows), _U64, _U64, _ADDRESS]),
    "podium_place_others": (
        None,
        [_pointer(ScoredRows), _U64, _U64, _ADDRESS, _ADDRESS, _ADDRESS],
    ),
    "podium_add_gaps": (None, [_pointer(ScoredRows), _U64, _U64, _ADDRESS, _ADDRESS]),
    "podium_place_keys": (
        None,
        [_pointer(ScoredRows), _U64, _U64, _ADDRESS, _ADDRESS, _ADDRESS],
    ),
    "podium_count_lines": (_SIZE, [_ADDRESS, _SIZE]),
    "podium_count_rows": (ctypes.c_bool, [_pointer(RowCount), ctypes.c_char_p, _SIZE]),
    "podium_overlap": (
        None,
        [_pointer(ListSide), _U32, _U32, _U32, _pointer(ItemRoom), _U64, _ADDRESS, _ADDRESS],
    ),
    "podium_list_sessions": (
        _SIZE,
        [_pointer(NameEnding), _U64, _ADDRESS, _SIZE, _pointer(SessionsFound)],
    ),
    "podium_hash_texts": (None, [ctypes.c_char_p, _ADDRESS, _ADDRESS, _SIZE, _ADDRESS]),
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
    "podium_join_items": (_SIZE, [_pointer(ItemRows), _ADDRESS, _SIZE, _ADDRESS]),
    "podium_find_places": (_SIZE, [_pointer(Places), _ADDRESS, _SIZE, _ADDRESS]),
    "podium_place_queries": (None, [_ADDRESS, _SIZE, _ADDRESS, _U64, _U32, _ADDRESS]),
    "podium_claim_queries": (_SIZE, [_ADDRESS, _SIZE, _ADDRESS]),
    "podium_join_dictionaries": (
        ctypes.c_bool,
        [_pointer(Dictionary), _pointer(Dictionary), _ADDRESS],
    ),
    "podium_drop_dictionary": (None, [_pointer(Dictionary)]),
    "podium_sort_labels": (ctypes.c_bool, [_ADDRESS, _ADDRESS, _ADDRESS, _SIZE]),
    "podium_count_ascending": (_SIZE, [_ADDRESS, _ADDRESS, _SIZE]),
    "podium_write_rows": (_SIZE, [_pointer(Rows), _ADDRESS, _SIZE]),
    "podium_make_room": (_ADDRESS, [_SIZE, ctypes.c_bool]),
    "podium_drop_room": (None, [_ADDRESS]),
    "podium_make_column": (
        None,
        [_ADDRESS, ctypes.c_int64, ctypes.c_char_p, _ADDRESS, _ADDRESS],
    ),
}
