"""Two teams may become one only within what one team could have had."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from podium.teams.rules import Merging, days_so_far, refused_tags, tags_after_merge
from podium.teams.service.forming import new_invite_code

JUST_ALLOWED = Merging(
    members=5, used_in_all=15, team_size=5, daily_limit=5, total_limit=None, days=3
)


def test_exactly_the_limits_are_allowed() -> None:
    assert JUST_ALLOWED.obstacle is None
    assert replace(JUST_ALLOWED, total_limit=15).obstacle is None


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"members": 6}, "merge-too-large"),
        ({"used_in_all": 16}, "merge-too-many-submissions"),
        ({"days": 2}, "merge-too-many-submissions"),
        ({"daily_limit": 4}, "merge-too-many-submissions"),
        ({"total_limit": 14}, "merge-too-many-submissions"),
    ],
)
def test_one_more_than_a_limit_is_too_many(change: dict[str, int], code: str) -> None:
    obstacle = replace(JUST_ALLOWED, **change).obstacle
    assert obstacle is not None
    assert obstacle[0] == code


def at(day: int, hour: int) -> datetime:
    return datetime(2026, 1, day, hour, tzinfo=UTC)


@pytest.mark.parametrize(
    ("start", "now", "days"),
    [
        (at(1, 0), at(1, 0), 1),
        (at(1, 23), at(2, 0), 2),
        (at(1, 0), at(1, 23), 1),
        (at(1, 12), at(10, 11), 10),
        (at(5, 0), at(1, 0), 1),
    ],
)
def test_days_are_those_of_the_quota(start: datetime, now: datetime, days: int) -> None:
    assert days_so_far(start, now) == days


def test_tags_outlive_a_merge() -> None:
    assert tags_after_merge(["hidden"], ["organizer", "hidden"]) == ["hidden", "organizer"]


@pytest.mark.parametrize(
    ("before", "after", "refused"),
    [
        ([], ["hidden"], set()),
        (["hidden"], [], set()),
        ([], ["organizer"], set()),
        (["organizer"], [], {"organizer"}),
        ([], ["baseline"], {"baseline"}),
        (["baseline"], [], {"baseline"}),
        (["baseline"], ["baseline", "hidden"], set()),
        ([], ["winner"], {"winner"}),
    ],
)
def test_some_tags_stay_and_some_never_come(
    before: list[str], after: list[str], refused: set[str]
) -> None:
    assert refused_tags(before, after) == refused


def test_no_invite_code_looks_like_an_option() -> None:
    codes = {new_invite_code() for _ in range(1000)}
    assert len(codes) == 1000
    assert all(code[0].isalpha() and len(code) == 22 for code in codes)
