"""Converts whole columns of cells to canonical values, where every cell is proven valid.

Cells are texts, or numbers and booleans of a Parquet file. Cells that are not proven raise
`NotPlain`, which does not mean that the file is invalid: the strict reader decides.
"""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from podium.scoring.columns import TableColumn
from podium.scoring.hints.texts import LARGEST_NUMBER, LONGEST_NUMBER_BYTES
from podium.scoring.kernel.text import NotPlain
from podium.scoring.repeating import repeat
from podium.scoring.rows.compiled import Spelled, Spelling
from podium.scoring.rows.fields import (
    BOOLEANS,
    BREAKS,
    CONTROLS,
    INTEGER,
    number_bounds,
    whole_bounds,
)
from podium.scoring.task import IdKind
from podium.scoring.text.spellings import CANONICAL_ID, NUMBER, TEXT_ID


def plain_ids(cells: pl.Series, kind: IdKind) -> pl.Series:
    """Converts ids to their canonical type. Raises NotPlain."""
    ids, wrong = unproven_ids(cells, kind)
    if wrong.any():
        raise NotPlain("an id that is none")
    return ids


def unproven_ids(cells: pl.Series, kind: IdKind) -> tuple[pl.Series, pl.Series]:
    """Converts ids to their canonical type, null for invalid ones, with a mask of these."""
    if kind == "string":
        ids = cells.cast(pl.String)
        good = ids.str.contains(_whole(TEXT_ID))
    else:
        ids = cells.cast(pl.Int32, strict=False)
        good = ids >= 0
        if cells.dtype == pl.String:
            good &= cells.str.contains(_whole(CANONICAL_ID))
        elif not cells.dtype.is_integer():
            good &= repeat(False, len(cells), pl.Boolean)
    wrong = ~good.fill_null(False)
    return (ids.set(wrong, None) if wrong.any() else ids), wrong


def plain_values(cells: pl.Series, column: TableColumn) -> pl.Series:
    """Converts the values of a column, null for a null cell; categories become an Enum. Raises
    NotPlain."""
    if cells.null_count() and not column.takes_empty:
        raise NotPlain(f"a cell of {column.name} is missing")
    values = _READERS[column.type](cells, column)
    if values.null_count() > cells.null_count():
        raise NotPlain(f"a cell of {column.name} is not plain")
    return values


def _numbers(cells: pl.Series, column: TableColumn) -> pl.Series:
    if cells.dtype == pl.String:
        _spelled(cells, NUMBER)
        if int(cells.str.len_bytes().max() or 0) > LONGEST_NUMBER_BYTES:  # type: ignore[arg-type]
            raise NotPlain("a long number")
    values = cells.cast(pl.Float64, strict=False)
    return _checked_numbers(values, column)


def _checked_numbers(values: pl.Series, column: TableColumn) -> pl.Series:
    # Bounds are finite, and NaN is never between them.
    if not values.is_between(*number_bounds(column)).all():
        raise NotPlain("a number out of range")
    return values


def _integers(cells: pl.Series, column: TableColumn) -> pl.Series:
    if cells.dtype == pl.String:
        _spelled(cells, INTEGER)
    return _checked_integers(cells.cast(pl.Int64, strict=False), column)


def _checked_integers(values: pl.Series, column: TableColumn) -> pl.Series:
    least, largest = whole_bounds(column)
    if not ((values >= least) & (values <= largest)).all():
        raise NotPlain("a number out of range")
    return values


def _booleans(cells: pl.Series, _: TableColumn) -> pl.Series:
    if cells.dtype == pl.Boolean:
        return cells
    return cells.cast(pl.String).replace_strict(BOOLEANS, default=None, return_dtype=pl.Boolean)


def _categories(cells: pl.Series, column: TableColumn) -> pl.Series:
    return cells.cast(pl.String).cast(pl.Enum(column.values), strict=False)


def _texts(cells: pl.Series, column: TableColumn) -> pl.Series:
    texts = cells.cast(pl.String)
    if texts.str.contains(CONTROLS).any():
        raise NotPlain("a control character")
    # Bytes are counted at once, characters one by one.
    lengths = (texts.str.len_bytes, texts.str.len_chars)
    if all(int(count().max() or 0) > column.max_length for count in lengths):  # type: ignore[arg-type]
        raise NotPlain("a long text")
    return texts


def _labels(cells: pl.Series, column: TableColumn) -> pl.Series:
    texts = _texts(cells, column)
    if texts.str.contains(BREAKS).any():
        raise NotPlain("a label with white space")
    labels = texts.str.split(" ").list.sort()
    are_plain = (labels.list.n_unique() == labels.list.len()) & (labels.list.first() != "")
    if column.values:
        known = pl.Series(column.values)
        are_plain &= labels.list.eval(pl.element().is_in(known.implode())).list.all()
    if not are_plain.all():
        raise NotPlain("a label twice, or none")
    return labels.list.join(" ")


def _spelled(cells: pl.Series, form: str) -> None:
    if not cells.str.contains(_whole(form)).all():
        raise NotPlain("another spelling")


def _whole(form: str) -> str:
    return rf"\A(?:{form})\z"


_READERS: dict[str, Callable[[pl.Series, TableColumn], pl.Series]] = {
    "number": _numbers,
    "integer": _integers,
    "boolean": _booleans,
    "category": _categories,
    "text": _texts,
    "labels": _labels,
}

SPELLED: dict[str, Spelling] = {
    "number": "decimal",
    "integer": "whole",
    "boolean": "word",
    "category": "word",
}
"""The spellings that the compiled reader supports; it does not read texts."""


def spelled(column: TableColumn) -> Spelled:
    """Describes a column for the compiled reader."""
    words = column.values if column.type == "category" else tuple(BOOLEANS)
    spelling = SPELLED[column.type]
    return Spelled(spelling, words if spelling == "word" else (), column.is_optional)


def unspelled(numbers: pl.Series, column: TableColumn) -> pl.Series:
    """Converts the numbers of the compiled reader to the values of a column. Raises NotPlain."""
    found = numbers.fill_nan(None) if column.is_optional else numbers
    if column.type == "number":
        least, largest = number_bounds(column)
        # The compiled reader refuses numbers beyond this.
        is_proven = least <= -LARGEST_NUMBER and largest >= LARGEST_NUMBER
        return found if is_proven else _checked_numbers(found, column)
    if column.type == "integer":
        return _checked_integers(found.cast(pl.Int64), column)
    values = column.values if column.type == "category" else tuple(BOOLEANS.values())
    return pl.Series(values).gather(found.cast(pl.UInt32))
