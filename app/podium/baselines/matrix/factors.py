"""Factorizations with the library `implicit`, which is an extra that callers must have
installed."""

from __future__ import annotations

from typing import Any

import numpy as np
import threadpoolctl

from podium.baselines.matrix.interactions import Whole
from podium.baselines.matrix.model import Known, Recommender, scored
from podium.errors import InvalidInput


def als(known: Known) -> Recommender:
    """Learns by alternating least squares for implicit feedback (Hu, Koren, Volinsky 2008): an
    interaction of value r is a preference of 1 with confidence 1 + α·r, all else one of 0 with
    confidence 1."""
    return _of_products(known, *als_factors(known))


def als_factors(known: Known) -> tuple[Whole, Whole]:
    """Learns the factors of users and of items. The equations are solved exactly, in 64-bit floats;
    users come first in each iteration."""
    from implicit.cpu.als import AlternatingLeastSquares

    settings, matrix = known.settings, known.matrix
    # The library takes the entries themselves for the confidence.
    confidence = matrix.copy()
    confidence.data = 1 + settings.alpha * confidence.data
    # More threads inside each multiplication would only slow each other down.
    with threadpoolctl.threadpool_limits(1, "blas"):
        model = AlternatingLeastSquares(
            factors=settings.factors,
            regularization=settings.regularization,
            iterations=settings.iterations,
            dtype=np.float64,
            use_cg=False,
        )
        model.user_factors, model.item_factors = starting_factors(known)
        if matrix.nnz:
            _fit(model, confidence, "alpha")
    return model.user_factors, model.item_factors


def starting_factors(known: Known) -> tuple[Whole, Whole]:
    """Draws random factors of users and items, in [0, 0.01)."""
    chance = np.random.default_rng(known.settings.seed)
    users, items = known.matrix.shape
    width = known.settings.factors
    return 0.01 * chance.random((users, width)), 0.01 * chance.random((items, width))


def bpr(known: Known) -> Recommender:
    """Learns by Bayesian personalized ranking (Rendle et al. 2009): factors that score an item of
    the user above one drawn at random."""
    from implicit.cpu.bpr import BayesianPersonalizedRanking

    settings, matrix = known.settings, known.matrix
    with threadpoolctl.threadpool_limits(1, "blas"):
        # With several threads the result would depend on which is first.
        model = BayesianPersonalizedRanking(
            factors=settings.factors,
            learning_rate=settings.learning_rate,
            regularization=settings.regularization,
            iterations=settings.iterations,
            num_threads=1,
            random_state=settings.seed,
        )
        if matrix.nnz:
            _fit(model, matrix, "learning-rate")
    return _of_products(known, model.user_factors, model.item_factors)


def _fit(model: Any, matrix: Whole, option: str) -> None:  # noqa: ANN401 - implicit has no types
    """Fits a model. Raises `InvalidInput`, which names the `option`, where its factors leave the
    range of floats."""
    from implicit.recommender_base import ModelFitError

    try:
        with np.errstate(all="ignore"):
            model.fit(matrix, show_progress=False)
    except ModelFitError:
        raise InvalidInput(
            f"The factors are too large to be numbers: take a smaller --{option}."
        ) from None


def _of_products(known: Known, users: Whole, items: Whole) -> Recommender:
    """Builds the recommender whose scores are products of a user's and an item's factors."""

    def scores(rows: Whole) -> Whole:
        if not known.matrix.nnz:
            return np.full((len(rows), known.matrix.shape[1]), -np.inf)
        with threadpoolctl.threadpool_limits(1, "blas"):
            found: Whole = users[np.maximum(rows, 0)] @ items.T
            return found

    return scored(known, scores)
