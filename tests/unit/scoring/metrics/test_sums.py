"""Sums that have no order."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import polars as pl
import pytest

from podium.scoring.metrics.sums import exact_sums, sums_by_slot, sums_in_order


@pytest.mark.parametrize("seed", range(20))
def test_sums_by_key_are_exact_where_values_are_within_the_limbs(seed: int) -> None:
    rng = random.Random(seed)
    scale = 10.0 ** rng.randint(-200, 200)
    values = [rng.random() * scale for _ in range(1000)]
    keys = [rng.randrange(3) for _ in values]
    sums = exact_sums(pl.Series(values), pl.Series(keys, dtype=pl.UInt32))
    for key in range(3):
        mine = [value for value, k in zip(values, keys, strict=True) if k == key]
        assert sums[key] == sum(map(Fraction, mine))
        assert float(sums[key]) == math.fsum(mine)


def test_values_far_below_the_largest_are_cut_at_93_bits_and_never_lost_before() -> None:
    tiny = 2.0**-90
    keys = pl.Series([0, 1], dtype=pl.UInt32)
    sums = exact_sums(pl.Series([1.0 - 2**-53, tiny]), keys)
    assert sums[1] == Fraction(tiny)


@pytest.mark.parametrize("is_compiled", [True, False])
def test_a_key_whose_values_are_all_zero_has_no_entry(
    is_compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not is_compiled:
        monkeypatch.setattr("podium.scoring.metrics.sums.kernel", lambda: None)
    keys = pl.Series([0, 1], dtype=pl.UInt32)
    assert exact_sums(pl.Series([0.0, 0.5]), keys) == {1: Fraction(1, 2)}
    assert exact_sums(pl.Series([0.0, 0.0]), keys) == {}
    assert exact_sums(pl.Series([], dtype=pl.Float64), keys.clear()) == {}


def test_sums_in_order_add_the_rows_of_a_slot_one_after_the_other() -> None:
    # In another order the small numbers would survive.
    values = pl.Series([1e16, 1.0, 1.0, 5.0])
    slots = pl.Series([1, 1, 1, 3], dtype=pl.UInt32)
    assert sums_in_order(slots, values, size=5).to_list() == [
        0.0,
        (1e16 + 1.0) + 1.0,
        0.0,
        5.0,
        0.0,
    ]


@pytest.mark.parametrize("seed", range(30))
def test_sums_are_the_same_to_the_bit_where_nothing_was_compiled(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(seed)
    # Also numbers without a leading one, the largest ones, and zeros.
    scales = [5e-324, 1e-310, 2.0**-1022, 1e-90, 1.0, 1e300, 0.0]
    few = rng.sample(scales, rng.randint(1, 3))
    values = pl.Series([rng.random() * rng.choice(few) for _ in range(500)])
    slots = pl.Series(sorted(rng.randrange(90) for _ in values), dtype=pl.UInt32)
    # The smallest key of more than there is room for is summed in another way.
    keys = slots % 4 + rng.choice([0, (1 << 32) - 4])
    compiled = exact_sums(values, keys), sums_in_order(slots, values, size=90).to_list()
    monkeypatch.setattr("podium.scoring.metrics.sums.kernel", lambda: None)
    plain = exact_sums(values, keys), sums_in_order(slots, values, size=90).to_list()
    assert compiled == plain


def test_rows_are_added_as_they_are_where_there_is_one_in_a_slot() -> None:
    slots = pl.Series([0, 2], dtype=pl.UInt32)
    sums = sums_in_order(slots, pl.Series([-0.0, 3.5]), size=3).to_list()
    assert [math.copysign(1, each) for each in sums] == [-1, 1, 1]
    assert sums == [0.0, 0.0, 3.5]


@pytest.mark.parametrize("is_compiled", [True, False])
def test_sums_by_slot_take_slots_in_any_order_and_in_parts(
    is_compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not is_compiled:
        monkeypatch.setattr("podium.scoring.metrics.sums.kernel", lambda: None)
    # In another order of rows the small numbers would survive, or the last part would.
    parts = [([2, 0, 2], [1e16, -0.5, 1.0]), ([2, 3], [1.0, 7.0]), ([2], [-1e16])]
    columns = [(pl.Series(slots, dtype=pl.UInt32), pl.Series(values)) for slots, values in parts]
    assert sums_by_slot(iter(columns), size=5).to_list() == [-0.5, 0.0, 0.0, 7.0, 0.0]
