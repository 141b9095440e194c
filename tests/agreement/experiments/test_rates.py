"""Rates of random groups, tested as SciPy and statsmodels test them."""

from __future__ import annotations

import random
import warnings

import pytest
from scipy import stats
from statsmodels.stats.proportion import (
    confint_proportions_2indep,
    proportion_confint,
    proportions_ztest,
)

from podium.experiments.rates import (
    Rate,
    fisher_p,
    newcombe,
    normal_p,
    pooled_z,
    wilson,
)


def random_pair(rng: random.Random) -> tuple[Rate, Rate]:
    """Two rates, often small or extreme."""
    rates = []
    for _ in range(2):
        views = rng.choice((rng.randint(1, 12), rng.randint(1, 300), rng.randint(1, 50_000)))
        share = rng.choice((0.0, 1.0, rng.random(), rng.random() ** 4))
        rates.append(Rate(round(views * share), views))
    return rates[0], rates[1]


@pytest.mark.parametrize("seed", range(40))
def test_random_rates_agree_with_scipy_and_statsmodels(seed: int) -> None:
    """100 pairs each, 4,000 in all."""
    rng = random.Random(seed)
    for _ in range(100):
        a, b = random_pair(rng)
        counts, views = [a.clicks, b.clicks], [a.views, b.views]
        if 0 < sum(counts) < sum(views):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                z, p = proportions_ztest(counts, views)
            assert pooled_z(a, b) == pytest.approx(z, rel=1e-9, abs=1e-12)
            assert normal_p(pooled_z(a, b)) == pytest.approx(p, rel=1e-9, abs=1e-300)
        table = [[a.clicks, a.views - a.clicks], [b.clicks, b.views - b.clicks]]
        exact = stats.fisher_exact(table).pvalue
        assert fisher_p(a, b) == pytest.approx(exact, rel=1e-7, abs=1e-300), (a, b)
        low, high = proportion_confint(a.clicks, a.views, method="wilson")
        assert wilson(a) == pytest.approx((low, high), rel=1e-9, abs=1e-12)
        low, high = confint_proportions_2indep(
            b.clicks, b.views, a.clicks, a.views, method="newcomb", compare="diff"
        )
        assert newcombe(a, b) == pytest.approx((low, high), rel=1e-9, abs=1e-9)
