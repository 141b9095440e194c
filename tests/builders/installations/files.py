"""A small table as a file: CSV, compressed in every way, or Parquet."""

from __future__ import annotations

import csv
import gzip
import io
import zipfile
from typing import Any

import polars as pl

from tests.builders.zstd import zstd

Table = dict[str, list[Any]]
"""The values of each column."""


def in_form(table: Table, form: str) -> bytes:
    """The file in one of the forms `csv`, `csv.gz`, `csv.zst`, `zip` and `parquet`."""
    text = csv_of(table)
    if form == "csv.gz":
        return gzip.compress(text, mtime=0)
    if form == "csv.zst":
        return zstd.compress(text)
    stored = io.BytesIO()
    if form == "zip":
        with zipfile.ZipFile(stored, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(zipfile.ZipInfo("answers.csv"), text)
        return stored.getvalue()
    if form == "parquet":
        pl.DataFrame(table).write_parquet(stored)
        return stored.getvalue()
    return text


def csv_of(table: Table) -> bytes:
    """The table as CSV with a header."""
    stored = io.StringIO()
    writer = csv.writer(stored, lineterminator="\n")
    writer.writerow(table)
    writer.writerows(zip(*table.values(), strict=True))
    return stored.getvalue().encode()
