"""Converts whole columns of cells to canonical values, where every cell is proven valid.

Cells are texts, or numbers and booleans of a Parquet file. Cells that are not proven raise
`NotPlain`, which does not mean that the file is invalid: the strict reader decides.
"""

from __future__ import annotations

import polars as pl

from podium.scoring.column_kinds import kind_of_column
from podium.scoring.column_kinds.base import whole
from podium.scoring.columns import TableColumn
from podium.scoring.kernel.text import NotPlain
from podium.scoring.repeating import repeat
from podium.scoring.rows.compiled import Spelled
from podium.scoring.task import IdKind
from podium.scoring.text.spellings import CANONICAL_ID, TEXT_ID


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
        good = ids.str.contains(whole(TEXT_ID))
    else:
        ids = cells.cast(pl.Int32, strict=False)
        good = ids >= 0
        if cells.dtype == pl.String:
            good &= cells.str.contains(whole(CANONICAL_ID))
        elif not cells.dtype.is_integer():
            good &= repeat(False, len(cells), pl.Boolean)
    wrong = ~good.fill_null(False)
    return (ids.set(wrong, None) if wrong.any() else ids), wrong


def spelled(column: TableColumn) -> Spelled:
    """Describes a column, of a type that has a spelling, for the compiled reader."""
    kind = kind_of_column(column)
    assert kind.spelling is not None, f"the compiled reader reads no {column.type}"
    return Spelled(kind.spelling, kind.spelled_words(column), column.is_optional)


def unspelled(numbers: pl.Series, column: TableColumn) -> pl.Series:
    """Converts the numbers of the compiled reader to the values of a column. Raises NotPlain."""
    found = numbers.fill_nan(None) if column.is_optional else numbers
    return kind_of_column(column).from_numbers(found, column)
