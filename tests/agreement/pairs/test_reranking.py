"""Metrics of candidates against all orders of the tied, trec_eval, scikit-learn, and MIND's
definitions."""

from __future__ import annotations

import random

import numpy as np
import polars as pl
import pytest
import pytrec_eval
from sklearn.metrics import ndcg_score, roc_auc_score

from podium.scoring.metrics import pair_metric_of
from podium.scoring.pairs.answers import ScoredPairs
from podium.scoring.splits import ALL
from tests.builders.reranking.candidates import METRICS, over_all_orders


def value(metric: str, numbers: list[float], targets: list[float]) -> float:
    """The value of a single query."""
    side = pl.Series([ALL] * len(numbers), dtype=pl.UInt8)
    slots = pl.Series([0] * len(numbers), dtype=pl.UInt32)
    units = pl.DataFrame(
        {"split": [ALL], "pairs": [len(numbers)]}, schema={"split": pl.UInt8, "pairs": pl.UInt32}
    )
    given = pl.Series(numbers, dtype=pl.Float64)
    scored = ScoredPairs(given, pl.Series(targets, dtype=pl.Float64), side, slots, units, (ALL,))
    return float(pair_metric_of(metric).measure(scored).values[ALL])


def targets_of(dice: random.Random, count: int, known: tuple[float, ...]) -> list[float]:
    """Targets with a zero and another number among them."""
    targets = [0.0, dice.choice(known), *(dice.choice((0.0, *known)) for _ in range(count - 2))]
    dice.shuffle(targets)
    return targets


@pytest.mark.parametrize("seed", range(4))
def test_ties_count_as_the_mean_over_all_their_orders(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(150):
        count = dice.randint(2, 6)
        some = [-1.5, 0.0, -0.0, 2.0, 1e100, 1e-300][: dice.randint(1, 6)]
        numbers = [dice.choice(some) for _ in range(count)]
        targets = targets_of(dice, count, (1.0, 1.0, 3.0, 0.5))
        for metric in METRICS:
            expected = over_all_orders(metric, numbers, targets)
            assert value(metric, numbers, targets) == pytest.approx(expected, abs=1e-13), metric


@pytest.mark.parametrize("seed", range(3))
def test_scikit_learn_agrees_also_with_ties(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(700):
        count, k = dice.randint(2, 60), dice.randint(1, 20)
        numbers = [float(dice.randint(0, dice.choice((3, 30, 10**6)))) for _ in range(count)]
        targets = targets_of(dice, count, (1.0, 2.0, 5.0))
        classes = [target > 0 for target in targets]
        area = roc_auc_score(classes, numbers)
        assert value("gauc", numbers, targets) == pytest.approx(area, abs=1e-12)
        gain = ndcg_score([targets], [numbers], k=k)
        assert value(f"ndcg@{k}", numbers, targets) == pytest.approx(gain, abs=1e-12)
        exponential = ndcg_score([[2**target - 1 for target in targets]], [numbers], k=k)
        assert value(f"ndcg_exp@{k}", numbers, targets) == pytest.approx(exponential, abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_trec_eval_agrees_where_nothing_is_tied(seed: int) -> None:
    dice = random.Random(seed)
    names = {"map": "map", "recip_rank": "mrr", "ndcg_cut_10": "ndcg@10", "success_5": "hit_rate@5"}
    for _ in range(500):
        count = dice.randint(2, 50)
        # trec_eval reads scores as float32.
        numbers = [float(number) for number in dice.sample(range(1000), count)]
        targets = targets_of(dice, count, (1.0, 2.0, 5.0))
        qrel = {"q": {f"d{n}": int(target) for n, target in enumerate(targets)}}
        run = {"q": {f"d{n}": number for n, number in enumerate(numbers)}}
        found = pytrec_eval.RelevanceEvaluator(
            qrel, {"map", "recip_rank", "ndcg_cut", "success"}
        ).evaluate(run)["q"]
        for theirs, ours in names.items():
            assert value(ours, numbers, targets) == pytest.approx(found[theirs], abs=1e-12), ours


def test_clicks_score_by_the_definitions_of_mind() -> None:
    # (Wu et al. 2020): Σ y / rank / Σ y, and gains 2^y − 1, which are y for clicks.
    dice = random.Random(5)
    for _ in range(500):
        count = dice.randint(2, 80)
        numbers = [dice.random() for _ in range(count)]
        clicks = targets_of(dice, count, (1.0,))
        y = np.array(clicks)[np.argsort(numbers)[::-1]]
        ranks = np.arange(1, count + 1)
        assert value("mrr_all", numbers, clicks) == pytest.approx((y / ranks).sum() / y.sum())
        for k in (5, 10):
            best = (np.sort(2**y - 1)[::-1] / np.log2(ranks + 1))[:k].sum()
            gain = ((2**y - 1) / np.log2(ranks + 1))[:k].sum() / best
            assert value(f"ndcg@{k}", numbers, clicks) == pytest.approx(gain, abs=1e-12)
            assert value(f"ndcg_exp@{k}", numbers, clicks) == pytest.approx(gain, abs=1e-12)
