"""The algorithms for users × items once more, with dense matrices and loops: slow and obvious."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

Dense = np.ndarray[Any, np.dtype[Any]]


def popular(values: Dense) -> list[int]:
    """The items, the one that most users have first; of equal ones the first."""
    counts = (values > 0).sum(axis=0)
    return sorted(range(values.shape[1]), key=lambda item: (-counts[item], item))


def cosine(left: Dense, right: Dense) -> float:
    """0 where one of the two is nothing."""
    common = float(left @ right)
    return common / float(np.sqrt((left @ left) * (right @ right))) if common else 0.0


def nearest(vectors: Dense, count: int) -> Dense:
    """The cosines of each row and the others, 0 for all but the largest; of equal ones the first
    count."""
    found = np.zeros((len(vectors), len(vectors)))
    for one, vector in enumerate(vectors):
        others = [(-cosine(vector, other), at) for at, other in enumerate(vectors) if at != one]
        for negative, at in sorted(others)[:count]:
            found[one, at] = -negative
    return found


def item_knn(values: Dense, count: int) -> Dense:
    """Scores of users × items; 0 means none."""
    return values @ nearest(values.T, count)


def user_knn(values: Dense, count: int) -> Dense:
    """Scores of users × items; 0 means none."""
    return nearest(values, count) @ values


def ease(values: Dense, regularization: float) -> Dense:
    """Scores of users × items, by the closed form."""
    inverse = np.linalg.inv(values.T @ values + regularization * np.eye(values.shape[1]))
    weights = np.eye(values.shape[1]) - inverse @ np.diag(1 / np.diag(inverse))
    np.fill_diagonal(weights, 0)
    return values @ weights


def als(
    values: Dense, items: Dense, *, alpha: float, regularization: float, iterations: int
) -> tuple[Dense, Dense]:
    """Factors of users and of items, from those that items begin with: the equations of Hu, Koren
    and Volinsky, x_u = (YᵀY + Yᵀ(Cᵘ − I)Y + λI)⁻¹ YᵀCᵘp(u)."""
    users = np.zeros((len(values), items.shape[1]))
    for _ in range(iterations):
        users = _solved(values, items, alpha, regularization)
        items = _solved(values.T, users, alpha, regularization)
    return users, items


def _solved(values: Dense, others: Dense, alpha: float, regularization: float) -> Dense:
    found = []
    for row in values:
        confidence = np.diag(1 + alpha * row)
        preference = (row > 0).astype(float)
        left = others.T @ others + others.T @ (confidence - np.eye(len(row))) @ others
        left = left + regularization * np.eye(others.shape[1])
        found.append(np.linalg.solve(left, others.T @ confidence @ preference))
    return np.array(found)


def is_ranking(given: list[int], scores: Dense, left_out: set[int], popular: list[int]) -> bool:
    """True if a list has the items with scores above -inf by these, as far as 1e-9 tells them
    apart, and behind them the popular ones."""
    allowed = {at for at, score in enumerate(scores) if score > -np.inf} - left_out
    count = min(len(given), len(allowed))
    best, rest = given[:count], given[count:]
    values = [scores[at] for at in best]
    others = [scores[at] for at in allowed - set(best)]
    falls = all(after <= before + 1e-9 for before, after in itertools.pairwise(values))
    is_best = not others or not values or max(others) <= min(values) + 1e-9
    behind = [at for at in popular if at not in left_out | set(best)]
    return set(best) <= allowed and falls and is_best and rest == behind[: len(rest)]
