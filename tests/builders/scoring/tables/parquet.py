"""The cells of a text of a table as a Parquet file, in any types that hold the same."""

from __future__ import annotations

import random
import re
from io import BytesIO

import polars as pl

from podium.scoring.columns import ColumnType
from tests.builders.scoring.rating_files import fields_of
from tests.builders.scoring.tables.files import Case

WIDTHS = (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64)

_NUMBER = r"[+-]?([0-9]{1,40}\.?[0-9]{0,20}|\.[0-9]{1,20})([eE][+-]?[0-9]{1,3})?"


def parquet_of(case: Case, dice: random.Random) -> bytes | None:
    """The file; None for a text that has another number of fields in some line."""
    text = case.text.removeprefix(b"\xef\xbb\xbf")
    if b"\r" in text.replace(b"\r\n", b"\n") or b"\x1a" in text:
        return None
    lines = text.replace(b"\r\n", b"\n").rstrip(b"\n").split(b"\n")
    names, *rows = [fields_of(line) for line in lines]
    if names is None or sorted(names) != sorted(n.encode() for n in case.task.columns):
        return None
    whole = [row for row in rows if row is not None and len(row) == len(names)]
    if len(whole) < len(rows):
        return None
    types: dict[str, ColumnType] = {each.name: each.type for each in case.task.table}
    columns = []
    for place, name in enumerate(name.decode() for name in names):
        cells = [row[place].decode().replace('""', '"') for row in whole]
        # An id is compared as a text is.
        columns.append(_column(dice, name, cells, types.get(name, "text")))
    stored = BytesIO()
    pl.DataFrame(columns).write_parquet(stored, row_group_size=dice.choice((1, 2, 100)))
    return stored.getvalue()


def _column(dice: random.Random, name: str, cells: list[str], kind: ColumnType) -> pl.Series:
    """The cells in one of the types that hold the same and that a column of this kind may have."""
    texts = pl.Series(name, cells, dtype=pl.String)
    given = texts.set(texts == "", None)
    fitting = [texts, texts.cast(pl.Categorical), texts.cast(pl.Enum(texts.unique().sort()))]
    fitting += _whole(given, is_number=kind in ("number", "integer"))
    if kind == "number":
        fitting += _decimal(given)
    elif kind != "integer":
        words = {"true": True, "false": False}
        truth = given.replace_strict(words, default=None, return_dtype=pl.Boolean)
        fitting += [truth] if truth.null_count() == given.null_count() else []
    return dice.choice(fitting)


def _whole(given: pl.Series, *, is_number: bool) -> list[pl.Series]:
    """The cells as integers of each width that holds them, and any other text of the same where
    they are numbers."""
    spelling = r"[+-]?[0-9]{1,60}" if is_number else r"0|-?[1-9][0-9]{0,60}"
    if not all(re.fullmatch(spelling, text) for text in given.drop_nulls()):
        return []
    numbers = [None if text is None else int(text) for text in given]
    fitting = []
    for width in WIDTHS:
        least, largest = pl.select(low=width.min(), high=width.max()).row(0)
        if all(number is None or least <= number <= largest for number in numbers):
            fitting.append(pl.Series(given.name, numbers, dtype=width))
    return fitting


def _decimal(given: pl.Series) -> list[pl.Series]:
    """The cells as floats, and as short ones where these are the same numbers."""
    if not all(re.fullmatch(_NUMBER, text) for text in given.drop_nulls()):
        return []
    numbers = given.cast(pl.Float64)
    if not numbers.is_finite().all():
        return []
    short = numbers.cast(pl.Float32)
    return [numbers, *([short] if short.cast(pl.Float64).equals(numbers) else [])]
