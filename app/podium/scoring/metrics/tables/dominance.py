"""Rows that are below another in two columns at once, counted in n log n steps."""

from __future__ import annotations

import polars as pl


def below_in_both(first: pl.Series, second: pl.Series, weights: pl.Series) -> pl.Series:
    """For each row the weights (Int64) of those that are lower in `first` and lower in `second`.

    Rows are put in the order of the first column. Of the second, the binary digits of each one's
    place are gone through, the highest first: where two places differ first, the lower one has a 0,
    and rows with a 1 count those with a 0 before them that have the same digits so far.

    >>> first, second = pl.Series([1, 2, 3]), pl.Series([1, 3, 2])
    >>> below_in_both(first, second, pl.Series([1, 1, 1])).to_list()
    [0, 1, 1]
    """
    place = second.rank("dense").cast(pl.UInt32) - 1
    table = _numbered(weights).with_columns(first=first.rank("dense"), place=place)
    # Equal rows of the first column: none comes before a higher place.
    table = table.sort("first", "place", descending=[False, True]).drop("first")
    table = table.with_columns(found=pl.lit(0, dtype=pl.Int64))
    highest = int(table["place"].max() or 0)  # type: ignore[arg-type]
    for digit in reversed(range(highest.bit_length())):
        table = _with_digit(table.sort(pl.col("place") // (2 << digit), maintain_order=True), digit)
    return table.sort("row")["found"]


def below_and_tied(first: pl.Series, second: pl.Series, weights: pl.Series) -> pl.Series:
    """For each row the weights (Int64) of those that are lower in `first` and equal in `second`.

    >>> first, second = pl.Series([1, 2, 2, 1]), pl.Series([5, 5, 5, 6])
    >>> below_and_tied(first, second, pl.Series([1, 1, 1, 1])).to_list()
    [0, 1, 1, 0]
    """
    ranks = {"first": first.rank("dense"), "second": second.rank("dense")}
    table = _numbered(weights).with_columns(**ranks).sort("second", "first")
    before = table["weight"].cum_sum() - table["weight"]
    is_new = (table["second"] != table["second"].shift(1)).fill_null(value=True)
    is_newer = is_new | (table["first"] != table["first"].shift(1)).fill_null(value=True)
    found = _at_last(before, is_newer) - _at_last(before, is_new)
    return table.with_columns(found=found).sort("row")["found"]


def _numbered(weights: pl.Series) -> pl.DataFrame:
    rows = pl.int_range(len(weights), dtype=pl.UInt32, eager=True)
    return pl.DataFrame({"row": rows, "weight": weights})


def _at_last(values: pl.Series, is_first: pl.Series) -> pl.Series:
    """The value of the last row up to each that is the first of its group."""
    none = pl.Series([None], dtype=pl.Int64)
    return values.zip_with(is_first, none).fill_null(strategy="forward")


def _with_digit(table: pl.DataFrame, digit: int) -> pl.DataFrame:
    """Adds what rows with a 1 at this digit find, in a table of rows by their higher digits."""
    places = table["place"]
    group, is_one = places // (2 << digit), places // (1 << digit) % 2 == 1
    lower = table["weight"].set(is_one, 0)
    before = lower.cum_sum() - lower
    is_first = (group != group.shift(1)).fill_null(value=True)
    found = table["found"] + (before - _at_last(before, is_first)).set(~is_one, 0)
    return table.with_columns(found.alias("found"))
