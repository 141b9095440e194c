"""The metric of the homes, as an organizer writes it."""

from __future__ import annotations

METRIC = '''\
"""The interval score of Winkler (1972): narrow ranges win, and a price outside costs more."""

import polars as pl
from podium_metric import Result


def score(solution: pl.DataFrame, submission: pl.DataFrame, level: float = 0.8) -> Result:
    """The mean width of the ranges, and 2 / (1 - level) times what the prices lie outside.

    Of two prices one is inside, and one is 10 above its range, which costs 100 more:

    >>> homes = pl.DataFrame({"id": [1, 2], "price": [100, 200]})
    >>> ranges = pl.DataFrame({"id": [1, 2], "low": [90.0, 150.0], "high": [120.0, 190.0]})
    >>> result = score(homes, ranges)
    >>> round(result.score, 6), result.numbers
    (85.0, {'inside': 0.5, 'width': 35.0})
    """
    # A range may be given either way round.
    price, low = solution["price"], submission.select(pl.min_horizontal("low", "high")).to_series()
    high = submission.select(pl.max_horizontal("low", "high")).to_series()
    width = high - low
    outside = (low - price).clip(lower_bound=0) + (price - high).clip(lower_bound=0)
    costs = width + 2 / (1 - level) * outside
    numbers = {"inside": (outside == 0).mean(), "width": width.mean()}
    return Result(costs.mean(), numbers=numbers, per_row=costs)
'''
