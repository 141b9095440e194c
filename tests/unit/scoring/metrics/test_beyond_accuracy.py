"""Coverage, novelty, diversity and serendipity, worked by hand."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest

from podium.scoring.engine import judge
from podium.scoring.items import ItemFile
from podium.scoring.metrics import PREDICTION_METRICS, metric_for, metric_of
from podium.scoring.metrics.beyond_accuracy import Coverage, IntraListDiversity
from podium.scoring.predictions import Lists
from podium.scoring.scores.result import SplitScore
from podium.scoring.task import Objective, Task
from podium.scoring.truth.reading import read_ground_truth
from tests.builders.processes.memory import growth_bytes
from tests.builders.scoring.competitions import WHOLE
from tests.builders.scoring.items import Item, item_file
from tests.builders.scoring.sessions import hits_of, truth_of

ONE = Task((Objective("", Decimal(1), "recall@3"),), id_column="user")


def verdict(
    folder: Path,
    relevant: Mapping[int, Sequence[int | str]],
    rows: Sequence[str],
    items: ItemFile,
    *diagnostics: str,
    task: Task = ONE,
    decoys: Collection[int] = (),
) -> SplitScore:
    """The only split of a competition with these labels by user; decoys are users that are
    ignored."""
    task = replace(task, diagnostics=diagnostics)
    truth_file, file = folder / "truth.csv", folder / "file.csv"
    lines = [
        f"{user},{' '.join(map(str, labels))},{'Ignored' if user in decoys else 'Public'}"
        for user, labels in relevant.items()
    ]
    truth_file.write_text("\n".join(["user,labels,Usage", *lines]) + "\n")
    file.write_text("\n".join(["user,labels", *rows]) + "\n")
    truth, ids = read_ground_truth(truth_file, task=task, published=None, split=WHOLE)
    scored = judge(file, task=task, published=ids, truth=truth, items=items, scratch=folder)
    return scored.splits["all"]


CATALOGUE = {
    1: Item(8, (1.0, 0.0)),
    2: Item(2, (0.0, 1.0)),
    3: Item(0, (0.0, 2.0)),
    4: Item(2, None),
    5: Item(1, (0.0, 0.0)),
}
"""Five items of 8 training users; the 4th has no features, and those of the 5th are 0."""


def one(folder: Path, metric: str, *lists: str) -> float:
    """The metric's mean over users who each get a list and have the item 1."""
    relevant = {user: [1] for user in range(len(lists))}
    rows = [f"{user},{text}" for user, text in enumerate(lists)]
    return float(
        verdict(folder, relevant, rows, item_file(CATALOGUE, 8), metric).diagnostics[metric][""]
    )


@pytest.mark.parametrize(
    ("lists", "k", "value"),
    [
        (["1 2", "2 9"], 2, 2 / 5),
        (["1 2", "3 4"], 1, 2 / 5),
        (["9 9 9", ""], 3, 0.0),
        (["1 1 1 2", "5"], 3, 2 / 5),
        (["1 2 3 4 5"], 5, 1.0),
    ],
)
def test_coverage_is_the_share_of_the_catalogue_that_any_list_shows(
    tmp_path: Path, lists: list[str], k: int, value: float
) -> None:
    assert one(tmp_path, f"coverage@{k}", *lists) == value


@pytest.mark.parametrize(
    ("text", "k", "value"),
    [
        ("1 2", 2, (0 + 2) / 2),
        ("2", 2, 2 / 2),
        ("3", 1, 3.0),
        ("9", 1, 3.0),
        ("9 7", 2, 3.0),
        ("9 9", 2, 3 / 2),
        ("2 2 2", 3, 2 / 3),
        ("1 1 2", 2, 0.0),
        ("", 5, 0.0),
        ("5 3 2 4 1", 4, (3 + 3 + 2 + 2) / 4),
    ],
)
def test_novelty_is_surprise_in_bits_and_is_divided_by_k(
    tmp_path: Path, text: str, k: int, value: float
) -> None:
    assert one(tmp_path, f"novelty@{k}", text) == value


@pytest.mark.parametrize(
    ("text", "k", "value"),
    [
        ("1 2", 2, 1.0),
        ("2 3", 2, 0.0),
        ("1 2 3", 3, 2 / 3),
        ("1 2 3", 2, 1.0),
        ("1 2 4", 3, 1 / 3),
        ("1 2 5", 3, 1 / 3),
        ("1 2 9", 3, 1 / 3),
        ("1 1 2", 3, 1 / 3),
        ("1 1", 2, 0.0),
        ("1", 5, 0.0),
        ("", 5, 0.0),
        ("1 2", 20, 1.0),
    ],
)
def test_diversity_is_the_mean_distance_of_the_pairs_of_a_list(
    tmp_path: Path, text: str, k: int, value: float
) -> None:
    assert one(tmp_path, f"ild@{k}", text) == pytest.approx(value, abs=1e-15)


