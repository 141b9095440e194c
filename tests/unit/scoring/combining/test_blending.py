"""Blends of small submissions against values worked out by hand, and against a slow obvious one."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from podium.scoring.combining import METHODS, Method, blended, sides
from podium.scoring.combining.blending import LONGEST_EXACT, UNIT, whole_weights
from podium.scoring.task import OTTO, Task
from tests.builders.scoring.lists import ONE, side_by_side


def blend(
    folder: Path,
    *files: dict[str, str],
    method: Method = "reciprocal",
    weights: Sequence[Fraction | int] | None = None,
    top: int = 20,
    task: Task = ONE,
) -> dict[str, str]:
    spools, published = side_by_side(folder, *files, task=task, depth=top)
    given = [Fraction(weight) for weight in weights or [1] * len(files)]
    portions = blended(spools, published=published, weights=given, method=method)
    lines = b"".join(portions).decode("ascii").splitlines()
    rows = [(row_id, labels) for row_id, _, labels in (line.partition(",") for line in lines)]
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


def test_numbers_of_every_length_are_written(tmp_path: Path) -> None:
    chance = random.Random(1)
    edges = [10**power + more for power in range(10) for more in (-1, 0, 1)]
    numbers = [
        *edges,
        2**31 - 1,
        *(chance.randrange(10 ** chance.randint(1, 9)) for _ in range(900)),
    ]
    texts = [str(number) for number in dict.fromkeys(numbers)]
    chance.shuffle(texts)
    file = {texts[n]: " ".join(texts[n:]) for n in range(100)}
    assert blend(tmp_path, file, file, top=1000) == file


def test_every_objective_is_blended_by_itself(tmp_path: Path) -> None:
    names = ("clicks", "carts", "orders")
    first = {f"12_{name}": str(number) for number, name in enumerate(names)}
    second = {f"12_{name}": str(number) for number, name in enumerate(reversed(names))}
    assert blend(tmp_path, first, second, task=OTTO) == {
        "12_clicks": "0 2",
        "12_carts": "1",
        "12_orders": "2 0",
    }


def obvious(lists: list[list[str]], weights: Sequence[int], method: Method, top: int) -> list[str]:
    def worth(rank: int) -> Fraction:
        if method == "reciprocal":
            return Fraction(1, rank + 1) if top <= LONGEST_EXACT else Fraction(UNIT // (rank + 1))
        return Fraction({"votes": 1, "rank": top - rank}[method])

    sums: dict[str, Fraction] = {}
    first: dict[str, tuple[int, int]] = {}
    for number, (items, weight) in enumerate(zip(lists, weights, strict=True)):
        for rank, item in enumerate(items[:top]):
            if item not in items[:rank]:
                sums[item] = sums.get(item, Fraction(0)) + weight * worth(rank)
                first[item] = min(first.get(item, (rank, number)), (rank, number))
    return sorted(sums, key=lambda item: (-sums[item], first[item]))[:top]


@dataclass(frozen=True)
class Case:
    """Random lists to blend: how many of them, of which items, and how."""

    weights: tuple[int, ...] = (3, 2, 1)
    top: int = 6
    longest: int = 9
    items: int = 12
    sessions: int = 1000
    text: bool = False
    at_once: bool = False


CASES = {
    "three": Case(),
    "two, mostly with different items": Case((2, 1), top=20, longest=20, items=400),
    "two, mostly with the same items": Case((1, 1), top=20, longest=25, items=22),
    "one item a list": Case((1, 1, 1), top=1, longest=3, items=3),
    "text": Case((1, 2), text=True),
    "sums beyond 63 bits in all": Case(
        (10**6, 999_999), top=30, longest=33, items=60, sessions=300
    ),
    "many": Case(tuple(range(1, 21)), longest=7, sessions=200),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_lists_are_blended_as_obvious_code_does(
    method: Method, case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(f"{method} {case}")
    if not case.at_once:
        for name in ("BLOCK_BYTES", "KEPT_BYTES"):
            monkeypatch.setattr(f"podium.scoring.lists.compiled.{name}", 5_000)
        monkeypatch.setattr(sides, "PORTION_BYTES", 24 * 11 * case.top)
        monkeypatch.setattr(sides, "RESIDENT_BYTES", 10_000)
    sessions = [str(session) for session in chance.sample(range(10_000), case.sessions)]
    names = [f"x{n}" if case.text else str(10 * n) for n in range(case.items)]
    files = []
    for _ in case.weights:
        chance.shuffle(sessions)
        files.append(
            {s: chance.choices(names, k=chance.randint(0, case.longest)) for s in sessions}
        )
    texts = [{s: " ".join(items) for s, items in file.items()} for file in files]
    task = replace(ONE, item_ids="string" if case.text else "integer")
    how: Any = {"weights": case.weights, "method": method, "top": case.top}
    expected = {s: obvious([f[s] for f in files], case.weights, method, case.top) for s in sessions}
    assert blend(tmp_path, *texts, **how, task=task) == {
        session: " ".join(items) for session, items in expected.items()
    }


def test_weights_become_whole_numbers_of_the_same_ratio() -> None:
    assert whole_weights([Fraction("0.5"), Fraction("0.75"), Fraction(1)]) == [2, 3, 4]


@pytest.mark.parametrize("weights", [["1", "0"], ["-1", "2"], ["1", "0.0000001"]])
def test_weights_that_cannot_be_are_refused(weights: list[str]) -> None:
    with pytest.raises(ValueError, match="weight"):
        whole_weights([Fraction(weight) for weight in weights])
