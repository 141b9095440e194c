"""The floor: count the rows and the label bytes of a file and do nothing else.

No program that looks at every row is quicker with the same reader. For a compressed file this is
the time of merely decompressing and scanning it.

Usage: `python -m benchmarks.contestants.floor FILE`.
"""

from __future__ import annotations

import sys
import time

import polars as pl

from benchmarks.contest import hand_back

if __name__ == "__main__":
    started = time.perf_counter()
    counts = pl.len(), pl.col("labels").str.len_bytes().sum()
    pl.scan_csv(sys.argv[1]).select(*counts).collect()
    hand_back(started)
