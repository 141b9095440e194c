"""Rows that are below another in two columns at once, counted in n log n steps."""

from __future__ import annotations

import polars as pl


def below_in_both(
    first: pl.Series, second: pl.Series, weights: pl.Series, *, or_tied: bool = False
) -> pl.Series:
    """For each row the weights (Int64) of those that are lower in `first` and lower in `second`;
    `or_tied`: or equal in the second.

    Rows are put in the order of the first column. Of the second, the binary digits of each one's
    place are gone through, the highest first: where two places differ first, the lower one has a 0,
    and rows with a 1 count those with a 0 before them that have the same digits so far.

    >>> first, second = pl.Series([1, 2, 3]), pl.Series([1, 3, 2])
    >>> below_in_both(first, second, pl.Series([1, 1, 1])).to_list()
    [0, 1, 1]
    """
    table = pl.DataFrame(
        {"row": pl.int_range(len(first), dtype=pl.UInt32, eager=True), "weight": weights}
    ).with_columns(first.rank("dense").alias("first"), _places(first, second, or_tied))
    # Equal rows of the first column: none comes before a higher place.
    table = table.sort("first", "place", descending=[False, True]).with_columns(
        found=pl.lit(0, dtype=pl.Int64)
    )
    highest = int(table["place"].max() or 0)  # type: ignore[arg-type]
    for digit in reversed(range(highest.bit_length())):
        table = _with_digit(table.sort(pl.col("place") // (2 << digit), maintain_order=True), digit)
    return table.sort("row")["found"]


def _places(first: pl.Series, second: pl.Series, or_tied: bool) -> pl.Series:
    """The place of each row by the second column; rows tied there have the same, or, if they shall
    count, places in the order of the first."""
    if not or_tied:
        return second.rank("dense").cast(pl.UInt32).alias("place") - 1
    both = pl.DataFrame({"second": second, "first": first})
    order = both.select(pl.struct("second", "first").rank("dense")).to_series()
    return order.cast(pl.UInt32).alias("place") - 1


def _with_digit(table: pl.DataFrame, digit: int) -> pl.DataFrame:
    """Adds what rows with a 1 at this digit find, in a table of rows by their higher digits."""
    places = table["place"]
    group, is_one = places // (2 << digit), places // (1 << digit) % 2 == 1
    lower = table["weight"].set(is_one, 0)
    before = lower.cum_sum() - lower
    is_first = (group != group.shift(1)).fill_null(value=True)
    start = pl.Series([None], dtype=pl.Int64)
    start = before.zip_with(is_first, start).fill_null(strategy="forward")
    found = table["found"] + (before - start).set(~is_one, 0)
    return table.with_columns(found.alias("found"))
