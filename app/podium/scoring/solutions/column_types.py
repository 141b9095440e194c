"""Infers the types of an organizer's columns from their cells, as pandas does.

Whole numbers, numbers, and booleans; all else is text. Columns of a Parquet file have the types of
its schema.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from podium.scoring.column_kinds.numbers import INTEGER
from podium.scoring.column_kinds.texts import CONTROLS
from podium.scoring.hints.texts import Hint
from podium.scoring.problems import Code, Problem, quoted
from podium.scoring.text.findings import on_lines

MISSING = (
    *("NA", "N/A", "n/a", "<NA>", "#N/A", "NaN", "nan", "-NaN", "-nan"),
    *("NULL", "null", "None"),
)
"""Words that mean a missing value among numbers."""

_NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_INFINITE = r"(?i)[+-]?inf(?:inity)?"
_TRUTH_VALUES = {
    **dict.fromkeys(("True", "TRUE", "true"), True),
    **dict.fromkeys(("False", "FALSE", "false"), False),
}
_MOSTLY = 0.5
"""The share of numbers from which on a column of text causes a warning."""


@dataclass(frozen=True)
class Inferred:
    """A column with its inferred type, the problems of its cells, and warnings about likely
    mistakes."""

    values: pl.Series
    problems: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()


def inferred(cells: pl.Series, lines: pl.Series) -> Inferred:
    """Infers the type of cells on these lines, and converts them."""
    if cells.dtype.is_float():
        numbers = cells.cast(pl.Float64)
        return _finite(numbers.set(numbers.is_nan().fill_null(False), None), cells.name, lines)
    if cells.dtype.is_integer():
        return Inferred(_integers(cells))
    if cells.dtype != pl.String or cells.null_count() == len(cells):
        kind = pl.Boolean if cells.dtype == pl.Boolean else pl.Float64
        return Inferred(cells.cast(kind))
    return _of_texts(cells, lines)


def _integers(cells: pl.Series) -> pl.Series:
    """Converts to whole numbers; to floats where some are missing, else to texts where some are too
    large, as digits of a text are: they are names, which floats would make equal."""
    whole = cells.cast(pl.Int64, strict=False)
    if not whole.null_count():
        return whole
    return cells.cast(pl.Float64 if cells.null_count() else pl.String)


def _of_texts(cells: pl.Series, lines: pl.Series) -> Inferred:
    truth = cells.replace_strict(_TRUTH_VALUES, default=None, return_dtype=pl.Boolean)
    if truth.null_count() == cells.null_count():
        return Inferred(truth)
    given = cells.set(cells.is_in(MISSING).fill_null(False), None)
    are_numbers = given.str.contains(rf"\A(?:{_NUMBER})\z").fill_null(True)
    are_infinite = given.str.contains(rf"\A(?:{_INFINITE})\z").fill_null(False)
    if not (are_numbers | are_infinite).all():
        warnings = tuple(_warnings(cells, are_numbers, lines))
        return Inferred(cells, controls(cells, lines), warnings)
    if not given.null_count() and given.str.contains(rf"\A{INTEGER}\z").all():
        whole = given.cast(pl.Int64, strict=False)
        # Longer ones are names, such as hashes and account numbers.
        return Inferred(cells if whole.null_count() else whole)
    return _finite(given.cast(pl.Float64, strict=False), cells.name, lines)


def controls(cells: pl.Series, lines: pl.Series) -> tuple[Problem, ...]:
    """Reports texts with control characters, which are not allowed in submissions."""
    held = cells.str.contains(CONTROLS).fill_null(False)
    detail, bad = "the text holds a control character", lines.filter(held)
    return tuple(on_lines(bad, Code.BAD_CHARACTER, detail, column=cells.name, hint=Hint.CONTROLS))


def _finite(numbers: pl.Series, name: str, lines: pl.Series) -> Inferred:
    bad = numbers.is_infinite().fill_null(False)
    problems = on_lines(lines.filter(bad), Code.BAD_NUMBER, "a number is finite", column=name)
    return Inferred(numbers, tuple(problems))


def _warnings(cells: pl.Series, are_numbers: pl.Series, lines: pl.Series) -> Iterator[str]:
    given = cells.is_not_null()
    share = float((are_numbers & given).sum()) / max(1, len(cells) - cells.null_count())
    if share >= _MOSTLY:
        first = int((~are_numbers).arg_true()[0])
        text = quoted(cells[first])
        yield f"{quoted(cells.name)} holds text, because of {text} on line {lines[first]}"
