"""The range of scores of a competition, as files without any model have shown it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitExtremes:
    """Scores as texts `p/q`: `random` is what guesses among all labelled items would score, and
    `standard_error` that of a file with every other label."""

    perfect: str
    optimum: str
    empty: str
    random: str
    standard_error: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Extremes:
    """The scores of a perfect file, of the sample and of chance, by split.

    For pairs `random` is what random numbers have scored, `standard_error` that of it, and
    `told_by_place` how well the order of the published pairs alone tells those that are relevant,
    as an AUC: of all pairs of a split, or of those of each query.
    """

    perfect_is_optimal: bool
    empty_is_worst: bool
    splits: Mapping[str, SplitExtremes]
    place_matters: bool = False
    """True where the same rows in another order have another score."""
    told_by_place: float | None = None
