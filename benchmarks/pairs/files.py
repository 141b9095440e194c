"""Makes the files: `python -m benchmarks.pairs.files FOLDER PAIRS`.

Users have 1 to 19 pairs each, one of twenty pairs is positive, and scores have six decimals.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.contest import hand_back

SEED, ITEMS, STRIDE = 42, 2_000_003, 104_729
MEAN_PAIRS, SPLITS = 10, 2
IN_ORDER, SHUFFLED = "in-order.csv", "shuffled.csv"
PAIRS, TRUTH = "pairs.parquet", "truth.parquet"


def make(folder: Path, count: int) -> None:
    """Writes the published pairs, the truth in their order, and a submission in two orders; the
    folder is there as a whole or not at all."""
    part = folder.with_name(f"{folder.name}.part")
    part.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(SEED)
    pairs, users = _pairs(rng, count)
    pairs.write_parquet(part / PAIRS, compression="zstd")
    positive = rng.random(count, dtype=np.float32) < 0.05
    split = (users % SPLITS).astype(np.uint8)
    truth = pl.DataFrame({"user": users, "positive": positive, "split": split})
    truth.write_parquet(part / TRUTH, compression="zstd")
    score = rng.normal(-3, 1.5, count) + positive
    rows = pairs.with_columns(score=pl.Series(1 / (1 + np.exp(-score))).round(6))
    rows.write_csv(part / IN_ORDER)
    rows.sample(fraction=1, shuffle=True, seed=SEED).write_csv(part / SHUFFLED)
    part.rename(folder)


def _pairs(rng: np.random.Generator, count: int) -> tuple[pl.DataFrame, np.ndarray]:
    """Distinct pairs, and the numbers of their users."""
    sizes = rng.integers(1, 2 * MEAN_PAIRS, count // MEAN_PAIRS + 1000)
    users = np.repeat(np.arange(len(sizes), dtype=np.uint32), sizes)[:count]
    first = rng.integers(0, ITEMS, len(sizes))[users]
    place = np.arange(count) - np.searchsorted(users, users)
    items = ((first + place * STRIDE) % ITEMS).astype(np.int32)
    # Ids have gaps, as ids of users have.
    ids = np.cumsum(rng.integers(1, 9, len(sizes))).astype(np.int32)[users]
    return pl.DataFrame({"user": ids, "item": items}), users


if __name__ == "__main__":
    started = time.perf_counter()
    make(Path(sys.argv[1]), int(sys.argv[2]))
    hand_back(started)
