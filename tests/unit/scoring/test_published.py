"""Places of session ids, whatever their gaps are."""

from __future__ import annotations

import random

import polars as pl
import pytest

from podium.scoring.published import SessionNumbers


@pytest.mark.parametrize("step", [1, 3, 1000])
@pytest.mark.parametrize("shuffled", [False, True])
def test_ids_find_their_places_and_no_others_do(step: int, shuffled: bool) -> None:
    ids = list(range(7, 7 + 200 * step, step))
    if shuffled:
        random.Random(step).shuffle(ids)
    numbers = SessionNumbers(pl.Series(ids, dtype=pl.Int32))
    asked = [*ids, 0, 6, 8, max(ids) + 1, 2**31 - 1]
    expected = {each: place for place, each in enumerate(ids)}
    found = numbers.number(pl.Series(asked, dtype=pl.Int32))
    assert found.to_list() == [expected.get(each) for each in asked]
    assert found.dtype == pl.UInt32
