"""Metrics of decided classes, as scikit-learn computes them."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from sklearn import metrics as sklearn

from tests.builders.tables.target_rows import value_of

CLASSES: list[Callable[[int], int | str]] = [lambda n: f"class {n}", int, lambda n: n - 3]

LIBRARY: dict[str, Callable[..., Any]] = {
    "accuracy": sklearn.accuracy_score,
    "balanced_accuracy": sklearn.balanced_accuracy_score,
    "f1_macro": partial(sklearn.f1_score, average="macro"),
    "f1_micro": partial(sklearn.f1_score, average="micro"),
    "f1_weighted": partial(sklearn.f1_score, average="weighted"),
    "mcc": sklearn.matthews_corrcoef,
    "kappa": sklearn.cohen_kappa_score,
}


@pytest.mark.parametrize("metric", LIBRARY)
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_agrees(metric: str, seed: int) -> None:
    dice = random.Random(seed)
    for case in range(100):
        count, name = dice.randint(1, 40), CLASSES[case % 3]
        true = [name(dice.randrange(dice.randint(2, 6))) for _ in range(count)]
        given = [label if dice.random() < 0.5 else name(dice.randrange(6)) for label in true]
        weights = [dice.uniform(0.1, 3) for _ in true] if case % 2 else None
        if metric in ("mcc", "kappa") and len(set(true)) < 2:
            continue
        expected = LIBRARY[metric](true, given, sample_weight=weights)
        assert value_of(metric, true, given, weights) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(2))
def test_scikit_learn_agrees_on_groups(seed: int) -> None:
    dice = random.Random(seed)
    for case in range(100):
        count, name = dice.randint(2, 40), CLASSES[case % 3]
        true = [name(dice.randrange(dice.randint(1, 6))) for _ in range(count)]
        places = [sorted(map(str, set(true))).index(str(label)) for label in true]
        given = [4 - n if dice.random() < 0.5 else dice.randrange(6) for n in places]
        if not 1 < len(set(true)) < count:
            continue
        expected = sklearn.adjusted_rand_score(true, given)
        for answers in (given, [f"group {n}" for n in given]):
            assert value_of("adjusted_rand", true, answers) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(2))
def test_scikit_learn_agrees_on_quadratic_kappa(seed: int) -> None:
    dice = random.Random(seed)
    for case in range(100):
        count, least = dice.randint(2, 40), dice.randint(-3, 3)
        true = [least + dice.randrange(5) for _ in range(count)]
        given = [grade if dice.random() < 0.5 else least + dice.randrange(7) for grade in true]
        if len(set(true)) < 2:
            continue
        weights = [dice.uniform(0.1, 3) for _ in true] if case % 2 else None
        grades = range(least, least + 7)
        expected = sklearn.cohen_kappa_score(
            true, given, weights="quadratic", labels=grades, sample_weight=weights
        )
        found = value_of("kappa_quadratic", true, given, weights)
        assert found == pytest.approx(expected, abs=1e-12)


def test_the_column_with_the_largest_number_is_the_label() -> None:
    dice = random.Random(0)
    names = ["a", "b", "c"]
    for _ in range(100):
        rows = [[dice.randint(0, 3) / 3 for _ in names] for _ in range(dice.randint(1, 20))]
        true = [dice.choice(names) for _ in rows]
        given = [names[row.index(max(row))] for row in rows]
        columns = {name: [row[n] for row in rows] for n, name in enumerate(names)}
        for metric in ("accuracy", "f1_macro"):
            assert value_of(metric, true, columns) == value_of(metric, true, given)
