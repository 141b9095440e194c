"""Parquet files, opened by their paths as every other file is, for Polars to read.

Polars would open a path by itself: that of a file which a child of the sandbox was given leads it
nowhere, and only the path knows of the descriptor. Polars maps what is open, and copies it no more.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl


def read_parquet(path: Path, columns: list[str] | None = None) -> pl.DataFrame:
    """The file, or some of its columns."""
    with path.open("rb") as file:
        return pl.read_parquet(file, columns=columns, glob=False, hive_partitioning=False)


def scan_parquet(path: Path, **options: Any) -> pl.LazyFrame:
    """The file as a frame that is read when it is collected; it may be as often as one likes."""
    with path.open("rb") as file:
        return pl.scan_parquet(file, glob=False, hive_partitioning=False, **options)
