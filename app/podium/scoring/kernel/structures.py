"""Declares the structures of the compiled functions, with the same layout as in C."""

from __future__ import annotations

import ctypes
from functools import partial
from typing import Any


def _each(kind: type[Any], *names: str) -> tuple[tuple[str, type[Any]], ...]:
    return tuple((name, kind) for name in names)


_addresses, _u64, _u32 = (
    partial(_each, kind) for kind in (ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint32)
)


class Places(ctypes.Structure):
    """`struct places` of places.h."""

    _fields_ = (
        *_addresses("numbers", "texts", "starts", "direct", "table"),
        *_u64("mask"),
        *_u32("low", "span", "count"),
    )


class Dictionary(ctypes.Structure):
    """`struct dictionary` of places.h."""

    _fields_ = (
        *_addresses("texts", "starts", "table"),
        *_u64("mask", "room", "most"),
        *_u32("count"),
    )


class NameEnding(ctypes.Structure):
    """`struct ending` of fields.h."""

    _fields_ = (("text", ctypes.c_char_p), *_u64("size"))


class Marks(ctypes.Structure):
    """`struct marks` of lists.h."""

    _fields_ = (*_addresses("words"), *_u64("mask", "most", "count"))


class ListTask(ctypes.Structure):
    """`struct task` of lists.h."""

    _fields_ = (
        ("sessions", Places),
        ("endings", ctypes.POINTER(NameEnding)),
        *_u64("objectives", "longest_line", "depth", "text_items", "distinct_items"),
        *_addresses("first", "items", "texts", "starts", "kept", "limits"),
        ("marks", ctypes.POINTER(Marks)),
        *_u32("unmarked"),
    )


class ListsFound(ctypes.Structure):
    """`struct found` of lists.h."""

    _fields_ = (
        *_addresses("seen", "ranks", "queries", "lengths", "numbers", "text", "lengths_of"),
        *_u64("rows", "joined", "lists", "items", "text_size"),
    )


class ItemRows(ctypes.Structure):
    """`struct item_rows` of runs.c."""

    _fields_ = _u64("has_rank", "has_score", "depth", "text_items")


class Cells(ctypes.Structure):
    """`struct cells` of cells.c."""

    _fields_ = _addresses("views", "buffers", "starts", "numbers")


class Rows(ctypes.Structure):
    """`struct rows` of cells.c."""

    _fields_ = (("ids", Cells), ("labels", Cells), *_u64("next", "end", "longest_line"))


class SessionsFound(ctypes.Structure):
    """`struct sessions` of sessions.c."""

    _fields_ = (*_addresses("numbers", "text"), *_u64("count", "text_size", "last_size"))


class QueriesFound(ctypes.Structure):
    """`struct queries` of runs.c."""

    _fields_ = (
        *_addresses(
            "queries",
            "first",
            "labels",
            "keys",
            "splits",
            "first_of_sessions",
            "splits_of_sessions",
        ),
        *_u64("count", "sessions"),
    )


class HitsOrdered(ctypes.Structure):
    """`struct hits` of runs.c."""

    _fields_ = _addresses("labels", "runs", "ranks", "ordinals")


class TermColumns(ctypes.Structure):
    """`struct terms` of terms.c."""

    _fields_ = (
        *_addresses("sums", "ideals", "keys"),
        *_u64("count"),
        *_u32("sums_are_counts", "ideals_are_counts", "is_mean"),
    )


class Squares(ctypes.Structure):
    """`struct squares` of terms.c."""

    _fields_ = (("sum", ctypes.c_double), ("rest", ctypes.c_double), *_u64("count"))


class ListSide(ctypes.Structure):
    """`struct side` of combining.c."""

    _fields_ = _addresses("items", "starts", "lengths", "names")


class ItemRoom(ctypes.Structure):
    """`struct room` of combining.c."""

    _fields_ = (*_addresses("table", "candidates", "best"), *_u64("mask"))


class Names(ctypes.Structure):
    """`struct names` of combining.c."""

    _fields_ = _addresses("numbers", "texts", "starts")


ROW_KEYS, ROW_TEXTS, ROW_NUMBERS = 3, 5, 16
"""MAX_IDS, MAX_TEXTS and MAX_NUMBERS of rows.c."""

ROW_WORDS = ROW_TEXTS - ROW_KEYS


