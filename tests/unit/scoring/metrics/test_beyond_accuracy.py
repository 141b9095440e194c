"""Coverage, novelty, diversity and serendipity: worked by hand, and against a slow reference that
knows nothing of frames."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest

from app.scoring.engine import judge
from app.scoring.ground_truth import read_ground_truth
from app.scoring.items import ItemFile
from app.scoring.metrics import PREDICTION_METRICS, metric_for, metric_of
from app.scoring.metrics.beyond_accuracy import IntraListDiversity, Novelty
from app.scoring.predictions import Lists
from app.scoring.result import Scored, SplitScore
from app.scoring.task import OTTO, Objective, Task
from tests.unit.scoring.competitions import HALVES, WHOLE, truth_of

ONE = Task((Objective("", Decimal(1), "recall@3"),), id_column="user")


@dataclass(frozen=True)
class Item:
    """What the item file says of an item; no features means empty cells."""

    users: int
    features: tuple[float, ...] | None


def item_file(items: Mapping[int, Item], training_users: int, *, text: bool = False) -> ItemFile:
    """The same as an item file."""
    ids = sorted(items, key=lambda item: str(item) if text else item)
    columns: dict[str, pl.Series] = {
        "item": pl.Series(map(str, ids)) if text else pl.Series(ids, dtype=pl.Int32),
        "users": pl.Series([items[item].users for item in ids], dtype=pl.Int64),
    }
    width = max(len(item.features or ()) for item in items.values())
    for place in range(width):
        found = [items[item].features for item in ids]
        values = [None if features is None else features[place] for features in found]
        columns[f"feature{place}"] = pl.Series(values, dtype=pl.Float64)
    return ItemFile(pl.DataFrame(columns), training_users)


def verdict(
    folder: Path,
    relevant: Mapping[int, Sequence[int | str]],
    rows: Sequence[str],
    items: ItemFile,
    *diagnostics: str,
    task: Task = ONE,
) -> SplitScore:
    """The only split of a competition with these labels by user."""
    task = replace(task, diagnostics=diagnostics)
    truth_file, file = folder / "truth.csv", folder / "file.csv"
    lines = [f"{user},{' '.join(map(str, labels))}" for user, labels in relevant.items()]
    truth_file.write_text("\n".join(["user,labels", *lines]) + "\n")
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


def test_only_queries_with_a_relevant_item_count(tmp_path: Path) -> None:
    metrics = ("coverage@3", "novelty@3", "ild@3", "serendipity@3")
    items = item_file(CATALOGUE, 8)
    alone = verdict(tmp_path, {0: [3]}, ["0,3 2 1"], items, *metrics)
    beside = verdict(tmp_path, {0: [3], 1: []}, ["1,4 5 9", "0,3 2 1"], items, *metrics)
    assert alone.diagnostics == beside.diagnostics


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


def worth(k: int, ranked: Sequence[int], items: Mapping[int, Item], users: int) -> dict[str, float]:
    """Novelty and diversity of one list, straight from their definitions."""
    places = [(item, item not in ranked[:n]) for n, item in enumerate(ranked[:k])]
    novelty = sum(
        -math.log2(max(items[item].users if item in items else 0, 1) / users)
        for item, is_first in places
        if is_first
    )
    apart, pairs = [], 0
    for n, (a, a_counts) in enumerate(places):
        for b, b_counts in places[:n]:
            pairs += 1
            if a_counts and b_counts:
                apart.append(distance(items.get(a), items.get(b)))
    return {"novelty": novelty / k, "ild": math.fsum(apart) / pairs if pairs else 0.0}


def distance(a: Item | None, b: Item | None) -> float:
    """1 − cosine, 0 where one has no direction."""
    if a is None or b is None or not any(a.features or ()) or not any(b.features or ()):
        return 0.0
    x, y = a.features or (), b.features or ()
    return 1 - sum(p * q for p, q in zip(x, y, strict=True)) / math.hypot(*x) / math.hypot(*y)


def random_items(rng: random.Random, width: int, spread: int) -> dict[int, Item]:
    def features() -> tuple[float, ...] | None:
        kind = rng.random()
        if kind < 0.1:
            return None
        return (0.0,) * width if kind < 0.2 else tuple(rng.gauss(0, 1) for _ in range(width))

    return {
        rng.randrange(0, 40) * spread: Item(rng.randrange(0, 100), features()) for _ in range(30)
    }


def random_list(rng: random.Random, spread: int) -> list[int]:
    length = rng.choice((0, 1, 2, 3, 8, 30))
    return [rng.randrange(0, rng.choice((5, 45))) * spread for _ in range(length)]


@pytest.mark.parametrize("seed", range(16))
def test_a_slow_reference_finds_the_same_for_each_of_many_lists(seed: int) -> None:
    rng = random.Random(seed)
    k, width, spread = rng.choice((1, 2, 5, 30)), rng.choice((1, 2, 9)), rng.choice((1, 40_000_000))
    items = random_items(rng, width, spread)
    lists = [random_list(rng, spread) for _ in range(1000)]
    places = [
        pl.Series([ranked[n] if n < len(ranked) else None for ranked in lists], dtype=pl.Int32)
        for n in range(30)
    ]
    read = Lists.of(places, item_file(items, 100))
    expected = [worth(k, ranked, items, 100) for ranked in lists]
    for metric in (Novelty(k), IntraListDiversity(k)):
        found = metric.of_lists(read)["value"].to_list()
        assert found == pytest.approx([one[metric.key] for one in expected], rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("are_texts", [False, True], ids=["integer", "string"])
@pytest.mark.parametrize("seed", range(25))
def test_a_slow_reference_finds_the_same_in_whole_competitions(
    tmp_path: Path, seed: int, are_texts: bool
) -> None:
    rng = random.Random(seed)
    k = rng.choice((1, 2, 5, 20))
    items = random_items(rng, 3, 1)
    ids = [f"{name}@{k}" for name in PREDICTION_METRICS] + ["coverage@3"]
    task = replace(OTTO, missing_rows="zero", diagnostics=tuple(ids))
    task = replace(task, item_ids="string") if are_texts else task
    labels = {
        session: {
            name: rng.sample(range(45), rng.randint(1, 5))
            for name in OTTO.names
            if rng.random() < 0.7 or session < 20
        }
        for session in range(60)
    }
    ranked = {
        (session, name): random_list(rng, 1)
        for session in labels
        for name in OTTO.names
        if rng.random() < 0.9
    }
    scored, sides = together(tmp_path, labels, ranked, item_file(items, 100, text=are_texts), task)
    by_id = sorted(items, key=str) if are_texts else sorted(items)
    popular = sorted(by_id, key=lambda item: -items[item].users)[:k]
    for side, split in scored.splits.items():
        for name in OTTO.names:
            counted = [s for s in labels if sides[s] == side and labels[s].get(name)]
            found = [ranked.get((s, name), []) for s in counted]
            worths = [worth(k, one, items, 100) for one in found]
            fresh = [
                len(set(one[:k]) & set(labels[s][name]) - set(popular)) / k
                for s, one in zip(counted, found, strict=True)
            ]
            shown = {depth: {i for one in found for i in one[:depth]} for depth in (3, k)}
            expected = {
                f"coverage@{k}": len(shown[k] & set(items)) / len(items),
                "coverage@3": len(shown[3] & set(items)) / len(items),
                f"novelty@{k}": math.fsum(w["novelty"] for w in worths) / len(counted),
                f"ild@{k}": math.fsum(w["ild"] for w in worths) / len(counted),
                f"serendipity@{k}": math.fsum(fresh) / len(counted),
            }
            values = {metric: float(by[name]) for metric, by in split.diagnostics.items()}
            assert values == pytest.approx(expected, rel=1e-12, abs=1e-14)


def together(
    folder: Path,
    labels: Mapping[int, Mapping[str, Sequence[int]]],
    ranked: Mapping[tuple[int, str], Sequence[int]],
    items: ItemFile,
    task: Task,
) -> tuple[Scored, dict[int, str]]:
    """The verdict, from text on, and each session's side."""
    text = [f"{s}_{name},{' '.join(map(str, one))}" for (s, name), one in ranked.items()]
    file = folder / "file.csv"
    file.write_text("\n".join(["session_type,labels", *text]) + "\n")
    truth, published = truth_of(folder, labels, task=task, split=HALVES)
    scored = judge(file, task=task, published=published, truth=truth, items=items, scratch=folder)
    names = {1: "public", 2: "private"}
    sides = HALVES.of_sessions(published.sessions)
    return scored, {
        session: names[side] for session, side in zip(published.sessions, sides, strict=True)
    }
