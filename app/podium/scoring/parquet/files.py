"""Opens Parquet files for Polars by the same paths as all other files.

Polars cannot open the path of a file that was passed to a child of the sandbox, as only the path
object knows the descriptor. Polars maps an open file into memory without another copy.
"""

from __future__ import annotations

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
