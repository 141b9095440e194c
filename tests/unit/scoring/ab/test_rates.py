"""The classical tests and intervals: golden values, and SciPy and statsmodels on random cases."""

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

from podium.scoring.ab.rates import (
    Rate,
    fisher_p,
    newcombe,
    normal_p,
    pooled_z,
    ratio_variance,
    smallest_expected,
    student_p,
    welch,
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


@pytest.mark.parametrize(
    ("a", "b", "z", "p"),
    [
        (Rate(10, 100), Rate(20, 100), -1.9802950859533488, 0.04767038065616141),
        (Rate(1000, 20000), Rate(1100, 20000), -2.2418200205745373, 0.024973006760644276),
    ],
)
def test_the_pooled_z_has_its_golden_values(a: Rate, b: Rate, z: float, p: float) -> None:
    assert pooled_z(a, b) == pytest.approx(z, rel=1e-12)
    assert normal_p(pooled_z(a, b)) == pytest.approx(p, rel=1e-12)


def test_the_exact_test_and_the_intervals_have_their_golden_values() -> None:
    a, b = Rate(10, 100), Rate(20, 100)
    assert fisher_p(a, b) == pytest.approx(0.07342758972137636, rel=1e-12)
    assert newcombe(a, b) == pytest.approx((0.00014902511855761913, 0.19947387007806955), rel=1e-9)
    assert wilson(a) == pytest.approx((0.05522913706067509, 0.17436566150491348), rel=1e-12)


def test_the_delta_method_has_its_golden_value() -> None:
    variance = ratio_variance([1, 0, 3, 2, 0, 1], [10, 5, 20, 10, 5, 10])
    assert variance == pytest.approx(0.0006250000000000002, rel=1e-12)


def test_welchs_test_has_its_golden_values() -> None:
    found = welch([12, 9, 11, 10, 8], [14, 10, 13, 12, 9])
    assert found is not None
    assert (found.t, found.degrees, found.p) == pytest.approx(
        (-1.3719886811400706, 7.476151980598221, 0.20981915465049022), rel=1e-12
    )


def test_what_never_varies_has_no_t() -> None:
    assert welch([3, 3, 3], [3, 3]) is None


def test_nothing_clicked_at_all_is_no_difference() -> None:
    assert pooled_z(Rate(0, 10), Rate(0, 20)) == 0.0
    assert fisher_p(Rate(0, 10), Rate(0, 20)) == 1.0


def test_the_smallest_expected_count_by_hand() -> None:
    # 30 of 400 are clicked: 100 page views expect 7.5 clicks.
    assert smallest_expected(Rate(10, 100), Rate(20, 300)) == 7.5


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


@pytest.mark.parametrize("seed", range(40))
def test_random_means_agree_with_scipy(seed: int) -> None:
    """100 pairs of groups each, 4,000 in all."""
    rng = random.Random(seed)
    for _ in range(100):
        first = [rng.randint(0, 40) for _ in range(rng.randint(2, 60))]
        second = [rng.randint(0, rng.choice((1, 40))) for _ in range(rng.randint(2, 60))]
        found = welch(first, second)
        if found is None:
            continue
        with warnings.catch_warnings():
            # One constant group is no reason for a warning here.
            warnings.simplefilter("ignore")
            expected = stats.ttest_ind(first, second, equal_var=False)
        assert found.t == pytest.approx(expected.statistic, rel=1e-9, abs=1e-12)
        assert found.degrees == pytest.approx(expected.df, rel=1e-9)
        assert found.p == pytest.approx(expected.pvalue, rel=1e-9, abs=1e-300)


@pytest.mark.parametrize("degrees", [1.0, 2.5, 30.0, 1e4, 1e7, 1e9])
@pytest.mark.parametrize("t", [0.0, 1e-6, 0.3, 1.0, 4.0, 30.0])
def test_students_p_agrees_with_scipy_far_out(t: float, degrees: float) -> None:
    assert student_p(t, degrees) == pytest.approx(2 * stats.t.sf(t, degrees), rel=1e-8)


@pytest.mark.parametrize("t", [0.1, 0.5, 1.0, 1.7, 3.0])
def test_students_p_keeps_its_digits_with_a_million_users(t: float) -> None:
    assert student_p(t, 1e6) == pytest.approx(2 * stats.t.sf(t, 1e6), rel=1e-11)
