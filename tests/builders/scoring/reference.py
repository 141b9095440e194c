"""The metrics once more, slow and straight from their formulas, one query at a time.

Nothing here is shared with the product: lists are walked in Python, gains and ideals are written
out, and averages are taken over plain numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from tests.builders.scoring.queries import Query

WHOLE = 1000
"""Items of a list that count for a metric without K."""

UNCHECKED = {"assume_finite": True, "skip_parameter_validation": True}
"""scikit-learn takes longer to look at what it is given than to compute."""


def value(name: str, k: int, query: Query, greatest: int = 1) -> float:
    """A metric's value for one query, where no relevance of any query is above the greatest one."""
    above, below = ratio(name, k, query, greatest)
    return above / below


def ratio(name: str, k: int, query: Query, greatest: int = 1) -> tuple[float, float]:
    """The gain, and what it is divided by."""
    if name in FURTHER:
        return FURTHER[name](query, k, greatest)
    gains = _gains(query, k)
    ranks = [rank for rank, gain in enumerate(gains, start=1) if gain]
    m = len(query.relevant)
    if name == "precision":
        return len(ranks), k
    if name == "recall":
        return len(ranks), m
    if name == "recall_capped":
        return len(ranks), min(m, k)
    if name == "hit_rate":
        return (1 if ranks else 0), 1
    if name == "mrr":
        return (1 / ranks[0] if ranks else 0.0), 1
    if name in ("map", "map_capped"):
        precisions = [number / rank for number, rank in enumerate(ranks, start=1)]
        return math.fsum(precisions), m if name == "map" else min(m, k)
    if name == "cg":
        return sum(gains), 1
    exponential = name.endswith("_exp")
    dcg = _dcg(gains, exponential=exponential)
    if name.startswith("dcg"):
        return dcg, 1
    ideal = sorted(query.relevant.values(), reverse=True)[:k]
    return dcg, _dcg(ideal, exponential=exponential)


def f1(query: Query, k: int, _: int) -> tuple[float, float]:
    """The harmonic mean of precision and recall."""
    found = sum(1 for gain in _gains(query, k) if gain)
    precision, recall = Fraction(found, k), Fraction(found, len(query.relevant))
    return (float(2 * precision * recall / (precision + recall)) if found else 0.0), 1


def r_precision(query: Query, _: int, __: int) -> tuple[float, float]:
    """Precision at the number of relevant items."""
    m = len(query.relevant)
    return sum(1 for gain in _gains(query, min(m, WHOLE)) if gain), m


def precision_answered(query: Query, k: int, _: int) -> tuple[float, float]:
    """Hits, and places that are taken."""
    return sum(1 for gain in _gains(query, k) if gain), len(query.ranked[:k]) or 1


def mean_f1(query: Query, _: int, __: int) -> tuple[float, float]:
    """Twice what both have, and the sizes of both."""
    listed = query.ranked[:WHOLE]
    return 2 * len(set(listed) & set(query.relevant)), len(listed) + len(query.relevant)


def arhr(query: Query, k: int, _: int) -> tuple[float, float]:
    """The sum of 1 / rank of all hits."""
    ranks = [rank for rank, gain in enumerate(_gains(query, k), start=1) if gain]
    return math.fsum(1 / rank for rank in ranks), 1


def rbp(query: Query, k: int, p: float) -> float:
    """Rank-biased precision: an item is looked at with p^(rank - 1)."""
    gains = _gains(query, k)
    return math.fsum((1 - p) * p**place for place, gain in enumerate(gains) if gain)


def err(query: Query, k: int, greatest: int) -> float:
    """Expected reciprocal rank: a reader goes down the list until an item satisfies."""
    left, expected = 1.0, 0.0
    for rank, gain in enumerate(_gains(query, k), start=1):
        satisfied = (2**gain - 1) / 2**greatest
        expected += left * satisfied / rank
        left *= 1 - satisfied
    return expected


FURTHER: dict[str, Callable[[Query, int, int], tuple[float, float]]] = {
    "f1": f1,
    "r_precision": r_precision,
    "precision_answered": precision_answered,
    "mean_f1": mean_f1,
    "arhr": arhr,
    "rbp": lambda query, k, _: (rbp(query, k, 0.8), 1),
    "err": lambda query, k, greatest: (err(query, k, greatest), 1),
}
"""Metrics that are functions of their own, by name: of a query, K and the greatest relevance."""


def _gains(query: Query, k: int) -> list[int]:
    """The relevance at each of the first K places; a repeated item gains nothing."""
    seen: set[int] = set()
    gains = []
    for item in query.ranked[:k]:
        gains.append(0 if item in seen else query.relevant.get(item, 0))
        seen.add(item)
    return gains


def _dcg(gains: list[int], *, exponential: bool) -> float:
    worth = [2**gain - 1 if exponential else gain for gain in gains]
    return math.fsum(each / math.log2(rank + 1) for rank, each in enumerate(worth, start=1))


class Recommender:
    """Gives the library the lists that a submission holds."""

    def __init__(self, lists: np.ndarray) -> None:
        self.lists = lists

    def recommend(
        self,
        users: Sequence[int],
        *_: object,
        N: int,  # noqa: N803, the library's own name
        **__: object,
    ) -> tuple[np.ndarray, np.ndarray]:
        """As the library's own models do."""
        return self.lists[users, :N], np.ones((len(users), N), dtype=np.float32)
