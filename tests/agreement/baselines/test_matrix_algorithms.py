"""Each algorithm for users × items beside a slow, obvious one, on many small random matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from podium.baselines.matrix.factors import als_factors, starting_factors
from podium.baselines.matrix.model import Known
from podium.baselines.registry import Hyperparameters
from tests.builders.baselines import dense
from tests.builders.baselines.dense import Dense, popular
from tests.builders.baselines.tables import lists, random_values, read, table


def none_for_nothing(scores: Dense) -> Dense:
    return np.where(scores == 0, -np.inf, scores)


def agree(name: str, reference: Callable[[Dense], Dense], seed: int, **own: Any) -> None:
    """Compares the lists of all users of some random matrices with the reference's scores."""
    chance = np.random.default_rng(seed)
    for _ in range(40):
        values = random_values(chance)
        frame, scores = table(values, chance), reference(values)
        keep_seen, length = bool(chance.integers(2)), int(chance.integers(1, 12))
        users = list(range(len(values)))
        found = lists(name, frame, users, length=length, keep_seen=keep_seen, **own)
        for user in users:
            seen = set() if keep_seen else set(np.flatnonzero(values[user]).tolist())
            given = [int(item) for item in found[str(user)]]
            assert len(given) == min(length, values.shape[1] - len(seen))
            assert dense.is_ranking(given, scores[user], seen, popular(values))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("count", [1, 3, 50])
@pytest.mark.parametrize(
    ("name", "scores"), [("item-knn", dense.item_knn), ("user-knn", dense.user_knn)]
)
def test_neighbors_are_those_of_the_definition(
    name: str, scores: Callable[[Dense, int], Dense], count: int, seed: int
) -> None:
    agree(name, lambda values: none_for_nothing(scores(values, count)), seed, neighbors=count)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("regularization", [0.5, 250])
def test_ease_is_the_closed_form(seed: int, regularization: float) -> None:
    agree(
        "ease",
        lambda values: dense.ease(values, regularization),
        seed,
        regularization=regularization,
    )


@pytest.mark.parametrize("seed", range(2))
def test_binary_takes_every_value_as_one(seed: int) -> None:
    agree(
        "ease",
        lambda values: dense.ease((values > 0) * 1.0, 2),
        seed,
        regularization=2,
        binary=True,
    )
    agree(
        "item-knn",
        lambda values: none_for_nothing(dense.item_knn((values > 0) * 1.0, 50)),
        seed,
        binary=True,
    )


@pytest.mark.parametrize("seed", range(2))
def test_popular_goes_by_the_number_of_interactions(seed: int) -> None:
    agree("popular", lambda values: np.full(values.shape, -np.inf), seed)


@pytest.mark.parametrize("seed", range(3))
def test_als_solves_the_equations(seed: int) -> None:
    """The textbook setting: 20 factors, α 15, λ 0.01, 15 iterations."""
    chance = np.random.default_rng(seed)
    values = chance.integers(1, 6, (60, 45)) * (chance.random((60, 45)) < 0.2) * 1.0
    settings = Hyperparameters(factors=20, alpha=15, regularization=0.01, iterations=15, seed=seed)
    known = Known(read(table(values, chance)), settings)
    matrix = known.matrix.toarray()
    users, items = als_factors(known)
    wanted = dense.als(
        matrix, starting_factors(known)[1], alpha=15, regularization=0.01, iterations=15
    )
    np.testing.assert_allclose(users @ items.T, wanted[0] @ wanted[1].T, rtol=0, atol=1e-7)
    np.testing.assert_allclose(users, wanted[0], rtol=0, atol=1e-6)


@pytest.mark.parametrize("seed", range(2))
def test_als_recommends_by_the_products_of_factors(seed: int) -> None:
    def reference(values: Dense) -> Dense:
        shape = Known(read(table(values, np.random.default_rng(0))), Hyperparameters(factors=3))
        start = starting_factors(shape)[1]
        users, items = dense.als(values, start, alpha=2, regularization=0.1, iterations=4)
        found: Dense = users @ items.T
        return found

    agree("als", reference, seed, factors=3, alpha=2, regularization=0.1, iterations=4)
