"""Days, slots and what is left."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from podium.submissions.rules import (
    Allowance,
    LimitedBy,
    allowance,
    clock_of,
    day_of,
    free_number,
    next_day,
    rejections_lapse_at,
    seconds_until,
)

NOON = datetime(2026, 3, 28, 12, tzinfo=UTC)


def allowed(**changes: object) -> Allowance:
    facts: dict[str, object] = {
        "daily_limit": 5,
        "total_limit": None,
        "used_today": 0,
        "used_in_all": 0,
        "may_submit": True,
        "waits_until": None,
        "now": NOON,
    }
    return allowance(**(facts | changes))  # type: ignore[arg-type]


def left(**changes: object) -> tuple[int, LimitedBy]:
    found = allowed(**changes)
    return found.submissions_left_today, found.limited_by


def test_a_day_is_a_utc_day_wherever_the_moment_was_written_down() -> None:
    late_in_new_york = datetime(2026, 3, 28, 22, tzinfo=timezone(timedelta(hours=-4)))
    assert day_of(late_in_new_york) == date(2026, 3, 29)


def test_a_moment_is_told_by_the_clock_of_utc_and_never_too_early() -> None:
    in_berlin = datetime(2026, 3, 28, 13, 41, 7, 1, timezone(timedelta(hours=1)))
    assert clock_of(in_berlin) == "12:41:08 UTC"
    assert clock_of(datetime(2026, 3, 28, 23, 59, 59, tzinfo=UTC)) == "23:59:59 UTC"
    assert clock_of(datetime(2026, 3, 28, 23, 59, 59, 1, tzinfo=UTC)) == "00:00:00 UTC"


def test_the_next_day_begins_at_midnight_utc() -> None:
    assert next_day(NOON) == datetime(2026, 3, 29, tzinfo=UTC)


@pytest.mark.parametrize(
    ("wait", "seconds"),
    [(timedelta(), 1), (timedelta(seconds=-5), 1), (timedelta(seconds=1, microseconds=1), 2)],
)
def test_waiting_times_are_rounded_up_and_never_zero(wait: timedelta, seconds: int) -> None:
    assert seconds_until(NOON + wait, NOON) == seconds


@pytest.mark.parametrize(
    ("taken", "limit", "number"),
    [
        ([], 5, 1),
        ([1, 2], 5, 3),
        ([1, 3], 5, 2),
        ([1, 2, 3, 4, 5], 5, None),
        # The limit was lowered from 5 to 2 while two higher slots were in use.
        ([4, 5], 2, None),
        ([1, 2, 3], None, 4),
    ],
)
def test_the_lowest_free_slot_is_taken_while_the_limit_allows(
    taken: list[int], limit: int | None, number: int | None
) -> None:
    assert free_number(taken, limit) == number


def test_a_fresh_team_may_send_its_daily_limit() -> None:
    assert left() == (5, LimitedBy.DAILY_LIMIT)


def test_a_lowered_limit_never_leaves_less_than_nothing() -> None:
    assert left(used_today=7) == (0, LimitedBy.DAILY_LIMIT)


def test_the_total_limit_decides_only_where_it_is_smaller() -> None:
    assert left(total_limit=100, used_in_all=98) == (2, LimitedBy.TOTAL_LIMIT)
    assert left(total_limit=100, used_in_all=95, used_today=0) == (5, LimitedBy.DAILY_LIMIT)


def test_rejections_and_phases_leave_nothing() -> None:
    assert left(waits_until=NOON) == (0, LimitedBy.REJECTED_PER_HOUR)
    assert left(may_submit=False) == (0, LimitedBy.PHASE)


def test_a_team_with_too_many_rejected_files_waits_until_the_oldest_is_an_hour_old() -> None:
    rejected = [NOON - timedelta(minutes=minutes) for minutes in (50, 30, 20)]
    assert rejections_lapse_at(rejected, 4) is None
    assert rejections_lapse_at(rejected, 3) == NOON + timedelta(minutes=10)
    assert rejections_lapse_at(rejected, 2) == NOON + timedelta(minutes=30)
    # A time that is told in whole seconds is never too early, and the same wherever it is told.
    late = [NOON + timedelta(microseconds=1)]
    assert rejections_lapse_at(late, 1) == NOON + timedelta(hours=1, seconds=1)


@pytest.mark.parametrize(
    ("changes", "hours"),
    [({}, 0.5), ({"used_today": 5}, 12), ({"accepts_uploads": False}, 12)],
    ids=["rejections decide", "the day decides", "a pause decides"],
)
def test_the_time_of_the_next_file_is_that_of_the_limit_that_decides(
    changes: dict[str, object], hours: float
) -> None:
    found = allowed(waits_until=NOON + timedelta(hours=0.5), **changes)
    assert found.resets_at == NOON + timedelta(hours=hours)


def test_a_pause_of_uploads_leaves_nothing_and_a_phase_without_them_is_the_stronger_reason() -> (
    None
):
    assert left(accepts_uploads=False) == (0, LimitedBy.ACCEPT_UPLOADS)
    assert left(accepts_uploads=False, may_submit=False) == (0, LimitedBy.PHASE)
