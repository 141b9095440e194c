"""Recent and random items for users × items."""

from __future__ import annotations

from collections import Counter

import polars as pl
import pytest

from podium.baselines.matrix.interactions import RoleColumns
from podium.errors import InvalidInput
from tests.builders.baselines.tables import lists

ROWS = pl.DataFrame(
    [
        (1, 7, 10),
        (1, 8, 30),
        (1, 9, 20),
        (1, 7, 40),
        (2, 8, 5),
        (2, 9, 50),
        (3, 5, 60),
        (3, 9, 1),
        (4, 8, 2),
        (4, 6, 3),
    ],
    schema=["user", "item", "timestamp"],
    orient="row",
)
TIMED = RoleColumns("user", "item", timestamp="timestamp")


def test_recent_lists_what_has_most_of_the_newest_interactions() -> None:
    # The newest 0.25 of 10 are those from time 40 on: items 5, 9 and 7, once each; in training 9
    # has three, 7 two, 5 one. Then the others by popularity: 8 three, 6 one.
    found = lists("recent", ROWS, [4, 99], columns=TIMED, newest=0.25)
    assert found == {"4": ["9", "7", "5"], "99": ["9", "7", "5", "8", "6"]}


def test_recent_begins_with_the_users_own_items_where_these_are_kept() -> None:
    found = lists("recent", ROWS, [1, 99], columns=TIMED, newest=0.25, keep_seen=True, length=4)
    assert found == {"1": ["7", "8", "9", "5"], "99": ["9", "7", "5", "8"]}


def test_times_may_be_dates() -> None:
    dates = ROWS.with_columns(
        timestamp=pl.format(
            "2026-01-{}", pl.col("timestamp").rank("dense").cast(pl.String).str.zfill(2)
        )
    )
    found = lists("recent", dates, [1], columns=TIMED, newest=0.25, keep_seen=True)
    assert found == lists("recent", ROWS, [1], columns=TIMED, newest=0.25, keep_seen=True)


def test_recent_needs_times() -> None:
    with pytest.raises(InvalidInput, match="--timestamp"):
        lists("recent", ROWS, [1], columns=RoleColumns("user", "item"))


def test_random_draws_every_list_of_unseen_items_equally_often() -> None:
    """Two of four unseen items make twelve lists, and 12,000 users draw each about 1,000 times."""
    frame = pl.DataFrame({"user": [0] * 4, "item": [1, 2, 3, 4]})
    frame = frame.vstack(pl.DataFrame({"user": range(1, 12_001), "item": [5] * 12_000}))
    columns = RoleColumns("user", "item")
    found = lists("random", frame, list(range(1, 12_001)), length=2, columns=columns)
    counted = Counter(tuple(items) for items in found.values())
    assert len(counted) == 12
    assert all(abs(count - 1000) < 150 for count in counted.values())
    assert all("5" not in pair and len(set(pair)) == 2 for pair in counted)


def test_a_random_list_does_not_depend_on_the_other_users() -> None:
    columns = RoleColumns("user", "item")
    alone = lists("random", ROWS, [2], columns=columns)
    assert lists("random", ROWS, [1, 3, 2], columns=columns)["2"] == alone["2"]
