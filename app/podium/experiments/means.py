"""Computes means and ratios over users, who are independent of each other: tests, intervals, CUPED.

Sums are exact (`math.fsum`), so that no result depends on the order of the users.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from podium.experiments.rates import SIGMAS, Interval, normal_p

Values = NDArray[np.float64]
"""An array with one number for each user of a group."""


@dataclass(frozen=True, slots=True)
class Estimated:
    """A mean or a ratio over users. `degrees` are those of Student's t; a ratio, which is only
    asymptotically normal, has none. The `variance` is None for a single user."""

    value: float
    variance: float | None
    degrees: float | None

    @property
    def interval(self) -> Interval | None:
        """The 95 % confidence interval; None for a single user."""
        if self.variance is None:
            return None
        sigmas = SIGMAS if self.degrees is None else float(scipy.stats.t.ppf(0.975, self.degrees))
        reach = sigmas * math.sqrt(self.variance)
        return self.value - reach, self.value + reach

    @property
    def statistic(self) -> float:
        """The value in standard errors: t, or z; 0 where nothing varies."""
        return self.value / math.sqrt(self.variance) if self.variance else 0.0

    @property
    def p(self) -> float | None:
        """The probability of a value at least as far from 0 if there is no effect. Where nothing
        varies, any effect is certain."""
        if self.variance is None:
            return None
        if self.variance == 0:
            return 1.0 if self.value == 0 else 0.0
        if self.degrees is None:
            return normal_p(self.statistic)
        return float(2 * scipy.stats.t.sf(abs(self.statistic), self.degrees))


def mean_of(values: Values) -> Estimated:
    """Computes the mean of a group.

    >>> mean_of(np.array([12.0, 9, 11, 10, 8]))
    Estimated(value=10.0, variance=0.5, degrees=4)
    """
    n = len(values)
    mean = total(values) / n
    if n < 2:
        return Estimated(mean, None, None)
    return Estimated(mean, total((values - mean) ** 2) / (n - 1) / n, n - 1)


def ratio_of(above: Values, below: Values) -> Estimated:
    """Computes Σ above / Σ below of a group, with its variance by the delta method.

    The variance is n / (n − 1) · Σ (above − ratio · below)² / (Σ below)². Source: Deng, Knoblich &
    Lu, Applying the delta method in metric analytics, 2018.

    >>> found = ratio_of(np.array([1.0, 0, 3, 2, 0, 1]), np.array([10.0, 5, 20, 10, 5, 10]))
    >>> round(found.value, 6), round(found.variance, 12)
    (0.116667, 0.000625)
    """
    n, whole = len(above), total(below)
    ratio = total(above) / whole
    if n < 2:
        return Estimated(ratio, None, None)
    squares = total((above - ratio * below) ** 2)
    return Estimated(ratio, n / (n - 1) * squares / whole**2, None)


def difference_of(first: Estimated, second: Estimated) -> Estimated:
    """Subtracts the first from the second. For two means it is Welch's t-test, which does not
    assume equal variances. Source: Welch, The generalization of Student's problem, 1947.

    >>> first, second = np.array([12.0, 9, 11, 10, 8]), np.array([14.0, 10, 13, 12, 9])
    >>> found = difference_of(mean_of(first), mean_of(second))
    >>> round(found.statistic, 6), round(found.degrees, 6), round(found.p, 6)
    (1.371989, 7.476152, 0.209819)
    """
    value = second.value - first.value
    if first.variance is None or second.variance is None:
        return Estimated(value, None, None)
    both = first.variance + second.variance
    if first.degrees is None or second.degrees is None or both == 0:
        return Estimated(value, both, None)
    # With shares, so that tiny variances do not vanish when they are squared.
    share = first.variance / both
    degrees = 1 / (share**2 / first.degrees + (1 - share) ** 2 / second.degrees)
    return Estimated(value, both, degrees)


@dataclass(frozen=True, slots=True)
class Cuped:
    """Values adjusted by the same users' values before the test: each minus θ · (before − mean
    before).

    `reduction` is the share of the variance within groups that this removes.
    """

    theta: float
    reduction: float
    adjusted: tuple[Values, ...]


def cuped(groups: Sequence[Values], before: Sequence[Values]) -> Cuped:
    """Adjusts the values of all groups by those of the same users before the test.

    θ is the covariance over the variance, both pooled within the groups, so that the effect itself
    does not influence it; the mean before is that of all users. Source: Deng, Xu, Kohavi & Walker,
    Improving the sensitivity of online controlled experiments by utilizing pre-experiment data,
    2013.

    >>> found = cuped(
    ...     [np.array([1.0, 2, 3]), np.array([4.0, 6, 8])],
    ...     [np.array([1.0, 2, 3]), np.array([1.0, 2, 3])],
    ... )
    >>> found.theta, found.reduction, found.adjusted[1].tolist()
    (1.5, 0.9, [5.5, 6.0, 6.5])
    """
    values = np.concatenate([_centered(each) for each in groups])
    covariates = np.concatenate([_centered(each) for each in before])
    spread, squares = total(values**2), total(covariates**2)
    theta = total(values * covariates) / squares if squares else 0.0
    middle = total(np.concatenate(before)) / len(covariates)
    adjusted = tuple(
        each - theta * (known - middle) for each, known in zip(groups, before, strict=True)
    )
    left = total((values - theta * covariates) ** 2)
    return Cuped(theta, 1 - left / spread if spread else 0.0, adjusted)


def total(values: Values) -> float:
    """Computes the exact sum, rounded once."""
    return math.fsum(values.tolist())


def _centered(values: Values) -> Values:
    return values - total(values) / len(values)
