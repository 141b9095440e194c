"""The files of a benchmark: made once by the generator of synthetic data, kept in a cache.

Runs in a process of its own, so that its memory is not counted for anybody:
`python -m benchmarks.fixtures FOLDER SESSIONS ITEMS [ORDER …] [--second] [--raw]`. Every folder has
a submission with sessions in order, plain and packed; `--second` adds another one, `--raw` raw
sessions.
"""

from __future__ import annotations

import gzip
import json
import shutil
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import BinaryIO, cast, get_args

import polars as pl

from benchmarks.contest import hand_back
from podium.otto.shape import LIST_LENGTH, TYPES
from podium.otto.submissions import RowOrder, write_submission
from podium.otto.synthetic import synthesize, synthesize_raw
from podium.zstd_library import zstd

ORDERS: tuple[RowOrder, ...] = get_args(RowOrder)

SEED, OTHER_SEED = 42, 7
COPY_BYTES = 1 << 24


def make(folder: Path, sessions: int, items: int, wanted: set[str]) -> None:
    """Writes what is missing: labels in two forms, submissions, and what else is wanted."""
    folder.mkdir(parents=True, exist_ok=True)
    first, table = folder / "interleaved.csv", folder / "labels.parquet"
    if not table.exists():
        synthesize(folder, sessions=sessions, seed=SEED, items=items, labels_only=True)
        long_form(folder / "test_labels.jsonl").write_parquet(table)
    write = partial(write_submission, sessions=sessions, items=items)
    _once(first, partial(write, seed=SEED))
    for order in ORDERS:
        if order in wanted:
            _once(folder / f"{order}.csv", partial(write, seed=SEED, order=order))
    if "--second" in wanted:
        _once(folder / "other.csv", partial(write, seed=OTHER_SEED))
    if "--raw" in wanted:
        raw = partial(synthesize_raw, sessions=sessions, seed=SEED, items=items)
        _once(folder / "raw", raw)
    _pack(first)
    (folder / "official.json").write_text(json.dumps(official_counts(table, first)))


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


def official_counts(table: Path, submission: Path) -> dict[str, dict[str, int]]:
    """Numbers that make hits of the recalls of the official script: the `labels` of each type that
    it divides by, and the hits that are `passed_over` because it takes item 0 for no click."""
    labels = pl.scan_parquet(table)
    zero = (pl.col("type") == "clicks") & (pl.col("aid") == 0)
    sizes = labels.filter(~zero).group_by("session", "type").len()
    counts = sizes.group_by("type").agg(pl.col("len").clip(upper_bound=LIST_LENGTH).sum())
    asked = labels.filter(zero).select(pl.format("{}_clicks", "session").alias("session_type"))
    first = pl.col("labels").str.split(" ").list.head(LIST_LENGTH)
    passed = pl.scan_csv(submission, infer_schema=False).join(asked, on="session_type", how="semi")
    clicks = passed.select(first.list.contains("0").sum()).collect().item()
    return {
        "labels": dict(counts.collect().rows()),
        "passed_over": {name: clicks if name == "clicks" else 0 for name in TYPES},
    }


def _pack(path: Path) -> None:
    """Beside the file its gzip (level 6), its zstd (level 3), as the tools do by default, and its
    Parquet, as Polars does."""
    for suffix, opened in ((".gz", _gzip), (".zst", _zstd)):
        _once(path.with_name(path.name + suffix), partial(_compress, path, opened))
    rows = pl.scan_csv(path, infer_schema=False)
    _once(path.with_suffix(".parquet"), rows.sink_parquet)


def _compress(path: Path, opened: Callable[[Path], BinaryIO], to: Path) -> None:
    with path.open("rb") as source, opened(to) as sink:
        shutil.copyfileobj(source, sink, COPY_BYTES)


def _gzip(path: Path) -> BinaryIO:
    return cast(BinaryIO, gzip.GzipFile(path, "wb", compresslevel=6, mtime=0))


def _zstd(path: Path) -> BinaryIO:
    return cast(BinaryIO, zstd.ZstdFile(path, "wb", level=3))


def _once(path: Path, write: Callable[[Path], object]) -> None:
    """A file or a folder that is there as a whole or not at all."""
    if not path.exists():
        part = path.with_name(path.name + ".part")
        write(part)
        part.rename(path)


if __name__ == "__main__":
    started = time.perf_counter()
    make(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), set(sys.argv[4:]))
    hand_back(started)
