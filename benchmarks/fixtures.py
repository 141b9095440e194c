"""The files of a benchmark: made once by the generator of synthetic data, kept in a cache.

Runs in a process of its own (`python -m benchmarks.fixtures FOLDER SESSIONS ITEMS ORDER…`), so that
its memory is not counted for anybody.
"""

from __future__ import annotations

import gzip
import shutil
import sys
import time
from pathlib import Path
from typing import cast

import polars as pl

from benchmarks.contest import hand_back
from podium.otto.submissions import RowOrder, write_submission
from podium.otto.synthetic import synthesize

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

SEED = 42
COPY_BYTES = 1 << 24


def make(folder: Path, sessions: int, items: int, orders: list[str]) -> None:
    """Writes what is missing: labels in two forms, a submission per order, two compressed ones."""
    folder.mkdir(parents=True, exist_ok=True)
    labels = folder / "test_labels.jsonl"
    if not (folder / "labels.parquet").exists():
        synthesize(folder, sessions=sessions, seed=SEED, items=items, labels_only=True)
        long_form(labels).write_parquet(folder / "labels.parquet")
    for order in orders:
        path = folder / f"{order}.csv"
        if not path.exists():
            part = path.with_suffix(".part")
            asked = cast(RowOrder, order)
            write_submission(part, sessions=sessions, seed=SEED, items=items, order=asked)
            part.rename(path)
    compress(folder / "interleaved.csv")


def long_form(labels: Path) -> pl.DataFrame:
    """The labels as one row each: session, type, aid."""
    shape = pl.Struct({"clicks": pl.Int32, "carts": pl.List(pl.Int32), "orders": pl.List(pl.Int32)})
    frame = pl.read_ndjson(labels, schema={"session": pl.Int32, "labels": shape}).unnest("labels")
    kinds = [
        frame.select("session", pl.lit(name).alias("type"), pl.col(name).alias("aid"))
        for name in ("carts", "orders")
    ]
    clicks = frame.select("session", pl.lit("clicks").alias("type"), pl.col("clicks").alias("aid"))
    return pl.concat([clicks, *(kind.explode("aid") for kind in kinds)]).drop_nulls()


def compress(path: Path) -> None:
    """Beside the file its gzip (level 6) and its zstd (level 3), as the tools do by default."""
    for suffix, opened in ((".gz", _gzip), (".zst", _zstd)):
        packed = path.with_name(path.name + suffix)
        if not packed.exists():
            part = packed.with_name(packed.name + ".part")
            with path.open("rb") as source, opened(part) as sink:
                shutil.copyfileobj(source, sink, COPY_BYTES)
            part.rename(packed)


def _gzip(path: Path) -> gzip.GzipFile:
    return gzip.GzipFile(path, "wb", compresslevel=6, mtime=0)


def _zstd(path: Path) -> zstd.ZstdFile:
    return zstd.ZstdFile(path, "wb", level=3)


if __name__ == "__main__":
    started = time.perf_counter()
    make(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
    hand_back(started)
