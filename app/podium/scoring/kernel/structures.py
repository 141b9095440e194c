"""Declares the structures of the compiled functions, with the same layout as in C."""

from __future__ import annotations

import ctypes


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
    """`struct ending` of fields.h."""

    _fields_ = (("text", ctypes.c_char_p), ("size", ctypes.c_uint64))


class Marks(ctypes.Structure):
    """`struct marks` of lists.h."""

    _fields_ = (
        ("words", ctypes.c_void_p),
        ("mask", ctypes.c_uint64),
        ("most", ctypes.c_uint64),
        ("count", ctypes.c_uint64),
    )


class ListTask(ctypes.Structure):
    """`struct task` of lists.h."""

    _fields_ = (
        ("sessions", Places),
        ("endings", ctypes.POINTER(NameEnding)),
        ("objectives", ctypes.c_uint64),
        ("longest_line", ctypes.c_uint64),
        ("depth", ctypes.c_uint64),
        ("text_items", ctypes.c_uint64),
        ("distinct_items", ctypes.c_uint64),
        ("first", ctypes.c_void_p),
        ("items", ctypes.c_void_p),
        ("texts", ctypes.c_void_p),
        ("starts", ctypes.c_void_p),
        ("kept", ctypes.c_void_p),
        ("limits", ctypes.c_void_p),
        ("marks", ctypes.POINTER(Marks)),
        ("unmarked", ctypes.c_uint32),
    )


class ListsFound(ctypes.Structure):
    """`struct found` of lists.h."""

    _fields_ = (
        ("seen", ctypes.c_void_p),
        ("ranks", ctypes.c_void_p),
        ("queries", ctypes.c_void_p),
        ("lengths", ctypes.c_void_p),
        ("numbers", ctypes.c_void_p),
        ("text", ctypes.c_void_p),
        ("lengths_of", ctypes.c_void_p),
        ("rows", ctypes.c_uint64),
        ("joined", ctypes.c_uint64),
        ("lists", ctypes.c_uint64),
        ("items", ctypes.c_uint64),
        ("text_size", ctypes.c_uint64),
    )


class Cells(ctypes.Structure):
    """`struct cells` of cells.c."""

    _fields_ = (
        ("views", ctypes.c_void_p),
        ("buffers", ctypes.c_void_p),
        ("starts", ctypes.c_void_p),
        ("numbers", ctypes.c_void_p),
    )


class Rows(ctypes.Structure):
    """`struct rows` of cells.c."""

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


class QueriesFound(ctypes.Structure):
    """`struct queries` of runs.c."""

    _fields_ = (
        ("queries", ctypes.c_void_p),
        ("first", ctypes.c_void_p),
        ("labels", ctypes.c_void_p),
        ("keys", ctypes.c_void_p),
        ("splits", ctypes.c_void_p),
        ("first_of_sessions", ctypes.c_void_p),
        ("splits_of_sessions", ctypes.c_void_p),
        ("count", ctypes.c_uint64),
        ("sessions", ctypes.c_uint64),
    )


class HitsOrdered(ctypes.Structure):
    """`struct hits` of runs.c."""

    _fields_ = (
        ("labels", ctypes.c_void_p),
        ("runs", ctypes.c_void_p),
        ("ranks", ctypes.c_void_p),
        ("ordinals", ctypes.c_void_p),
    )


class TermColumns(ctypes.Structure):
    """`struct terms` of terms.c."""

    _fields_ = (
        ("sums", ctypes.c_void_p),
        ("ideals", ctypes.c_void_p),
        ("keys", ctypes.c_void_p),
        ("count", ctypes.c_uint64),
        ("sums_are_counts", ctypes.c_uint32),
        ("ideals_are_counts", ctypes.c_uint32),
        ("is_mean", ctypes.c_uint32),
    )


class Squares(ctypes.Structure):
    """`struct squares` of terms.c."""

    _fields_ = (
        ("sum", ctypes.c_double),
        ("rest", ctypes.c_double),
        ("count", ctypes.c_uint64),
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


ROW_KEYS, ROW_TEXTS, ROW_NUMBERS = 3, 5, 16
"""MAX_IDS, MAX_TEXTS and MAX_NUMBERS of rows.c."""


class SpelledNumbers(ctypes.Structure):
    """`struct spelled` of rows.c."""

    _fields_ = (
        ("words", Places),
        ("spelling", ctypes.c_uint32),
        ("may_be_empty", ctypes.c_uint32),
    )


class FileForm(ctypes.Structure):
    """`struct form` of rows.c."""

    _fields_ = (
        ("roles", ctypes.c_uint32 * (ROW_TEXTS + ROW_NUMBERS)),
        ("columns", ctypes.c_uint32),
        ("is_text", ctypes.c_uint32 * ROW_KEYS),
        ("numbers", SpelledNumbers * ROW_NUMBERS),
    )


class RowKeys(ctypes.Structure):
    """`struct ids` of rows.c."""

    _fields_ = (
        ("numbers", ctypes.c_void_p),
        ("texts", ctypes.c_void_p),
        ("starts", ctypes.c_void_p),
    )


class IndexedRows(ctypes.Structure):
    """`struct published` of rows.c."""

    _fields_ = (
        ("ids", RowKeys * ROW_KEYS),
        ("table", ctypes.c_void_p),
        ("mask", ctypes.c_uint64),
        ("count", ctypes.c_uint32),
        ("width", ctypes.c_uint32),
    )


class RowsEntered(ctypes.Structure):
    """`struct entered` of rows.c."""

    _fields_ = (
        ("seen", ctypes.c_void_p),
        ("numbers", ctypes.c_void_p * ROW_NUMBERS),
        ("rows", ctypes.c_uint64),
        ("columns", ctypes.c_uint32),
        ("next", ctypes.c_uint32),
        ("astray", ctypes.c_uint32),
    )


class RowColumns(ctypes.Structure):
    """`struct columns` of rows.c."""

    _fields_ = (
        ("ids", ctypes.c_void_p * ROW_KEYS),
        ("numbers", ctypes.c_void_p * ROW_NUMBERS),
        ("texts", ctypes.c_void_p * ROW_TEXTS),
        ("sizes", ctypes.c_uint64 * ROW_TEXTS),
        ("rows", ctypes.c_uint64),
    )


class ScoredRows(ctypes.Structure):
    """`struct scored` of ranks.c."""

    _fields_ = (
        ("scores", ctypes.c_void_p),
        ("positives", ctypes.c_void_p),
        ("small_groups", ctypes.c_void_p),
        ("groups", ctypes.c_void_p),
        ("counts", ctypes.c_void_p),
        ("starts", ctypes.c_void_p),
        ("keys", ctypes.c_void_p),
        ("table", ctypes.c_void_p),
        ("size", ctypes.c_uint64),
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


class RowCount(ctypes.Structure):
    """`struct count` of quotes.c."""

    _fields_ = (
        ("rows", ctypes.c_uint64),
        ("lines", ctypes.c_uint64),
        ("width", ctypes.c_uint64),
        ("separators", ctypes.c_uint64),
        ("uneven", ctypes.c_uint64),
        ("opened", ctypes.c_uint64),
        ("state", ctypes.c_uint32),
        ("encloses", ctypes.c_bool),
        ("has_inner", ctypes.c_bool),
        ("before", ctypes.c_uint8),
        ("separator", ctypes.c_uint8),
        ("quote", ctypes.c_uint8),
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
"""The size of a `struct text` of fields.h, which is larger than a number."""

ROWS_UNDER_WAY = 16
"""ROWS_UNDER_WAY of lists.c."""
