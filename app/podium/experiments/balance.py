"""Tests the sizes of groups for a sample ratio mismatch with their planned shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import scipy

from podium.experiments.plan import Plan

MISMATCH_P = 0.001
"""Below this p, sizes do not match the plan. Source: Fabijan et al., Diagnosing sample ratio
mismatch in online controlled experiments, 2019, who advise a small one."""


@dataclass(frozen=True, slots=True)
class Balance:
    """The result of Pearson's chi-square test of group sizes against their planned shares."""

    chi_square: float
    p: float

    @property
    def is_mismatch(self) -> bool:
        """True if sizes this uneven are very unlikely by chance."""
        return self.p < MISMATCH_P


def balance_of(counts: Sequence[int], plan: Plan) -> Balance:
    """Tests for a sample ratio mismatch; `counts` are in the order of the plan.

    >>> found = balance_of([821588, 815482], Plan.equal(["a", "b"]))
    >>> round(found.chi_square, 3), round(found.p, 8), found.is_mismatch
    (22.774, 1.82e-06, True)
    """
    expected = [float(share * sum(counts)) for share in plan.shares]
    found = scipy.stats.chisquare(counts, expected)
    return Balance(float(found.statistic), float(found.pvalue))


def balance_document(counts: Mapping[str, int], plan: Plan) -> dict[str, Any]:
    """Tests the sizes of groups, JSON-ready; the plan may have them in another order."""
    found = balance_of([counts[name] for name in plan.groups], plan)
    planned = dict(zip(plan.groups, map(float, plan.shares), strict=True))
    return {
        "planned": {name: planned[name] for name in counts},
        "chi_square": found.chi_square,
        "p": found.p,
        "is_mismatch": found.is_mismatch,
    }
