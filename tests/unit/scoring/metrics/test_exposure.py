"""Exposure, popularity and calibration of lists, worked by hand."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest

from podium.scoring.engine import judge
from podium.scoring.items import ItemFile
from podium.scoring.lists.plan import ListBlock
from podium.scoring.metrics import prediction_reader, rank_metric_of
from podium.scoring.metrics.exposure import Entropy, Gini
from podium.scoring.scores.result import SplitScore
from podium.scoring.task import Objective, Task
from podium.scoring.truth.reading import read_ground_truth
from tests.builders.scoring.competitions import WHOLE
from tests.builders.scoring.items import Item, item_file
from tests.builders.scoring.sessions import truth_of

TASK = Task((Objective("", Decimal(1), "recall@3"),), id_column="user", missing_rows="zero")

CATALOG = {
    1: Item(8, (1.0, 0.0)),
    2: Item(2, (0.0, 1.0)),
    3: Item(0, (0.0, 2.0)),
    4: Item(1, (1.0, 3.0)),
    5: Item(1, None),
}
"""12 interactions, 8 with item 1 and 2 with item 2: 10 are more than 80 %, 8 are fewer."""


def verdict(
    folder: Path,
    relevant: Mapping[int, Sequence[int]],
    lists: Mapping[int, str],
    *metrics: str,
    items: ItemFile | None = None,
) -> SplitScore:
    task = replace(TASK, diagnostics=metrics)
    truth_file, file = folder / "truth.csv", folder / "file.csv"
    labels = (f"{user},{' '.join(map(str, each))}\n" for user, each in relevant.items())
    truth_file.write_text("user,labels\n" + "".join(labels))
    file.write_text("user,labels\n" + "".join(f"{user},{text}\n" for user, text in lists.items()))
    truth, ids = read_ground_truth(truth_file, task=task, published=None, split=WHOLE)
    items = items or item_file(CATALOG, 8)
    scored = judge(file, task=task, published=ids, truth=truth, items=items, scratch=folder)
    return scored.splits["all"]


def of(folder: Path, metric: str, *lists: str) -> float:
    """The metric over users who each get a list, and have the item 1."""
    relevant = {user: [1] for user in range(len(lists))}
    split = verdict(folder, relevant, dict(enumerate(lists)), metric)
    return float(split.diagnostics[metric][""])


@pytest.mark.parametrize(
    ("lists", "k", "value"),
    [
        (["1 2 3 4 5"], 5, 0.0),
        (["1", "1", "1"], 5, 4 / 5),
        (["", ""], 5, 0.0),
        (["9 8", "7"], 5, 0.0),
        # Shown 0, 0, 0, 1 and 3 times: (2 · 1 + 4 · 3) / (5 · 4).
        (["1 2", "1", "1 9"], 2, 14 / 20),
        # The second item of a list is behind K, and a repeated one is shown once.
        (["1 2", "1 3", "1 4"], 1, 4 / 5),
        (["1 1 1", "2"], 3, (2 + 4) / (5 * 2)),
    ],
)
def test_gini_is_0_where_all_are_shown_alike_and_grows_with_the_few(
    tmp_path: Path, lists: list[str], k: int, value: float
) -> None:
    assert of(tmp_path, f"gini@{k}", *lists) == value


@pytest.mark.parametrize(
    ("lists", "k", "value"),
    [
        (["1 2 3 4 5"], 5, math.log2(5)),
        (["1 2 3 4"], 5, 2.0),
        (["1", "1"], 5, 0.0),
        (["", "9"], 5, 0.0),
        (["1 2", "1 3"], 2, 1.5),
        (["1 2", "1 3"], 1, 0.0),
        (["1 1", "2"], 2, 1.0),
    ],
)
def test_entropy_is_in_bits(tmp_path: Path, lists: list[str], k: int, value: float) -> None:
    assert of(tmp_path, f"entropy@{k}", *lists) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "k", "value"),
    [
        ("1 2", 2, 5.0),
        ("1 2", 20, 5.0),
        ("1 2", 1, 8.0),
        ("1 9", 2, 4.0),
        ("1 1", 2, 4.0),
        ("3", 1, 0.0),
        ("", 3, 0.0),
    ],
)
def test_popularity_is_the_mean_of_the_items_of_a_list(
    tmp_path: Path, text: str, k: int, value: float
) -> None:
    assert of(tmp_path, f"arp@{k}", text) == value


@pytest.mark.parametrize(
    ("text", "k", "value"),
    [
        ("1 2", 2, 0.0),
        ("1 3", 2, 1 / 2),
        ("4 5 9 3", 4, 1.0),
        ("1 3", 1, 0.0),
        ("3 3", 2, 1 / 2),
        ("", 2, 0.0),
    ],
)
def test_the_long_tail_is_what_80_percent_of_interactions_leave(
    tmp_path: Path, text: str, k: int, value: float
) -> None:
    assert of(tmp_path, f"aplt@{k}", text) == value


@pytest.mark.parametrize(
    ("users", "head"),
    [
        # Exactly 80 % are enough; of equally popular items the smaller one is taken.
        ([4, 4, 2], {1, 2}),
        ([2, 4, 4], {2, 3}),
        ([1, 1, 1, 1, 1], {1, 2, 3, 4}),
        ([0, 0], set()),
        ([1], {1}),
    ],
)
def test_the_short_head_are_the_fewest_that_make_80_percent(
    users: list[int], head: set[int]
) -> None:
    items = item_file({n: Item(each, ()) for n, each in enumerate(users, start=1)}, 10)
    tail = items.is_long_tail.to_list()
    assert {n for n, each in enumerate(tail[:-1], start=1) if not each} == head
    assert tail[-1] == 1


WORST = math.log(100)


@pytest.mark.parametrize(
    ("relevant", "text", "k", "value"),
    [
        ([1], "1", 5, 0.0),
        ([1, 2], "2 1", 5, 0.0),
        ([1, 2], "1 2 4", 2, 0.0),
        ([1, 2], "1", 5, (math.log(0.5 / 0.995) + WORST) / 2),
        ([1, 2], "1 9 5", 5, (math.log(0.5 / 0.995) + WORST) / 2),
        # Item 4 is a quarter of the first category, three quarters of the second.
        ([4], "1", 5, 0.25 * math.log(0.25 / 0.9925) + 0.75 * WORST),
        ([1], "2 3", 5, WORST),
        ([1], "5", 5, WORST),
        ([1], "", 5, WORST),
        ([5], "1", 5, 0.0),
        ([5], "", 5, 0.0),
    ],
)
def test_miscalibration_is_the_divergence_from_the_relevant_items(
    tmp_path: Path, relevant: list[int], text: str, k: int, value: float
) -> None:
    metric = f"miscalibration@{k}"
    found = verdict(tmp_path, {0: relevant}, {0: text}, metric).diagnostics[metric][""]
    assert float(found) == pytest.approx(value, rel=1e-13, abs=1e-15)


def test_a_query_without_a_row_is_as_far_off_as_can_be(tmp_path: Path) -> None:
    split = verdict(tmp_path, {0: [1], 1: [1], 2: [5]}, {0: "1"}, "miscalibration@5")
    assert float(split.diagnostics["miscalibration@5"][""]) == pytest.approx(WORST / 3)
    assert split.notes == {"miscalibration@5": {"without_categories": {"": 1}}}


def test_features_below_0_are_no_categories(tmp_path: Path) -> None:
    items = item_file({1: Item(1, (1.0, -7.0)), 2: Item(1, (-1.0, -1.0))}, 1)
    metric = "miscalibration@2"
    for relevant, text, value in (([1], "1 2", 0.0), ([2], "1", 0.0), ([1], "2", WORST)):
        split = verdict(tmp_path, {0: relevant}, {0: text}, metric, items=items)
        assert float(split.diagnostics[metric][""]) == pytest.approx(value)


def test_means_over_lists_have_standard_errors_and_exposure_has_none(tmp_path: Path) -> None:
    metrics = ("gini@2", "entropy@2", "arp@1", "aplt@1", "miscalibration@1")
    split = verdict(tmp_path, {0: [1], 1: [1]}, {0: "1", 1: "3"}, *metrics)
    # Half the difference of two users.
    assert split.diagnostic_errors == {
        "gini@2": None,
        "entropy@2": None,
        "arp@1": pytest.approx(4.0),
        "aplt@1": pytest.approx(0.5),
        "miscalibration@1": pytest.approx(WORST / 2),
    }


def test_lists_that_are_read_twice_are_counted_once() -> None:
    # What a file has after a row that is not plain is read anew from its beginning.
    task = replace(TASK, diagnostics=("gini@2",))
    truth = truth_of([[(0, 1)], [(0, 1)], [(0, 0)]], task)
    reader = prediction_reader([rank_metric_of("gini@2")], truth, item_file(CATALOG, 8))
    assert reader is not None
    block = ListBlock(
        query=pl.Series([0, 1, 2], dtype=pl.UInt32),
        length=pl.Series([2, 2, 1], dtype=pl.UInt32),
        items=pl.Series([1, 2, 1, 9, 3], dtype=pl.Int32),
    )
    parts = [reader.read(block), reader.read(block)]
    assert reader.whole(parts).exposed[2].to_list() == [2, 1, 0, 0, 0]


def test_the_order_of_items_and_chunks_changes_no_bit() -> None:
    counts = pl.Series([n * n % 97 for n in range(1000)], dtype=pl.UInt32)
    pieces = [counts[at : at + 7] for at in range(0, 1000, 7)]
    chunked = pl.concat(pieces[::-1], rechunk=False)
    for metric in (Gini(5), Entropy(5)):
        assert metric.of_items(chunked) == metric.of_items(counts)


def test_the_order_of_rows_changes_no_bit(tmp_path: Path) -> None:
    metrics = [f"{name}@3" for name in ("gini", "entropy", "arp", "aplt", "miscalibration")]
    relevant = {user: [1 + user % 5, 1 + (user + 1) % 5] for user in range(500)}
    lists = {user: f"{1 + user * 7 % 6} {1 + user * 3 % 5}" for user in range(500)}
    backwards = dict(reversed(lists.items()))
    assert verdict(tmp_path, relevant, lists, *metrics) == verdict(
        tmp_path, relevant, backwards, *metrics
    )


def test_many_lists_of_one_item_are_one_coefficient() -> None:
    # Beyond 2^32 in products of counts and places.
    counts = pl.zeros(2_000_000, dtype=pl.UInt32, eager=True).scatter(7, 2_000_000)
    assert Gini(1).of_items(counts) == 1 - Fraction(1, 2_000_000)
