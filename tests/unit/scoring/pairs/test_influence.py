"""The influence of units on metrics of scored pairs, and the standard errors that follow."""

from __future__ import annotations

import random

import pytest

from podium.scoring.metrics import pair_metric_of
from podium.scoring.splits import ALL, IGNORED, PRIVATE, PUBLIC
from tests.builders.scoring.pairs import WITH_ERRORS, drawn_users, random_case, scored_of, value

COPIES = 300


@pytest.mark.parametrize("name", WITH_ERRORS)
def test_a_unit_moves_a_value_by_the_derivative_of_its_weight(name: str) -> None:
    dice = random.Random(name)
    for _ in range(6):
        numbers, targets, units = random_case(dice, most=20)
        numbers = [0.01 + 0.98 * number for number in numbers]
        measured = pair_metric_of(name).measure(scored_of(numbers, targets, units))
        if name.startswith("gauc") and len(_units_of_both_classes(targets, units)) == 1:
            # A mean of one value: it is not known what the next one would be.
            assert measured.moves is None
            continue
        assert measured.moves is not None
        for place, unit in enumerate(sorted(set(units))):
            # Every unit many times, and this one once more: the last is a small step.
            more = [at for at, other in enumerate(units) if other == unit]
            rows = [*range(len(units))] * COPIES + more
            copies = [100 * copy + each for copy in range(COPIES) for each in units]
            step = value(
                name,
                [numbers[at] for at in rows],
                [targets[at] for at in rows],
                copies + [100 * COPIES] * len(more),
            )
            slope = (step - float(measured.values[ALL])) * COPIES
            size = 100 if name == "rce" else 1
            assert measured.moves[place] == pytest.approx(slope, abs=0.02 * size)


def _units_of_both_classes(targets: list[int], units: list[int]) -> set[int]:
    classes = set(zip(units, targets, strict=True))
    return {unit for unit, _ in classes if {(unit, 0), (unit, 1)} <= classes}


@pytest.mark.parametrize("name", WITH_ERRORS)
def test_influences_add_up_to_nothing_in_each_split(name: str) -> None:
    dice = random.Random(name)
    units = [dice.randint(0, 60) for _ in range(600)]
    sides = [(IGNORED, PUBLIC, PRIVATE)[unit % 3] for unit in units]
    targets = [int(dice.random() < 0.3) for _ in units]
    numbers = [round(dice.random(), 2) for _ in units]
    scored = scored_of(numbers, targets, units, sides)
    moves = pair_metric_of(name).measure(scored).moves
    assert moves is not None
    side = scored.units["split"]
    for split in (PUBLIC, PRIVATE):
        assert moves.filter(side == split).sum() == pytest.approx(0, abs=1e-10)
        assert moves.filter(side == split).abs().sum() > 1e-3
    assert moves.filter(side == IGNORED).abs().sum() == 0


def test_a_diagnostic_without_a_slope_has_no_influence() -> None:
    assert pair_metric_of("ece").measure(scored_of([0.2, 0.7], [0, 1])).moves is None


def test_pairs_that_a_unit_has_four_times_tell_no_more_than_once() -> None:
    numbers, targets, units = drawn_users(random.Random(2), 50)
    once, four_times, as_if_new = (
        pair_metric_of("auc").measure(scored_of(numbers * times, targets * times, given)).moves
        for times, given in ((1, units), (4, units * 4), (4, None))
    )
    assert once is not None
    assert four_times is not None
    assert as_if_new is not None
    assert four_times.to_list() == pytest.approx(once.to_list())
    plain = pair_metric_of("auc").measure(scored_of(numbers, targets)).moves
    assert plain is not None
    assert (as_if_new**2).sum() == pytest.approx((plain**2).sum() / 4)
