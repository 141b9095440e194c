"""Each algorithm for users × items beside a slow, obvious one, on many small random matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

from podium.baselines.matrix.algorithms import ALGORITHMS, AlgorithmName, hyperparameters_for
from podium.baselines.matrix.factors import als_factors, starting_factors
from podium.baselines.matrix.interactions import RoleColumns
from podium.baselines.matrix.model import Hyperparameters, Known
from podium.baselines.matrix.recommending import AnsweredRows, Learned
from tests.builders.baselines import dense
from tests.builders.baselines.dense import Dense
from tests.builders.baselines.tables import lists, random_values, read, table

EVERY: tuple[AlgorithmName, ...] = tuple(ALGORITHMS)


def popular(values: Dense) -> list[int]:
    counts = (values > 0).sum(axis=0)
    return sorted(range(values.shape[1]), key=lambda item: (-counts[item], item))


def none_for_nothing(scores: Dense) -> Dense:
    return np.where(scores == 0, -np.inf, scores)


def agree(name: AlgorithmName, reference: Callable[[Dense], Dense], seed: int, **own: Any) -> None:
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
def test_item_knn_is_that_of_the_definition(seed: int, count: int) -> None:
    agree(
        "item-knn",
        lambda values: none_for_nothing(dense.item_knn(values, count)),
        seed,
        neighbors=count,
    )


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("count", [1, 3, 50])
def test_user_knn_is_that_of_the_definition(seed: int, count: int) -> None:
    agree(
        "user-knn",
        lambda values: none_for_nothing(dense.user_knn(values, count)),
        seed,
        neighbors=count,
    )


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


@pytest.mark.parametrize("name", EVERY)
def test_the_order_of_rows_changes_nothing(name: AlgorithmName) -> None:
    chance = np.random.default_rng(7)
    values = random_values(chance)
    frame = table(values, chance)
    again = frame.sample(fraction=1, shuffle=True, seed=1)
    users = [*range(len(values)), 99]
    for keep_seen in (False, True):
        first = lists(name, frame, users, keep_seen=keep_seen)
        assert lists(name, again, users, keep_seen=keep_seen) == first


@pytest.mark.parametrize("name", EVERY)
def test_rows_of_a_pair_add_up_in_any_order(name: AlgorithmName) -> None:
    """0.1 + 0.2 + 0.3 is another float than 0.3 + 0.2 + 0.1."""
    chance = np.random.default_rng(3)
    parts = [
        table(random_values(np.random.default_rng(3)) * part, chance) for part in (0.1, 0.2, 0.3)
    ]
    frame = parts[0].extend(parts[1]).extend(parts[2])
    matrix = Known(read(frame)).matrix
    for seed in range(5):
        again = frame.sample(fraction=1, shuffle=True, seed=seed)
        assert (Known(read(again)).matrix != matrix).nnz == 0
        assert lists(name, again, [0, 1]) == lists(name, frame, [0, 1])


@pytest.mark.parametrize("name", ["random", "als", "bpr"])
def test_the_same_seed_gives_the_same_lists_and_another_one_others(name: AlgorithmName) -> None:
    chance = np.random.default_rng(5)
    values = (chance.random((30, 40)) < 0.3) * 1.0
    frame, users = table(values, chance), list(range(30))
    first = lists(name, frame, users, seed=1)
    assert lists(name, frame, users, seed=1) == first
    assert lists(name, frame, users, seed=2) != first


@pytest.mark.parametrize("name", EVERY)
def test_strangers_get_what_is_popular_and_lists_never_hold_seen_items(name: AlgorithmName) -> None:
    chance = np.random.default_rng(11)
    values = random_values(chance)
    found = lists(name, table(values, chance), [*map(str, range(len(values))), "who"], length=50)
    assert sorted(map(int, found["who"])) == list(range(values.shape[1]))
    if name not in ("recent", "random"):
        assert [int(item) for item in found["who"]] == popular(values)
    for user, row in enumerate(values):
        assert sorted(map(int, found[str(user)])) == np.flatnonzero(row == 0).tolist()


def test_bpr_tells_apart_what_two_groups_like() -> None:
    """Ten users each for the items 0–5 and 6–11; each lacks one, which is the best for them."""
    values = np.zeros((20, 12))
    for user in range(20):
        group = 6 * (user // 10)
        values[user, group : group + 6] = 1
        values[user, group + user % 6] = 0
    frame = table(values, np.random.default_rng(0))
    found = lists("bpr", frame, list(range(20)), length=1, iterations=300, learning_rate=0.05)
    assert found == {str(user): [str(6 * (user // 10) + user % 6)] for user in range(20)}


@pytest.mark.parametrize("name", EVERY)
def test_a_type_without_interactions_is_answered_with_any_items(name: AlgorithmName) -> None:
    frame = table(np.ones((2, 2)), np.random.default_rng(0)).with_columns(type=pl.lit("view"))
    settings = hyperparameters_for(name, {}, length=5, memory=None)
    roles = RoleColumns("user", "item", timestamp="timestamp", type="type")
    learned = Learned.of(name, read(frame, roles), objectives=("view", "buy"), settings=settings)
    rows = AnsweredRows.of(
        pl.Series(["0_buy"]), objectives=("view", "buy"), columns=("id", "labels")
    )
    ((_, labels),) = pl.concat(learned.rows(rows)).iter_rows()
    assert sorted(labels.split()) == ["0", "1"]
