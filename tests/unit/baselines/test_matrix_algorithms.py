"""Rules that every algorithm for users × items keeps, and those of single ones."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from podium.baselines.matrix.interactions import RoleColumns
from podium.baselines.matrix.model import Known
from podium.baselines.matrix.recommending import AnsweredRows, UsersItems
from podium.baselines.registry import USERS_ITEMS
from tests.builders.baselines.dense import popular
from tests.builders.baselines.tables import lists, random_values, read, table

EVERY = tuple(USERS_ITEMS)


@pytest.mark.parametrize("name", EVERY)
def test_the_order_of_rows_changes_nothing(name: str) -> None:
    chance = np.random.default_rng(7)
    values = random_values(chance)
    frame = table(values, chance)
    again = frame.sample(fraction=1, shuffle=True, seed=1)
    users = [*range(len(values)), 99]
    for keep_seen in (False, True):
        first = lists(name, frame, users, keep_seen=keep_seen)
        assert lists(name, again, users, keep_seen=keep_seen) == first


@pytest.mark.parametrize("name", EVERY)
def test_rows_of_a_pair_add_up_in_any_order(name: str) -> None:
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
def test_the_same_seed_gives_the_same_lists_and_another_one_others(name: str) -> None:
    chance = np.random.default_rng(5)
    values = (chance.random((30, 40)) < 0.3) * 1.0
    frame, users = table(values, chance), list(range(30))
    first = lists(name, frame, users, seed=1)
    assert lists(name, frame, users, seed=1) == first
    assert lists(name, frame, users, seed=2) != first


@pytest.mark.parametrize("name", EVERY)
def test_strangers_get_what_is_popular_and_lists_never_hold_seen_items(name: str) -> None:
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
def test_a_type_without_interactions_is_answered_with_any_items(name: str) -> None:
    frame = table(np.ones((2, 2)), np.random.default_rng(0)).with_columns(type=pl.lit("view"))
    roles = RoleColumns("user", "item", timestamp="timestamp", type="type")
    rows = AnsweredRows.of(
        pl.Series(["0_buy"]), objectives=("view", "buy"), columns=("id", "labels")
    )
    learned = USERS_ITEMS[name].learned(UsersItems(read(frame, roles), rows), length=5)
    ((_, labels),) = pl.concat(learned.rows()).iter_rows()
    assert sorted(labels.split()) == ["0", "1"]
