"""Computes the influence of each session on a score, and the standard errors that follow from it.

A score is Σ_t w_t · Σ above_t / Σ below_t over objectives t. Linearized, a session i contributes
z_i = Σ_t (w_t / Σ below_t) · (above_it − value_t · below_it), the z_i of a split add up to 0, and
SE² = N / (N − 1) · Σ z_i² over the N sessions that have a label in the split. Sums follow the order
of published ids, so that neither the order of rows nor the number of threads changes a bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import polars as pl

from podium.scoring.kernel.terms import (
    LinePerKey,
    Spread,
    moves_of_runs,
    spreads,
    spreads_of_moves,
)
from podium.scoring.metrics import ByObjective, Terms
from podium.scoring.splits import SPLIT_NAMES
from podium.scoring.truth.canonical import GroundTruth


@dataclass(frozen=True)
class Influence:
    """The influence of each sampling unit on a score: `z` (Float64) of every session, or user, that
    has a label, in the order of published numbers, and its `split` (UInt8)."""

    z: pl.Series
    split: pl.Series

    def __sub__(self, other: Influence) -> Influence:
        """Subtracts two influences: that of the difference of two scores over the same units."""
        return Influence(self.z - other.z, self.split)

    def standard_errors(self) -> dict[int, float | None]:
        """Computes the standard error by split; None for a split of one session."""
        return _errors(spreads(self.z, self.split))


def influence(
    terms: Sequence[Terms],
    values: ByObjective,
    truth: GroundTruth,
    *,
    weights: Sequence[Fraction] | None = None,
) -> Influence:
    """Computes the influence of each session on a weighted sum over the objectives.

    There is one `Terms` for each objective, and `values` are their values. The weights default to
    the task's; a session without a label in an objective with a weight other than 0 has no
    influence, but counts.
    """
    of_queries, line = _moving(terms, values, truth, weights)
    z = moves_of_runs(of_queries, line, truth.sessions["first"])
    return Influence(z, truth.sessions["split"])


def standard_errors(
    terms: Sequence[Terms], values: ByObjective, truth: GroundTruth
) -> dict[int, float | None]:
    """Computes the standard errors with the task's weights, by split."""
    of_queries, line = _moving(terms, values, truth, None)
    sessions = truth.sessions
    return _errors(spreads_of_moves(of_queries, line, sessions["first"], sessions["split"]))


def _errors(found: dict[int, Spread]) -> dict[int, float | None]:
    return {split: spread.standard_error() for split, spread in sorted(found.items())}


def _moving(
    terms: Sequence[Terms],
    values: ByObjective,
    truth: GroundTruth,
    weights: Sequence[Fraction] | None,
) -> tuple[Terms, LinePerKey]:
    weights = weights or [Fraction(objective.weight) for objective in truth.task.objectives]
    of_queries = of_objectives(terms, truth)
    # Splits that are not scored keep 0: such a session has no influence.
    pull = [0.0] * (1 + max(SPLIT_NAMES)) * len(terms)
    value = list(pull)
    for (split, position), total in _totals(of_queries, truth).items():
        number = split * len(terms) + position
        pull[number] = float(weights[position] / total)
        value[number] = float(values[split, position])
    return of_queries, LinePerKey(truth.query_keys, pl.Series(pull), pl.Series(value))


def _totals(terms: Terms, truth: GroundTruth) -> dict[tuple[int, int], Fraction]:
    """Sums `below` by split and objective."""
    if terms.is_mean:
        return {key: Fraction(totals.queries) for key, totals in truth.totals.items()}
    # Denominators are whole numbers, whose sums are exact in any order.
    sums = truth.by_objective(terms.below)
    return {key: Fraction(sums[key]) for key in truth.totals}


def of_objectives(terms: Sequence[Terms], truth: GroundTruth) -> Terms:
    """Selects the terms of each query's own objective."""
    first = terms[0]
    if all(other is first for other in terms):
        return first
    position = truth.queries["query"] % len(terms)
    above, below = first.above.cast(pl.Float64), first.below.cast(pl.Float64)
    for place, other in enumerate(terms):
        theirs = position == place
        above = other.above.cast(pl.Float64).zip_with(theirs, above)
        below = other.below.cast(pl.Float64).zip_with(theirs, below)
    return Terms(above, below)
