"""Columns of numbers: decimals, and whole numbers of 64 bits."""

from __future__ import annotations

import math
import re
import sys

import polars as pl

from podium.scoring.column_kinds.base import ColumnKind, refuse, require_spelling
from podium.scoring.columns import TableColumn
from podium.scoring.hints.texts import LARGEST_NUMBER, LONGEST_NUMBER_BYTES, Hint
from podium.scoring.kernel.text import NotPlain
from podium.scoring.text.spellings import NUMBER, is_nothing, spelling_hint

INTEGER = rf"[+-]?[0-9]{{1,{LONGEST_NUMBER_BYTES - 1}}}"
"""The pattern of a whole number."""

MIN_INTEGER, LARGEST_INTEGER = -(2**63), 2**63 - 1

_NUMBER = re.compile(NUMBER.encode())
_INTEGER = re.compile(INTEGER.encode())


class NumberKind(ColumnKind):
    """Cells are finite decimal numbers, read as float64."""

    words = "a number"
    dtype = pl.Float64
    cells = ("a number", "Write floats or integers.")
    has_bounds = True
    spelling = "decimal"

    def takes_cells(self, found: pl.DataType) -> bool:
        """True for all numeric types."""
        return found.is_numeric()

    def sample(self, column: TableColumn) -> str:
        """Chooses 0, or the bound that is nearest to it."""
        least, largest = column.minimum or 0.0, column.maximum
        number = max(least, 0.0) if largest is None else min(max(least, 0.0), largest)
        return f"{number:.17g}"

    def read(self, text: bytes, column: TableColumn, *, compares: bool) -> float:
        """Parses the float64 that is nearest to the number."""
        del compares
        if not is_number(text):
            refuse(text, "is not a number", _hint(text, column))
        number = float(text) + 0.0  # never -0.0
        if math.isinf(number):
            hint = Hint.NUMBER_RANGE.format("-1.797e308", "1.797e308")
            refuse(text, "is too large a number", hint)
        _require_within(text, number, number_bounds(column), column)
        return number

    def prove(self, cells: pl.Series, column: TableColumn) -> pl.Series:
        """Casts to float64. Raises `NotPlain` for other spellings and for long numbers."""
        if cells.dtype == pl.String:
            require_spelling(cells, NUMBER)
            if int(cells.str.len_bytes().max() or 0) > LONGEST_NUMBER_BYTES:  # type: ignore[arg-type]
                raise NotPlain("a long number")
        return _within(cells.cast(pl.Float64, strict=False), number_bounds(column))

    def from_numbers(self, numbers: pl.Series, column: TableColumn) -> pl.Series:
        """Checks the bounds, if they are narrower than those of the compiled reader."""
        least, largest = number_bounds(column)
        is_proven = least <= -LARGEST_NUMBER and largest >= LARGEST_NUMBER
        return numbers if is_proven else _within(numbers, (least, largest))


class IntegerKind(ColumnKind):
    """Cells are whole numbers that fit into 64 bits."""

    words = "a whole number"
    dtype = pl.Int64
    cells = (
        "an integer",
        "Write integers: a column with missing values may have become one of floats.",
    )
    has_bounds = True
    spelling = "whole"

    def takes_cells(self, found: pl.DataType) -> bool:
        """Takes nothing but texts and integers."""
        del found
        return False

    def sample(self, column: TableColumn) -> str:
        """Chooses 0, or the bound that is nearest to it."""
        least, largest = whole_bounds(column)
        return str(min(max(least, 0), largest))

    def read(self, text: bytes, column: TableColumn, *, compares: bool) -> int:
        """Parses digits with or without a sign."""
        del compares
        if not _INTEGER.fullmatch(text):
            refuse(text, "is not a whole number", _integer_hint(text, column))
        number = int(text)
        if not MIN_INTEGER <= number <= LARGEST_INTEGER:
            hint = Hint.INTEGER_RANGE.format(MIN_INTEGER, LARGEST_INTEGER)
            refuse(text, "is too large a number", hint)
        _require_within(text, number, whole_bounds(column), column)
        return number

    def prove(self, cells: pl.Series, column: TableColumn) -> pl.Series:
        """Casts to int64. Raises `NotPlain` for other spellings of texts."""
        if cells.dtype == pl.String:
            require_spelling(cells, INTEGER)
        return self.from_numbers(cells, column)

    def from_numbers(self, numbers: pl.Series, column: TableColumn) -> pl.Series:
        """Casts to int64, within the bounds of the column."""
        return _within(numbers.cast(pl.Int64, strict=False), whole_bounds(column))


def is_number(text: bytes) -> bool:
    """True for the spelling of a decimal number of any size."""
    return len(text) <= LONGEST_NUMBER_BYTES and _NUMBER.fullmatch(text) is not None


def whole_bounds(column: TableColumn) -> tuple[int, int]:
    """Returns the smallest and the largest integer that a column accepts."""
    least = MIN_INTEGER if column.minimum is None else math.ceil(column.minimum)
    largest = LARGEST_INTEGER if column.maximum is None else math.floor(column.maximum)
    return max(least, MIN_INTEGER), min(largest, LARGEST_INTEGER)


def number_bounds(column: TableColumn) -> tuple[float, float]:
    """Returns the smallest and the largest number that a column accepts; both are finite."""
    least = -sys.float_info.max if column.minimum is None else column.minimum
    return least, sys.float_info.max if column.maximum is None else column.maximum


def range_words(column: TableColumn) -> str:
    """Formats the bounds of a column as a sentence; empty where it has none.

    >>> range_words(TableColumn(name="p", minimum=0, maximum=1))
    'p lies between 0 and 1.'
    """
    least, largest = (None if b is None else f"{b:.15g}" for b in (column.minimum, column.maximum))
    if least is not None and largest is not None:
        return f"{column.name} lies between {least} and {largest}."
    if least is not None:
        return f"{column.name} is at least {least}."
    return "" if largest is None else f"{column.name} is at most {largest}."


def _require_within(
    text: bytes, number: float, bounds: tuple[float, float], column: TableColumn
) -> None:
    least, largest = bounds
    if not least <= number <= largest:
        refuse(text, "is out of range", range_words(column))


def _within(values: pl.Series, bounds: tuple[float, float]) -> pl.Series:
    # Bounds are finite, and NaN is never between them.
    if not values.is_between(*bounds).all():
        raise NotPlain("a number out of range")
    return values


def _integer_hint(text: bytes, column: TableColumn) -> str:
    if re.fullmatch(rb"[+-]?[0-9]+\.0*", text):
        return Hint.AS_INTEGERS
    if _NUMBER.fullmatch(text):
        return Hint.WHOLE_NUMBER
    return _hint(text, column)


def _hint(text: bytes, column: TableColumn) -> str:
    if is_nothing(text):
        return Hint.FIELD_OPTIONAL if column.is_optional else Hint.FIELD_NOTHING
    spelling = spelling_hint(text)
    if spelling is not None:
        return spelling
    if text.lower() in (b"true", b"false"):
        return Hint.TRUTH_NUMBER
    return Hint.DECIMAL
