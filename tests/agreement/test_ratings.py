"""Errors of ratings, as scikit-learn computes them."""

from __future__ import annotations

import random

import polars as pl
import pytest
from sklearn.metrics import mean_absolute_error, root_mean_squared_error

from podium.scoring.metrics import (
    rating_metric_of,
)
from podium.scoring.ratings.errors import Errors
from podium.scoring.ratings.truth import TrueRatings
from podium.scoring.splits import ALL
from tests.builders.scoring.ratings import RMSE


@pytest.mark.parametrize("seed", range(4))
def test_scikit_learn_agrees(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(500):
        count, scale = dice.randint(1, 40), 10.0 ** dice.randint(-6, 6)
        true = [dice.gauss(0, scale) for _ in range(count)]
        predicted = [rating + dice.gauss(0, scale) for rating in true]
        frame = pl.DataFrame(
            {
                "pair": pl.Series(range(count), dtype=pl.UInt32),
                "user": pl.Series([0] * count, dtype=pl.UInt32),
                "rating": true,
                "split": pl.Series([ALL] * count, dtype=pl.UInt8),
            }
        )
        errors = Errors.of(pl.Series(predicted), TrueRatings(frame, RMSE, count))
        expected = {
            "mae": mean_absolute_error(true, predicted),
            "rmse": root_mean_squared_error(true, predicted),
        }
        for name, value in expected.items():
            found = rating_metric_of(name).compute(errors)[ALL]
            assert float(found) == pytest.approx(value, rel=1e-13)
