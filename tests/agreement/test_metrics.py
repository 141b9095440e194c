"""Every rank metric against independent libraries, where their definitions are ours: 4,500 random
queries each, compared one by one."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import ir_measures
import numpy as np
import polars as pl
import pytest
import pytrec_eval
import sklearn
from implicit.evaluation import ranking_metrics_at_k
from ir_measures import AP, ERR, RR, P, R, Success, nDCG
from scipy.sparse import csr_matrix
from scipy.stats import entropy
from sklearn.metrics import average_precision_score, f1_score, ndcg_score

from podium.scoring.metrics import rank_metric_of
from podium.scoring.metrics.exposure import Entropy, Gini
from tests.builders.scoring.queries import Query, judged, random_queries
from tests.builders.scoring.reference import UNCHECKED, Recommender

QUERIES = 4500
KS = [1, 3, 10, 50]


def qrels_of(queries: Sequence[Query]) -> dict[str, dict[str, int]]:
    """Relevances as the libraries of information retrieval take them."""
    return {
        str(number): {str(item): relevance for item, relevance in query.relevant.items()}
        for number, query in enumerate(queries)
    }


def run_of(queries: Sequence[Query], k: int | None = None) -> dict[str, dict[str, float]]:
    """Lists as scores that fall with the rank; an empty list stays there as an empty one."""
    return {
        str(number): {str(item): float(1000 - rank) for rank, item in enumerate(query.ranked[:k])}
        for number, query in enumerate(queries)
    }


@pytest.mark.parametrize("k", KS)
@pytest.mark.parametrize("graded", [False, True], ids=["binary", "graded"])
def test_trec_eval_finds_the_same_values(tmp_path: Path, k: int, graded: bool) -> None:
    queries = random_queries(random.Random(100 + k), QUERIES, graded=graded)
    theirs = {
        "precision": f"P_{k}",
        "recall": f"recall_{k}",
        "hit_rate": f"success_{k}",
        "map": f"map_cut_{k}",
        "ndcg": f"ndcg_cut_{k}",
        # It knows no cut for this one: the list is cut before.
        "mrr": "recip_rank",
    }
    wanted = {f"{name}.{k}" for name in ("P", "recall", "success", "map_cut", "ndcg_cut")}
    evaluator = pytrec_eval.RelevanceEvaluator(qrels_of(queries), wanted | {"recip_rank"})
    found = evaluator.evaluate(run_of(queries, k))
    result = judged(tmp_path, queries, [f"{name}@{k}" for name in theirs], graded=graded)
    for name, measure in theirs.items():
        expected = [found.get(str(n), {}).get(measure, 0.0) for n in range(QUERIES)]
        ours = result.values(rank_metric_of(f"{name}@{k}"))
        assert ours == pytest.approx(expected, rel=1e-12, abs=1e-12), name


def test_trec_eval_finds_the_same_values_of_whole_lists(tmp_path: Path) -> None:
    queries = random_queries(random.Random(600), QUERIES)
    theirs = {
        "r_precision": "Rprec",
        "map": "map",
        "mean_f1": "set_F",
        "precision_answered@1000": "set_P",
    }
    evaluator = pytrec_eval.RelevanceEvaluator(qrels_of(queries), set(theirs.values()))
    found = evaluator.evaluate(run_of(queries))
    result = judged(tmp_path, queries, list(theirs))
    for metric, measure in theirs.items():
        expected = [found.get(str(n), {}).get(measure, 0.0) for n in range(QUERIES)]
        ours = result.values(rank_metric_of(metric))
        assert ours == pytest.approx(expected, rel=1e-12, abs=1e-12), metric


@pytest.mark.parametrize("k", KS)
def test_gdeval_finds_the_same_expected_reciprocal_rank(tmp_path: Path, k: int) -> None:
    queries = random_queries(random.Random(700 + k), QUERIES, graded=True)
    # It takes 4 for the greatest relevance, as is the case here, and prints five decimals.
    assert max(max(query.relevant.values()) for query in queries) == 4
    found = {
        each.query_id: each.value
        for each in ir_measures.iter_calc([ERR @ k], qrels_of(queries), run_of(queries))
    }
    ours = judged(tmp_path, queries, [f"err@{k}"], graded=True).values(rank_metric_of(f"err@{k}"))
    expected = [found.get(str(n), 0.0) for n in range(QUERIES)]
    assert ours == pytest.approx(expected, abs=6e-6)


@pytest.mark.parametrize("k", [1, 3, 10])
def test_scikit_learn_finds_the_same_f1(tmp_path: Path, k: int) -> None:
    rng = random.Random(800 + k)
    # Indicators of 12 items: lists are complete, so that all have K places.
    queries = [
        Query(query.relevant, rng.sample(range(12), 12))
        for query in random_queries(rng, 2 * QUERIES)
        if max(query.relevant) < 12
    ]
    metrics = [f"f1@{k}", f"f1@{k}:micro"]
    split = judged(tmp_path, queries, metrics).scored.splits["all"]
    truth = np.array([[item in query.relevant for item in range(12)] for query in queries])
    shown = np.array([[item in query.ranked[:k] for item in range(12)] for query in queries])
    for ours, average in ((split.values, "samples"), (split.diagnostics[metrics[1]], "micro")):
        theirs = f1_score(truth, shown, average=average, zero_division=0)
        assert float(ours[""]) == pytest.approx(theirs, rel=1e-12), average


@pytest.mark.parametrize("k", KS)
def test_ir_measures_finds_the_same_values(tmp_path: Path, k: int) -> None:
    queries = random_queries(random.Random(200 + k), QUERIES, graded=True)
    theirs = {
        P @ k: "precision",
        R @ k: "recall",
        Success @ k: "hit_rate",
        RR @ k: "mrr",
        AP @ k: "map",
        nDCG @ k: "ndcg",
    }
    result = judged(tmp_path, queries, [f"{name}@{k}" for name in theirs.values()], graded=True)
    found = {
        (each.measure, each.query_id): each.value
        for each in ir_measures.iter_calc(list(theirs), qrels_of(queries), run_of(queries))
    }
    for measure, name in theirs.items():
        expected = [found.get((measure, str(n)), 0.0) for n in range(QUERIES)]
        ours = result.values(rank_metric_of(f"{name}@{k}"))
        assert ours == pytest.approx(expected, rel=1e-12, abs=1e-12), name


@pytest.mark.parametrize("k", [1, 3, 10])
@pytest.mark.parametrize("exponential", [False, True])
def test_scikit_learn_finds_the_same_gains(tmp_path: Path, k: int, exponential: bool) -> None:
    rng = random.Random(300 + k)
    # It knows complete rankings only, so every list holds all the items.
    items = 12
    queries = [
        Query(query.relevant, rng.sample(range(items), items))
        for query in random_queries(rng, 3 * QUERIES, graded=True)
        if max(query.relevant) < items
    ][:QUERIES]
    assert len(queries) >= 4000
    name = "ndcg_exp" if exponential else "ndcg"
    ours = judged(tmp_path, queries, [f"{name}@{k}"], graded=True).values(
        rank_metric_of(f"{name}@{k}")
    )
    expected = []
    scores = list(range(items, 0, -1))
    with sklearn.config_context(**UNCHECKED):
        for query in queries:
            gains = [query.relevant.get(item, 0) for item in query.ranked]
            worth = [2**gain - 1 for gain in gains] if exponential else gains
            expected.append(ndcg_score([worth], [scores], k=k, ignore_ties=True))
    assert ours == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_scikit_learn_finds_the_same_average_precision_of_complete_rankings(
    tmp_path: Path,
) -> None:
    rng = random.Random(400)
    queries = [
        Query(query.relevant, rng.sample(range(12), 12))
        for query in random_queries(rng, 3 * QUERIES)
        if max(query.relevant) < 12
    ][:QUERIES]
    ours = judged(tmp_path, queries, ["map@12"]).values(rank_metric_of("map@12"))
    with sklearn.config_context(**UNCHECKED):
        expected = [
            average_precision_score(
                [item in query.relevant for item in query.ranked], list(range(12, 0, -1))
            )
            for query in queries
        ]
    assert ours == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("k", [1, 5, 20])
def test_implicit_finds_the_same_means(tmp_path: Path, k: int) -> None:
    rng = np.random.default_rng(500 + k)
    users, items = 4000, 60
    relevant = rng.random((users, items)) < rng.choice([0.02, 0.1, 0.5], (users, 1))
    relevant[np.arange(users), rng.integers(0, items, users)] = True
    lists = np.array([rng.permutation(items)[:20] for _ in range(users)], dtype=np.int32)
    theirs = ranking_metrics_at_k(
        Recommender(lists),
        csr_matrix((users, items)),
        csr_matrix(relevant.astype(np.float32)),
        K=k,
        show_progress=False,
    )
    queries = [
        Query(dict.fromkeys(np.flatnonzero(relevant[user]).tolist(), 1), lists[user].tolist())
        for user in range(users)
    ]
    names = {"map_capped": "map", "ndcg": "ndcg", "recall_capped": "precision"}
    ids = [f"map_capped@{k}", f"ndcg@{k}", f"recall_capped@{k}:micro"]
    result = judged(tmp_path, queries, ids)
    for metric in map(rank_metric_of, ids):
        ours = metric.compute(result.hits, result.truth)[3, 0]
        assert float(ours) == pytest.approx(theirs[names[metric.key]], abs=1e-12), metric.name


def counts_of(rng: random.Random) -> list[int]:
    size, most = rng.choice([1, 2, 5, 60]), rng.choice([1, 3, 1000])
    counts = [rng.randint(0, most) for _ in range(size)]
    counts[rng.randrange(size)] += 1
    return counts


def test_scipy_finds_the_same_entropy() -> None:
    rng = random.Random(1)
    for _ in range(QUERIES):
        counts = counts_of(rng)
        ours = float(Entropy(5).of_items(pl.Series(counts, dtype=pl.UInt32)))
        assert ours == pytest.approx(float(entropy(counts, base=2)), rel=1e-12, abs=1e-14)


def test_gini_is_twice_the_area_between_the_lorenz_curve_and_equality() -> None:
    rng = random.Random(2)
    for _ in range(QUERIES):
        counts = counts_of(rng)
        curve = np.concatenate([[0.0], np.cumsum(np.sort(counts)) / sum(counts)])
        area = float(np.trapezoid(curve, np.linspace(0, 1, len(curve))))
        ours = float(Gini(5).of_items(pl.Series(counts, dtype=pl.UInt32)))
        assert ours == pytest.approx(1 - 2 * area, rel=1e-12, abs=1e-14)
