"""The script that most people write: split, explode, cast, join. It checks nothing.

Usage: `python -m benchmarks.contestants.polars_script FILE LABELS_PARQUET`.
Needs about 8 GB at full size.
"""

from __future__ import annotations

import sys
import time

import polars as pl

from benchmarks.contest import hand_back


def hits(submission: str, labels: str) -> dict[str, int]:
    """Hits per type: predictions as one row per item, joined to the labels."""
    id_parts = pl.col("session_type").str.split("_").list
    predictions = (
        pl.read_csv(submission)
        .select(
            session=id_parts.get(0).cast(pl.Int32),
            type=id_parts.get(1),
            aid=pl.col("labels").str.split(" ").list.head(20),
        )
        .explode("aid")
        .with_columns(pl.col("aid").cast(pl.Int32))
    )
    found = predictions.join(pl.read_parquet(labels), on=["session", "type", "aid"])
    distinct = found.unique(["session", "type", "aid"])
    return dict(distinct.group_by("type").len().rows())


if __name__ == "__main__":
    started = time.perf_counter()
    hand_back(started, hits(sys.argv[1], sys.argv[2]))
