"""The floor of reading raw sessions: parse all of them with Polars, count them and their events.

Usage: `python -m benchmarks.contestants.ndjson_floor FILE`.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import polars as pl

from benchmarks.contest import hand_back
from podium.otto.jsonl import read_events

if __name__ == "__main__":
    started = time.perf_counter()
    events = read_events(Path(sys.argv[1]))
    events.select(pl.len(), pl.col("session", "aid", "ts").max(), pl.col("type").max()).collect()
    hand_back(started)
