"""Statements about values and differences."""

from __future__ import annotations

import polars as pl
import pytest

from podium.scoring.uncertainty import LEVEL, Estimate, holm, two_sided_p
from podium.scoring.uncertainty.bootstrap import estimate_of


def test_an_interval_reaches_1_96_standard_errors_to_each_side() -> None:
    estimate = Estimate.closed_form(0.5, 0.1, 100)
    assert estimate.interval == pytest.approx((0.304, 0.696))


def test_without_a_standard_error_there_is_neither_an_interval_nor_a_p() -> None:
    estimate = Estimate.closed_form(0.5, None, 1)
    assert (estimate.interval, estimate.p) == (None, None)


@pytest.mark.parametrize("sigmas", [0.0, 0.5, 1.0, 1.96, 3.0, 8.0, -2.5])
def test_p_is_that_of_the_normal_distribution(sigmas: float) -> None:
    from scipy import stats

    expected = 2 * stats.norm.sf(abs(sigmas))
    assert two_sided_p(sigmas * 0.25, 0.25, units=9) == pytest.approx(expected, rel=1e-12)


def test_without_any_spread_the_equal_signs_decide() -> None:
    assert two_sided_p(0.1, 0.0, units=1) == 1.0
    assert two_sided_p(-0.1, 0.0, units=2) == 0.5
    assert two_sided_p(0.1, 0.0, units=6) < LEVEL < two_sided_p(0.1, 0.0, units=5)


def test_a_spread_that_rounding_makes_is_none() -> None:
    assert two_sided_p(0.1, 1e-17, units=6) == two_sided_p(0.1, 0.0, units=6) == 2.0**-5
    assert two_sided_p(0.0, 0.0, units=6) == 1.0
    assert two_sided_p(0.1, 0.0, units=2000) == 0.0
    assert two_sided_p(0.0, 0.0, units=9) == 1.0


def test_exactly_1_96_standard_errors_are_the_level() -> None:
    assert two_sided_p(1.96, 1.0, units=9) == LEVEL
    assert two_sided_p(1.9601, 1.0, units=9) < LEVEL < two_sided_p(1.9599, 1.0, units=9)


def test_holm_by_hand() -> None:
    # Sorted: .01 · 4, .02 · 3, .03 · 2 (below the last one), .5 · 1.
    assert holm([0.02, 0.5, 0.01, 0.03]) == pytest.approx([0.06, 0.5, 0.04, 0.06])


def test_the_error_of_huge_replicates_is_finite() -> None:
    estimate = estimate_of(1e300, pl.Series([0.0, 2e300] * 1000), 9)
    assert estimate.standard_error == pytest.approx(1e300, rel=1e-3)
