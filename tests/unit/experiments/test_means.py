"""Means and ratios over users: golden values, and numbers worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from podium.experiments.means import Estimated, cuped, difference_of, mean_of, ratio_of


def test_welchs_test_has_its_golden_values() -> None:
    first, second = np.array([12.0, 9, 11, 10, 8]), np.array([14.0, 10, 13, 12, 9])
    found = difference_of(mean_of(second), mean_of(first))
    assert (found.statistic, found.degrees, found.p) == pytest.approx(
        (-1.3719886811400706, 7.476151980598221, 0.20981915465049022), rel=1e-12
    )


def test_the_delta_method_has_its_golden_value() -> None:
    found = ratio_of(np.array([1.0, 0, 3, 2, 0, 1]), np.array([10.0, 5, 20, 10, 5, 10]))
    assert found.value == pytest.approx(0.11666666666666667, rel=1e-12)
    assert found.variance == pytest.approx(0.0006250000000000002, rel=1e-12)


def test_the_interval_of_a_mean_is_students() -> None:
    # 4 degrees of freedom: 2.776445 standard errors of the root of 0.5.
    low, high = mean_of(np.array([12.0, 9, 11, 10, 8])).interval or (0, 0)
    assert (low, high) == pytest.approx((10 - 1.9632432, 10 + 1.9632432), abs=1e-7)


@pytest.mark.parametrize(
    ("other", "p"),
    [(np.full(2, 3.0), 1.0), (np.full(2, 4.0), 0.0)],
    ids=["no difference", "a certain one"],
)
def test_where_nothing_varies_the_difference_is_certain(
    other: np.ndarray[tuple[int], np.dtype[np.float64]], p: float
) -> None:
    found = difference_of(mean_of(np.full(3, 3.0)), mean_of(other))
    assert (found.variance, found.p, found.statistic) == (0, p, 0)
    assert found.interval == (found.value, found.value)


def test_a_single_user_says_nothing_of_others() -> None:
    one, two = mean_of(np.array([5.0])), mean_of(np.array([1.0, 2.0]))
    found = difference_of(two, one)
    assert found == Estimated(3.5, None, None)
    assert (found.p, found.interval) == (None, None)
    assert ratio_of(np.array([1.0]), np.array([2.0])) == Estimated(0.5, None, None)


def test_cuped_by_hand() -> None:
    """Centerd, the groups are (−1, 0, 1) and (−2, 0, 2), and before both (−1, 0, 1): θ is
    (2 + 4) / (2 + 2). What is left is (0.5, 0, −0.5) twice, 1 of 10."""
    found = cuped(
        [np.array([1.0, 2, 3]), np.array([4.0, 6, 8])],
        [np.array([1.0, 2, 3]), np.array([11.0, 12, 13])],
    )
    assert (found.theta, found.reduction) == (1.5, 0.9)
    # The mean before is 7 for all.
    assert [each.tolist() for each in found.adjusted] == [[10.0, 9.5, 9.0], [-2.0, -1.5, -1.0]]


def test_cuped_without_anything_before_changes_nothing() -> None:
    values = [np.array([1.0, 2]), np.array([3.0, 5])]
    found = cuped(values, [np.zeros(2), np.zeros(2)])
    assert (found.theta, found.reduction) == (0, 0)
    assert [each.tolist() for each in found.adjusted] == [[1, 2], [3, 5]]
    assert cuped([np.ones(2), np.ones(2)], values).reduction == 0
