"""Two rates side by side: the classical tests and intervals, in plain arithmetic.

A rate is given as clicks and page views. All tests are two-sided.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

SIGMAS = NormalDist().inv_cdf(0.975)
"""Half the width of a 95 % interval, in standard errors."""

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Rate:
    """`clicks` out of `views` page views."""

    clicks: int
    views: int

    @property
    def value(self) -> float:
        """Clicks / page views."""
        return self.clicks / self.views


def normal_p(z: float) -> float:
    """The chance of a normal value as far from 0, or further.

    >>> round(normal_p(1.959963984540054), 12)
    0.05
    """
    return math.erfc(abs(z) / math.sqrt(2))


def pooled_z(a: Rate, b: Rate) -> float:
    """Z-statistic of `a` − `b` with pooled variance, in standard errors; 0 where nothing, or
    everything, was clicked.

    >>> round(pooled_z(Rate(10, 100), Rate(20, 100)), 6)
    -1.980295
    """
    pooled = Rate(a.clicks + b.clicks, a.views + b.views).value
    variance = pooled * (1 - pooled) * (1 / a.views + 1 / b.views)
    return (a.value - b.value) / math.sqrt(variance) if variance else 0.0


def wilson(rate: Rate) -> Interval:
    """Wilson's 95 % interval of one rate. Source: Wilson, Probable inference, 1927.

    >>> low, high = wilson(Rate(10, 100))
    >>> round(low, 6), round(high, 6)
    (0.055229, 0.174366)
    """
    n, p, squared = rate.views, rate.value, SIGMAS**2
    centre = (p + squared / (2 * n)) / (1 + squared / n)
    reach = SIGMAS / (1 + squared / n) * math.sqrt(p * (1 - p) / n + squared / (4 * n * n))
    # At both ends the bound is exact; rounding must not leave the rates that there are.
    low = 0.0 if rate.clicks == 0 else centre - reach
    return low, 1.0 if rate.clicks == n else centre + reach


def newcombe(a: Rate, b: Rate) -> Interval:
    """The 95 % interval of b − a from Wilson's intervals of both.

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
    """Fisher's exact test: the chance of a table with these margins that is as unlikely, or more.

    Source: Fisher, Statistical Methods for Research Workers, 1934. Tables within a relative 1e-7
    of the observed one count as equally likely, as in R and SciPy.

    >>> round(fisher_p(Rate(10, 100), Rate(20, 100)), 6)
    0.073428
    """
    clicks, views = a.clicks + b.clicks, a.views + b.views
    least, most = max(0, clicks - b.views), min(clicks, a.views)
    # Chances relative to the largest: each follows from its neighbour, so nothing overflows.
    logs = [0.0]
    for n in range(least, most):
        ratio = (clicks - n) * (a.views - n) / ((n + 1) * (views - clicks - a.views + n + 1))
        logs.append(logs[-1] + math.log(ratio))
    largest = max(logs)
    chances = [math.exp(log - largest) for log in logs]
    observed = chances[a.clicks - least] * (1 + 1e-7)
    return min(1.0, math.fsum(c for c in chances if c <= observed) / math.fsum(chances))


def smallest_expected(a: Rate, b: Rate) -> float:
    """The smallest count that the four cells would have if both rates were the same."""
    clicks, views = a.clicks + b.clicks, a.views + b.views
    return min(
        group.views * count / views for group in (a, b) for count in (clicks, views - clicks)
    )


def ratio_variance(above: Sequence[int], below: Sequence[int]) -> float:
    """The variance of Σ above / Σ below over independent users, by the delta method.

    n / (n − 1) · Σ (above − ratio · below)² / (Σ below)². Source: Deng, Knoblich & Lu, Applying the
    delta method in metric analytics, 2018.

    >>> round(ratio_variance([1, 0, 3, 2, 0, 1], [10, 5, 20, 10, 5, 10]), 12)
    0.000625
    """
    n, whole = len(above), sum(below)
    ratio = sum(above) / whole
    squares = math.fsum((y - ratio * x) ** 2 for y, x in zip(above, below, strict=True))
    return n / (n - 1) * squares / whole**2


@dataclass(frozen=True, slots=True)
class Welch:
    """Welch's t-test of two means: t (of the first minus the second), degrees of freedom, p."""

    t: float
    degrees: float
    p: float


def welch(first: Sequence[int], second: Sequence[int]) -> Welch | None:
    """Welch's t-test: compares two means without assuming equal variances; None where nothing
    varies.

    Source: Welch, The generalization of Student's problem, 1947.

    >>> found = welch([12, 9, 11, 10, 8], [14, 10, 13, 12, 9])
    >>> round(found.t, 6), round(found.degrees, 6), round(found.p, 6)
    (-1.371989, 7.476152, 0.209819)
    """
    (mean_1, error_1), (mean_2, error_2) = _mean_and_error(first), _mean_and_error(second)
    both = error_1 + error_2
    if both == 0:
        return None
    t = (mean_1 - mean_2) / math.sqrt(both)
    spread = error_1**2 / (len(first) - 1) + error_2**2 / (len(second) - 1)
    degrees = both**2 / spread
    return Welch(t, degrees, student_p(t, degrees))


def student_p(t: float, degrees: float) -> float:
    """The chance of a value of Student's t as far from 0, or further."""
    whole = degrees + t * t
    return _incomplete_beta(degrees / 2, 0.5, degrees / whole, t * t / whole)


def _mean_and_error(values: Sequence[int]) -> tuple[float, float]:
    """The mean, and the variance of the mean."""
    n = len(values)
    mean = sum(values) / n
    return mean, math.fsum((value - mean) ** 2 for value in values) / (n - 1) / n


def _incomplete_beta(a: float, b: float, x: float, rest: float) -> float:
    """The regularised incomplete beta function, by its continued fraction; `rest` is 1 − x, which
    must be known exactly where x is close to 1.

    Source: Abramowitz & Stegun 26.5.8, evaluated by Lentz's method.
    """
    if x == 0 or rest == 0:
        return 0.0 if x == 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1.0 - _incomplete_beta(b, a, rest, x)
    front = math.exp(_log_of_beta(a, b) + a * _log(x, rest) + b * _log(rest, x))
    d = 1.0 / (1.0 - (a + b) * x / (a + 1))
    c, value = 1.0, d
    for m in range(1, 100_000):  # pragma: no branch - it converges within 100 rounds
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d, c = 1.0 / (1.0 + step * d), 1.0 + step / c
            value *= d * c
        if abs(d * c - 1.0) < 1e-15:
            break
    return front * value / a


def _log(x: float, rest: float) -> float:
    """The logarithm of x, to the last digit also where x is close to 1; `rest` is 1 − x."""
    return math.log(x) if x < 0.5 else math.log1p(-rest)


def _log_of_beta(a: float, b: float) -> float:
    """−ln B(a, b), where one of the two is 1/2 and the other one no less.

    For large arguments, two values of lgamma are so much larger than their difference that its
    digits are lost: there, the series of ln Γ(a + 1/2) − ln Γ(a) is used.
    """
    a, b = max(a, b), min(a, b)
    if a < _LARGE:
        return math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    series = math.log(a) / 2 - 1 / (8 * a) + 1 / (192 * a**3) - 1 / (640 * a**5)
    return series - math.lgamma(0.5)


_LARGE = 100  # From here on, what the series leaves out is below 1e-16.
