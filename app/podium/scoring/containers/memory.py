"""Retains the memory of decompressed pieces in the process from one piece to the next."""

from __future__ import annotations

import ctypes
import sys
from functools import cache

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # malloc.h of the GNU C library

_KEPT_BYTES = 32 << 20
"""The largest value that the C library accepts for the second threshold."""


@cache
def keep_freed_memory() -> None:
    """Configures the C library, where possible, to retain freed memory: returned to the system
    after each piece and allocated again for the next, it would cost half as much as
    decompression."""
    if sys.platform != "linux":
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, _KEPT_BYTES)
        mallopt(_TRIM_THRESHOLD, _KEPT_BYTES)
