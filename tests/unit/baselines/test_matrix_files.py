"""The reading of interactions for users × items, the rows that answer, and what is refused."""

from __future__ import annotations

from math import inf, nan
from typing import Any

import numpy as np
import polars as pl
import pytest
import scipy.sparse

from podium.baselines.matrix.interactions import RoleColumns, in_order
from podium.baselines.matrix.ranking import NONE, best, free
from podium.baselines.matrix.recommending import AnsweredRows, Learned, UsersItems
from podium.baselines.registry import USERS_ITEMS
from podium.errors import InvalidInput, NotConfigured
from tests.builders.baselines.tables import lists, read

PLAIN = RoleColumns("user", "item")


def test_ids_are_in_order_as_numbers_where_all_are_and_else_as_text() -> None:
    assert in_order(pl.Series(["10", "9", "-1"])).to_list() == ["-1", "9", "10"]
    assert in_order(pl.Series(["10", "9", "09"])).to_list() == ["09", "10", "9"]


def test_items_that_are_texts_keep_their_zeros() -> None:
    frame = pl.DataFrame({"user": ["a", "b", "b"], "item": ["007", "7", "007"]})
    assert lists("popular", frame, ["c"], columns=PLAIN) == {"c": ["007", "7"]}


def test_repeated_interactions_count_as_often_as_they_are_there() -> None:
    frame = pl.DataFrame({"user": [1, 1, 2, 3], "item": [5, 5, 6, 6]})
    assert read(frame, PLAIN).matrix().toarray().tolist() == [[2, 0], [0, 1], [0, 1]]
    assert read(frame, PLAIN).matrix(binary=True).toarray().tolist() == [[1, 0], [0, 1], [0, 1]]


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ({"user": [1, None], "item": [1, 2], "rating": [1, 2]}, "Row 2 .* 'user'"),
        ({"user": [1, 2], "item": [1, 2], "rating": [1, 0]}, "not above 0"),
        ({"user": [1, 2], "item": [1, 2], "rating": [1.0, float("nan")]}, "not above 0"),
        ({"user": [1, 2], "item": [1, 2], "rating": ["a", "b"]}, "other than numbers"),
        ({"user": [], "item": [], "rating": []}, "no interactions"),
        ({"user": [1, 2], "item": [1, 2]}, "no column 'rating', but user, item"),
        ({"user": [1.0, 2.0], "item": [1, 2], "rating": [1, 1]}, "1.0 in column 'user' is a whole"),
        ({"user": ["1", "2"], "item": ["7", "8.0"], "rating": [1, 1]}, "8.0 in column 'item'"),
    ],
)
def test_columns_that_say_nothing_are_refused(rows: dict[str, list[object]], told: str) -> None:
    with pytest.raises(InvalidInput, match=told):
        read(pl.DataFrame(rows), RoleColumns("user", "item", "rating"))


def test_the_best_are_those_of_a_sort() -> None:
    for seed in range(300):
        chance = np.random.default_rng(seed)
        scores = chance.integers(0, 5, (chance.integers(1, 6), chance.integers(1, 9))).astype(float)
        scores[chance.random(scores.shape) < 0.3] = -np.inf
        length = int(chance.integers(1, 10))
        found, weights = best(scores, length)
        for row, given, weight in zip(scores, found, weights, strict=True):
            order = sorted(
                (at for at in range(len(row)) if row[at] > -np.inf), key=lambda at: -row[at]
            )
            wanted = (order[:length] + [NONE] * length)[: len(given)]
            assert given.tolist() == wanted
            assert [w for w in weight if w > -np.inf] == [row[at] for at in wanted if at != NONE]


def test_free_places_are_those_of_a_loop() -> None:
    for seed in range(300):
        chance = np.random.default_rng(seed)
        taken = chance.random((chance.integers(1, 6), chance.integers(1, 9))) < chance.random()
        rows = chance.integers(0, len(taken), 20)
        nth = chance.integers(0, 12, 20)
        wanted = []
        for row, number in zip(rows, nth, strict=True):
            places = np.flatnonzero(~taken[row])
            wanted.append(places[number] if number < len(places) else NONE)
        assert free(scipy.sparse.csr_matrix(taken), rows, nth).tolist() == wanted


