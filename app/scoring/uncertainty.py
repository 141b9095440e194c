"""How sure a score is: standard errors with the session as the sampling unit.

A score is Σ_t w_t · Σ above_t / Σ below_t over objectives t. Linearised, a session i contributes
z_i = Σ_t (w_t / Σ below_t) · (above_it − value_t · below_it), the z_i of a split add up to 0, and
SE² = N / (N − 1) · Σ z_i² over the N sessions that have a label in the split.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import polars as pl

from app.scoring.ground_truth import GroundTruth
from app.scoring.hits import Hits
from app.scoring.metrics import Terms, metric_of
from app.scoring.metrics.sums import exact_sums, sums_in_order


@dataclass(frozen=True)
class Influence:
    """How far each session moves a score: `z` (Float64) of every session that has a label, in the
    order of published numbers, and its `split` (UInt8)."""

    z: pl.Series
    split: pl.Series

    def standard_errors(self) -> dict[int, float | None]:
        """The standard error by split; None for a split of one session."""
        squares = exact_sums(self.z * self.z, self.split)
        counts = dict(self.split.value_counts().iter_rows())
        return {
            split: math.sqrt(squares.get(split, 0) * n / (n - 1)) if n > 1 else None
            for split, n in counts.items()
        }


def influence(terms: Sequence[Terms], truth: GroundTruth) -> Influence:
    """The influence of each session on the weighted score; one `Terms` for each objective."""
    width, queries, keys = len(truth.task.objectives), truth.queries, truth.query_keys
    above, below = _of_objectives(terms, truth)
    sums, totals = exact_sums(above, keys), exact_sums(below, keys)
    pull, value = [0.0] * (max(totals) + 1), [0.0] * (max(totals) + 1)
    for key, total in totals.items():
        weight = truth.task.objectives[key % width].weight
        pull[key], value[key] = float(Fraction(weight) / total), float(sums.get(key, 0) / total)
    z = pl.Series(pull).gather(keys) * (above - pl.Series(value).gather(keys) * below)
    session = queries["query"] // width
    # Few sessions have several objectives; what the later ones add goes to the first.
    z = sums_in_order(session.rle_id(), z, size=session.rle_id()[-1] + 1)
    first = session != session.shift(1, fill_value=truth.session_count)
    return Influence(z, queries["split"].filter(first))


def standard_errors(hits: Hits, truth: GroundTruth) -> dict[int, float | None]:
    """The standard error of the score by split."""
    metrics = [objective.metric for objective in truth.task.objectives]
    terms = {metric: metric_of(metric).terms(hits, truth) for metric in set(metrics)}
    return influence([terms[metric] for metric in metrics], truth).standard_errors()


def _of_objectives(terms: Sequence[Terms], truth: GroundTruth) -> tuple[pl.Series, pl.Series]:
    """Of each query the terms of its own objective."""
    above, below = terms[0].above, terms[0].below
    position = truth.queries["query"] % len(terms)
    for place, other in enumerate(terms):
        if other is not terms[0]:
            theirs = position == place
            above, below = other.above.zip_with(theirs, above), other.below.zip_with(theirs, below)
    return above, below
