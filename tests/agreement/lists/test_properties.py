"""Properties of every rank metric there is; one that is registered is tested here by itself."""

from __future__ import annotations

import dataclasses
import itertools
import random
from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest

from podium.scoring.metrics import RANK_METRICS, rank_metric_of
from tests.builders.scoring.queries import Query, id_at, judged, random_queries

KS = (1, 3, 20)
NAMES = sorted(RANK_METRICS)
BOUNDED = [name for name in NAMES if RANK_METRICS[name].is_bounded]
GROWING = [
    *("recall", "hit_rate", "mrr", "map", "cg", "dcg", "dcg_exp"),
    *("rbp", "err", "arhr"),
]
"""Metrics whose divisor does not grow with K: a longer list can only add to them."""

WHOLE = {name for name in NAMES if RANK_METRICS[name].takes_k == "never"}
"""Metrics without K, of whole lists."""

UNBOUNDED = {"cg", "dcg", "dcg_exp", "arhr"}


def value(folder: Path, metric: str, queries: list[Query]) -> Fraction:
    """The score of one file by one metric, with graded labels."""
    return judged(folder, queries, [metric], graded=True).scored.splits["all"].values[""]


def some_queries(seed: int, count: int = 60) -> list[Query]:
    return random_queries(random.Random(seed), count, graded=True, repeats=True)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("k", KS)
def test_the_chunks_of_ranks_change_no_bit(tmp_path: Path, name: str, k: int) -> None:
    result = judged(tmp_path, some_queries(k), [id_at(name, k)], graded=True)
    ranks = result.hits.ranks
    chunked = pl.concat([ranks[at : at + 7] for at in range(0, len(ranks), 7)], rechunk=False)
    for average in RANK_METRICS[name].averages:
        metric = rank_metric_of(id_at(name, k, average))
        expected = metric.compute(result.hits, result.truth)
        hits = dataclasses.replace(result.hits, ranks=chunked)
        assert metric.compute(hits, result.truth) == expected
        terms = metric.terms(hits, result.truth)
        assert terms.above.equals(metric.terms(result.hits, result.truth).above)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in WHOLE])
@pytest.mark.parametrize("k", KS)
def test_what_follows_the_first_k_items_changes_nothing(tmp_path: Path, name: str, k: int) -> None:
    queries = some_queries(10 + k)
    cut = [dataclasses.replace(query, ranked=query.ranked[:k]) for query in queries]
    assert value(tmp_path, id_at(name, k), queries) == value(tmp_path, id_at(name, k), cut)


@pytest.mark.parametrize("name", NAMES)
def test_a_repeated_item_counts_as_a_miss_in_its_place(tmp_path: Path, name: str) -> None:
    relevant = {1: 2, 2: 1, 3: 3}
    repeated = value(tmp_path, id_at(name, 5), [Query(relevant, [1, 1, 2, 1, 3])])
    missed = value(tmp_path, id_at(name, 5), [Query(relevant, [1, 90, 2, 91, 3])])
    assert repeated == missed


@pytest.mark.parametrize("name", NAMES)
def test_a_list_is_cut_before_repeated_items_are_looked_at(tmp_path: Path, name: str) -> None:
    relevant = {1: 1, 2: 1}
    longest = 1000 if name in WHOLE else 2
    misses = [*range(3, longest + 1)]
    assert value(tmp_path, id_at(name, 2), [Query(relevant, [1, 1, *misses, 2])]) == value(
        tmp_path, id_at(name, 2), [Query(relevant, [1, 9999, *misses])]
    )


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("k", KS)
def test_nothing_and_only_misses_score_zero(tmp_path: Path, name: str, k: int) -> None:
    relevant = {1: 1, 2: 4}
    for ranked in ([], [8, 9], [9] * 30):
        assert value(tmp_path, id_at(name, k), [Query(relevant, ranked)]) == 0


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_list_stays_in_the_mean(tmp_path: Path, name: str) -> None:
    found, empty = Query({1: 1}, [1, 2, 3]), Query({1: 1}, [])
    one = value(tmp_path, id_at(name, 3), [found])
    assert one > 0
    assert value(tmp_path, id_at(name, 3), [found, empty, empty, empty]) == one / 4


@pytest.mark.parametrize("name", NAMES)
def test_a_query_without_labels_changes_nothing(tmp_path: Path, name: str) -> None:
    queries = some_queries(3)
    unlabelled = [Query({}, [1, 2, 3]), Query({}, [])]
    expected = value(tmp_path, id_at(name, 5), queries)
    assert value(tmp_path, id_at(name, 5), [*unlabelled, *queries]) == expected


