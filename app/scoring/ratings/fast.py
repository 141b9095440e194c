"""Splits the lines of a block with Polars."""

from __future__ import annotations

from typing import Any

import polars as pl

from podium.scoring.kernel.text import NotPlain


def columns(block: bytes, schema: dict[str, Any], separator: str = ",") -> pl.DataFrame:
    """Splits the lines of a block at the first separators. Raises NotPlain."""
    # The parser takes text that begins like a compressed stream for one; a line before it does not.
    guard = b"0" + separator.encode() * (len(schema) - 1) + b"\n" if block[:2] == _ZLIB else b""
    try:
        frame = pl.read_csv(
            guard + block if guard else block,
            has_header=False,
            separator=separator,
            schema=schema,
            quote_char=None,
            empty_string_is_null=False,
            extra_columns="raise",
        )
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise NotPlain("the CSV parser objects") from error
    return frame.slice(1) if guard else frame


_ZLIB = b"x^"
"""The beginning of a compressed stream that may also be that of an id."""
