"""Merely inflating a file, with the libraries by which judging does it: isal and zstd.

Usage: `python -m benchmarks.contestants.inflating FILE`, which ends in .gz or .zst.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from isal import igzip

from benchmarks.contest import hand_back
from podium.zstd_library import zstd

BLOCK_BYTES = 1 << 20

OPENED: dict[str, Callable[[Path], Any]] = {
    ".gz": lambda path: igzip.IGzipFile(path, "rb"),  # type: ignore[no-untyped-call]
    ".zst": lambda path: zstd.ZstdFile(path, "rb"),
}

if __name__ == "__main__":
    path = Path(sys.argv[1])
    opened = OPENED[path.suffix]
    started = time.perf_counter()
    with opened(path) as source:
        while source.read(BLOCK_BYTES):
            pass
    hand_back(started)
