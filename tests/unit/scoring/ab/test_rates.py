"""The classical tests and intervals: golden values, and SciPy and statsmodels on random cases."""

from __future__ import annotations

import pytest
from scipy import stats

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


@pytest.mark.parametrize("degrees", [1.0, 2.5, 30.0, 1e4, 1e7, 1e9])
@pytest.mark.parametrize("t", [0.0, 1e-6, 0.3, 1.0, 4.0, 30.0])
def test_students_p_agrees_with_scipy_far_out(t: float, degrees: float) -> None:
    assert student_p(t, degrees) == pytest.approx(2 * stats.t.sf(t, degrees), rel=1e-8)


@pytest.mark.parametrize("t", [0.1, 0.5, 1.0, 1.7, 3.0])
def test_students_p_keeps_its_digits_with_a_million_users(t: float) -> None:
    assert student_p(t, 1e6) == pytest.approx(2 * stats.t.sf(t, 1e6), rel=1e-11)
