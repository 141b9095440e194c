"""Shuffles candidates for publication by a keyed hash of their ids, so that the order reveals
nothing.

The key gives one number by HMAC, and integer arithmetic does the rest, so that millions of pairs
take seconds and no version of a library changes their order. The order depends on the ids and the
key alone: even the discovery of the number would reveal no target.
"""

from __future__ import annotations

import hashlib
import hmac
from functools import partial

import polars as pl


def shuffled_within(queries: pl.Series, items: pl.Series, *, key: bytes) -> pl.Series:
    """Computes the UInt32 positions of pairs: queries in the order in which they first appear, and
    the items of each in an order that depends on the key, but not on the order of the rows."""
    seed = hmac.new(key, b"the order of candidates", hashlib.sha256).digest()
    # Distinct items of a query have distinct numbers: each step is invertible.
    of_query = _mixed(_numbers(queries, seed) + _word(seed[:8]))
    place = _mixed(_numbers(items, seed) + of_query)
    numbered = queries.unique(maintain_order=True).alias("query").to_frame().with_row_index("at")
    frame = pl.DataFrame({"query": queries, "place": place})
    frame = frame.join(numbered, on="query", how="left", maintain_order="left")
    return frame.select(pl.arg_sort_by("at", "place")).to_series().cast(pl.UInt32)


def _numbers(ids: pl.Series, seed: bytes) -> pl.Series:
    """Maps each id to a UInt64: itself, or 64 bits of a keyed hash of a text."""
    if isinstance(ids.dtype, pl.Enum):
        return _numbers(ids.dtype.categories, seed).gather(ids.to_physical())
    if ids.dtype != pl.String:
        return ids.cast(pl.UInt64)
    texts = ids.unique()
    hashed = partial(hashlib.blake2b, digest_size=8, key=seed)
    numbers = [int.from_bytes(hashed(text.encode()).digest(), "big") for text in texts]
    table = pl.DataFrame({"id": texts, "number": pl.Series(numbers, dtype=pl.UInt64)})
    named = pl.DataFrame({"id": ids})
    return named.join(table, on="id", how="left", maintain_order="left")["number"]


def _mixed(numbers: pl.Series) -> pl.Series:
    """Applies the finalizer of SplitMix64 (Steele, Lea & Flood 2014): every bit depends on every
    other one.

    >>> _mixed(pl.Series([0x9E3779B97F4A7C15], dtype=pl.UInt64)).item() == 0xE220A8397B1DCDAF
    True
    """
    # Products of UInt64 are those modulo 2**64.
    numbers = (numbers ^ numbers // (1 << 30)) * _word(bytes.fromhex("BF58476D1CE4E5B9"))
    numbers = (numbers ^ numbers // (1 << 27)) * _word(bytes.fromhex("94D049BB133111EB"))
    return numbers ^ numbers // (1 << 31)


def _word(word: bytes) -> pl.Series:
    return pl.Series([int.from_bytes(word, "big")], dtype=pl.UInt64)
