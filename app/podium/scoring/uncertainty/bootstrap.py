"""Implements a Poisson bootstrap for splits that are too small for the closed form.

Sessions with the same numbers are interchangeable, so that a pattern that n sessions share is drawn
Poisson(n) times. Draws come from one seed in a fixed order: the same sessions give the same numbers
everywhere.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate

import polars as pl

from podium.scoring.repeating import repeat
from podium.scoring.uncertainty.estimates import Estimate

REPLICATES = 2000
"""The number of resamples of the sessions; standard errors are then accurate to about 2 %."""

MAX_PATTERNS = 20_000
"""The most patterns that are bootstrapped: with more there are many sessions, for which the closed
form is good enough and drawing takes minutes."""

_SEED = 20_211_101

Ratio = tuple[str, str, float]
"""The names of a column of numerators and a column of denominators, and the weight of their
ratio."""


def patterns_of(sessions: pl.DataFrame) -> pl.DataFrame | None:
    """Lists the distinct rows of numbers by session, in order, and the number of `sessions` that
    have them; None if there are too many."""
    names = sessions.columns
    table = sessions.group_by(names).len("sessions").sort(names)
    return table if table.height <= MAX_PATTERNS else None


def replicates(patterns: pl.DataFrame, scores: Sequence[Sequence[Ratio]]) -> list[pl.Series]:
    """Computes each score, Σ weight · Σ above / Σ below, over resampled sessions: `REPLICATES`
    numbers, NaN where a denominator is 0. All scores share the same draws."""
    rng = random.Random(_SEED)  # noqa: S311 - a draw that can be repeated, no secret
    names = [name for name in patterns.columns if name != "sessions"]
    totals = {name: repeat(0, REPLICATES, pl.Float64) for name in names}
    for row in patterns.iter_rows(named=True):
        least, cumulative = _poisson(row["sessions"])
        chances = pl.Series([rng.random() for _ in range(REPLICATES)])
        drawn = cumulative.search_sorted(chances).cast(pl.Float64) + least
        for name in names:
            if row[name]:
                totals[name] = totals[name] + drawn * row[name]
    return [_weighted(totals, score) for score in scores]


def estimate_of(value: float, drawn: pl.Series, units: int) -> Estimate:
    """Estimates the standard error as the standard deviation of replicates, and the interval
    between their outer 2.5 %; without either where most replicates are not finite."""
    known = drawn.filter(drawn.is_finite())
    if 2 * len(known) < len(drawn):
        return Estimate(value, None, None, units)
    scaled, power = _in_reach(known)
    spread = math.ldexp(float(scaled.std()), power)  # type: ignore[arg-type]
    low, high = known.quantile(0.025, "linear"), known.quantile(0.975, "linear")
    return Estimate(value, spread, (float(low), float(high)), units)  # type: ignore[arg-type]


def _weighted(totals: dict[str, pl.Series], score: Sequence[Ratio]) -> pl.Series:
    value = repeat(0, REPLICATES, pl.Float64)
    for above, below, weight in score:
        value = value + weight * (totals[above] / totals[below])
    return value


@lru_cache(maxsize=1024)
def _poisson(mean: int) -> tuple[int, pl.Series]:
    """Computes cumulative probabilities of a Poisson distribution, from the first count that
    matters on."""
    reach = 10 * math.sqrt(mean) + 20
    least = max(0, math.floor(mean - reach))
    counts = range(least, math.ceil(mean + reach) + 1)
    chances = (math.exp(n * math.log(mean) - mean - math.lgamma(n + 1)) for n in counts)
    return least, pl.Series(list(accumulate(chances)))


def _in_reach(values: pl.Series) -> tuple[pl.Series, int]:
    """Scales finite values by a power of two, which is returned as exponent, so that the largest is
    below 1 and squares fit in a float64: gains of 2**relevance can be huge. No bit of a result
    changes."""
    low, high = values.min(), values.max()
    largest = max(-float(low or 0.0), float(high or 0.0))  # type: ignore[arg-type]
    power = max(math.frexp(largest)[1], _MIN_POWER)
    return values * math.ldexp(1.0, -power), power


_MIN_POWER = -1000
