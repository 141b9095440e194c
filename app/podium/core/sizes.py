"""Sizes of files as people read them, on pages and at the command line."""

from __future__ import annotations

UNITS = ("bytes", "KB", "MB", "GB", "TB")
"""Units of sizes, each 1024 of the one before, as file managers and `ls -h` count."""


def size_of(count: int) -> str:
    """Formats bytes in the largest unit of which there is at least one.

    >>> size_of(1000), size_of(1536), size_of(2 << 30)
    ('1,000 bytes', '1.5 KB', '2 GB')
    """
    value, unit = float(count), 0
    while value >= 1024 and unit < len(UNITS) - 1:
        value, unit = value / 1024, unit + 1
    shown = f"{value:,.1f}".removesuffix(".0")
    return f"{count:,} {UNITS[0]}" if unit == 0 else f"{shown} {UNITS[unit]}"
