"""Blends of small submissions against values worked out by hand, and against a slow obvious one."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from app.scoring.combining import METHODS, Method, blended, entries, spool
from app.scoring.combining.blending import whole_weights
from app.scoring.task import OTTO, Task
from tests.unit.scoring.combining.files import ONE, side_by_side


def blend(
    folder: Path,
    *files: dict[str, str],
    method: Method = "reciprocal",
    weights: Sequence[Fraction | int] | None = None,
    top: int = 20,
    task: Task = ONE,
) -> dict[str, str]:
    spools, published = side_by_side(folder, *files, task=task)
    given = [Fraction(weight) for weight in weights or [1] * len(files)]
    portions = blended(
        spools, task=task, published=published, weights=given, method=method, top=top
    )
    rows = [row for portion in portions for row in portion.iter_rows()]
    assert len(rows) == len(dict(rows))
    return dict(rows)


def test_votes_count_the_lists_that_have_an_item(tmp_path: Path) -> None:
    files = {"7": "1 2 3"}, {"7": "3 4"}, {"7": "4 3"}
    # 3 has three votes, 4 has two; 1 and 2 have one each, and 1 the better rank.
    assert blend(tmp_path, *files, method="votes") == {"7": "3 4 1 2"}


def test_weights_decide_between_lists(tmp_path: Path) -> None:
    files = {"7": "1 2"}, {"7": "3 4"}
    assert blend(tmp_path, *files, method="votes", weights=[1, 2]) == {"7": "3 4 1 2"}
    assert blend(tmp_path, *files, method="votes", weights=[2, 1]) == {"7": "1 2 3 4"}


def test_ranks_count_places_to_the_last_one(tmp_path: Path) -> None:
    files = {"7": "1 2 3"}, {"7": "3 2"}
    # Of three places: 1 gets 3, 2 gets 2 + 2, 3 gets 1 + 3; of 2 and 3 the latter is once first.
    assert blend(tmp_path, *files, method="rank", top=3) == {"7": "3 2 1"}


def test_reciprocal_ranks_are_added(tmp_path: Path) -> None:
    files = {"7": "1 2 3 4"}, {"7": "5 3 2"}
    # 1 and 5 get 1; 2 gets 1/2 + 1/3, 3 gets 1/3 + 1/2; 4 gets 1/4.
    assert blend(tmp_path, *files) == {"7": "1 5 2 3 4"}


def test_sums_that_are_equal_are_equal_exactly(tmp_path: Path) -> None:
    files = {"7": "1 8 2"}, {"7": "9 7 2"}, {"7": "6 5 2"}
    # Three thirds are one: of 1, 9, 6 and 2 the last has the worst rank.
    assert blend(tmp_path, *files) == {"7": "1 9 6 2 8 7 5"}


def test_of_equal_items_that_of_the_first_file_comes_first(tmp_path: Path) -> None:
    assert blend(tmp_path, {"7": "9"}, {"7": "1"}) == {"7": "9 1"}


def test_an_item_that_occurs_twice_counts_once_and_keeps_its_first_place(tmp_path: Path) -> None:
    files = {"7": "1 1 2"}, {"7": "2 3"}
    # 2 is third in the first list although only two items are different.
    assert blend(tmp_path, *files) == {"7": "2 1 3"}
    assert blend(tmp_path, {"7": "1 1 1"}, {"7": "2 1"}, method="votes") == {"7": "1 2"}


def test_only_the_first_items_are_looked_at_and_listed(tmp_path: Path) -> None:
    files = {"7": "1 2 9"}, {"7": "3 4 9"}
    assert blend(tmp_path, *files, method="votes", top=2) == {"7": "1 3"}


def test_rows_may_be_in_any_order_and_empty(tmp_path: Path) -> None:
    first = {"5": "1", "9": "", "7": "2"}
    second = {"7": "3", "5": "", "9": ""}
    assert blend(tmp_path, first, second) == {"5": "1", "9": "", "7": "2 3"}


def test_lists_may_all_be_empty(tmp_path: Path) -> None:
    assert blend(tmp_path, {"5": "", "7": ""}, {"7": "", "5": ""}) == {"5": "", "7": ""}


def test_ids_and_items_may_be_text(tmp_path: Path) -> None:
    task = replace(ONE, query_ids="string", item_ids="string")
    files = {"a_b": "07 x", "c": "z"}, {"c": "y", "a_b": "7 07"}
    assert blend(tmp_path, *files, task=task) == {"a_b": "07 7 x", "c": "z y"}


def test_every_objective_is_blended_by_itself(tmp_path: Path) -> None:
    names = ("clicks", "carts", "orders")
    first = {f"12_{name}": str(number) for number, name in enumerate(names)}
    second = {f"12_{name}": str(number) for number, name in enumerate(reversed(names))}
    assert blend(tmp_path, first, second, task=OTTO) == {
        "12_clicks": "0 2",
        "12_carts": "1",
        "12_orders": "2 0",
    }


def obvious(lists: list[list[int]], weights: list[int], method: Method, top: int) -> list[int]:
    sums: dict[int, Fraction] = {}
    first: dict[int, tuple[int, int]] = {}
    for number, (items, weight) in enumerate(zip(lists, weights, strict=True)):
        seen = set()
        for rank, item in enumerate(items[:top]):
            if item in seen:
                continue
            seen.add(item)
            worth = {"votes": Fraction(1), "rank": Fraction(top - rank)}.get(
                method, Fraction(1, rank + 1)
            )
            sums[item] = sums.get(item, Fraction(0)) + weight * worth
            first[item] = min(first.get(item, (rank, number)), (rank, number))
    return sorted(sums, key=lambda item: (-sums[item], first[item]))[:top]


@pytest.mark.parametrize("method", METHODS)
def test_thousands_of_lists_are_blended_as_obvious_code_does(
    method: Method, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool, "PORTION_QUERIES", 64)
    monkeypatch.setattr(entries, "PORTION_QUERIES", 64)
    monkeypatch.setattr(entries, "MOST_ENTRIES", 24 * 6 * 3)
    chance = random.Random(method)
    sessions = chance.sample(range(10_000), 1_000)
    files = []
    for _ in range(3):
        chance.shuffle(sessions)
        files.append(
            {s: [chance.randrange(12) for _ in range(chance.randrange(9))] for s in sessions}
        )
    weights = [3, 2, 1]
    texts = [{str(s): " ".join(map(str, items)) for s, items in f.items()} for f in files]
    found = blend(tmp_path, *texts, method=method, weights=weights, top=6)
    assert found == {
        str(s): " ".join(map(str, obvious([f[s] for f in files], weights, method, 6)))
        for s in files[0]
    }


def test_weights_become_whole_numbers_of_the_same_ratio() -> None:
    assert whole_weights([Fraction("0.5"), Fraction("0.75"), Fraction(1)]) == [2, 3, 4]


@pytest.mark.parametrize("weights", [["1", "0"], ["-1", "2"], ["1", "0.0000001"]])
def test_weights_that_cannot_be_are_refused(weights: list[str]) -> None:
    with pytest.raises(ValueError, match="weight"):
        whole_weights([Fraction(weight) for weight in weights])
