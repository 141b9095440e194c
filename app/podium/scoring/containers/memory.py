"""Keeps the memory of unpacked pieces in the process from one piece to the next."""

from __future__ import annotations

import ctypes
import sys
from functools import cache

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # malloc.h of the GNU C library

_KEPT_BYTES = 32 << 20
"""The most that the library takes for the second threshold."""


@cache
def keep_freed_memory() -> None:
    """Lets this process keep what it frees, where the C library can be told: given back to the
    system after each piece and taken anew for the next, memory costs half as much as unpacking."""
    if sys.platform != "linux":
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, _KEPT_BYTES)
        mallopt(_TRIM_THRESHOLD, _KEPT_BYTES)