@pytest.mark.parametrize("name", BOUNDED)
@pytest.mark.parametrize("k", KS)
def test_the_ideal_list_scores_exactly_one(tmp_path: Path, name: str, k: int) -> None:
    ideal = [
        Query(query.relevant, sorted(query.relevant, key=lambda i: -query.relevant[i]))
        for query in some_queries(20 + k)
    ]
    assert value(tmp_path, id_at(name, k), ideal) == 1


def test_gains_that_are_not_normalized_have_no_upper_bound() -> None:
    assert {name for name in NAMES if RANK_METRICS[name].upper_bound != 1} == UNBOUNDED
    assert {RANK_METRICS[name].upper_bound for name in UNBOUNDED} == {None}


@pytest.mark.parametrize("name", [name for name in NAMES if name not in UNBOUNDED])
@pytest.mark.parametrize("k", KS)
def test_no_query_is_worth_more_than_one_or_less_than_nothing(
    tmp_path: Path, name: str, k: int
) -> None:
    queries = some_queries(30 + k, 400)
    # Every list that holds all labels, in every order of few items, is close to the bound.
    queries += [
        Query({1: 3, 2: 3, 3: 1}, [a, b, c]) for a in (1, 2) for b in (1, 2) for c in (1, 3)
    ]
    values = judged(tmp_path, queries, [id_at(name, k)], graded=True).values(
        rank_metric_of(id_at(name, k))
    )
    assert max(values) <= 1
    assert min(values) >= 0
    assert len(values) == len(queries)


@pytest.mark.parametrize("name", GROWING)
def test_a_larger_k_never_takes_anything_away(tmp_path: Path, name: str) -> None:
    ids = [id_at(name, k) for k in (1, 2, 3, 5, 10, 20, 100)]
    result = judged(tmp_path, some_queries(40, 200), ids, graded=True)
    by_k = [result.values(rank_metric_of(each)) for each in ids]
    for smaller, larger in itertools.pairwise(by_k):
        assert all(a <= b for a, b in zip(smaller, larger, strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_moving_a_hit_up_never_lowers_the_value(tmp_path: Path, name: str) -> None:
    relevant = {1: 1, 2: 3}
    lower = value(tmp_path, id_at(name, 4), [Query(relevant, [9, 1, 8, 2])])
    higher = value(tmp_path, id_at(name, 4), [Query(relevant, [9, 1, 2, 8])])
    assert higher >= lower


IDENTITIES = [
    ("recall@5", "hit_rate@5", 1),
    ("recall@5", "recall_capped@5", 5),
    ("map@5", "mrr@5", 1),
    ("map@5", "map_capped@5", 5),
    ("precision@5", "precision@5:micro", 9),
    ("hit_rate@5", "hit_rate@5:micro", 9),
    ("recall@5", "recall@5:micro", 1),
    ("recall_capped@5", "precision@5", None),
    ("ndcg@5", "ndcg_exp@5", 9),
    ("dcg@5", "dcg_exp@5", 9),
]
"""Pairs that are equal where every query has at most so many labels; None: at least K."""


@pytest.mark.parametrize(("one", "other", "labels"), IDENTITIES)
def test_two_metrics_are_one_where_their_divisors_are(
    tmp_path: Path, one: str, other: str, labels: int | None
) -> None:
    rng = random.Random(50)
    queries = []
    for _ in range(300):
        size = rng.randint(5, 9) if labels is None else rng.randint(1, labels)
        relevant = dict.fromkeys(rng.sample(range(15), size), 1)
        queries.append(Query(relevant, [rng.randrange(15) for _ in range(rng.randint(0, 8))]))
    split = judged(tmp_path, queries, [one, other]).scored.splits["all"]
    # Floats that are summed in another order may differ in their last bit.
    assert float(split.values[""]) == pytest.approx(float(split.diagnostics[other][""]), rel=1e-15)


def test_binary_labels_and_relevances_of_one_are_the_same(tmp_path: Path) -> None:
    queries = random_queries(random.Random(60), 200, repeats=True)
    ids = [id_at(name, 5) for name in NAMES]
    graded = judged(tmp_path, queries, ids, graded=True).scored
    binary = judged(tmp_path, queries, ids, graded=False).scored
    assert graded.splits["all"].values == binary.splits["all"].values
    assert graded.splits["all"].diagnostics == binary.splits["all"].diagnostics
