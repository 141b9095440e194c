"""The range of the axis of a chart over time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from podium.boards.rendering.time_axis import time_axis

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("first", "start"),
    [
        (timedelta(0), timedelta(0)),
        (15 * HOUR, timedelta(0)),
        # Shortly before the first submission: 3 % of what follows it.
        (16 * HOUR, 16 * HOUR - 0.03 * 84 * HOUR),
        (90 * HOUR, 90 * HOUR - 0.03 * 10 * HOUR),
    ],
)
def test_an_axis_begins_at_the_launch_only_if_submissions_followed_soon(
    first: timedelta, start: timedelta
) -> None:
    end = NOON + 100 * HOUR
    moments = [NOON + 95 * HOUR, NOON + first]
    assert time_axis(moments, launched_at=NOON, end=end) == (NOON + start, end)


def test_no_submission_lies_outside() -> None:
    late, early = NOON + 3 * HOUR, NOON - 7 * HOUR
    start, end = time_axis([early, late], launched_at=NOON, end=NOON + HOUR)
    assert (start, end) == (early - 0.03 * 10 * HOUR, late)


def test_what_happened_at_one_moment_stands_in_the_middle_of_some_minutes() -> None:
    reach = timedelta(seconds=90)
    assert time_axis([NOON], launched_at=None, end=NOON) == (NOON - reach, NOON + reach)
