"""Stores one file and says so; run under a tracer that makes a chosen system call the last one."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from podium.storage import Area
from podium.storage.local import LocalStorage

PIECES = 4
PIECE = b"x" * 1_500_000
"""So much that all pieces together are synced once before the last."""


def main(root: Path, *, careless: bool) -> None:
    """`careless` acknowledges before the file is finished: what the test must be able to find."""
    writer = LocalStorage(root, min_free_bytes=0).writer(Area.SUBMISSIONS)
    for _ in range(PIECES):
        writer.write(PIECE)
    if careless:
        os.write(1, b"acknowledged\n")
    writer.finish()
    os.write(1, b"acknowledged\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), careless=sys.argv[2:] == ["careless"])
