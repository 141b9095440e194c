"""Areas and losses of probabilities, as scikit-learn computes them."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from sklearn import metrics as sklearn

from podium.scoring.metrics import pair_metric_of
from podium.scoring.splits import ALL
from tests.builders.scoring.pairs import scored_of
from tests.builders.tables.target_rows import value_of


def _decided(function: Any, true: Any, given: Any, **weights: Any) -> Any:
    return function(true, np.array(given) >= 0.5, **weights)


def _above_rate(true: Any, given: Any, *, least: float, **weights: Any) -> Any:
    most, others = 1 - least, 1 - np.array(true)
    scaled = sklearn.roc_auc_score(others, -np.array(given), max_fpr=most, **weights)
    return most**2 / 2 + (most - most**2 / 2) / 0.5 * (scaled - 0.5)


BINARY: dict[str, Callable[..., Any]] = {
    "auc": sklearn.roc_auc_score,
    "average_precision": sklearn.average_precision_score,
    "log_loss": partial(sklearn.log_loss, labels=[0, 1]),
    "brier": sklearn.brier_score_loss,
    "auc_max_fpr_05": partial(sklearn.roc_auc_score, max_fpr=0.05),
    "auc_max_fpr_33": partial(sklearn.roc_auc_score, max_fpr=0.33),
    "auc_max_fpr_90": partial(sklearn.roc_auc_score, max_fpr=0.9),
    "auc_min_tpr_80": partial(_above_rate, least=0.8),
    "gini_binary": lambda *given, **weights: 2 * sklearn.roc_auc_score(*given, **weights) - 1,
    "gini_normalized": lambda *given, **weights: 2 * sklearn.roc_auc_score(*given, **weights) - 1,
    "precision_binary": partial(_decided, partial(sklearn.precision_score, zero_division=0)),
    "recall_binary": partial(_decided, sklearn.recall_score),
    "f1_binary": partial(_decided, sklearn.f1_score),
    "f2_binary": partial(_decided, partial(sklearn.fbeta_score, beta=2)),
    "f05_binary": partial(_decided, partial(sklearn.fbeta_score, beta=0.5)),
}

ONE_HOT: dict[str, Callable[..., Any]] = {
    "auc_mean": partial(sklearn.roc_auc_score, average="macro"),
    "auc_ovr_macro": partial(sklearn.roc_auc_score, average="macro"),
    "auc_ovr_weighted": partial(sklearn.roc_auc_score, average="weighted"),
}

OF_PAIRS = (
    "accuracy",
    "f1_binary_30",
    "f2_binary",
    "f05_binary_70",
    "precision_binary_70",
    "recall_binary",
    "auc_max_fpr_10",
    "auc_min_tpr_80",
    "gini_binary",
    "log_loss",
    "brier",
    "auc",
    "average_precision",
    "pr_auc",
    "normalized_entropy",
    "rce",
    "ece",
)

NAMES = ("a", "b", "c")


def _columns(rows: Any) -> dict[str, list[float]]:
    return {name: [float(row[n]) for row in rows] for n, name in enumerate(NAMES)}


@pytest.mark.parametrize("metric", BINARY)
@pytest.mark.parametrize("seed", range(2))
def test_scikit_learn_agrees(metric: str, seed: int) -> None:
    dice = random.Random(seed)
    for case in range(100):
        count, steps = dice.randint(2, 40), 4 if case % 2 else 10**6
        true = [1, 0] + [dice.randrange(2) for _ in range(count)]
        given = [dice.randint(1, steps - 1) / steps for _ in true]
        weights = [dice.uniform(0.1, 3) for _ in true] if case % 3 else None
        expected = BINARY[metric](true, given, sample_weight=weights)
        assert value_of(metric, true, given, weights) == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize("metric", ONE_HOT)
def test_scikit_learn_agrees_on_areas_of_columns(metric: str) -> None:
    dice = random.Random(3)
    for case in range(100):
        true = [0, 1, 2] + [dice.randrange(3) for _ in range(dice.randint(0, 30))]
        given = [[dice.randint(1, 5) for _ in NAMES] for _ in true]
        shares = np.array([[n / sum(row) for n in row] for row in given])
        weights = [dice.uniform(0.1, 3) for _ in true] if case % 2 else None
        ones = np.eye(3)[true]
        expected = ONE_HOT[metric](ones, shares, sample_weight=weights)
        for truth in ([NAMES[n] for n in true], _columns(ones)):
            found = value_of(metric, truth, _columns(shares), weights)
            assert found == pytest.approx(expected, abs=1e-11)
        multi = sklearn.roc_auc_score(
            true,
            shares,
            multi_class="ovr",
            average="weighted" if metric == "auc_ovr_weighted" else "macro",
            sample_weight=weights,
        )
        assert found == pytest.approx(multi, abs=1e-11)


def test_scikit_learn_agrees_on_losses_of_columns() -> None:
    dice = random.Random(4)
    for case in range(100):
        true = [dice.randrange(3) for _ in range(dice.randint(1, 30))]
        given = [[dice.uniform(0.01, 1) for _ in NAMES] for _ in true]
        shares = np.array([[n / sum(row) for n in row] for row in given])
        weights = [dice.uniform(0.1, 3) for _ in true] if case % 2 else None
        truth = [NAMES[n] for n in true]
        loss = sklearn.log_loss(true, shares, labels=[0, 1, 2], sample_weight=weights)
        brier = sklearn.brier_score_loss(true, shares, labels=[0, 1, 2], sample_weight=weights)
        assert value_of("log_loss", truth, _columns(shares), weights) == pytest.approx(loss)
        assert value_of("log_loss_normalized", truth, _columns(given), weights) == pytest.approx(
            loss
        )
        assert value_of("brier", truth, _columns(shares), weights) == pytest.approx(brier)


@pytest.mark.parametrize("metric", OF_PAIRS)
def test_one_column_has_the_value_of_scored_pairs(metric: str) -> None:
    dice = random.Random(5)
    for case in range(100):
        true = [1, 0] + [dice.randrange(2) for _ in range(dice.randint(0, 60))]
        steps = 4 if case % 2 else 10**6
        given = [dice.randint(0, steps) / steps for _ in true]
        expected = pair_metric_of(metric).measure(scored_of(given, true)).values[ALL]
        assert value_of(metric, true, given) == float(expected)


def test_weights_that_are_alike_change_no_area() -> None:
    dice = random.Random(6)
    for _ in range(100):
        true = [1, 0] + [dice.randrange(2) for _ in range(30)]
        given = [dice.randint(0, 9) / 9 for _ in true]
        for metric in ("auc", "average_precision"):
            found = value_of(metric, true, given, [0.3] * len(true))
            assert math.isclose(found, value_of(metric, true, given), rel_tol=1e-12)
