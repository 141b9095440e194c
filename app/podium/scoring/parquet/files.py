"""Opens Parquet files for Polars by the same paths as all other files, and writes canonical ones.

Polars cannot open the path of a file that was passed to a child of the sandbox, as only the path
object knows the descriptor. Polars maps an open file into memory without another copy.
"""

from __future__ import annotations

import hashlib
from io import BytesIO
from pathlib import Path
from typing import Any

import polars as pl


def read_parquet(path: Path, columns: list[str] | None = None) -> pl.DataFrame:
    """Reads the file, or some of its columns."""
    with path.open("rb") as file:
        return pl.read_parquet(file, columns=columns, glob=False, hive_partitioning=False)


def scan_parquet(path: Path, **options: Any) -> pl.LazyFrame:
    """Scans the file as a lazy frame, which may be collected several times."""
    with path.open("rb") as file:
        return pl.scan_parquet(file, glob=False, hive_partitioning=False, **options)


def write_frame(frame: pl.DataFrame, path: Path, *, metadata: dict[str, str] | None = None) -> str:
    """Stores a canonical frame as Parquet; equal content gives equal bytes. Returns their sha256 in
    hex."""
    buffer = BytesIO()
    # Everything that could differ between two runs is fixed or omitted.
    frame.rechunk().write_parquet(
        buffer,
        compression="zstd",
        compression_level=3,
        statistics=False,
        row_group_size=1 << 20,
        metadata=metadata,
    )
    stored = buffer.getvalue()
    path.write_bytes(stored)
    return hashlib.sha256(stored).hexdigest()
