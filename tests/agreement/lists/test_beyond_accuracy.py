"""Coverage, novelty, diversity and serendipity against a slow reference that knows nothing of
frames, on thousands of random lists and on whole competitions."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from podium.scoring.engine import judge
from podium.scoring.items import ItemFile
from podium.scoring.metrics import PREDICTION_METRICS
from podium.scoring.metrics.beyond_accuracy import IntraListDiversity, Novelty
from podium.scoring.predictions import Lists
from podium.scoring.scores.result import ScoreResult
from podium.scoring.task import OTTO, Task
from tests.builders.scoring.competitions import HALVES, truth_of
from tests.builders.scoring.items import Item, item_file


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


def gini(shown: Sequence[int]) -> float:
    """The mean difference of any two, relative to twice the mean."""
    total = sum(shown)
    apart = sum(abs(a - b) for a in shown for b in shown)
    return apart / (2 * len(shown) * total) if total else 0.0


def entropy(shown: Sequence[int]) -> float:
    """The mean surprise, in bits."""
    total = sum(shown)
    return -math.fsum(n / total * math.log2(n / total) for n in shown if n)


def long_tail(items: Mapping[int, Item], order: Sequence[int]) -> set[int]:
    """The items that are left when 80 % of all users' items are taken, the most popular first."""
    total, taken = sum(item.users for item in items.values()), 0
    left = set(items)
    for item in order:
        if 10 * taken >= 8 * total:
            break
        taken += items[item].users
        left.remove(item)
    return left


def shares(of: Sequence[int], items: Mapping[int, Item]) -> list[float] | None:
    """The mean distribution over categories of the items that have one."""
    found = [
        [max(feature, 0.0) for feature in items[item].features or ()]
        for item in of
        if item in items
    ]
    found = [one for one in found if sum(one)]
    columns = zip(*[[part / sum(one) for part in one] for one in found], strict=True)
    return [math.fsum(column) / len(found) for column in columns] if found else None


def miscalibration(
    k: int, ranked: Sequence[int], labels: Sequence[int], items: Mapping[int, Item]
) -> float:
    """Steck's divergence."""
    liked, shown = shares(labels, items), shares(list(dict.fromkeys(ranked[:k])), items)
    if liked is None:
        return 0.0
    shown = shown or [0.0] * len(liked)
    pairs = [(p, 0.99 * q + 0.01 * p) for p, q in zip(liked, shown, strict=True)]
    return math.fsum(p * math.log(p / mixed) for p, mixed in pairs if p)


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
            order = sorted(by_id, key=lambda item: -items[item].users)
            tail, firsts = long_tail(items, order), [list(dict.fromkeys(one[:k])) for one in found]
            exposed = [sum(item in one for one in firsts) for item in items]
            popularity, rare, apart = [], [], []
            for s, one, different in zip(counted, found, firsts, strict=True):
                taken = len(one[:k]) or 1
                had = [items[item].users if item in items else 0 for item in different]
                popularity.append(sum(had) / taken)
                rare.append(sum(i in tail or i not in items for i in different) / taken)
                apart.append(miscalibration(k, one, labels[s][name], items))
            expected |= {
                f"gini@{k}": gini(exposed),
                f"entropy@{k}": entropy(exposed),
                f"arp@{k}": math.fsum(popularity) / len(counted),
                f"aplt@{k}": math.fsum(rare) / len(counted),
                f"miscalibration@{k}": math.fsum(apart) / len(counted),
            }
            values = {metric: float(by[name]) for metric, by in split.diagnostics.items()}
            assert values == pytest.approx(expected, rel=1e-12, abs=1e-14)


def together(
    folder: Path,
    labels: Mapping[int, Mapping[str, Sequence[int]]],
    ranked: Mapping[tuple[int, str], Sequence[int]],
    items: ItemFile,
    task: Task,
) -> tuple[ScoreResult, dict[int, str]]:
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
