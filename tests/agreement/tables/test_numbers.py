"""Errors and correlations of numbers, as scikit-learn and SciPy compute them."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from functools import partial
from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics as sklearn

from tests.builders.tables.target_rows import value_of

LIBRARY: dict[str, Callable[..., Any]] = {
    "mae": sklearn.mean_absolute_error,
    "mse": sklearn.mean_squared_error,
    "rmse": sklearn.root_mean_squared_error,
    "rmsle": sklearn.root_mean_squared_log_error,
    "mape": sklearn.mean_absolute_percentage_error,
    "r2": sklearn.r2_score,
    "pinball": sklearn.mean_pinball_loss,
    "pinball_05": partial(sklearn.mean_pinball_loss, alpha=0.05),
    "pinball_90": partial(sklearn.mean_pinball_loss, alpha=0.9),
}

CORRELATIONS: dict[str, Callable[..., Any]] = {
    "pearson": stats.pearsonr,
    "spearman": stats.spearmanr,
    "kendall": stats.kendalltau,
    "kendall_weighted": stats.weightedtau,
}


@pytest.mark.parametrize("metric", LIBRARY)
@pytest.mark.parametrize("seed", range(2))
def test_scikit_learn_agrees(metric: str, seed: int) -> None:
    dice = random.Random(seed)
    for case in range(100):
        count, scale = dice.randint(2, 40), 10.0 ** dice.randint(-6, 6)
        true = [abs(dice.gauss(0, scale)) for _ in range(count)]
        given = [abs(number + dice.gauss(0, scale)) for number in true]
        weights = [dice.uniform(0.1, 3) for _ in true] if case % 2 else None
        expected = LIBRARY[metric](true, given, sample_weight=weights)
        assert value_of(metric, true, given, weights) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("metric", CORRELATIONS)
@pytest.mark.parametrize("seed", range(2))
def test_scipy_agrees(metric: str, seed: int) -> None:
    dice = random.Random(seed)
    for case in range(100):
        count, steps = dice.randint(2, 40), 3 if case % 2 else 10**9
        true = [float(dice.randrange(steps)) for _ in range(count)]
        given = [n if dice.random() < 0.3 else float(dice.randrange(steps)) for n in true]
        if len(set(true)) < 2 or len(set(given)) < 2:
            continue
        expected = CORRELATIONS[metric](true, given).statistic
        assert value_of(metric, true, given) == pytest.approx(expected, abs=1e-9)


def _gathered(true: list[float], given: list[float], weights: list[float]) -> float:
    """Kaggle's weighted Gini, with its own names: areas between Lorentz's curve and chance."""
    rows = sorted(zip(given, true, weights, strict=True), key=lambda row: -row[0])
    chance, lorentz = [0.0], [0.0]
    for _, y, w in rows:
        chance.append(chance[-1] + w / sum(weights))
        lorentz.append(lorentz[-1] + y * w)
    both = zip(pairwise(lorentz), pairwise(chance), strict=True)
    return sum(end * x - start * next_x for (start, end), (x, next_x) in both) / lorentz[-1]


@pytest.mark.parametrize("seed", range(2))
def test_the_normalized_gini_is_that_of_kaggle_where_no_answers_tie(seed: int) -> None:
    dice = random.Random(seed)
    for case in range(100):
        count = dice.randint(2, 40)
        true = [float(dice.choice([0, 0, 1, 2, dice.gauss(50, 9)])) for _ in range(count)]
        given = [float(n) for n in dice.sample(range(1000), count)]
        if len(set(true)) < 2:
            continue
        weights = [dice.uniform(0.1, 3) for _ in true] if case % 2 else [1.0] * count
        expected = _gathered(true, given, weights) / _gathered(true, true, weights)
        assert value_of("gini_normalized", true, given, weights) == pytest.approx(
            expected, abs=1e-9
        )


@pytest.mark.parametrize("seed", range(2))
def test_the_normalized_gini_with_ties_is_the_mean_over_their_orders(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(20):
        count = dice.randint(3, 6)
        true = [float(dice.randrange(4)) for _ in range(count)]
        given = [dice.randrange(3) for _ in true]
        if len(set(true)) < 2:
            continue
        ones = [1.0] * count
        orders = [
            _gathered(true, [n + place / 100 for n, place in zip(given, order, strict=True)], ones)
            for order in permutations(range(count))
        ]
        expected = math.fsum(orders) / len(orders) / _gathered(true, true, ones)
        found = value_of("gini_normalized", true, [float(n) for n in given])
        assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(2))
def test_the_stability_is_that_of_home_credit_s_script(seed: int) -> None:
    dice = random.Random(seed)
    for case in range(100):
        weeks = [n for n in range(dice.randint(2, 6)) for _ in "ab"]
        true = [n % 2 for n in range(len(weeks))]
        weeks += [dice.choice(weeks) for _ in range(20)]
        true += [dice.randrange(2) for _ in range(20)]
        steps = 3 if case % 2 else 10**6
        given = [dice.randrange(steps) / steps for _ in true]
        ginis = []
        for week in sorted(set(weeks)):
            mine = [row for row, one in enumerate(weeks) if one == week]
            y, numbers = ([each[row] for row in mine] for each in (true, given))
            ginis.append(2 * sklearn.roc_auc_score(y, numbers) - 1)
        places = np.arange(len(ginis))
        slope, start = np.polyfit(places, ginis, 1)
        spread = np.std(ginis - (slope * places + start))
        expected = np.mean(ginis) + 88.0 * min(0, slope) - 0.5 * spread
        truth = {"y": true, "week": [3 * n + 1 for n in weeks]}
        assert value_of("gini_stability", truth, {"y": given}) == pytest.approx(expected, abs=1e-9)


def test_the_mean_of_columns_is_that_of_scikit_learn() -> None:
    dice = random.Random(1)
    for case in range(100):
        count = dice.randint(1, 20)
        true = [[dice.gauss(0, 1) for _ in range(3)] for _ in range(count)]
        given = [[dice.gauss(0, 1) for _ in range(3)] for _ in range(count)]
        weights = [dice.uniform(0.1, 3) for _ in true] if case % 2 else None
        expected = sklearn.root_mean_squared_error(true, given, sample_weight=weights)
        one, other = (
            {name: [row[n] for row in rows] for n, name in enumerate("abc")}
            for rows in (true, given)
        )
        assert value_of("mcrmse", one, other, weights) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("metric", ["r2", "rmse", "mae", "pinball_90"])
def test_means_over_columns_are_those_of_scikit_learn(metric: str) -> None:
    dice = random.Random(metric)
    for case in range(100):
        count, width = dice.randint(2, 20), dice.randint(1, 5)
        true = [[dice.gauss(0, 1) for _ in range(width)] for _ in range(count)]
        given = [[n + dice.gauss(0, 1) for n in row] for row in true]
        weights = [dice.uniform(0.1, 3) for _ in true] if case % 2 else None
        expected = LIBRARY[metric](
            true, given, sample_weight=weights, multioutput="uniform_average"
        )
        one, other = (
            {f"c{n}": [row[n] for row in rows] for n in range(width)} for rows in (true, given)
        )
        assert value_of(f"{metric}_mean", one, other, weights) == pytest.approx(expected, rel=1e-9)


def test_the_symmetric_error_is_that_of_its_formula() -> None:
    dice = random.Random(2)
    for _ in range(100):
        pairs = [(dice.randint(-3, 3), dice.randint(-3, 3)) for _ in range(dice.randint(1, 20))]
        shares = [2 * abs(p - t) / (abs(p) + abs(t)) if p or t else 0 for t, p in pairs]
        found = value_of("smape", *([float(n) for n in each] for each in zip(*pairs, strict=True)))
        assert found == pytest.approx(math.fsum(shares) / len(pairs), rel=1e-12, abs=1e-15)


def _concordance(times: list[float], numbers: list[float], events: list[int]) -> float | None:
    """Pair by pair, as lifelines says it in words."""
    right, comparable = 0.0, 0
    for i, (time, number, event) in enumerate(zip(times, numbers, events, strict=True)):
        for j in range(len(times)):
            is_later = times[j] > time or (times[j] == time and not events[j])
            if i != j and event and is_later:
                comparable += 1
                right += 1.0 if numbers[j] > number else 0.5 if numbers[j] == number else 0.0
    return right / comparable if comparable else None


@pytest.mark.parametrize("seed", range(2))
def test_the_concordance_is_that_of_all_pairs(seed: int) -> None:
    dice = random.Random(seed)
    for case in range(100):
        count, steps = dice.randint(2, 25), 4 if case % 2 else 10**6
        times = [float(dice.randrange(steps)) for _ in range(count)]
        numbers = [float(dice.randrange(steps)) for _ in range(count)]
        events = [dice.randrange(2) if case % 3 else 1 for _ in range(count)]
        expected = _concordance(times, numbers, events)
        if expected is not None:
            truth = {"time": times, "event": events}
            found = value_of("concordance", truth, {"time": numbers})
            assert found == pytest.approx(expected, abs=1e-12)
            if all(events):
                assert value_of("concordance", times, numbers) == found
