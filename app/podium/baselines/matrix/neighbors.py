"""Finds nearest neighbors by cosine, among items (Deshpande, Karypis 2004) and among users (Sarwar
et al. 2000)."""

from __future__ import annotations

import numpy as np
import scipy.sparse

from podium.baselines.matrix.interactions import Whole
from podium.baselines.matrix.model import Known, Recommender, scored
from podium.baselines.matrix.ranking import NONE, best, rows_at_a_time


def item_knn(known: Known) -> Recommender:
    """Scores an item by its similarity to those of the user: Σ over these of value × cosine, where
    it is one of the `neighbors` nearest to them."""
    items = known.matrix.T.tocsr()
    count = items.shape[0]
    parts = [
        _nearest(items, np.arange(first, min(first + rows_at_a_time(count), count)), known)
        for first in range(0, count, rows_at_a_time(count))
    ]
    near = scipy.sparse.vstack(parts, format="csr") if parts else items @ known.matrix
    return scored(known, lambda rows: _scores(known.of(rows), near))


def user_knn(known: Known) -> Recommender:
    """Scores an item by its value to the `neighbors` users nearest to the user: Σ over these of
    cosine × value."""

    def scores(rows: Whole) -> Whole:
        parts = []
        size = rows_at_a_time(known.matrix.shape[0])
        for first in range(0, len(rows), size):
            near = _nearest(known.matrix, rows[first : first + size], known)
            parts.append(_scores(near, known.matrix))
        return np.concatenate(parts)

    return scored(known, scores)


def _scores(left: scipy.sparse.csr_matrix, right: scipy.sparse.csr_matrix) -> Whole:
    """Computes the dense product, with -inf instead of 0."""
    found: Whole = (left @ right).toarray()
    found[found == 0] = -np.inf
    return found


def _nearest(
    vectors: scipy.sparse.csr_matrix, rows: Whole, known: Known
) -> scipy.sparse.csr_matrix:
    """Finds the nearest other vectors of some rows (row NONE has none), as a sparse matrix of
    cosines. Ties go to the first."""
    squares = np.asarray(vectors.multiply(vectors).sum(axis=1)).ravel()
    at = np.maximum(rows, 0)
    cosines = (vectors[at] @ vectors.T).toarray()
    # Where vectors have nothing in common, 0 would count as a neighbor; the root of the product,
    # rather than the product of roots, makes equal cosines equal numbers more often.
    common = cosines > 0
    common[np.arange(len(rows)), at] = False
    common[rows < 0] = False
    np.divide(cosines, np.sqrt(squares[at, None] * squares[None, :]), out=cosines, where=common)
    cosines[~common] = -np.inf
    lists, weights = best(cosines, known.settings.neighbors)
    row, place = np.nonzero(lists != NONE)
    entries = (weights[row, place], (row, lists[row, place]))
    return scipy.sparse.csr_matrix(entries, shape=(len(rows), vectors.shape[0]))
