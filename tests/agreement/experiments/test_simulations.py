"""Thousands of simulated tests with known effects: 95 % intervals cover 94 to 96 %, an A/A test
alarms as often as it says, CUPED takes away what theory says and stays unbiased.

The seeds are fixed; with 10,000 tests, 94 and 96 % are more than four standard errors away.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from podium.experiments.balance import balance_of
from podium.experiments.means import Estimated, cuped, difference_of, mean_of, ratio_of
from podium.experiments.plan import HashedAssignment, Plan

TESTS = 10_000
EFFECT = 0.5

Draw = Callable[[np.random.Generator], Estimated]


def of_means(rng: np.random.Generator) -> Estimated:
    """Groups of unequal sizes and variances; most users buy nothing in both."""
    control = np.where(rng.random(240) < 0.5, 0, rng.gamma(2, 2, 240))
    other = np.where(rng.random(160) < 0.5, 0, rng.gamma(2, 2.5, 160))
    return difference_of(mean_of(control), mean_of(other))


def of_ratios(rng: np.random.Generator) -> Estimated:
    """Users with very different numbers of sessions, and of sales in each of them."""
    found = []
    for effect, users in ((0, 300), (EFFECT, 250)):
        sessions = (1 + rng.poisson(rng.gamma(2, 2, users))).astype(np.float64)
        found.append(ratio_of(sessions * (rng.gamma(2, 1, users) + effect), sessions))
    return difference_of(*found)


def of_adjusted_means(rng: np.random.Generator) -> Estimated:
    """Users whose amounts before explain much, and not the same in both groups."""
    before = [rng.gamma(2, 2, users) for users in (200, 120)]
    control = 0.8 * before[0] + rng.normal(0, 1.5, 200)
    other = 1.1 * before[1] - 0.3 * 4 + EFFECT + rng.normal(0, 2, 120)
    return difference_of(*map(mean_of, cuped([control, other], before).adjusted))


@pytest.mark.parametrize(
    ("draw", "effect"),
    [(of_means, EFFECT), (of_ratios, EFFECT), (of_adjusted_means, EFFECT)],
    ids=["means", "ratios", "CUPED"],
)
def test_intervals_of_95_percent_cover_94_to_96(draw: Draw, effect: float) -> None:
    rng = np.random.default_rng(16)
    covered, values = 0, []
    for _ in range(TESTS):
        found = draw(rng)
        low, high = found.interval or (0, 0)
        covered += low <= effect <= high
        values.append(found.value)
    assert 0.94 <= covered / TESTS <= 0.96
    # Unbiased: the mean of all tests is the effect, within four of its standard errors.
    assert abs(np.mean(values) - effect) < 4 * np.std(values) / TESTS**0.5


def test_an_aa_test_alarms_in_5_percent() -> None:
    """Users as they are assigned, so that the hash is tried, too; all three kinds of metrics."""
    rng = np.random.default_rng(7)
    plan = Plan.equal(["a", "b"])
    alarms = np.zeros(3)
    for test in range(TESTS // 2):
        assignment = HashedAssignment.by(plan, f"test {test}")
        is_b = np.array([assignment.group_of(b"%d" % user) == "b" for user in range(300)])
        before, sessions = rng.gamma(2, 2, 300), 1.0 + rng.poisson(3, 300)
        amounts = before + rng.gamma(1, 3, 300)
        sides = (~is_b, is_b)
        found = (
            difference_of(*(mean_of(amounts[side]) for side in sides)),
            difference_of(*(ratio_of(amounts[side], sessions[side]) for side in sides)),
            difference_of(
                *map(
                    mean_of,
                    cuped(
                        [amounts[side] for side in sides], [before[side] for side in sides]
                    ).adjusted,
                )
            ),
        )
        alarms += [(each.p or 0) < 0.05 for each in found]
    assert ((alarms > 0.04 * TESTS / 2) & (alarms < 0.06 * TESTS / 2)).all()


@pytest.mark.parametrize("correlation", [0.0, 0.3, 0.7, 0.9])
def test_cuped_takes_away_the_squared_correlation(correlation: float) -> None:
    rng = np.random.default_rng(3)
    before = [rng.normal(10, 3, 50_000) for _ in range(2)]
    rest = (1 - correlation**2) ** 0.5
    values = [correlation * (x - 10) / 3 + rest * rng.normal(0, 1, 50_000) for x in before]
    found = cuped(values, before)
    assert found.reduction == pytest.approx(correlation**2, abs=0.01)
    plain, adjusted = (
        difference_of(*map(mean_of, each)).variance or 0 for each in (values, found.adjusted)
    )
    assert 1 - adjusted / plain == pytest.approx(found.reduction, abs=0.001)


def test_sizes_of_groups_alarm_in_one_of_a_thousand_tests() -> None:
    rng = np.random.default_rng(5)
    plan = Plan.of({"old": 80, "new": 15, "newer": 5})
    sizes = rng.multinomial(5_000, [0.8, 0.15, 0.05], TESTS)
    alarms = sum(balance_of(counts.tolist(), plan).is_mismatch for counts in sizes)
    # 10 are expected.
    assert 1 <= alarms <= 22