def test_opposite_features_are_2_apart_and_equal_ones_exactly_0() -> None:
    items = item_file({1: Item(0, (3.0, -4.0)), 2: Item(0, (-3e200, 4e200))}, 1)
    lists = Lists.of([pl.Series([1, 1]), pl.Series([2, None])], items)
    assert IntraListDiversity(k=2).of_lists(lists)["value"].to_list() == [2.0, 0.0]
    same = item_file({n: Item(0, (0.1 * n, 0.7 * n, 1e-200 * n)) for n in range(1, 9)}, 1)
    lists = Lists.of([pl.Series([n]) for n in range(1, 9)], same)
    assert 0 <= IntraListDiversity(k=8).of_lists(lists)["value"].item() < 1e-15


def test_short_lists_and_pairs_without_features_are_reported(tmp_path: Path) -> None:
    relevant = {user: [1] for user in range(6)} | {6: []}
    rows = ["0,1 2 4", "1,1", "2,", "3,2 2 2", "4,4 5 9", "5,1 2 3", "6,7"]
    split = verdict(tmp_path, relevant, rows, item_file(CATALOGUE, 8), "ild@3")
    assert split.notes == {"ild@3": {"short_lists": {"": 3}, "pairs_without_features": {"": 2 + 3}}}


def test_a_query_without_a_row_is_a_short_list_and_counts_0(tmp_path: Path) -> None:
    lenient = replace(ONE, missing_rows="zero")
    relevant = {0: [1], 1: [1]}
    items = item_file(CATALOGUE, 8)
    split = verdict(tmp_path, relevant, ["0,1 2"], items, "ild@2", "novelty@2", task=lenient)
    assert {name: value[""] for name, value in split.diagnostics.items()} == {
        "ild@2": Fraction(1, 2),
        "novelty@2": Fraction(1, 2),
    }
    assert split.notes["ild@2"]["short_lists"] == {"": 1}


def test_a_file_without_rows_shows_nothing(tmp_path: Path) -> None:
    lenient = replace(ONE, missing_rows="zero")
    metrics = ("coverage@3", "novelty@3", "ild@3", "serendipity@3")
    split = verdict(tmp_path, {0: [1]}, [], item_file(CATALOGUE, 8), *metrics, task=lenient)
    assert [value[""] for value in split.diagnostics.values()] == [0, 0, 0, 0]
    assert split.notes["ild@3"]["short_lists"] == {"": 1}


def test_one_long_list_among_short_ones_takes_no_memory_for_them(tmp_path: Path) -> None:
    # A column for each place of each list would be 40,000 · 1,000 numbers.
    users = 40_000
    relevant = {user: [1] for user in range(users)}
    rows = [f"{user},2" for user in range(users - 1)] + [f"{users - 1},{'1 2 ' * 500}"]
    metrics, splits = ("coverage@1000", "novelty@1000"), []

    def score() -> None:
        splits.append(verdict(tmp_path, relevant, rows, item_file(CATALOGUE, 8), *metrics))

    assert growth_bytes(score) < 150 << 20
    (split,) = splits
    assert split.diagnostics["coverage@1000"][""] == Fraction(2, 5)
    assert float(split.diagnostics["novelty@1000"][""]) == pytest.approx(2 / 1000)


def test_only_queries_with_a_relevant_item_count(tmp_path: Path) -> None:
    metrics = ("coverage@3", "novelty@3", "ild@3", "serendipity@3")
    items = item_file(CATALOGUE, 8)
    alone = verdict(tmp_path, {0: [3]}, ["0,3 2 1"], items, *metrics)
    beside = verdict(tmp_path, {0: [3], 1: []}, ["1,4 5 9", "0,3 2 1"], items, *metrics)
    assert alone.diagnostics == beside.diagnostics
    relevant = {0: [3], 1: [4]}
    rows = ["1,4 5 9", "0,3 2 1"]
    ignoring = verdict(tmp_path, relevant, rows, items, *metrics, decoys=[1])
    assert alone.diagnostics == ignoring.diagnostics


