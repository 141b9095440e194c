"""Reads the first lines of a file in any container as text, and checks that need the whole file."""

from __future__ import annotations

import codecs
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import polars as pl

from podium.scoring.containers.detection import is_parquet, open_blocks, opening_any
from podium.scoring.inference.guessing import HEAD_BYTES, HEAD_ROWS, guess_of, in_columns
from podium.scoring.kinds.first_rows import Guess
from podium.scoring.parquet.columns import first_rows
from podium.scoring.parquet.files import scan_parquet
from podium.scoring.parquet.types import as_lists, holds_lists, is_list
from podium.scoring.problems import FileRejected
from podium.scoring.text.fields import RowProblem, names_of
from podium.scoring.text.trec import is_qrels


def head_of(file: Path, forms: Iterable[str] = ()) -> bytes:
    """Reads the first lines of a file, decompressed, in the encoding of these forms; those of
    Parquet as a table of text. Raises FileRejected."""
    if is_parquet(file):
        return _as_text(first_rows(file, HEAD_ROWS))
    block = next(open_blocks(file, opening_any(forms), block_bytes=HEAD_BYTES), b"")
    return in_columns(block.removeprefix(codecs.BOM_UTF8))


def _as_text(frame: pl.DataFrame) -> bytes:
    """Formats rows as CSV; a column without a text form is empty, and the reader of the file
    reports it."""
    for name, kind in frame.schema.items():
        if holds_lists(kind):
            texts = as_lists(name, kind).cast(pl.List(pl.String)).list.join(" ")
        elif is_list(kind) or kind in (pl.Struct, pl.Binary, pl.Object):
            texts = pl.lit(None, dtype=pl.String).alias(name)
        else:
            continue
        frame = frame.with_columns(texts)
    return frame.write_csv().encode()


def names_in(head: bytes) -> list[str]:
    """Splits the header into the names of a table's columns."""
    line = head.split(b"\n", 1)[0].strip().decode("utf-8", "replace")
    try:
        return [field.decode().strip() for field in names_of(line.encode())]
    except RowProblem:
        return [column.strip().strip('"') for column in line.split(",")]


def looks_like_qrels(file: Path) -> bool:
    """True where a file, in any container, holds qrels; their topics and docnos are text."""
    with suppress(FileRejected):
        return not is_parquet(file) and is_qrels(head_of(file))
    return False


def is_json(head: bytes) -> bool:
    """True for label JSON lines."""
    return head.lstrip().startswith(b"{")


def guess_at(head: bytes) -> Guess:
    """Guesses the settings of a ground truth from its first lines."""
    return guess_of(head, is_cut=len(head) >= HEAD_BYTES)


def has_leading_zeros(file: Path) -> bool:
    """True where a field of a table, or an item of a list, is a number with a leading zero."""
    # The problems of an unreadable file are reported by its reader.
    with suppress(FileRejected, pl.exceptions.PolarsError):
        if not is_parquet(file):
            return any(map(_has_leading_zero, open_blocks(file, opening_any())))
        texts = scan_parquet(file).select(pl.selectors.string().str.contains("(?:^| )0[0-9]"))
        return any(column.any() for column in texts.collect().get_columns())
    return False


def _has_leading_zero(block: bytes) -> bool:
    # Five times as fast as Python's own expressions. As Latin-1 all bytes are characters.
    found = pl.Series([block.decode("latin-1")]).str.contains('[ ,"]0[0-9]')
    return bool(found.any())
