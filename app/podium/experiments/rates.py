"""Compares two rates by the classical tests and intervals.

A rate is given as clicks and page views. All tests are two-sided.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import scipy

SIGMAS = NormalDist().inv_cdf(0.975)
"""Half the width of a 95 % interval, in standard errors."""

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Rate:
    """A click-through rate: `clicks` out of `views` page views."""

    clicks: int
    views: int

    @property
    def value(self) -> float:
        """Clicks per page view; there must be one."""
        return self.clicks / self.views


def normal_p(z: float) -> float:
    """Computes the two-sided p of z: the probability of a normal value at least as far from 0.

    >>> round(normal_p(1.959963984540054), 12)
    0.05
    """
    return math.erfc(abs(z) / math.sqrt(2))


def pooled_z(a: Rate, b: Rate) -> float:
    """Computes the z-statistic of `a` − `b` with pooled variance, in standard errors; 0 where
    nothing, or everything, was clicked.

    >>> round(pooled_z(Rate(10, 100), Rate(20, 100)), 6)
    -1.980295
    """
    pooled = Rate(a.clicks + b.clicks, a.views + b.views).value
    variance = pooled * (1 - pooled) * (1 / a.views + 1 / b.views)
    return (a.value - b.value) / math.sqrt(variance) if variance else 0.0


def wilson(rate: Rate) -> Interval:
    """Computes Wilson's 95 % interval of one rate. Source: Wilson, Probable inference, 1927.

    >>> low, high = wilson(Rate(10, 100))
    >>> round(low, 6), round(high, 6)
    (0.055229, 0.174366)
    """
    n, p, squared = rate.views, rate.value, SIGMAS**2
    center = (p + squared / (2 * n)) / (1 + squared / n)
    reach = SIGMAS / (1 + squared / n) * math.sqrt(p * (1 - p) / n + squared / (4 * n * n))
    # At both ends the bound is exact; rounding must not exceed the range of rates.
    low = 0.0 if rate.clicks == 0 else center - reach
    return low, 1.0 if rate.clicks == n else center + reach


def newcombe(a: Rate, b: Rate) -> Interval:
    """Computes the 95 % interval of b − a from Wilson's intervals of both.

    Source: Newcombe, Interval estimation for the difference between independent proportions, 1998,
    method 10.

    >>> low, high = newcombe(Rate(10, 100), Rate(20, 100))
    >>> round(low, 6), round(high, 6)
    (0.000149, 0.199474)
    """
    (low_a, high_a), (low_b, high_b) = wilson(a), wilson(b)
    difference = b.value - a.value
    down = math.hypot(b.value - low_b, high_a - a.value)
    up = math.hypot(high_b - b.value, a.value - low_a)
    return difference - down, difference + up


def fisher_p(a: Rate, b: Rate) -> float:
    """Computes p by Fisher's exact test: the probability of all tables with these margins that are
    at most as likely.

    Source: Fisher, Statistical Methods for Research Workers, 1934.

    >>> round(fisher_p(Rate(10, 100), Rate(20, 100)), 6)
    0.073428
    """
    table = [[rate.clicks, rate.views - rate.clicks] for rate in (a, b)]
    return float(scipy.stats.fisher_exact(table).pvalue)


def smallest_expected(a: Rate, b: Rate) -> float:
    """Computes the smallest expected count of the four cells if both rates were the same."""
    clicks, views = a.clicks + b.clicks, a.views + b.views
    return min(
        group.views * count / views for group in (a, b) for count in (clicks, views - clicks)
    )
