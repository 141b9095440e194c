"""Averages metrics over all orders of tied candidates, in closed form.

`above` candidates come first, then `tied` ones in any order, with equal probability, `relevant` of
which are relevant. Source: McSherry & Najork, Computing information retrieval performance measures
efficiently in the presence of tied scores, 2008.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate

import polars as pl


def reciprocal_of_first(above: int, tied: int, relevant: int) -> float:
    """Averages 1 / rank of the first relevant candidate.

    Of n tied candidates with p relevant ones, the i-th is the first of these with the probability
    C(n − i, p − 1) / C(n, p).

    >>> reciprocal_of_first(0, 3, 1), reciprocal_of_first(1, 3, 3)  # (1 + 1/2 + 1/3) / 3
    (0.611111111111111, 0.5)
    """
    chance, terms = relevant / tied, []
    for passed in range(tied - relevant + 1):
        terms.append(chance / (above + passed + 1))
        chance *= (tied - passed - relevant) / max(1, tied - passed - 1)
    return math.fsum(terms)


def chance_within(places: int, above: int, tied: int, relevant: int) -> float:
    """Computes the probability that a relevant candidate is among the first `places`.

    Of n tied candidates, m are; that none of p is relevant has the probability
    C(n − p, m) / C(n, m).

    >>> chance_within(2, 0, 4, 1), chance_within(5, 2, 3, 1), chance_within(2, 2, 3, 3)
    (0.5, 1.0, 0.0)
    """
    taken = min(max(places - above, 0), tied)
    # Which of the two is drawn from the other makes no difference, but one takes fewer steps.
    few, many = sorted((taken, relevant))
    if many + few > tied:
        return 1.0
    missed = 1.0
    for drawn in range(few):
        missed *= (tied - many - drawn) / (tied - drawn)
    return 1.0 - missed


def means_over_ties(of_place: Callable[[int], float], runs: pl.DataFrame) -> pl.Series:
    """Averages, for each row of `above` and `tied`, a function of the position over the positions
    of the tied candidates, Float64; the first position is 1."""
    last = int((runs["above"] + runs["tied"]).max() or 0)  # type: ignore[arg-type]
    values = [of_place(place) for place in range(1, last + 1)]
    # Sums of fractions with one denominator are exact until each is converted to a float64.
    whole = (int(Fraction(value) * _UNIT) for value in values)
    sums = pl.Series([total / _UNIT for total in accumulate(whole, initial=0)], dtype=pl.Float64)
    of_places = pl.Series(values, dtype=pl.Float64)
    above, tied = runs["above"], runs["tied"]
    means = (sums.gather(above + tied) - sums.gather(above)) / tied
    return of_places.gather(above).zip_with(tied == 1, means)


_UNIT = 1 << 100
"""The common denominator of the values of positions, which are rounded down."""


def by_run(value: Callable[[int, int, int], float], runs: pl.DataFrame) -> pl.Series:
    """Applies the function to each row's `above`, `tied` and `relevant`, Float64. It is computed
    once for equal rows, in time at most proportional to the tied candidates."""
    named = runs.select("above", "tied", "relevant")
    distinct = named.unique()
    values = [value(*row) for row in distinct.iter_rows()]
    distinct = distinct.with_columns(value=pl.Series(values, dtype=pl.Float64))
    return named.join(distinct, on=named.columns, how="left", maintain_order="left")["value"]
