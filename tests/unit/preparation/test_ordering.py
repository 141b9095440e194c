"""Times in order, packed with their users."""

from __future__ import annotations

import random

import polars as pl
import pytest

from podium.preparation.ordering import TimeOrder


@pytest.mark.parametrize("reach", [0, 3, 10**12, 2**62])
def test_times_of_each_user_ascend(reach: int) -> None:
    chance = random.Random(reach)
    rows = sorted((user, chance.randint(-reach, reach)) for user in range(40) for _ in range(9))
    frame = pl.DataFrame(rows, schema={"user": pl.UInt32, "timestamp": pl.Int64}, orient="row")
    shuffled = frame.sample(fraction=1, shuffle=True, seed=1).sort("user")
    order = TimeOrder.of(shuffled)
    assert order.at(pl.int_range(frame.height, eager=True)).to_list() == [time for _, time in rows]
    same = [place for place, row in enumerate(rows) if rows.count(row) > 1]
    assert order.share_of_equal == len(same) / len(rows)
