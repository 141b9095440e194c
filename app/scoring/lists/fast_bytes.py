"""Whole-block questions about bytes, answered with vector operations on a column of UInt8.

Nothing here knows of rows or ids; `fast.py` draws the conclusions.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

_COMMA, _SPACE, _QUOTE, _ZERO = 0x2C, 0x20, 0x22, 0x30


@dataclass(frozen=True)
class ByteFacts:
    """Counts over a block. A run is a longest stretch of neighbouring item bytes (digits, or for
    text items printable ASCII without space, comma and quote)."""

    spaces: int
    item_bytes: int
    runs: int
    long_run: bool
    leading_zero: bool


def look_at(block: bytes, *, text_items: bool, long_run: int) -> ByteFacts:
    """The facts of a block that ends in LF; `long_run` is the length from which a run is long."""
    # Neither the cast nor the explode copies: both reinterpret the same buffer.
    codes = pl.Series([block], dtype=pl.Binary).cast(pl.List(pl.UInt8)).explode()
    if text_items:
        # Subtraction of unsigned bytes wraps around, so one comparison checks both ends.
        item = ((codes - 0x21) <= 0x5D) & (codes != _QUOTE) & (codes != _COMMA)
    else:
        item = (codes - _ZERO) <= 9
    pairs = item[1:] & item[:-1]
    items = int(item.sum())
    return ByteFacts(
        spaces=int((codes == _SPACE).sum()),
        item_bytes=items,
        # Each run has one pair of neighbours less than it has bytes.
        runs=items - int(pairs.sum()),
        long_run=_has_run(pairs, long_run),
        leading_zero=not text_items and _has_leading_zero(codes, item, pairs),
    )


def _has_leading_zero(codes: pl.Series, item: pl.Series, pairs: pl.Series) -> bool:
    """True where a zero before a digit does not follow another digit. The first byte of a block
    belongs to an id, which is checked elsewhere."""
    followed = (codes == _ZERO)[1:-1] & pairs[1:]
    return bool(followed.sum() != (followed & item[:-2]).sum())


def _has_run(pairs: pl.Series, length: int) -> bool:
    """True where a run has `length` bytes or more; by doubling, so in about log2(length) passes.
    `pairs` says of each byte whether it and the next one are item bytes."""
    mask, reach = pairs, 2
    while reach < length:
        step = min(reach, length - reach)
        if len(mask) <= step:
            return False
        mask = mask[step:] & mask[:-step]
        reach += step
    return bool(mask.any())
