"""Defines the input and the output of algorithms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import scipy.sparse

from podium.baselines.matrix.interactions import CodedInteractions, Whole
from podium.baselines.matrix.ranking import best
from podium.baselines.registry import Hyperparameters


@dataclass(frozen=True)
class Known:
    """The training data of an algorithm: the interactions of one objective."""

    interactions: CodedInteractions
    settings: Hyperparameters = field(default_factory=Hyperparameters)

    @cached_property
    def matrix(self) -> scipy.sparse.csr_matrix:
        """The matrix of users × items (float64)."""
        return self.interactions.matrix(binary=self.settings.binary)

    @cached_property
    def popular(self) -> Whole:
        """All items, those with most interactions first; ties go to the first by id."""
        return by_count(self.interactions.item, len(self.interactions.items))

    def of(self, rows: Whole) -> scipy.sparse.csr_matrix:
        """Selects the rows of these users; an empty row for each NONE."""
        known = scipy.sparse.csr_matrix(
            (np.ones((rows >= 0).sum()), (np.flatnonzero(rows >= 0), rows[rows >= 0])),
            shape=(len(rows), self.matrix.shape[0]),
        )
        found = (known @ self.matrix).tocsr()
        found.sort_indices()
        return found


@dataclass(frozen=True)
class QueriedUsers:
    """Users to recommend items to: their ids, and their rows in the matrix; NONE for those without
    interactions."""

    ids: Sequence[str]
    rows: Whole


Recommend = Callable[[QueriedUsers, scipy.sparse.csr_matrix], Whole]
"""Maps users, and the items excluded for each, to their lists: indices of items, padded with
NONE."""


@dataclass(frozen=True)
class Recommender:
    """A learned model. `fallback` are all items, in the order in which they fill up short lists."""

    recommend: Recommend
    fallback: Whole


Learn = Callable[[Known], Recommender]


def by_count(items: Whole, size: int) -> Whole:
    """Sorts all items by frequency, the most frequent first; ties go to the first by id."""
    return np.argsort(-np.bincount(items, minlength=size), kind="stable")


def scored(known: Known, scores: Callable[[Whole], Whole]) -> Recommender:
    """Builds a model from a function that scores every item for each user, -inf for unknown
    ones."""

    def recommend(queried: QueriedUsers, left_out: scipy.sparse.csr_matrix) -> Whole:
        found = scores(queried.rows)
        found[queried.rows < 0] = -np.inf
        found[left_out.nonzero()] = -np.inf
        return best(found, known.settings.length)[0]

    return Recommender(recommend, known.popular)
