"""Metrics of scored pairs do not depend on how numbers are spread, sliced and counted."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from podium.scoring.metrics import pair_metric_of
from podium.scoring.splits import ALL
from tests.builders.scoring.pairs import (
    EVERY,
    random_case,
    scored_of,
    value,
)


@pytest.mark.parametrize("name", ["auc", "gauc", "gauc_weighted", "average_precision", "pr_auc"])
def test_only_the_order_of_numbers_matters_where_areas_are_measured(name: str) -> None:
    dice = random.Random(name)
    for _ in range(100):
        numbers, targets, units = random_case(dice)
        before = value(name, numbers, targets, units)
        assert value(name, [7 * n**3 - 5 for n in numbers], targets, units) == before
        assert value(name, [-0.0 if n == min(numbers) else n for n in numbers], targets, units) == (
            value(name, [0.0 if n == min(numbers) else n for n in numbers], targets, units)
        )


def test_the_opposite_order_has_the_opposite_area() -> None:
    dice = random.Random(6)
    for _ in range(100):
        numbers, targets, units = random_case(dice)
        other = [-n for n in numbers]
        area, opposite = (
            pair_metric_of("auc").measure(scored_of(each, targets, units)).values[ALL]
            for each in (numbers, other)
        )
        assert area + opposite == 1


@pytest.mark.parametrize("name", EVERY)
def test_the_same_to_the_bit_where_nothing_was_compiled(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice = random.Random(name)
    cases = [random_case(dice) for _ in range(20)]

    def measured() -> list[tuple[dict[int, Fraction], list[float] | None]]:
        found = [pair_metric_of(name).measure(scored_of(*case)) for case in cases]
        return [(dict(m.values), m.moves if m.moves is None else m.moves.to_list()) for m in found]

    compiled = measured()
    for module in ("metrics.sums", "kernel.ranks"):
        monkeypatch.setattr(f"podium.scoring.{module}.kernel", lambda: None)
    assert measured() == compiled


@pytest.mark.parametrize("name", EVERY)
def test_slices_of_any_size_give_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    dice = random.Random(name)
    for _ in range(20):
        scored = scored_of(*random_case(dice))
        whole = pair_metric_of(name).measure(scored)
        with monkeypatch.context() as smaller:
            smaller.setattr("podium.scoring.metrics.rows.means._SLICE", 3)
            parts = pair_metric_of(name).measure(scored)
        assert parts.values == whole.values
        if whole.moves is not None:
            assert parts.moves is not None
            assert parts.moves.to_list() == whole.moves.to_list()
