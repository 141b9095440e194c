"""Scales from values to coordinates, and the ticks of an axis. Independent of SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

MAX_TICKS = 5

MINUTE, HOUR, DAY = 60, 3_600, 86_400

TIME_STEPS = (
    *(MINUTE * n for n in (1, 2, 5, 10, 15, 30)),
    *(HOUR * n for n in (1, 2, 3, 6, 12)),
    *(DAY * n for n in (1, 2, 5, 10, 20, 30, 60, 90, 180, 365)),
)
"""Seconds between two ticks of a time axis."""

YEAR = timedelta(days=300)
"""From this length on the ticks of a time axis name the year."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps values from `low` to `high` to coordinates from `start` to `end`; values outside are
    drawn at the edge."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Maps a value to its coordinate.

        >>> Scale(0, 10, 100, 200).at(5), Scale(0, 10, 100, 200).at(99)
        (150.0, 200.0)
        """
        if self.high <= self.low:
            return (self.start + self.end) / 2
        part = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return self.start + part * (self.end - self.start)


@dataclass(frozen=True, slots=True)
class Tick:
    """A value that an axis names."""

    value: float
    label: str


def number_ticks(low: float, high: float, most: int = MAX_TICKS) -> list[Tick]:
    """Lists round numbers within the range: 1, 2 or 5 times a power of ten apart.

    >>> [tick.label for tick in number_ticks(0.561, 0.603)]
    ['0.57', '0.58', '0.59', '0.60']
    """
    if high <= low:
        return [Tick(low, f"{low:g}")]
    raw = (high - low) / most
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * n for n in (1, 2, 5, 10) if power * n >= raw * (1 - 1e-9))
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [Tick(n * step, f"{n * step:.{digits}f}") for n in range(first, last + 1)]


def whole_ticks(low: float, high: float) -> list[Tick]:
    """Ticks for counts and ranks: whole numbers, with commas between thousands.

    >>> [tick.label for tick in whole_ticks(1, 2600)]
    ['1,000', '2,000']
    """
    found = [tick for tick in number_ticks(low, high) if tick.value == round(tick.value)]
    return [Tick(tick.value, f"{round(tick.value):,}") for tick in found]


def time_ticks(start: datetime, end: datetime, most: int = MAX_TICKS) -> list[Tick]:
    """Lists round moments (UTC) within the range; their values are seconds since 1970."""
    low, high = start.timestamp(), end.timestamp()
    step = next((s for s in TIME_STEPS if (high - low) / s <= most), None)
    if step is None:
        step = TIME_STEPS[-1] * math.ceil((high - low) / TIME_STEPS[-1] / most)
    form = "%d %b" if step >= DAY else "%H:%M"
    if step >= DAY and end - start > YEAR:
        form = "%b %Y"
    moments = range(math.ceil(low / step), math.floor(high / step) + 1)
    return [Tick(n * step, f"{datetime.fromtimestamp(n * step, UTC):{form}}") for n in moments]


def padded(values: Sequence[float]) -> tuple[float, float]:
    """Widens the range of some values a little at both ends; never empty.

    >>> padded([0.0, 10.0]), padded([3.0]), padded([])
    ((-0.5, 10.5), (2.97, 3.03), (0.0, 1.0))
    """
    if not values:
        return 0.0, 1.0
    low, high = min(values), max(values)
    room = 0.05 * (high - low) or abs(low) * 0.01 or 0.5
    return low - room, high + room
