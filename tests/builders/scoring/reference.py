"""The metrics once more, slow and straight from their formulas, one query at a time.

Nothing here is shared with the product: lists are walked in Python, gains and ideals are written
out, and averages are taken over plain numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from tests.builders.scoring.queries import Query


def value(name: str, k: int, query: Query) -> float:
    """A metric's value for one query."""
    above, below = ratio(name, k, query)
    return above / below


def ratio(name: str, k: int, query: Query) -> tuple[float, float]:
    """The gain, and what it is divided by."""
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
