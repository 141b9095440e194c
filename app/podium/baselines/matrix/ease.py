"""EASE^R, a linear model with a closed form (Steck 2019): dense in its items, so these are few."""

from __future__ import annotations

import numpy as np
import scipy.linalg.lapack
import threadpoolctl

from podium.baselines.matrix.interactions import Whole
from podium.baselines.matrix.model import Known, Recommender, scored
from podium.baselines.matrix.ranking import CELLS, rows_at_a_time
from podium.errors import InvalidInput

BESIDE = 8 * 8 * CELLS
"""Bytes of temporary arrays beside the matrix of items."""


def ease(known: Known) -> Recommender:
    """Scores by X·B over the most popular items, where B = I − P·diag(1 / P) has the diagonal 0,
    and P = (XᵀX + λI)⁻¹. Raises `InvalidInput` where B is too large for this machine."""
    places = np.sort(known.popular[: known.settings.popular_items])
    _check_memory(len(places), known.settings.memory)
    modeled = known.matrix.tocsc()[:, places].tocsr()
    with threadpoolctl.threadpool_limits(1, "blas"):
        weights = _weights(modeled, known.settings.regularization)

    def scores(rows: Whole) -> Whole:
        found = np.full((len(rows), known.matrix.shape[1]), -np.inf)
        found[:, places] = known.of(rows)[:, places] @ weights
        return found

    return scored(known, scores)


def _check_memory(items: int, memory: int | None) -> None:
    needed = 8 * items * items + BESIDE
    if memory is not None and needed > memory:
        raise InvalidInput(
            f"EASE over {items:,} items needs {needed / 1e9:.1f} GB of memory, and"
            f" {memory / 1e9:.1f} GB are free. Take fewer: --popular-items."
        )


def _weights(modeled: scipy.sparse.csr_matrix, regularization: float) -> Whole:
    """Computes the matrix B, in the memory of XᵀX."""
    size = modeled.shape[1]
    # Column by column, as in LAPACK: otherwise it would work on a copy.
    matrix = np.zeros((size, size), order="F")
    columns, step = modeled.T.tocsr(), rows_at_a_time(size)
    for first in range(0, size, step):
        matrix[:, first : first + step] = (columns[first : first + step] @ modeled).toarray().T
    matrix[np.diag_indices(size)] += regularization
    # The transpose, which is equal, is stored row by row, as sparse matrices multiply.
    matrix = _inverted(matrix).T
    diagonal = matrix.diagonal().copy()
    matrix /= -diagonal
    matrix[np.diag_indices(size)] = 0
    return matrix


def _inverted(matrix: Whole) -> Whole:
    """Inverts a symmetric, positive definite matrix in place."""
    root, failed = scipy.linalg.lapack.dpotrf(matrix, lower=True, overwrite_a=True)
    if failed:
        raise InvalidInput(
            "EASE cannot be computed: without enough --regularization its equations have no"
            " single solution."
        )
    inverse: Whole = scipy.linalg.lapack.dpotri(root, lower=True, overwrite_c=True)[0]
    # Only one triangle has been computed.
    size, step = len(inverse), rows_at_a_time(len(inverse))
    for first in range(0, size, step):
        last = min(first + step, size)
        inverse[first:last, last:] = inverse[last:, first:last].T
        square = inverse[first:last, first:last]
        square[:] = np.tril(square) + np.tril(square, -1).T
    return inverse
