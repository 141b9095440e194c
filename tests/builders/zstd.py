"""Zstandard of the standard library, which Python has from 3.14 on; before, its backport."""

from __future__ import annotations

import sys

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

__all__ = ["CHECKED", "zstd"]

CHECKED: dict[int, int] = {zstd.CompressionParameter.checksum_flag: 1}
"""Options for frames that end with a checksum, as the command `zstd` writes them."""
