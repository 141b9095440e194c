"""The classical tests and intervals of rates: golden values."""

from __future__ import annotations

import pytest

from podium.experiments.rates import (
    Rate,
    fisher_p,
    newcombe,
    normal_p,
    pooled_z,
    smallest_expected,
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


def test_nothing_clicked_at_all_is_no_difference() -> None:
    assert pooled_z(Rate(0, 10), Rate(0, 20)) == 0.0
    assert fisher_p(Rate(0, 10), Rate(0, 20)) == 1.0


def test_the_smallest_expected_count_by_hand() -> None:
    # 30 of 400 are clicked: 100 page views expect 7.5 clicks.
    assert smallest_expected(Rate(10, 100), Rate(20, 300)) == 7.5