LABEL_COLUMNS = 5
"""MAX_LABEL_COLUMNS of labels.c."""


class SpelledNumbers(ctypes.Structure):
    """`struct spelled` of rows.c."""

    _fields_ = (("words", Places), *_u32("spelling", "may_be_empty"))


class FileForm(ctypes.Structure):
    """`struct form` of rows.c."""

    _fields_ = (
        ("roles", ctypes.c_uint32 * (ROW_TEXTS + ROW_NUMBERS)),
        *_u32("columns"),
        ("is_text", ctypes.c_uint32 * ROW_KEYS),
        ("numbers", SpelledNumbers * ROW_NUMBERS),
    )


class RowKeys(ctypes.Structure):
    """`struct ids` of rows.c."""

    _fields_ = _addresses("numbers", "texts", "starts")


class IndexedRows(ctypes.Structure):
    """`struct published` of rows.c."""

    _fields_ = (
        ("ids", RowKeys * ROW_KEYS),
        *_addresses("table"),
        *_u64("mask"),
        *_u32("count", "width"),
    )


class RowsEntered(ctypes.Structure):
    """`struct entered` of rows.c."""

    _fields_ = (
        *_addresses("seen"),
        ("numbers", ctypes.c_void_p * ROW_NUMBERS),
        *_u64("rows"),
        *_u32("columns", "next", "astray"),
    )


class RowColumns(ctypes.Structure):
    """`struct columns` of rows.c."""

    _fields_ = (
        ("ids", ctypes.c_void_p * ROW_KEYS),
        ("known", ctypes.POINTER(Dictionary) * ROW_KEYS),
        ("numbers", ctypes.c_void_p * ROW_NUMBERS),
        ("words", ctypes.c_void_p * ROW_WORDS),
        ("sizes", ctypes.c_uint64 * ROW_WORDS),
        *_u64("rows"),
    )


class ScoredRows(ctypes.Structure):
    """`struct scored` of ranks.c."""

    _fields_ = (
        *_addresses(
            "scores", "positives", "small_groups", "groups", "counts", "starts", "keys", "table"
        ),
        *_u64("size"),
    )


class LabelForm(ctypes.Structure):
    """`struct form` of labels.c."""

    _fields_ = (
        ("endings", ctypes.POINTER(NameEnding)),
        ("sides", ctypes.POINTER(NameEnding)),
        ("name", ctypes.POINTER(NameEnding)),
        *_u64("objectives", "longest_line"),
        *_each(ctypes.c_double, "least", "most", "smallest"),
        *_u32("spelling", "is_only", "are_texts", "are_text_items", "columns"),
        ("roles", ctypes.c_uint32 * LABEL_COLUMNS),
    )


class LabelsFound(ctypes.Structure):
    """`struct labels` of labels.c."""

    _fields_ = (
        *_addresses("sessions", "sides", "rows", "queries", "items", "relevances"),
        ("known_sessions", ctypes.POINTER(Dictionary)),
        ("known_items", ctypes.POINTER(Dictionary)),
        *_u64("session_count", "row_count", "label_count", "lines"),
        *_u64("ignored", "empty", "first_empty"),
        *_addresses("new_sessions", "new_items", "last"),
        ("last_size", ctypes.c_size_t),
    )


class RowCount(ctypes.Structure):
    """`struct count` of quotes.c."""

    _fields_ = (
        *_u64("rows", "lines", "width", "separators", "uneven", "opened"),
        *_u32("state"),
        ("encloses", ctypes.c_bool),
        ("has_inner", ctypes.c_bool),
        ("before", ctypes.c_uint8),
        ("separator", ctypes.c_uint8),
        ("quote", ctypes.c_uint8),
    )


class RowForm(ctypes.Structure):
    """`struct form` of combining.c."""

    _fields_ = (("sessions", Names), ("endings", ctypes.POINTER(NameEnding)), *_u64("objectives"))


ENTRY_BYTES, CANDIDATE_BYTES = 12, 16
"""The sizes of a `struct entry` and a `struct candidate` of combining.c."""

ITEM_BYTES = 16
"""The size of a `struct text` of fields.h, which is larger than a number."""

ROWS_UNDER_WAY = 16
"""ROWS_UNDER_WAY of lists.c."""
