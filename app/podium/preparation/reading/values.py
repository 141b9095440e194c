"""Parses texts as ids, ratings and times, with one rule each for columns and for single lines."""

from __future__ import annotations

import re

import polars as pl

from podium.preparation.reading.times import DATES, times
from podium.scoring.problems import quoted

MAX_ID = 2**31 - 1
"""The largest numeric id; larger ones are read as text."""

TEXT_ID = r"^[!#-+\-./0-9:-~]{1,64}$"
"""The pattern of text ids: 1 to 64 printable ASCII characters without spaces, commas and quotes."""

_TEXT = re.compile(TEXT_ID)

WITHOUT_POINT = "Write it without a decimal point: with pandas, `column.astype('Int64')`."


def float_among(ids: pl.Series) -> str | None:
    """Finds a whole number as a float among distinct ids that are whole numbers: a submission
    writes it otherwise. None where there is none, and where ids are names."""
    floats = ids.str.contains(r"^-?[0-9]+\.0*$")
    if floats.any() and ids.filter(~floats).str.contains(r"^-?[0-9]+$").all():
        return str(ids.filter(floats)[0])
    return None


def whole_ids(text: pl.Expr) -> pl.Expr:
    """Parses ids as UInt32; null for numbers with a sign or a leading zero, and for other text."""
    number = text.cast(pl.UInt32, strict=False)
    plain = ((text >= "1") | (text == "0")) & (number <= MAX_ID)
    return pl.when(plain).then(number)


def ratings(text: pl.Expr) -> pl.Expr:
    """Parses ratings as Float64; null for values that are not finite numbers."""
    number = text.cast(pl.Float64, strict=False)
    return pl.when(number.is_finite()).then(number)


def problem_of(role: str, value: str | None, kind: str) -> str | None:
    """Explains why a value cannot be read, by its role and kind; None for a valid one."""
    if value is None or value == "":
        return f"there is no {role}"
    shown = quoted(value)
    if role in ("user", "item", "type"):
        if _TEXT.fullmatch(value):
            return None
        detail = "1 to 64 printable ASCII characters without spaces, commas and quotes"
        return f"the {role} {shown} is not an id: {detail}"
    column = pl.DataFrame({"value": [value]})
    if role == "rating":
        good = column.select(ratings(pl.col("value"))).item() is not None
        return None if good else f"the rating {shown} is not a finite number"
    if column.select(times(pl.col("value"), kind)).item() is not None:
        return None
    form = "a date such as 2026-11-20T12:00:00Z" if kind in DATES else "a number"
    return f"the time {shown} is not {form}"


def readable(column: pl.Expr, kind: pl.DataType, role: str, spelling: str) -> pl.Expr | None:
    """Converts a column of any type to the values of its role; null for values that do not fit.
    None where the type cannot hold the role."""
    if kind in (pl.Categorical, pl.Enum):
        column, kind = column.cast(pl.String), pl.String()
    if role == "rating":
        numeric = kind == pl.String or kind.is_numeric() or kind == pl.Boolean
        return ratings(column) if numeric else None
    if role == "timestamp":
        return _times_of(column, kind, spelling)
    if kind != pl.String and not kind.is_integer():
        return None
    if spelling == "text":
        return column.cast(pl.String)
    if kind == pl.String:
        return whole_ids(column)
    return pl.when(column.is_between(0, MAX_ID)).then(column.cast(pl.UInt32, strict=False))


def _times_of(column: pl.Expr, kind: pl.DataType, spelling: str) -> pl.Expr | None:
    if kind in (pl.Date, pl.Datetime):
        return column.dt.epoch("ms")
    if kind == pl.String or kind.is_integer():
        return times(column, spelling)
    spelling = "fraction" if spelling == "fraction" else "decimal"
    return times(column, spelling) if kind.is_float() else None
