"""Coordinates of values, and the labels of axes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from podium.http.html.charts.scales import Scale, number_ticks, padded, time_ticks, whole_ticks

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "place"), [(0.5, 300), (0.6, 10), (0.55, 155), (0.1, 300), (9, 10)]
)
def test_values_are_drawn_in_proportion_and_at_the_edge_where_they_lie_beyond(
    value: float, place: float
) -> None:
    assert Scale(0.5, 0.6, 300, 10).at(value) == pytest.approx(place)


def test_a_range_without_extent_is_drawn_in_the_middle() -> None:
    assert Scale(3, 3, 0, 100).at(3) == 50


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [
        (0.0, 1.0, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (0.12344, 0.12349, ["0.12344", "0.12345", "0.12346", "0.12347", "0.12348", "0.12349"]),
        (3, 47, ["10", "20", "30", "40"]),
        (-1, 1, ["-1.0", "-0.5", "0.0", "0.5", "1.0"]),
        (5, 5, ["5"]),
    ],
)
def test_ticks_are_round_numbers_within_the_range(
    low: float, high: float, labels: list[str]
) -> None:
    assert [tick.label for tick in number_ticks(low, high)] == labels


def test_counts_have_whole_ticks_only() -> None:
    assert [tick.label for tick in whole_ticks(0, 2)] == ["0", "1", "2"]
    assert [tick.label for tick in whole_ticks(1, 34_000)] == ["10,000", "20,000", "30,000"]


@pytest.mark.parametrize(
    ("length", "labels"),
    [
        (timedelta(hours=4), ["12:00", "13:00", "14:00", "15:00", "16:00"]),
        (timedelta(days=4), ["21 Nov", "22 Nov", "23 Nov", "24 Nov"]),
        (timedelta(days=700), ["Mar 2027", "Aug 2027", "Feb 2028", "Aug 2028"]),
        (timedelta(0), ["12:00"]),
    ],
)
def test_moments_are_named_as_finely_as_the_range_asks_for(
    length: timedelta, labels: list[str]
) -> None:
    assert [tick.label for tick in time_ticks(NOON, NOON + length)] == labels


def test_decades_have_ticks_too() -> None:
    assert 1 <= len(time_ticks(NOON, NOON + timedelta(days=20_000))) <= 6


def test_a_range_of_equal_values_is_not_empty() -> None:
    low, high = padded([0.0, 0.0])
    assert low < 0 < high
