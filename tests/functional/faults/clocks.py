"""The library by which a process reads the time from a file of ours."""

from __future__ import annotations

from pathlib import Path


def libraries() -> list[Path]:
    """Where Debian's package `faketime` has put it; empty where it is not installed."""
    return sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))


def faked(clock: Path) -> dict[str, str]:
    """What a process needs in its environment to go by the offset that stands in this file."""
    return {
        "LD_PRELOAD": str(libraries()[0]),
        "FAKETIME_TIMESTAMP_FILE": str(clock),
        "FAKETIME_NO_CACHE": "1",
        # Waits go by the monotonic clock, which no step touches.
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }
