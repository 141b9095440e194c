"""A link works once, until its end, unless it was revoked."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from podium.errors import InvalidInput
from podium.teams.rules import end_of_life, link_state

NOW = datetime(2026, 1, 10, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("expires_at", "used_at", "revoked_at", "expected"),
    [
        (NOW + HOUR, None, None, "open"),
        (NOW, None, None, "expired"),
        (NOW - HOUR, NOW - 2 * HOUR, None, "used"),
        (NOW - HOUR, None, NOW - 2 * HOUR, "revoked"),
    ],
)
def test_a_link_works_until_it_ends_one_way_or_another(
    expires_at: datetime, used_at: datetime | None, revoked_at: datetime | None, expected: str
) -> None:
    found = link_state(now=NOW, expires_at=expires_at, used_at=used_at, revoked_at=revoked_at)
    assert found == expected


def test_without_an_end_a_link_lives_for_a_week() -> None:
    assert end_of_life(NOW, None) == NOW + timedelta(days=7)


@pytest.mark.parametrize("end", [NOW, NOW - HOUR, NOW + timedelta(days=90, seconds=1)])
def test_an_end_lies_ahead_but_not_too_far(end: datetime) -> None:
    assert end_of_life(NOW, NOW + timedelta(days=90)) == NOW + timedelta(days=90)
    with pytest.raises(InvalidInput):
        end_of_life(NOW, end)
