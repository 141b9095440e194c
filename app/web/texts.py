"""Numbers as people read them on pages."""

from __future__ import annotations

UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB")


def size_of(count: int) -> str:
    """Bytes in the largest unit of which there is at least one: `1,000 bytes`, `1.5 MiB`."""
    value, unit = float(count), 0
    while value >= 1024 and unit < len(UNITS) - 1:
        value, unit = value / 1024, unit + 1
    return f"{count:,} {UNITS[0]}" if unit == 0 else f"{value:,.1f} {UNITS[unit]}"


def count_of(count: int, one: str, many: str | None = None) -> str:
    """`1 team`, `2,600 teams`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
