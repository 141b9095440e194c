"""Describes the range of scores of a competition, measured with files that need no model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

SEED = 20
"""The seed of random submissions. It is fixed, so that the same ground truth always gives the same
checklist."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitExtremes:
    """Scores as texts `p/q`: `random` is that of random guesses among all labeled items, and
    `standard_error` that of a file with every other label."""

    perfect: str
    optimum: str
    empty: str
    random: str
    standard_error: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Extremes:
    """The scores of a perfect file, of the sample and of random predictions, by split.

    For pairs `random` is the score of random numbers, `standard_error` its standard error, and
    `auc_by_place` the AUC of the published order of pairs as a predictor of relevance: over all
    pairs of a split, or over those of each query.
    """

    perfect_is_optimal: bool
    empty_is_worst: bool
    splits: Mapping[str, SplitExtremes]
    place_matters: bool = False
    """True where the order of the rows changes the score."""
    auc_by_place: float | None = None
