"""Checks the types of columns of a Parquet file: those of ids, and of lists of ids; any other is
reported, with advice on what to write instead."""

from __future__ import annotations

import polars as pl

from podium.scoring.parquet.footer import schema_refused
from podium.scoring.problems import FileRejected, quoted

TEXTS = (pl.String, pl.Categorical, pl.Enum)

IDS, ITEMS = "integers or strings", "lists of items"
"""The words for ids and lists in messages about columns of other types."""

WHOLE_IDS = "Write integers or strings: a column with missing values may have become one of floats."
LISTS = "Write lists of integers or of strings, or strings of items separated by spaces."


def holds_ids(kind: pl.DataType) -> bool:
    """True for texts, and for integers of any width."""
    return kind.is_integer() or isinstance(kind, TEXTS)


def is_list(kind: pl.DataType) -> bool:
    """True for lists, including those of a fixed size, of any contents."""
    return isinstance(kind, pl.List | pl.Array)


def holds_lists(kind: pl.DataType) -> bool:
    """True for lists of ids."""
    return isinstance(kind, pl.List | pl.Array) and holds_ids(_inner(kind))


def as_lists(column: str, kind: pl.DataType) -> pl.Expr:
    """Casts a column of lists of ids to lists of integers or strings, of any size."""
    lists: pl.Expr = pl.selectors.by_name(column)
    if isinstance(kind, pl.Array):
        lists = lists.arr.to_list()
    inner = _inner(kind)
    return lists if inner.is_integer() else lists.cast(pl.List(pl.String))


def type_refused(column: str, found: pl.DataType, wanted: str, hint: str = "") -> FileRejected:
    """Builds the rejection of a column whose type is not the `wanted` one; `hint` is the advice,
    except for a column of lists where one value is wanted, and for structs and bytes."""
    detail = f"column {quoted(column)} holds {type_name(found)} instead of {wanted}"
    return schema_refused(detail, _hint(column, found, wanted) or hint or f"Write {wanted}.")


def type_name(found: pl.DataType) -> str:
    """Returns the name of a type, without its fields, categories or time zone."""
    name = str(found.base_type())
    return f"{name}({type_name(_inner(found))})" if is_list(found) else name


def _inner(kind: pl.DataType) -> pl.DataType:
    # For a two-dimensional array this is an array, too.
    inner: pl.DataType = kind.inner  # type: ignore[attr-defined]
    return inner


def _hint(column: str, found: pl.DataType, wanted: str) -> str:
    if is_list(found) and wanted != ITEMS:
        return f"Write one value in each row: df.explode({column!r}) makes a row of each."
    if isinstance(found, pl.Struct):
        return "Write one of its fields instead, as a column of its own."
    if isinstance(found, pl.Binary):
        return "Write strings instead of bytes."
    return ""
