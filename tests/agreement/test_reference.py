"""Every rank metric against the slow reference, on thousands of random queries."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from pathlib import Path

import pytest

from podium.scoring.metrics import RANK_METRICS, rank_metric_of
from tests.builders.scoring.queries import Query, id_at, judged, random_queries
from tests.builders.scoring.reference import ratio, rbp, value

QUERIES = 4500


@pytest.mark.parametrize("graded", [False, True], ids=["binary", "graded"])
@pytest.mark.parametrize("k", [1, 2, 3, 10, 20, 150])
def test_all_metrics_agree_with_the_slow_reference_query_by_query(
    tmp_path: Path, k: int, graded: bool
) -> None:
    queries = random_queries(random.Random(k), QUERIES, graded=graded, repeats=True)
    ids = [id_at(name, k) for name in RANK_METRICS]
    greatest = max(max(query.relevant.values()) for query in queries)
    result = judged(tmp_path, queries, ids, graded=graded)
    for name, metric in zip(RANK_METRICS, ids, strict=True):
        ours = result.values(rank_metric_of(metric))
        theirs = [value(name, k, query, greatest) for query in queries]
        assert ours == pytest.approx(theirs, rel=1e-12, abs=1e-12), name
        mean = math.fsum(theirs) / len(theirs)
        split = result.scored.splits["all"]
        whole = split.values if ids[0] == metric else split.diagnostics[metric]
        assert float(whole[""]) == pytest.approx(mean, rel=1e-13), name


@pytest.mark.parametrize("k", [1, 5, 20])
def test_micro_averages_divide_the_sums_once(tmp_path: Path, k: int) -> None:
    queries = random_queries(random.Random(k), 500, repeats=True)
    names = [name for name, metric in RANK_METRICS.items() if "micro" in metric.averages]
    result = judged(tmp_path, queries, [id_at(name, k, "micro") for name in names])
    for name in names:
        pairs = [ratio(name, k, query) for query in queries]
        if name == "f1":
            # That of both micro averages.
            found = sum(ratio("recall", k, query)[0] for query in queries)
            pairs = [(2 * found, sum(k + len(query.relevant) for query in queries))]
        expected = Fraction(sum(int(a) for a, _ in pairs), sum(int(b) for _, b in pairs))
        metric = rank_metric_of(id_at(name, k, "micro"))
        assert metric.compute(result.hits, result.truth) == {(3, 0): expected}, name


@pytest.mark.parametrize("percent", [1, 5, 50, 80, 95, 99])
def test_rank_biased_precision_takes_any_p(tmp_path: Path, percent: int) -> None:
    queries = random_queries(random.Random(percent), 1000, graded=True, repeats=True)
    metric = rank_metric_of(f"rbp_{percent:02}@30")
    ours = judged(tmp_path, queries, [metric.id], graded=True).values(metric)
    assert ours == pytest.approx([rbp(query, 30, percent / 100) for query in queries], rel=1e-12)


def test_average_precision_without_k_looks_at_whole_lists(tmp_path: Path) -> None:
    queries = random_queries(random.Random(8), 2000, repeats=True)
    queries.append(Query({1: 1, 2: 1}, [*range(3, 1001), 1, 1, 2]))
    result = judged(tmp_path, queries, ["map", "map@5"])
    assert result.values(rank_metric_of("map")) == pytest.approx(
        [value("map", 1000, query) for query in queries], rel=1e-12
    )
    assert result.values(rank_metric_of("map"))[-1] == pytest.approx(1 / 999 / 2)


def test_a_smaller_k_needs_no_other_hits(tmp_path: Path) -> None:
    queries = random_queries(random.Random(7), 300, graded=True, repeats=True)
    ids = ["ndcg@5", "recall@20", "map@1", "mrr@10", "dcg_exp@3"]
    together = judged(tmp_path, queries, ids, graded=True)
    for metric in ids[1:]:
        alone = judged(tmp_path, queries, [metric], graded=True)
        found = together.scored.splits["all"].diagnostics[metric]
        assert found == alone.scored.splits["all"].values
