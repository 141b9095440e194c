"""The input of each algorithm, and what it hands back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import scipy.sparse

from podium.baselines.matrix.interactions import CodedInteractions, Whole
from podium.baselines.matrix.ranking import best


@dataclass(frozen=True)
class Hyperparameters:
    """Settings of all algorithms; each looks at its own. `memory` is how many bytes there are."""

    length: int = 20
    binary: bool = False
    seed: int = 42
    newest: float = 0.1
    neighbors: int = 50
    popular_items: int = 10_000
    factors: int = 20
    alpha: float = 15
    regularization: float = 0.01
    iterations: int = 15
    learning_rate: float = 0.01
    memory: int | None = None


@dataclass(frozen=True)
class Known:
    """All that an algorithm learns from: the interactions of one objective."""

    interactions: CodedInteractions
    settings: Hyperparameters = field(default_factory=Hyperparameters)

    @cached_property
    def matrix(self) -> scipy.sparse.csr_matrix:
        """Users × items (float64)."""
        return self.interactions.matrix(binary=self.settings.binary)

    @cached_property
    def popular(self) -> Whole:
        """All items, those with most interactions first; of equal ones the first by id."""
        return by_count(self.interactions.item, len(self.interactions.items))

    def of(self, rows: Whole) -> scipy.sparse.csr_matrix:
        """The rows of these users; an empty one for each NONE."""
        known = scipy.sparse.csr_matrix(
            (np.ones((rows >= 0).sum()), (np.flatnonzero(rows >= 0), rows[rows >= 0])),
            shape=(len(rows), self.matrix.shape[0]),
        )
        found = (known @ self.matrix).tocsr()
        found.sort_indices()
        return found


@dataclass(frozen=True)
class QueriedUsers:
    """Users who are recommended something: their ids, and their rows in the matrix; NONE for those
    who have nothing in it."""

    ids: Sequence[str]
    rows: Whole


Recommend = Callable[[QueriedUsers, scipy.sparse.csr_matrix], Whole]
"""Users, and what is left out for each → their lists: places of items, NONE behind short ones."""


@dataclass(frozen=True)
class Recommender:
    """A learned model. `fallback` are all items, in the order in which they stand behind lists that
    are short."""

    recommend: Recommend
    fallback: Whole


Learn = Callable[[Known], Recommender]


def by_count(items: Whole, size: int) -> Whole:
    """All items, the most frequent first; of equal ones the first by id."""
    return np.argsort(-np.bincount(items, minlength=size), kind="stable")


def scored(known: Known, scores: Callable[[Whole], Whole]) -> Recommender:
    """A model that gives every user a score for every item, -inf where it knows none."""

    def recommend(queried: QueriedUsers, left_out: scipy.sparse.csr_matrix) -> Whole:
        found = scores(queried.rows)
        found[queried.rows < 0] = -np.inf
        found[left_out.nonzero()] = -np.inf
        return best(found, known.settings.length)[0]

    return Recommender(recommend, known.popular)
