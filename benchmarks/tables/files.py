"""Makes the files: `python -m benchmarks.tables.files FOLDER ROWS`.

Ids are whole numbers with gaps; beside them stands a number with six decimals, or a word of three.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.contest import hand_back

SEED = 42
IDS = "ids.parquet"
CLASSES = ("cat", "dog", "horse")
NUMBERS, LABELS = "numbers", "labels"
IN_ORDER, SHUFFLED = "in-order", "shuffled"


def make(folder: Path, count: int) -> None:
    """Writes the published ids, and two submissions in two orders each; the folder is there as a
    whole or not at all."""
    part = folder.with_name(f"{folder.name}.part")
    part.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(SEED)
    ids = pl.Series("id", np.cumsum(rng.integers(1, 9, count)).astype(np.int32))
    ids.alias("user").to_frame().write_parquet(part / IDS, compression="zstd")
    columns = {
        NUMBERS: pl.Series("value", rng.random(count).round(6)),
        LABELS: pl.Series("value", np.array(CLASSES)[rng.integers(0, len(CLASSES), count)]),
    }
    for name, values in columns.items():
        rows = pl.DataFrame([ids, values])
        rows.write_csv(part / f"{name}-{IN_ORDER}.csv")
        shuffled = rows.sample(fraction=1, shuffle=True, seed=SEED)
        shuffled.write_csv(part / f"{name}-{SHUFFLED}.csv")
    part.rename(folder)


if __name__ == "__main__":
    started = time.perf_counter()
    make(Path(sys.argv[1]), int(sys.argv[2]))
    hand_back(started)
