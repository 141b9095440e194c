"""The library by which a process reads the time from a file of ours."""

from __future__ import annotations

import os
import select
import time
from pathlib import Path
from typing import SupportsIndex

OFFSET = "FAKETIME_TIMESTAMP_FILE"


def libraries() -> list[Path]:
    """The libraries of Debian's package `faketime`; empty where it is not installed."""
    return sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))


def faked(clock: Path) -> dict[str, str]:
    """The environment of a process that goes by the offset in this file."""
    return {
        "LD_PRELOAD": str(libraries()[0]),
        OFFSET: str(clock),
        "FAKETIME_NO_CACHE": "1",
        # Waits go by the monotonic clock, which no step touches.
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }


def sleep_in_spite_of_it() -> None:
    """Has a process that goes by a wrong clock sleep as long as it is told to. Python sleeps until
    a moment of the monotonic clock, and the library (0.9.10; github.com/wolfcw/libfaketime, 426)
    makes another moment of it: an error, or one that is days away, by how long the machine runs."""
    if OFFSET in os.environ:
        time.sleep = _sleep


def _sleep(seconds: float | SupportsIndex) -> None:
    select.select((), (), (), float(seconds))
