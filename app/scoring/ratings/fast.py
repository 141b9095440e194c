"""The fast path: turns one block of plain rows into a frame, or raises `NotPlain`.

A block that passes here holds exactly what the strict line reader would have found in it. Anything
that is not proven raises `NotPlain`, which says nothing about the file: the strict reader is the
fallback and decides.

The proof. Polars takes each line apart at its commas. Every rating matches the one spelling that is
allowed, every text id as well. The canonical texts of the whole numbers, the lengths of all other
fields, and a separator or a line feed after each field add up to the block's length. No accepted
spelling of a whole number is shorter than the canonical one, and a number below 0 is counted as one
digit, which is shorter than any of its spellings: so all numbers are canonical and none is below 0,
every line is a row, and no byte is anywhere else.
"""

from __future__ import annotations

from typing import Any, Literal

import polars as pl

from podium.scoring.kernel.text import NotPlain
from podium.scoring.ratings.pairs import type_of
from podium.scoring.ratings.rows import LARGEST_RATING, LONGEST_NUMBER_BYTES, NUMBER, TEXT_ID
from podium.scoring.task import Task

Role = Literal["user", "item", "rating", "usage"]
"""The role of a column of a file."""


class RatingBlockReader:
    """Reads the blocks of one file, whose columns are these roles in this order."""

    def __init__(self, task: Task, roles: tuple[Role, ...]) -> None:
        types = {"user": type_of(task.query_ids), "item": type_of(task.item_ids)}
        self._schema: dict[str, Any] = {role: types.get(role, pl.String) for role in roles}

    def read(self, block: bytes) -> pl.DataFrame:
        """Parses a block of whole lines, each ended by LF: `user` and `item` by the kinds of their
        ids, `rating` Float64, `usage` String. Raises NotPlain."""
        frame = self._split(block)
        sizes = [_text_bytes(frame[role]) for role in frame.columns]
        if sum(sizes) + frame.height * frame.width != len(block):
            raise NotPlain("a number is not canonical, or the rows are not the whole block")
        for role in ("user", "item"):
            _check_text_ids(frame[role])
        return frame.with_columns(_ratings(frame["rating"])) if "rating" in self._schema else frame

    def _split(self, block: bytes) -> pl.DataFrame:
        frame = columns(block, self._schema)
        if any(column.null_count() for column in frame) or not frame.height:
            raise NotPlain("a field is missing, or no whole number")
        return frame


def _check_text_ids(ids: pl.Series) -> None:
    if ids.dtype == pl.String and not ids.str.contains(f"^{TEXT_ID}$").all():
        raise NotPlain("a foreign character in an id")


def _ratings(texts: pl.Series) -> pl.Series:
    if not texts.str.contains(f"^{NUMBER}$").all():
        raise NotPlain("a number is spelt otherwise")
    if int(texts.str.len_bytes().max()) > LONGEST_NUMBER_BYTES:  # type: ignore[arg-type]
        raise NotPlain("a long number")
    ratings = texts.cast(pl.Float64, strict=False)
    if ratings.null_count() or not ratings.is_between(-LARGEST_RATING, LARGEST_RATING).all():
        raise NotPlain("a number is too large")
    return ratings


def _text_bytes(column: pl.Series) -> int:
    """Bytes of all the fields of a column, whole numbers in their canonical spelling; too few for
    numbers below 0, which have none."""
    if column.dtype == pl.String:
        return int(column.str.len_bytes().cast(pl.UInt64).sum())
    total = len(column)
    for digits in range(1, len(str(max(0, column.max())))):  # type: ignore[type-var]
        total += int((column >= 10**digits).sum())
    return total


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
