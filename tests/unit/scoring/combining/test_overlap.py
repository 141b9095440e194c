"""The overlap of two small submissions, worked out by hand."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import polars as pl
import pytest

from podium.scoring.combining import common_hits, overlap, sides
from podium.scoring.hits import Hits
from podium.scoring.splits import ALL
from podium.scoring.task import OTTO, Task
from podium.scoring.truth.canonical import GroundTruth
from tests.builders.scoring.lists import ONE, side_by_side


def compared(
    folder: Path, first: dict[str, str], second: dict[str, str], k: int = 3, task: Task = ONE
) -> Any:
    spools, published = side_by_side(folder, first, second, depth=k, task=task)
    return overlap(*spools, task=task, published=published)[""]


def test_lists_are_compared_item_by_item(tmp_path: Path) -> None:
    first = {"1": "1 2 3", "2": "4 5", "3": "", "4": "6"}
    second = {"4": "7", "3": "", "2": "5 4 8", "1": "1 2 3"}
    found = compared(tmp_path, first, second)
    # Jaccard: 3/3, 2/3, two empty lists 1, 0/2.
    assert found == {
        "queries": 4,
        "equal": 2,
        "equal_share": 0.5,
        "jaccard": pytest.approx((1 + 2 / 3 + 1 + 0) / 4, abs=0),
    }


def test_only_the_first_k_items_are_compared(tmp_path: Path) -> None:
    found = compared(tmp_path, {"1": "1 2 3"}, {"1": "1 2 4"}, k=2)
    assert (found["equal"], found["jaccard"]) == (1, 1.0)


def test_empty_lists_are_alike(tmp_path: Path) -> None:
    found = compared(tmp_path, {"1": "", "2": ""}, {"1": "", "2": ""})
    assert (found["equal"], found["jaccard"]) == (2, 1.0)


def test_an_item_that_occurs_twice_is_one_item(tmp_path: Path) -> None:
    found = compared(tmp_path, {"1": "1 1 2"}, {"1": "1 2"})
    assert (found["equal"], found["jaccard"]) == (0, 1.0)


@pytest.mark.parametrize("item_ids", ["integer", "string"])
def test_thousands_of_lists_are_compared_as_obvious_code_does(
    item_ids: Literal["integer", "string"], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sides, "PORTION_BYTES", 24 * 11 * 3)
    chance = random.Random(item_ids)
    first = {str(n): chance.choices("1234", k=chance.randrange(5)) for n in range(1_000)}
    second = {s: chance.choices("1234", k=chance.randrange(5)) for s in reversed(first)}
    one, other = ({s: " ".join(items) for s, items in f.items()} for f in (first, second))
    heads = [(first[s][:3], second[s][:3]) for s in first]
    sets = [(set(mine), set(yours)) for mine, yours in heads]
    jaccards = [
        Fraction(len(mine & yours), len(mine | yours)) if mine | yours else Fraction(1)
        for mine, yours in sets
    ]
    found = compared(tmp_path, one, other, task=replace(ONE, item_ids=item_ids))
    assert found["equal"] == sum(mine == yours for mine, yours in heads)
    assert found["jaccard"] == float(sum(jaccards) / 1_000)


def test_labels_are_counted_by_who_has_found_them() -> None:
    # Session 0: clicks item 5; carts items 6, 7. Session 1: orders item 8.
    frame = pl.DataFrame(
        {"query": [0, 1, 1, 5], "item": [5, 6, 7, 8], "split": [ALL] * 4},
        schema={"query": pl.UInt32, "item": pl.Int32, "split": pl.UInt8},
    )
    truth = GroundTruth(frame, OTTO, 2)

    def hits(*found: tuple[int, int]) -> Hits:
        return Hits.of(pl.DataFrame(found, schema=["label", "rank"], orient="row"), truth)

    none = {"both": 0, "first": 0, "second": 0, "neither": 0}
    assert common_hits(hits((0, 1), (1, 4)), hits((0, 20), (2, 5))) == {
        "clicks": none | {"both": 1},
        "carts": none | {"first": 1, "second": 1},
        "orders": none | {"neither": 1},
    }