@pytest.mark.parametrize(
    ("text", "relevant", "k", "value"),
    [
        # The two most popular items are 1, and of 2 and 4 the smaller one.
        ("5 1", [1, 5], 2, 1 / 2),
        ("4 2", [2, 4], 2, 1 / 2),
        ("3 3", [3], 2, 1 / 2),
        ("9 8", [8, 9], 2, 1.0),
        ("1", [1], 1, 0.0),
        ("2", [2], 1, 1.0),
        ("3", [3], 4, 1 / 4),
        ("3", [3], 5, 0.0),
        ("2 1 3", [3], 2, 0.0),
    ],
)
def test_serendipity_counts_hits_that_are_not_popular(
    tmp_path: Path, text: str, relevant: list[int], k: int, value: float
) -> None:
    metric = f"serendipity@{k}"
    split = verdict(tmp_path, {0: relevant}, [f"0,{text}"], item_file(CATALOGUE, 8), metric)
    assert split.diagnostics[metric][""] == Fraction(value)


def test_equally_popular_items_are_ordered_as_numbers_or_as_texts(tmp_path: Path) -> None:
    equal = {n: Item(1, (1.0,)) for n in (9, 10)}
    for task, popular in ((ONE, 9), (replace(ONE, item_ids="string"), 10)):
        items = item_file(equal, 1, text=task.item_ids == "string")
        found = {
            item: verdict(
                tmp_path, {0: [item]}, [f"0,{item}"], items, "serendipity@1", task=task
            ).diagnostics["serendipity@1"][""]
            for item in equal
        }
        assert [item for item, value in found.items() if value == 0] == [popular]


def test_means_have_standard_errors_and_coverage_has_none(tmp_path: Path) -> None:
    metrics = ("coverage@2", "novelty@1", "ild@2", "serendipity@1")
    relevant = {0: [3], 1: [3], 2: [3]}
    rows = ["0,3 1", "1,1 2", "2,2 3"]
    split = verdict(tmp_path, relevant, rows, item_file(CATALOGUE, 8), *metrics)
    errors = split.diagnostic_errors
    assert errors["coverage@2"] is None
    # Novelty is 3, 0 and 2 bits: √(Σ (x − 5/3)² / 2 / 3).
    assert errors["novelty@1"] == pytest.approx(math.sqrt((16 / 9 + 25 / 9 + 1 / 9) / 6))
    assert errors["ild@2"] == pytest.approx(1 / 3)
    assert errors["serendipity@1"] == pytest.approx(1 / 3)


def test_what_the_item_file_does_not_tell_is_asked_for(tmp_path: Path) -> None:
    bare = ItemFile(pl.DataFrame({"item": pl.Series([1], dtype=pl.Int32)}))
    for metric, need in (("novelty@2", "users"), ("serendipity@2", "users"), ("ild@2", "features")):
        with pytest.raises(ValueError, match=f"{metric} needs an item file that tells {need}"):
            verdict(tmp_path, {0: [1]}, ["0,1"], bare, metric)
    assert verdict(tmp_path, {0: [1]}, ["0,1"], bare, "coverage@2").diagnostics


def test_stored_hits_do_not_tell_what_was_predicted() -> None:
    truth = truth_of([[(1, 1)]], ONE)
    with pytest.raises(ValueError, match="came without an item file"):
        Coverage(k=2).compute(hits_of([[(1, 1)]], truth), truth)


def test_coverage_cannot_be_divided_among_queries() -> None:
    truth = truth_of([[(1, 1)]], ONE)
    with pytest.raises(ValueError, match="not a mean over queries"):
        Coverage(k=2).terms(hits_of([[(1, 1)]], truth), truth)


@pytest.mark.parametrize("name", sorted(PREDICTION_METRICS))
def test_no_competition_is_ranked_by_them(name: str) -> None:
    assert metric_for(f"{name}@20", task="ranking", ranks=False) == metric_of(f"{name}@20")
    with pytest.raises(ValueError, match="only be a diagnostic"):
        metric_for(f"{name}@20", task="ranking", ranks=True)
    with pytest.raises(ValueError, match="no micro average"):
        metric_of(f"{name}@20:micro")


@pytest.mark.parametrize("text", ["x^ab cd", "PK 1", "x^", "# a"])
def test_items_that_look_like_an_archive_are_items(tmp_path: Path, text: str) -> None:
    task = replace(ONE, item_ids="string", query_ids="integer")
    listed = text.split()
    items = ItemFile(pl.DataFrame({"item": sorted(listed)}))
    split = verdict(tmp_path, {0: ["a"]}, [f"0,{text}"], items, "coverage@2", task=task)
    assert split.diagnostics["coverage@2"][""] == 1