TYPED = pl.DataFrame(
    {
        "user": [1, 1, 2, 2, 3, 3],
        "item": [5, 6, 5, 7, 7, 8],
        "type": ["view", "buy", "view", "view", "buy", "buy"],
    }
)


def popular(ids: list[object]) -> Learned:
    objectives = ("view", "buy")
    rows = AnsweredRows.of(pl.Series(ids), objectives=objectives, columns=("user_type", "labels"))
    data = UsersItems(read(TYPED, RoleColumns("user", "item", type="type")), rows)
    return USERS_ITEMS["popular"].learned(data, length=3)


def typed(ids: list[object]) -> list[tuple[str, str]]:
    return list(pl.concat(popular(ids).rows()).iter_rows())


def test_every_type_is_learned_and_answered_by_itself() -> None:
    # Views: 5 twice, 7 once. Purchases: 6, 7 and 8 once. What was bought may still be viewed.
    assert typed([1, 3]) == [
        ("1_view", "7 6 8"),
        ("1_buy", "7 8 5"),
        ("3_view", "5 7 6"),
        ("3_buy", "6 5"),
    ]


def test_published_ids_may_name_the_objective_in_any_order() -> None:
    assert typed(["3_buy", "1_view"]) == [("3_buy", "6 5"), ("1_view", "7 6 8")]


def test_the_training_items_of_the_published_are_a_ground_truth() -> None:
    assert pl.concat(popular([2, 3]).known_rows()).rows() == [
        ("2", "view", "5"),
        ("2", "view", "7"),
        ("3", "buy", "7"),
        ("3", "buy", "8"),
    ]


def test_ease_is_refused_with_the_number_where_memory_is_short() -> None:
    items = np.arange(30_000)
    frame = pl.DataFrame({"user": items % 7, "item": items})
    data = UsersItems(read(frame, PLAIN), AnsweredRows.of(pl.Series([1]), columns=("id", "labels")))
    with pytest.raises(InvalidInput, match=r"EASE over 10,000 items needs 1\.3 GB .* 1\.0 GB"):
        USERS_ITEMS["ease"].learned(data, memory=10**9)


def test_ease_without_regularization_may_have_no_solution() -> None:
    frame = pl.DataFrame({"user": [1, 1], "item": [1, 2]})
    with pytest.raises(InvalidInput, match="--regularization"):
        lists("ease", frame, [1], columns=PLAIN, regularization=0)


@pytest.mark.parametrize("amount", [inf, -inf, nan])
@pytest.mark.parametrize(
    ("name", "setting"),
    [
        ("recent", "newest"),
        ("als", "alpha"),
        ("als", "regularization"),
        ("bpr", "learning_rate"),
        ("ease", "regularization"),
    ],
)
def test_a_setting_that_is_not_finite_is_refused(name: str, setting: str, amount: float) -> None:
    option = f"--{setting.replace('_', '-')} is a finite number"
    with pytest.raises(NotConfigured, match=option):
        lists(name, TYPED, [1], columns=PLAIN, **dict[str, Any]({setting: amount}))


@pytest.mark.parametrize(("name", "setting"), [("als", "alpha"), ("bpr", "learning_rate")])
def test_factors_that_grow_beyond_floats_are_refused(name: str, setting: str) -> None:
    frame = pl.DataFrame({"user": [1, 1, 2], "item": [1, 2, 2]})
    with pytest.raises(InvalidInput, match=f"take a smaller --{setting.replace('_', '-')}"):
        lists(name, frame, [1], columns=PLAIN, **dict[str, Any]({setting: 1e300}))


def test_a_setting_of_another_algorithm_is_refused() -> None:
    with pytest.raises(NotConfigured, match="--alpha goes with als, and not with popular"):
        lists("popular", TYPED, [1], columns=PLAIN, alpha=2.0)
