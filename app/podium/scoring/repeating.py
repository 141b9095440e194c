"""Creates columns of one value."""

from __future__ import annotations

import polars as pl


def repeat(value: object, count: int, kind: pl.DataType | type[pl.DataType]) -> pl.Series:
    """Creates a column of `count` times the same value. `pl.repeat` and `pl.zeros` plan a query
    for that, which takes longer than all other steps of a small table."""
    return pl.Series([value], dtype=kind).new_from_index(0, count)
