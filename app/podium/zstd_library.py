"""The standard library's zstd, which Python has from 3.14 on; before, its backport.

Python may be built without it. Then only what is compressed with zstd cannot be read or written.
"""

from __future__ import annotations

import sys

IS_THERE = True

try:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
except ImportError:
    IS_THERE = False

MISSING = "this Python was built without zstd"

__all__ = ["IS_THERE", "MISSING", "zstd"]
