"""Tiny competitions of candidates to rerank, their files in both forms, and every metric of one
query by trying all orders."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import groupby, pairwise, permutations
from operator import itemgetter
from typing import Any

from podium.scoring.metrics.rows.targets import TargetRows
from podium.scoring.splits import PUBLIC
from podium.scoring.task import Objective, Task
from tests.builders.scoring.pairs import scored_of

Candidates = Mapping[tuple[Any, Any], float]
"""A number for each pair of a query and one of its candidates."""

METRICS = (
    *("mrr", "mrr_all", "ndcg@3", "ndcg_exp@3", "ndcg@10"),
    *("hit_rate@1", "hit_rate@3", "map", "gauc"),
)


def task_by(metric: str = "ndcg@10", *diagnostics: str, **settings: Any) -> Task:
    """A task of reranking with the columns `impression,item,score`."""
    names = {"id_column": "impression", "item_column": "item", "labels_column": "score"}
    return Task(
        objectives=(Objective("", Decimal(1), metric),),
        kind="rerank",
        diagnostics=diagnostics,
        **{**names, **settings},
    )


EVERYTHING = task_by(*METRICS)


def text_of(numbers: Candidates) -> str:
    """A file with a row for each candidate."""
    rows = [f"{query},{item},{number!r}" for (query, item), number in numbers.items()]
    return "\n".join(["impression,item,score", *rows, ""])


def orders_of(numbers: Candidates) -> dict[Any, list[Any]]:
    """The candidates of each query, the highest number first."""
    by_query = groupby(sorted(numbers, key=itemgetter(0)), key=itemgetter(0))
    return {
        query: sorted((item for _, item in pairs), key=lambda item: -numbers[query, item])
        for query, pairs in by_query
    }


def order_text(orders: Mapping[Any, Sequence[Any]]) -> str:
    """A file with a row for each query."""
    rows = [f"{query},{' '.join(map(str, items))}" for query, items in orders.items()]
    return "\n".join(["impression,items", *rows, ""])


def some_candidates(dice: random.Random, queries: int) -> dict[tuple[int, int], int]:
    """Targets, of which every query has one that is not 0 and one that is."""
    found = {}
    for query in range(queries):
        items = dice.sample(range(50), dice.randint(2, 8))
        for place, item in enumerate(items):
            found[query, item] = place if place < 2 else dice.choice((0, 0, 1, 3))
    pairs = list(found)
    dice.shuffle(pairs)
    return {pair: found[pair] for pair in pairs}


def queries_of(values: list[list[int]]) -> TargetRows:
    """Queries of the public split whose relevant candidates have these ranks, of four."""
    numbers = [float(-rank) for _ in values for rank in range(1, 5)]
    targets = [float(rank in ranks) for ranks in values for rank in range(1, 5)]
    slots = [slot for slot, _ in enumerate(values) for _ in range(4)]
    return scored_of(numbers, targets, slots, [PUBLIC] * len(numbers))


def over_all_orders(metric: str, numbers: Sequence[float], targets: Sequence[float]) -> float:
    """The mean of a metric over every order of one query that its numbers allow."""
    name, _, k = metric.partition("@")
    orders = _orders(tuple(numbers), tuple(targets))
    values = (Fraction(_BY_NAME[name](order, int(k or 0))) * n for order, n in orders.items())
    return float(sum(values) / orders.total())


@lru_cache
def _orders(numbers: tuple[float, ...], targets: tuple[float, ...]) -> Counter[tuple[float, ...]]:
    """The targets in every order that the numbers allow, and in how many ways each comes about."""
    return Counter(
        tuple(targets[place] for place in order)
        for order in permutations(range(len(numbers)))
        if all(numbers[a] >= numbers[b] for a, b in pairwise(order))
    )


def _first(ordered: Sequence[float], _: int) -> Fraction:
    return Fraction(1, 1 + next(at for at, target in enumerate(ordered) if target > 0))


def _all(ordered: Sequence[float], _: int) -> Fraction:
    ranks = [rank for rank, target in enumerate(ordered, start=1) if target > 0]
    return sum((Fraction(1, rank) for rank in ranks), Fraction(0)) / len(ranks)


def _precision(ordered: Sequence[float], _: int) -> Fraction:
    ranks = [rank for rank, target in enumerate(ordered, start=1) if target > 0]
    return sum((Fraction(n, r) for n, r in enumerate(ranks, start=1)), Fraction(0)) / len(ranks)


def _area(ordered: Sequence[float], _: int) -> Fraction:
    right = sum(
        target > 0 >= other for at, target in enumerate(ordered) for other in ordered[at + 1 :]
    )
    relevant = sum(target > 0 for target in ordered)
    return Fraction(right, relevant * (len(ordered) - relevant))


def _hit(ordered: Sequence[float], k: int) -> Fraction:
    return Fraction(any(target > 0 for target in ordered[:k]))


def _gain(ordered: Sequence[float], k: int) -> float:
    def discounted(targets: Sequence[float]) -> float:
        return math.fsum(t / math.log2(r + 1) for r, t in enumerate(targets[:k], start=1))

    return discounted(ordered) / discounted(sorted(ordered, reverse=True))


_BY_NAME: dict[str, Callable[[Sequence[float], int], float | Fraction]] = {
    "mrr": _first,
    "mrr_all": _all,
    "map": _precision,
    "gauc": _area,
    "hit_rate": _hit,
    "ndcg": _gain,
    "ndcg_exp": lambda ordered, k: _gain([2**target - 1 for target in ordered], k),
}
