"""Writes rows of a submission to a file: CSV, gzip, zstd or Parquet, a portion at a time. Equal
rows give equal bytes."""

from __future__ import annotations

import gzip
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Literal, cast

import polars as pl

from podium import zstd_library
from podium.errors import InvalidInput
from podium.scoring.names import header_of
from podium.scoring.problems import Code, FileRejected

Container = Literal["plain", "gz", "zst", "parquet"]

GZIP_LEVEL, ZSTD_LEVEL = 6, 3


def container_of(path: Path) -> Container:
    """Chooses the container by the extension of a name; plain text for unknown ones."""
    endings: dict[str, Container] = {".gz": "gz", ".zst": "zst", ".parquet": "parquet"}
    return endings.get(path.suffix, "plain")


def write_rows(portions: Iterable[pl.DataFrame], out: Path, container: Container) -> int:
    """Writes portions of rows, all with the same two columns of text: an id, and its labels.
    Returns the number of rows. There is at least one portion, possibly without rows.

    The file appears under its name once it is complete.
    """
    with _partial(out, container) as partial:
        if container == "parquet":
            return _write_parquet(portions, partial)
        count, is_first = 0, True
        with _text_file(partial, container) as sink:
            for rows in portions:
                sink.write(_text(rows, include_header=is_first).encode())
                count, is_first = count + rows.height, False
        return count


def write_lines(
    columns: tuple[str, str], portions: Iterable[memoryview], out: Path, container: Container
) -> None:
    """Writes portions of rows that already are lines of CSV without quotes. `columns` are the names
    of the id and the labels."""
    if container == "parquet":
        write_rows((_rows(columns, lines) for lines in portions), out, container)
        return
    with _partial(out, container) as partial, _text_file(partial, container) as sink:
        sink.write(f"{header_of(columns)}\n".encode())
        for lines in portions:
            sink.write(lines)


@contextmanager
def _partial(out: Path, container: Container) -> Iterator[Path]:
    """Opens a temporary file that is renamed at the end."""
    if container == "zst" and not zstd_library.IS_THERE:
        raise FileRejected.because(
            Code.ARCHIVE_UNSUPPORTED,
            f"{out.name} cannot be written: {zstd_library.MISSING}. Name it .gz.",
        )
    if out.exists() and not out.is_file():
        # A device would be replaced by a file.
        raise InvalidInput(f"{out} is not a file. Name one to write to.")
    partial = out.with_name(f".{out.name}.part")
    try:
        yield partial
        partial.replace(out)
    finally:
        partial.unlink(missing_ok=True)


def _rows(columns: tuple[str, str], lines: memoryview) -> pl.DataFrame:
    schema = dict.fromkeys(columns, pl.String)
    rows = pl.read_csv(bytes(lines), has_header=False, schema=schema, quote_char=None)
    return rows.fill_null("")


def _text(rows: pl.DataFrame, *, include_header: bool) -> str:
    # With quoting enabled, empty labels are quoted, too, and readers take longer.
    quoted = rows.to_series(0).str.contains('[",]').any()
    style: Literal["necessary", "never"] = "necessary" if quoted else "never"
    header = f"{header_of(rows.columns)}\n" if include_header else ""
    return header + rows.write_csv(include_header=False, quote_style=style)


@contextmanager
def _text_file(out: Path, container: Container) -> Iterator[BinaryIO]:
    with out.open("wb") as raw:
        if container == "gz":
            # The file contains neither a name nor a time.
            with gzip.GzipFile("", "wb", GZIP_LEVEL, raw, mtime=0) as packed:
                yield cast(BinaryIO, packed)
        elif container == "zst":
            with zstd_library.zstd.ZstdFile(raw, "wb", level=ZSTD_LEVEL) as stream:
                yield cast(BinaryIO, stream)
        else:
            yield raw


def _write_parquet(portions: Iterable[pl.DataFrame], out: Path) -> int:
    with tempfile.TemporaryDirectory(prefix="podium-", dir=out.parent) as folder:
        parts, count = [], 0
        for number, rows in enumerate(portions):
            parts.append(Path(folder) / f"{number}.arrow")
            rows.write_ipc(parts[-1])
            count += rows.height
        pl.scan_ipc(parts).sink_parquet(out, compression="zstd", row_group_size=1 << 18)
    return count
