"""The influence of rows on the metrics of tables: derivatives by their weights, and the spread of
draws."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any

import polars as pl
import pytest

from podium.scoring.metrics import TABLE_METRICS, key_of, table_metric_of
from podium.scoring.metrics.rows.targets import TargetRows, rows_of
from podium.scoring.splits import ALL

Rows = tuple[Any, Any]

NAMES = ("a", "b", "c")

DRAWS, ROWS = 300, 200


def _labels(dice: random.Random, count: int) -> Rows:
    true = [dice.choice("aabbc") for _ in range(count)]
    return true, [label if dice.random() < 0.6 else dice.choice(NAMES) for label in true]


def _grades(dice: random.Random, count: int) -> Rows:
    true = [dice.randint(1, 5) for _ in range(count)]
    return true, [grade if dice.random() < 0.4 else dice.randint(1, 5) for grade in true]


def _numbers(dice: random.Random, count: int) -> Rows:
    true = [dice.uniform(1, 5) for _ in range(count)]
    return true, [abs(number + dice.gauss(0, 1)) for number in true]


def _steps(dice: random.Random, count: int) -> Rows:
    true, given = _numbers(dice, count)
    return true, [float(round(number)) for number in given]


def _two_columns(dice: random.Random, count: int) -> Rows:
    parts = [_numbers(dice, count) for _ in range(2)]
    return tuple({name: part[n] for name, part in zip("ab", parts, strict=True)} for n in (0, 1))  # type: ignore[return-value]


def _probabilities(dice: random.Random, count: int) -> Rows:
    given = [dice.randint(1, 19) / 20 for _ in range(count)]
    return [float(dice.random() < (p + 0.5) / 2) for p in given], given


def _weeks(dice: random.Random, count: int) -> Rows:
    """Two weeks, the second worse."""
    true, given = _probabilities(dice, count)
    weeks = [dice.randrange(2) for _ in true]
    given = [dice.random() if week else p for p, week in zip(given, weeks, strict=True)]
    return {"y": true, "week": weeks}, {"y": given}


def _classes(dice: random.Random, count: int) -> Rows:
    true = [dice.choice("aabbc") for _ in range(count)]
    given = {n: [dice.randint(1, 9) / 20 + 0.2 * (n == t) for t in true] for n in NAMES}
    return true, given


def _survival(dice: random.Random, count: int) -> Rows:
    times = [float(dice.randint(1, 30)) for _ in range(count)]
    events = [int(dice.random() < 0.7) for _ in times]
    numbers = [float(round(time + dice.gauss(0, 10))) for time in times]
    return {"time": times, "event": events}, {"time": numbers}


def _masks(dice: random.Random, count: int) -> Rows:
    one, other = (
        [f"{dice.randint(1, 9)} {dice.randint(1, 9)}" for _ in range(count)] for _ in "ab"
    )
    return one, other


def _texts(dice: random.Random, count: int) -> Rows:
    true = [" ".join(dice.choices("abcdefgh", k=dice.randint(4, 12))) for _ in range(count)]
    given = []
    for text in true:
        words = [word if dice.random() < 0.9 else "x" for word in text.split()]
        given.append(" ".join(words[: dice.randint(3, 12)]))
    return true, given


MADE: dict[str, Callable[[random.Random, int], Rows]] = {
    **dict.fromkeys(("accuracy", "balanced_accuracy", "mcc", "kappa", "adjusted_rand"), _labels),
    **dict.fromkeys(("f1_macro", "f1_micro", "f1_weighted"), _labels),
    "kappa_quadratic": _grades,
    **dict.fromkeys(("auc", "average_precision", "pr_auc", "f1_binary"), _probabilities),
    **dict.fromkeys(("precision_binary", "recall_binary"), _probabilities),
    **dict.fromkeys(("f2_binary", "f05_binary"), _probabilities),
    **dict.fromkeys(("auc_max_fpr", "auc_min_tpr", "gini_binary"), _probabilities),
    "gini_stability": _weeks,
    **dict.fromkeys(("normalized_entropy", "rce"), _probabilities),
    **dict.fromkeys(("log_loss", "log_loss_normalized", "brier"), _classes),
    **dict.fromkeys(("auc_mean", "auc_ovr_macro", "auc_ovr_weighted"), _classes),
    **dict.fromkeys(("mae", "mse", "rmse", "rmsle", "mape", "smape", "pinball", "r2"), _numbers),
    **dict.fromkeys(("mcrmse", "r2_mean", "spearman_mean"), _two_columns),
    **dict.fromkeys(("pearson", "spearman", "kendall", "gini_normalized"), _steps),
    "concordance": _survival,
    **dict.fromkeys(("jaccard_rle", "dice_rle"), _masks),
    **dict.fromkeys(("levenshtein", "levenshtein_normalized", "bleu"), _texts),
}

WITHOUT = {"ece", "kendall_weighted", "own", "own_error"}

WEIGHTED = [name for name in MADE if table_metric_of(name).takes_weights]

OF_PAIRS = ["adjusted_rand"]
"""Metrics of pairs of rows that are together, which a copy of a row is with it."""

UNWEIGHTED = [name for name in MADE if name not in (*WEIGHTED, *OF_PAIRS)]


def test_every_metric_is_looked_at() -> None:
    assert set(map(key_of, MADE)) == set(TABLE_METRICS) - WITHOUT


@pytest.mark.parametrize("metric", WEIGHTED)
def test_a_row_moves_by_the_derivative_by_its_weight(metric: str) -> None:
    dice = random.Random(metric)
    truth, answers = MADE[metric](dice, 40)
    weights = [dice.uniform(0.5, 2) for _ in range(40)]
    rows = rows_of(truth, answers, weights)
    found = table_metric_of(metric).measure(rows)
    assert found.moves is not None
    assert sum(found.moves) == pytest.approx(0, abs=1e-9)
    for place in range(0, 40, 3):
        ends = []
        for step in (1e-4, -1e-4):
            moved = [w * (1 + step * (n == place)) for n, w in enumerate(weights)]
            part = replace(rows, weights=pl.Series(moved))
            ends.append(float(table_metric_of(metric).measure(part).values[ALL]))
        slope = (ends[0] - ends[1]) / 2e-4
        assert found.moves[place] == pytest.approx(slope, rel=1e-4, abs=1e-8)


@pytest.mark.parametrize("metric", UNWEIGHTED)
def test_a_row_moves_by_what_one_more_of_it_changes(metric: str) -> None:
    dice = random.Random(metric)
    rows = rows_of(*MADE[metric](dice, 30))
    found = table_metric_of(metric).measure(rows)
    assert found.moves is not None
    assert sum(found.moves) == pytest.approx(0, abs=1e-9)
    copies = 400
    many = list(range(30)) * copies
    for place in range(0, 30, 7):
        changed = ([*many, place], [*many[30:], *(n for n in range(30) if n != place)])
        one, other = (
            float(table_metric_of(metric).measure(_of(rows, each)).values[ALL]) for each in changed
        )
        assert found.moves[place] == pytest.approx((one - other) / 2 * copies, rel=0.01, abs=1e-5)


def test_a_row_moves_an_index_of_groups_by_the_derivative_by_the_weight_of_its_pairs() -> None:
    true, given = _labels(random.Random(1), 40)
    found = table_metric_of("adjusted_rand").measure(rows_of(true, given))
    assert float(found.values[ALL]) == pytest.approx(_index(true, given, [1.0] * 40))
    assert found.moves is not None
    assert sum(found.moves) == pytest.approx(0, abs=1e-9)
    for place in range(40):
        one, other = (
            _index(true, given, [1 + step * (n == place) for n in range(40)])
            for step in (1e-5, -1e-5)
        )
        assert found.moves[place] == pytest.approx((one - other) / 2e-5, rel=1e-5, abs=1e-9)


def _index(true: list[str], given: list[str], weights: list[float]) -> float:
    """The adjusted Rand index, where two rows weigh the product of their weights."""
    sums = dict.fromkeys(("all", "true", "given", "both"), 0.0)
    for i, j in combinations(range(len(true)), 2):
        together, answered = true[i] == true[j], given[i] == given[j]
        are_so = (True, together, answered, together and answered)
        for name, is_so in zip(sums, are_so, strict=True):
            sums[name] += is_so * weights[i] * weights[j]
    chance = sums["true"] * sums["given"] / sums["all"]
    return (sums["both"] - chance) / ((sums["true"] + sums["given"]) / 2 - chance)


@pytest.mark.parametrize("metric", ["auc_max_fpr_15", "auc_min_tpr_80", "gini_stability"])
def test_a_row_moves_parts_and_weeks_by_the_derivative_by_its_weight(metric: str) -> None:
    dice = random.Random(metric)
    true, given = _probabilities(dice, 80)
    weeks = [row % 4 for row in range(80)]
    truth = {"y": true, "week": weeks}
    weights = [dice.uniform(0.5, 2) for _ in true]
    rows = rows_of(truth, {"y": given}, weights)
    found = table_metric_of(metric).measure(rows)
    assert found.moves is not None
    for place in range(80):
        one, other = (
            float(
                table_metric_of(metric)
                .measure(
                    replace(
                        rows,
                        weights=pl.Series(
                            [w * (1 + step * (n == place)) for n, w in enumerate(weights)]
                        ),
                    )
                )
                .values[ALL]
            )
            for step in (1e-4, -1e-4)
        )
        assert found.moves[place] == pytest.approx((one - other) / 2e-4, rel=1e-4, abs=1e-7)


def _of(rows: TargetRows, places: list[int]) -> TargetRows:
    return rows_of(rows.truth[places], rows.answers[places])


@cache
def _draws(made: Callable[[random.Random, int], Rows]) -> list[TargetRows]:
    """Samples for all metrics of such rows."""
    dice = random.Random(made.__name__)
    return [rows_of(*made(dice, ROWS)) for _ in range(DRAWS)]


@pytest.mark.parametrize("metric", MADE)
def test_the_standard_error_is_the_spread_of_draws(metric: str) -> None:
    values, errors = [], []
    for rows in _draws(MADE[metric]):
        found = table_metric_of(metric).measure(rows)
        assert found.moves is not None
        values.append(float(found.values[ALL]))
        errors.append(math.sqrt(ROWS / (ROWS - 1) * float((found.moves**2).sum())))
    assert statistics.mean(errors) == pytest.approx(statistics.stdev(values), rel=0.15)
    center = statistics.mean(values)
    covered = [abs(v - center) < 1.96 * e for v, e in zip(values, errors, strict=True)]
    assert 0.9 <= sum(covered) / DRAWS <= 0.99


@pytest.mark.parametrize("metric", MADE)
def test_the_order_of_rows_means_nothing(metric: str) -> None:
    dice = random.Random(metric)
    rows = rows_of(*MADE[metric](dice, 200))
    if table_metric_of(metric).takes_weights:
        rows = replace(rows, weights=pl.Series([dice.uniform(0.1, 3) for _ in range(200)]))
    found = table_metric_of(metric).measure(rows)
    for _ in range(5):
        places = dice.sample(range(200), 200)
        weights = None if rows.weights is None else rows.weights[places]
        shuffled = rows_of(rows.truth[places], rows.answers[places], weights)
        assert table_metric_of(metric).measure(shuffled).values == found.values
