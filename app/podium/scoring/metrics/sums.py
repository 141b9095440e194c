"""Sums float64 values independently of the order of rows, of chunks and of threads.

Where the kernel was not compiled, Polars computes the same in more time.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterable
from fractions import Fraction

import polars as pl

from podium.scoring.kernel.columns import Array, Column, Filled
from podium.scoring.kernel.library import kernel
from podium.scoring.kernel.runs import FEW_KEYS
from podium.scoring.kernel.terms import TermArrays
from podium.scoring.repeating import repeat

_LIMB_BITS = 31
_LIMBS = 3
_PLACES = _LIMBS * _LIMB_BITS
_EXACT_BYTES = 32  # a `struct exact` of terms.c
_FIRST_POWER = 1022  # the power that a float64 writes for numbers from ½ to 1
_SLICE = 1 << 20  # Values whose limbs exist at the same time, so that memory stays bounded.


def exact_sums(
    values: pl.Series, keys: pl.Series, ideals: pl.Series | None = None
) -> dict[int, Fraction]:
    """Sums finite values of at least 0 by key, each exactly down to 2**-93 of the largest of its
    key: a large value does not affect the sums of other keys. With `ideals`, the values are divided
    by them.

    Values become whole numbers of three limbs; sums of whole numbers do not depend on order.

    >>> exact_sums(pl.Series([0.1] * 10), pl.Series([7] * 10, dtype=pl.UInt32))[7] == Fraction(
    ...     0.1) * 10
    True
    """
    functions, count = kernel(), int(keys.max() or 0) + 1  # type: ignore[arg-type]
    if functions is not None and count <= FEW_KEYS:
        return _sums_of_few_keys(functions, TermArrays(values, ideals, keys), count)
    values = values if ideals is None else values / ideals
    return _sums_of_limbs(values, keys)


def _sums_of_few_keys(functions: ctypes.CDLL, given: TermArrays, count: int) -> dict[int, Fraction]:
    """Sums ratios above 0 by key, below `count`."""
    sums = Array(_EXACT_BYTES * count)
    functions.podium_find_powers(given.reference, sums.address)
    functions.podium_add_exactly(given.reference, _PLACES, sums.address)
    words = memoryview(sums.bytes).cast("Q")
    found = (words[at : at + 4] for at in range(0, len(words), 4))
    return {
        key: _scaled(low + (high << 64), power - _FIRST_POWER)
        for key, (low, high, added, power) in enumerate(found)
        if added
    }


def _scaled(whole: int, exponent: int) -> Fraction:
    """Converts a sum in units of 2**-93 of a power of two to a fraction."""
    return whole * Fraction(2) ** (exponent - _PLACES)


def sums_by_slot(parts: Iterable[tuple[pl.Series, pl.Series]], *, size: int) -> pl.Series:
    """Sums values by slot, 0 to `size` − 1, from columns of slots (UInt32) and values, each sum a
    Float64 in the order of its rows.

    >>> slots, values = pl.Series([2, 0, 2], dtype=pl.UInt32), pl.Series([1.5, 2.0, -0.25])
    >>> sums_by_slot([(slots, values)], size=3).to_list()
    [2.0, 0.0, 1.25]
    """
    functions = kernel()
    if functions is None:
        names = ("slot", "value")
        rows = pl.concat(pl.DataFrame(dict(zip(names, part, strict=True))) for part in parts)
        rows = rows.sort("slot", maintain_order=True)
        return sums_in_order(rows["slot"], rows["value"], size=size)
    sums = Filled(pl.Float64, size, zeros=True)
    for slots, values in parts:
        of_slots, of_values = Column(slots), Column(values)
        functions.podium_add_by_slot(of_slots.address, of_values.address, len(slots), sums.address)
    return sums.column()


def as_whole_numbers(values: pl.Series) -> tuple[pl.Series, float]:
    """Rounds finite values to Int64 multiples of a unit, which is returned with them: sums of whole
    numbers do not depend on order. The sum of all of them fits in 63 bits.

    >>> whole, unit = as_whole_numbers(pl.Series([0.5, -1.5]))
    >>> whole.sum() * unit
    -1.0
    """
    largest = float(values.abs().max() or 0.0)  # type: ignore[arg-type]
    exponent = 62 - len(values).bit_length() - math.frexp(largest)[1]
    whole = (values * math.ldexp(1.0, exponent)).round().cast(pl.Int64)
    return whole, math.ldexp(1.0, -exponent)


def sums_in_order(slots: pl.Series, values: pl.Series, *, size: int) -> pl.Series:
    """Sums values by slot, 0 to `size` − 1, each sum a Float64 in the order of its rows.

    `slots` must be sorted. Equal sequences of values give equal sums, to the bit.
    """
    values, functions = values.cast(pl.Float64), kernel()
    if functions is not None:
        of_slots, of_values, found = (
            Column(slots),
            Column(values),
            Filled(pl.Float64, size, zeros=True),
        )
        functions.podium_add_in_order(
            of_slots.address, of_values.address, len(slots), found.address
        )
        return found.column()
    sums = repeat(0, size, pl.Float64)
    is_empty = True
    while len(slots):
        # One addition per slot and round; most slots have few rows, so few rounds process many.
        first = slots != slots.shift(1, fill_value=size)
        at, added = slots.filter(first), values.filter(first)
        sums = sums.scatter(at, added if is_empty else sums.gather(at) + added)
        slots, values, is_empty = slots.filter(~first), values.filter(~first), False
    return sums


def _sums_of_limbs(values: pl.Series, keys: pl.Series) -> dict[int, Fraction]:
    """Sums values above 0 by key."""
    rows = pl.DataFrame({"key": keys, "value": values}).filter(pl.col("value") > 0)
    largest = rows.group_by("key").agg(pl.col("value").max())
    exponents = {key: math.frexp(value)[1] for key, value in largest.iter_rows()}
    halves = {key: exponent // 2 for key, exponent in exponents.items()}
    # The whole power may be too large for a float64.
    scales = pl.DataFrame(
        [
            (key, math.ldexp(1.0, -half), math.ldexp(1.0, half - exponents[key]))
            for key, half in halves.items()
        ],
        schema={"key": keys.dtype, "half": pl.Float64, "other": pl.Float64},
        orient="row",
    )
    parts = [_limbs(part.join(scales, on="key")) for part in rows.iter_slices(_SLICE)]
    if not parts:
        return {}
    table = pl.concat(parts).group_by("key").agg(pl.all().sum())
    return {key: _scaled(_joined(limbs), exponents[key]) for key, *limbs in table.iter_rows()}


def _limbs(rows: pl.DataFrame) -> pl.DataFrame:
    """Sums the limbs of values by key, which are below 1 after scaling."""
    columns = {"key": rows["key"]}
    # All steps are exact: scaling by powers of two, and subtracting the integer part.
    rest = rows["value"] * rows["half"] * rows["other"]
    for limb in range(_LIMBS):
        rest = rest * float(1 << _LIMB_BITS)
        whole = rest.floor()
        columns[f"limb{limb}"] = whole.cast(pl.Int64)
        rest = rest - whole
    return pl.DataFrame(columns).group_by("key").agg(pl.exclude("key").sum())


def _joined(limbs: list[int]) -> int:
    whole = 0
    for limb in limbs:
        whole = (whole << _LIMB_BITS) + limb
    return whole
