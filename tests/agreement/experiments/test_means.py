"""Means, ratios, CUPED and sizes of random groups, tested as SciPy and statsmodels test them."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import stats
from statsmodels.api import OLS, add_constant
from statsmodels.stats.weightstats import CompareMeans, DescrStatsW

from podium.experiments.balance import balance_of
from podium.experiments.means import Values, cuped, difference_of, mean_of, ratio_of
from podium.experiments.plan import Plan


def random_amounts(rng: np.random.Generator) -> Values:
    """Amounts of a group: often skewed, often mostly 0."""
    amounts = rng.lognormal(rng.uniform(-2, 4), rng.uniform(0.1, 2), rng.integers(2, 80))
    return np.where(rng.random(len(amounts)) < rng.choice((0, 0.7)), 0, amounts)


@pytest.mark.parametrize("seed", range(20))
def test_differences_of_means_agree_with_scipy_and_statsmodels(seed: int) -> None:
    """100 pairs of groups each, 2,000 in all."""
    rng = np.random.default_rng(seed)
    for _ in range(100):
        first, second = random_amounts(rng), random_amounts(rng)
        found = difference_of(mean_of(first), mean_of(second))
        if not found.variance:
            continue
        with warnings.catch_warnings():
            # One constant group is no reason for a warning here.
            warnings.simplefilter("ignore")
            expected = stats.ttest_ind(second, first, equal_var=False)
        assert found.statistic == pytest.approx(expected.statistic, rel=1e-9, abs=1e-12)
        assert found.degrees == pytest.approx(expected.df, rel=1e-9)
        assert found.p == pytest.approx(expected.pvalue, rel=1e-8, abs=1e-300)
        compared = CompareMeans(DescrStatsW(second), DescrStatsW(first))
        ends = compared.tconfint_diff(usevar="unequal")
        assert found.interval == pytest.approx(ends, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_variances_of_ratios_agree_with_a_regression(seed: int) -> None:
    """A ratio of sums is the weighted slope through the origin. Its sandwich variance (HC1, users
    as clusters) is the delta method's."""
    rng = np.random.default_rng(seed)
    for _ in range(50):
        below = rng.integers(1, 30, rng.integers(3, 60)).astype(np.float64)
        above = below * rng.gamma(2, 3, len(below))
        found = ratio_of(above, below)
        # Weighted by 1 / below: the root of the weight on both sides.
        root = np.sqrt(below)
        fitted = OLS(above / root, root).fit(cov_type="HC1")
        assert found.value == pytest.approx(fitted.params[0], rel=1e-9)
        assert found.variance == pytest.approx(fitted.cov_params()[0, 0], rel=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_cuped_agrees_with_a_regression_on_groups_and_the_time_before(seed: int) -> None:
    """θ is the slope of the analysis of covariance, and the effect its coefficient of the group."""
    rng = np.random.default_rng(seed)
    for _ in range(50):
        sizes = rng.integers(3, 60, 2)
        before = [rng.gamma(2, 3, size) for size in sizes]
        values = [
            rng.normal(1, 2) + rng.normal(1, 1) * x + rng.normal(0, 1, len(x)) for x in before
        ]
        found = cuped(values, before)
        is_second = np.repeat([0.0, 1.0], sizes)
        known = np.concatenate(before)
        fitted = OLS(
            np.concatenate(values), add_constant(np.column_stack([is_second, known]))
        ).fit()
        difference = difference_of(*map(mean_of, found.adjusted))
        assert found.theta == pytest.approx(fitted.params[2], rel=1e-8, abs=1e-10)
        assert difference.value == pytest.approx(fitted.params[1], rel=1e-8, abs=1e-8)
        alone = OLS(np.concatenate(values), add_constant(is_second)).fit()
        assert found.reduction == pytest.approx(1 - fitted.ssr / alone.ssr, rel=1e-8, abs=1e-10)


@pytest.mark.parametrize("seed", range(20))
def test_sizes_agree_with_scipy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(50):
        weights = rng.integers(1, 100, rng.integers(2, 8))
        counts = rng.multinomial(rng.integers(10, 10**7), weights / weights.sum())
        plan = Plan.of({str(n): int(weight) for n, weight in enumerate(weights)})
        found = balance_of(counts.tolist(), plan)
        expected = counts.sum() * weights / weights.sum()
        by_hand = ((counts - expected) ** 2 / expected).sum()
        assert found.chi_square == pytest.approx(by_hand, rel=1e-9)
        assert found.p == pytest.approx(stats.chi2.sf(by_hand, len(counts) - 1), rel=1e-8)
