"""Whole-block questions about bytes, answered with vector operations on a column of UInt8.

Nothing here knows of rows or ids; `fast.py` draws the conclusions.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

_SLICE = 2 << 20
"""Bytes looked at together: few enough that the masks stay in the processor's cache."""

_COMMA, _LINE_FEED, _SPACE, _QUOTE, _ZERO = 0x2C, 0x0A, 0x20, 0x22, 0x30


@dataclass(frozen=True)
class ByteFacts:
    """Counts over a block. A run is a longest stretch of neighbouring item bytes (digits, or for
    text items printable ASCII without space, comma and quote)."""

    commas: int
    line_feeds: int
    spaces: int
    item_bytes: int
    runs: int
    long_run: bool
    leading_zero: bool


def look_at(block: bytes, *, text_items: bool, long_run: int) -> ByteFacts:
    """The facts of a block that ends in LF; `long_run` is the length from which a run is long."""
    # Neither the cast nor the explode copies: both reinterpret the same buffer.
    codes = pl.Series([block], dtype=pl.Binary).cast(pl.List(pl.UInt8)).explode()
    parts = []
    start = 0
    while start < len(block):
        end = min(start + _SLICE, len(block))
        # A slice ends after a line feed, so that no run and no number crosses its border.
        end = block.rfind(b"\n", start, end) + 1 or block.find(b"\n", end) + 1 or len(block)
        parts.append(_look_at_slice(codes[start:end], text_items, long_run))
        start = end
    return ByteFacts(
        commas=sum(part.commas for part in parts),
        line_feeds=sum(part.line_feeds for part in parts),
        spaces=sum(part.spaces for part in parts),
        item_bytes=sum(part.item_bytes for part in parts),
        runs=sum(part.runs for part in parts),
        long_run=any(part.long_run for part in parts),
        leading_zero=any(part.leading_zero for part in parts),
    )


def _look_at_slice(codes: pl.Series, text_items: bool, long_run: int) -> ByteFacts:
    if text_items:
        # Subtraction of unsigned bytes wraps around, so one comparison checks both ends.
        item = ((codes - 0x21) <= 0x5D) & (codes != _QUOTE) & (codes != _COMMA)
    else:
        item = (codes - _ZERO) <= 9
    edges = item[1:] ^ item[:-1]
    leading_zero = not text_items and bool((edges[:-1] & (codes == _ZERO)[1:-1] & item[2:]).any())
    return ByteFacts(
        commas=int((codes == _COMMA).sum()),
        line_feeds=int((codes == _LINE_FEED).sum()),
        spaces=int((codes == _SPACE).sum()),
        item_bytes=int(item.sum()),
        # The slice ends outside a run, so each run has an end in it; one at the very start has
        # no beginning among the edges.
        runs=(int(edges.sum()) + int(bool(item[0]))) // 2,
        long_run=_has_run(item, long_run),
        leading_zero=leading_zero,
    )


def _has_run(mask: pl.Series, length: int) -> bool:
    """Whether `length` neighbours are all true; by doubling, so in about log2(length) passes."""
    reach = 1
    while reach < length:
        step = min(reach, length - reach)
        if len(mask) <= step:
            return False
        mask = mask[step:] & mask[:-step]
        reach += step
    return bool(mask.any())
