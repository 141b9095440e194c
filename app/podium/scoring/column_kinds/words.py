"""Columns of words from a list: truth values, and categories."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

import polars as pl

from podium.scoring.column_kinds.base import ONLY_CATEGORIES, ColumnKind, refuse
from podium.scoring.columns import TableColumn
from podium.scoring.hints.texts import Hint
from podium.scoring.problems import quoted

BOOLEANS = {
    **dict.fromkeys(("true", "True", "TRUE", "1"), True),
    **dict.fromkeys(("false", "False", "FALSE", "0"), False),
}
"""The spellings of a boolean."""

_LONGEST_COMPARED = 200


class BooleanKind(ColumnKind):
    """Cells are truth values, spelled as `BOOLEANS` has them."""

    words = "true or false"
    dtype = pl.Boolean
    cells = ("a boolean", "Write truth values, or strings.")
    spelling = "word"

    def sample(self, column: TableColumn) -> str:
        """Chooses false in lower case."""
        del column
        return "false"

    def read(self, text: bytes, column: TableColumn, *, compares: bool) -> bool:
        """Parses a spelling of `BOOLEANS`. Refuses all others."""
        del compares
        value = BOOLEANS.get(text.decode())
        if value is None:
            hint = Hint.TRUTH_OPTIONAL if column.is_optional else Hint.TRUTH_VALUE
            refuse(text, "is neither true nor false", hint)
        return value

    def prove(self, cells: pl.Series, column: TableColumn) -> pl.Series:
        """Converts texts, numbers and booleans."""
        del column
        if cells.dtype == pl.Boolean:
            return cells
        return cells.cast(pl.String).replace_strict(BOOLEANS, default=None, return_dtype=pl.Boolean)

    def spelled_words(self, column: TableColumn) -> tuple[str, ...]:
        """Lists the spellings of both truth values."""
        del column
        return tuple(BOOLEANS)

    def from_numbers(self, numbers: pl.Series, column: TableColumn) -> pl.Series:
        """Looks up indices of spellings."""
        del column
        return pl.Series(list(BOOLEANS.values())).gather(numbers.cast(pl.UInt32))


class CategoryKind(ColumnKind):
    """One of the column's values, compared as text."""

    words = "one"
    dtype = pl.String
    cells = ("a category", "Write strings.")
    spelling = "word"

    def lack_of_values(self, values: Sequence[str]) -> str | None:
        """Requires categories."""
        return None if values else ONLY_CATEGORIES

    def longest(self, column: TableColumn) -> int:
        """Returns the bytes of the longest category."""
        return max(len(value.encode()) for value in column.values)

    def sample(self, column: TableColumn) -> str:
        """Chooses the first category; empty where the column has none."""
        return column.values[0] if column.values else ""

    def read(self, text: bytes, column: TableColumn, *, compares: bool) -> str:
        """Decodes the category. Refuses one that the column does not list."""
        value = text.decode()
        require_known(value, column, "categories", compares=compares)
        return value

    def prove(self, cells: pl.Series, column: TableColumn) -> pl.Series:
        """Converts cells to an Enum."""
        return cells.cast(pl.String).cast(pl.Enum(column.values), strict=False)

    def spelled_words(self, column: TableColumn) -> tuple[str, ...]:
        """Lists the categories in the order of the setting."""
        return column.values

    def from_numbers(self, numbers: pl.Series, column: TableColumn) -> pl.Series:
        """Looks up indices of categories."""
        return pl.Series(column.values).gather(numbers.cast(pl.UInt32))


def require_known(value: str, column: TableColumn, names: str, *, compares: bool) -> None:
    """Refuses a value that is not one of the column's; `names` is the word for these. Raises
    RowProblem."""
    if value not in column.values:
        hint = _nearest(value, column.values, names) if compares else None
        refuse(value, f"is not one of the {names}", hint)


def _nearest(value: str, known: tuple[str, ...], names: str) -> str:
    """Suggests the category, or label, that is most similar to a text, or lists the first ones."""
    for one in known:
        if one.casefold() == value.strip().casefold():
            return Hint.CATEGORY_SPELLING.format(quoted(one))
    alike = difflib.get_close_matches(value[:_LONGEST_COMPARED], known, n=1)
    if alike:
        return f"Did you mean {quoted(alike[0])}?"
    shown = ", ".join(quoted(each) for each in known[:3])
    return f"The {names} are {shown}{', …' if len(known) > 3 else ''}."
