"""Errors of ratings, as scikit-learn computes them."""

from __future__ import annotations

import random

import polars as pl
import pytest
from sklearn.metrics import mean_absolute_error, root_mean_squared_error

from podium.scoring.metrics import (
    pair_metric_of,
)
from podium.scoring.pairs.truth import TruePairs
from podium.scoring.scores.pair_answers import Answers
from podium.scoring.splits import ALL
from tests.builders.scoring.pairs import RMSE


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
                "unit": pl.Series([0] * count, dtype=pl.UInt32),
                "target0": true,
                "split": pl.Series([ALL] * count, dtype=pl.UInt8),
            }
        )
        errors = Answers.of([pl.Series(predicted)], TruePairs(frame, RMSE, count))
        expected = {
            "mae": mean_absolute_error(true, predicted),
            "rmse": root_mean_squared_error(true, predicted),
        }
        for name, value in expected.items():
            found = pair_metric_of(name).measure(errors.of_objective(0)).values[ALL]
            assert float(found) == pytest.approx(value, rel=1e-13)
