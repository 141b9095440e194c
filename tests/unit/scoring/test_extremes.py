"""The attainable optimum, what guesses reach and how far chance moves a score, for every metric."""

from __future__ import annotations

import random
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from podium.scoring.engine import judge, perfect_submission
from podium.scoring.metrics import RANK_METRICS
from podium.scoring.published import PublishedIds
from podium.scoring.scores.list_extremes import (
    errors_by_chance,
    guessed_shares,
    ideal_lists,
    is_optimal,
)
from podium.scoring.scores.list_scores import split_scores
from podium.scoring.scores.result import SplitScore
from podium.scoring.splits import SplitRule
from podium.scoring.task import Objective, Task
from podium.scoring.truth.canonical import GroundTruth
from podium.scoring.truth.reading import read_ground_truth
from tests.builders.scoring.queries import Query, id_at, random_queries
from tests.builders.scoring.reference import value

WHOLE = SplitRule("whole")
CASES = [(name, k) for name in sorted(RANK_METRICS) for k in (1, 3, 20)]


def task_by(metric: str) -> Task:
    return Task((Objective("", Decimal(1), metric),), id_column="user")


def truth_of(
    folder: Path, queries: list[Query], metric: str
) -> tuple[GroundTruth, PublishedIds, Task]:
    """A ground truth in the long form, with relevances."""
    task, file = task_by(metric), folder / "truth.csv"
    rows = [
        f"{user},{item},{relevance}"
        for user, query in enumerate(queries)
        for item, relevance in query.relevant.items()
    ]
    file.write_text("\n".join(["user,item,relevance", *rows]) + "\n")
    return *read_ground_truth(file, task=task, published=None, split=WHOLE), task


def judged_lines(
    folder: Path, lines: bytes, truth: GroundTruth, published: PublishedIds, task: Task
) -> SplitScore:
    file = folder / "perfect.csv"
    file.write_bytes(lines)
    scored = judge(file, task=task, published=published, truth=truth, scratch=folder)
    return scored.splits["all"]


@pytest.mark.parametrize(("name", "k"), CASES)
def test_the_perfect_file_reaches_what_the_reference_gives_to_ideal_lists(
    tmp_path: Path, name: str, k: int
) -> None:
    queries = random_queries(random.Random(k), 40, graded=True)
    truth, published, task = truth_of(tmp_path, queries, id_at(name, k))
    best = split_scores(ideal_lists(truth), truth)["all"]
    lines = b"".join(perfect_submission(truth, published, task))
    assert is_optimal(judged_lines(tmp_path, lines, truth, published, task), best, truth)
    ideals = [
        Query(each.relevant, sorted(each.relevant, key=lambda item: (-each.relevant[item], item)))
        for each in queries
    ]
    greatest = int(truth.relevances.max())  # type: ignore[arg-type] # the type of any maximum
    expected = sum(value(name, k, ideal, greatest) for ideal in ideals) / len(ideals)
    assert float(best.values[""]) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", ["ndcg", "dcg", "cg", "ndcg_exp"])
def test_a_file_that_misorders_relevances_is_not_optimal(tmp_path: Path, name: str) -> None:
    truth, published, task = truth_of(tmp_path, [Query({1: 1, 2: 3}, [])], id_at(name, 1))
    best = split_scores(ideal_lists(truth), truth)["all"]
    for items, optimal in (("2 1", True), ("1 2", False)):
        lines = f"user,labels\n0,{items}\n".encode()
        found = judged_lines(tmp_path, lines, truth, published, task)
        assert is_optimal(found, best, truth) is optimal


@pytest.mark.parametrize("name", sorted(RANK_METRICS))
def test_a_file_that_misses_a_label_is_not_optimal(tmp_path: Path, name: str) -> None:
    truth, published, task = truth_of(tmp_path, [Query({1: 1, 2: 1}, [])], id_at(name, 5))
    best = split_scores(ideal_lists(truth), truth)["all"]
    found = judged_lines(tmp_path, b"user,labels\n0,1\n", truth, published, task)
    assert not is_optimal(found, best, truth)


def test_a_bounded_metric_whose_ideal_lists_miss_1_has_no_optimum(tmp_path: Path) -> None:
    truth, published, task = truth_of(tmp_path, [Query({1: 1}, [])], "ndcg@5")
    lines = b"".join(perfect_submission(truth, published, task))
    perfect = judged_lines(tmp_path, lines, truth, published, task)
    broken = replace(perfect, values={"": perfect.values[""] * 2})
    assert not is_optimal(broken, broken, truth)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *((name, 1) for name in ("precision", "recall", "recall_capped", "hit_rate", "cg")),
        # Means over the ten places: of 1 / rank, and of 1 / log2(rank + 1).
        *((name, 0.2929) for name in ("mrr", "map", "map_capped")),
        *((name, 0.4544) for name in ("dcg", "dcg_exp", "ndcg", "ndcg_exp")),
    ],
)
def test_where_lists_hold_all_items_guesses_only_miss_the_order(
    tmp_path: Path, name: str, expected: float
) -> None:
    queries = [Query({item: 1}, []) for item in range(10) for _ in range(100)]
    truth, _, _ = truth_of(tmp_path, queries, id_at(name, 10))
    assert float(guessed_shares(truth)["all"]) == pytest.approx(expected, abs=expected % 1 / 10)


def test_guesses_reach_k_of_all_items(tmp_path: Path) -> None:
    rng = random.Random(3)
    queries = [Query({rng.randrange(400): 1}, []) for _ in range(3000)]
    truth, _, _ = truth_of(tmp_path, queries, "recall_capped@20:micro")
    items = truth.frame["item"].n_unique()
    assert float(guessed_shares(truth)["all"]) == pytest.approx(20 / items, abs=0.03)
    assert guessed_shares(truth) == guessed_shares(truth)


def test_chance_moves_a_score_by_the_standard_error_of_half_the_labels(tmp_path: Path) -> None:
    queries = [Query({1: 1}, []) for _ in range(400)]
    truth, _, _ = truth_of(tmp_path, queries, "hit_rate@5")
    # 200 of 400 queries are hit: √(¼ / 399).
    assert errors_by_chance(truth)["all"] == pytest.approx((0.25 / 399) ** 0.5, rel=1e-9)
