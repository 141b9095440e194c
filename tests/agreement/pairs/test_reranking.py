"""Metrics of candidates against all orders of the tied, trec_eval, scikit-learn, and MIND's
definitions."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
import pytrec_eval
import sklearn
from sklearn.metrics import ndcg_score, roc_auc_score

from podium.scoring.metrics import pair_metric_of
from podium.scoring.splits import ALL
from tests.builders.reranking.candidates import METRICS, over_all_orders
from tests.builders.scoring.pairs import scored_of
from tests.builders.scoring.reference import UNCHECKED

Queries = list[tuple[list[float], list[float]]]
"""The numbers and the targets of several queries."""


def values(metric: str, queries: Queries) -> list[float]:
    """The value of each query: one of n that all count moves their mean by an n-th of its distance
    from it."""
    numbers = [each for given, _ in queries for each in given]
    targets = [each for _, true in queries for each in true]
    slots = [slot for slot, (given, _) in enumerate(queries) for _ in given]
    measured = pair_metric_of(metric).measure(scored_of(numbers, targets, slots))
    assert measured.moves is not None
    return (measured.moves * len(queries) + float(measured.values[ALL])).to_list()


def targets_of(dice: random.Random, count: int, known: tuple[float, ...]) -> list[float]:
    """Targets with a zero and another number among them."""
    targets = [0.0, dice.choice(known), *(dice.choice((0.0, *known)) for _ in range(count - 2))]
    dice.shuffle(targets)
    return targets


@pytest.mark.parametrize("seed", range(4))
def test_ties_count_as_the_mean_over_all_their_orders(seed: int) -> None:
    dice, queries = random.Random(seed), []
    for _ in range(150):
        count = dice.randint(2, 6)
        some = [-1.5, 0.0, -0.0, 2.0, 1e100, 1e-300][: dice.randint(1, 6)]
        numbers = [dice.choice(some) for _ in range(count)]
        queries.append((numbers, targets_of(dice, count, (1.0, 1.0, 3.0, 0.5))))
    for metric in METRICS:
        expected = [over_all_orders(metric, *query) for query in queries]
        assert values(metric, queries) == pytest.approx(expected, abs=1e-13), metric


@pytest.mark.parametrize("seed", range(3))
def test_scikit_learn_agrees_also_with_ties(seed: int) -> None:
    dice, queries = random.Random(seed), []
    for _ in range(700):
        count = dice.randint(2, 60)
        numbers = [float(dice.randint(0, dice.choice((3, 30, 10**6)))) for _ in range(count)]
        queries.append((numbers, targets_of(dice, count, (1.0, 2.0, 5.0))))
    with sklearn.config_context(**UNCHECKED):
        areas = [roc_auc_score([each > 0 for each in true], given) for given, true in queries]
        assert values("gauc", queries) == pytest.approx(areas, abs=1e-12)
        for k in (1, 2, 5, 10, 20):
            gains = [ndcg_score([true], [given], k=k) for given, true in queries]
            assert values(f"ndcg@{k}", queries) == pytest.approx(gains, abs=1e-12)
            powers = [[2**each - 1 for each in true] for _, true in queries]
            exponential = [
                ndcg_score([power], [given], k=k)
                for power, (given, _) in zip(powers, queries, strict=True)
            ]
            assert values(f"ndcg_exp@{k}", queries) == pytest.approx(exponential, abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_trec_eval_agrees_where_nothing_is_tied(seed: int) -> None:
    dice, queries = random.Random(seed), []
    names = {"map": "map", "recip_rank": "mrr", "ndcg_cut_10": "ndcg@10", "success_5": "hit_rate@5"}
    for _ in range(500):
        count = dice.randint(2, 50)
        # trec_eval reads scores as float32.
        numbers = [float(number) for number in dice.sample(range(1000), count)]
        queries.append((numbers, targets_of(dice, count, (1.0, 2.0, 5.0))))
    runs = {f"q{at}": _documents(given) for at, (given, _) in enumerate(queries)}
    qrels = {f"q{at}": _documents(map(int, true)) for at, (_, true) in enumerate(queries)}
    wanted = {"map", "recip_rank", "ndcg_cut", "success"}
    found = pytrec_eval.RelevanceEvaluator(qrels, wanted).evaluate(runs)
    for theirs, ours in names.items():
        expected = [found[query][theirs] for query in runs]
        assert values(ours, queries) == pytest.approx(expected, abs=1e-12), ours


def _documents(numbers: Iterable[Any]) -> dict[str, Any]:
    return {f"d{place}": number for place, number in enumerate(numbers)}


def test_clicks_score_by_the_definitions_of_mind() -> None:
    # (Wu et al. 2020): Σ y / rank / Σ y, and gains 2^y − 1, which are y for clicks.
    dice, queries = random.Random(5), []
    expected: dict[str, list[float]] = defaultdict(list)
    for _ in range(500):
        count = dice.randint(2, 80)
        numbers = [dice.random() for _ in range(count)]
        clicks = targets_of(dice, count, (1.0,))
        queries.append((numbers, clicks))
        y = np.array(clicks)[np.argsort(numbers)[::-1]]
        ranks = np.arange(1, count + 1)
        expected["mrr_all"].append((y / ranks).sum() / y.sum())
        for k in (5, 10):
            best = (np.sort(2**y - 1)[::-1] / np.log2(ranks + 1))[:k].sum()
            gain = ((2**y - 1) / np.log2(ranks + 1))[:k].sum() / best
            expected[f"ndcg@{k}"].append(gain)
            expected[f"ndcg_exp@{k}"].append(gain)
    for metric, found in expected.items():
        assert values(metric, queries) == pytest.approx(found, abs=1e-12), metric
