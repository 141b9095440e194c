"""Estimates the uncertainty of a value and of a difference: standard error, 95 % interval, p.

`better` has one meaning everywhere: a difference of more than `SIGMAS` standard errors, after
Holm's correction where several pairs are shown.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

SIGMAS = 1.96
"""Standard errors to each side of a 95 % interval."""

_ROUNDING = 2.0**-40
"""A spread that is smaller than this share of the value results from rounding."""


def two_sided_p(difference: float, standard_error: float, *, units: int) -> float:
    """Computes the probability of a difference at least as large if there is none (normal). Where
    all units differ equally, with no spread beyond rounding, it is the probability of that many
    equal signs.

    >>> round(two_sided_p(1.96, 1.0, units=100), 4), two_sided_p(0.5, 0.0, units=3)
    (0.05, 0.25)
    """
    if standard_error <= _ROUNDING * abs(difference):
        return 1.0 if difference == 0 else math.ldexp(1.0, 1 - units)
    return math.erfc(abs(difference) / standard_error / math.sqrt(2))


LEVEL = two_sided_p(SIGMAS, 1.0, units=1)
"""The p below which a difference is significant: 5 %, exactly at `SIGMAS` standard errors."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value or a difference. It has no standard error for a single session. `interval` is that of
    95 %; `units` are the sessions, or users, behind it."""

    value: float
    standard_error: float | None
    interval: tuple[float, float] | None
    units: int

    @classmethod
    def closed_form(cls, value: float, standard_error: float | None, units: int) -> Estimate:
        """Creates an estimate with a normal interval around the value."""
        if standard_error is None:
            return cls(value, None, None, units)
        reach = SIGMAS * standard_error
        return cls(value, standard_error, (value - reach, value + reach), units)

    @property
    def p(self) -> float | None:
        """The two-sided p of the value against 0."""
        if self.standard_error is None:
            return None
        return two_sided_p(self.value, self.standard_error, units=self.units)

    def to_dict(self) -> dict[str, Any]:
        """Describes the estimate, JSON-ready: `value`, `standard_error` and `interval`."""
        interval = list(self.interval) if self.interval else None
        return {"value": self.value, "standard_error": self.standard_error, "interval": interval}


def tested(differences: Sequence[Estimate], *, higher_is_better: bool) -> list[dict[str, Any]]:
    """Describes differences, each of a first value minus a second, with `p`, `p_holm` (over all of
    them) and `better`: `first`, `second` or None."""
    corrected = holm([1.0 if each.p is None else each.p for each in differences])
    found = []
    for difference, p_holm in zip(differences, corrected, strict=True):
        ahead = "first" if (difference.value > 0) == higher_is_better else "second"
        better = ahead if p_holm < LEVEL else None
        found.append(
            {**difference.to_dict(), "p": difference.p, "p_holm": p_holm, "better": better}
        )
    return found


def holm(p_values: Sequence[float]) -> list[float]:
    """Applies Holm's step-down correction, in the order of the arguments: each p is corrected for
    the number of tests that are not smaller.

    Source: Holm, A simple sequentially rejective multiple test procedure, 1979.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for place, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - place) * p_values[index]))
        corrected[index] = largest
    return corrected
