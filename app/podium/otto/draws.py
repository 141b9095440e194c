"""Draws random numbers without a generator: each is a hash of the seed, of its purpose and of its
key.

So a session looks the same in any chunk, on any number of threads and on any machine, and a table
of five million rows is a few column operations. Only integer arithmetic modulo 2^64 and exact
floating-point operations are used; nothing depends on a library's own hash or random functions. All
of it works on whole Series: nested expressions would be computed again at every mention.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import polars as pl


@dataclass(frozen=True, slots=True)
class Draws:
    """Draws all random numbers that belong to one seed."""

    seed: int

    def bits(self, purpose: str, key: pl.Series) -> pl.Series:
        """Draws 64 random bits per key (UInt64); different purposes are independent of each
        other."""
        digest = hashlib.blake2b(f"{self.seed}/{purpose}".encode(), digest_size=8).digest()
        return _scattered(_scattered(key.cast(pl.UInt64)) ^ int.from_bytes(digest, "little"))


def below(bits: pl.Series, bound: int) -> pl.Series:
    """Maps bits to a number in 0 … bound-1 (Int32) by their high half; bound is at most 2^31."""
    return ((bits // (1 << 32)) * bound // (1 << 32)).cast(pl.Int32)


def unit(bits: pl.Series) -> pl.Series:
    """Maps bits to a number in [0, 1) by their high half (Float64)."""
    return (bits // (1 << 32)).cast(pl.Float64) * 2.0**-32


def reused(bits: pl.Series) -> pl.Series:
    """Rotates the low half of the bits to the top, so that a second number can be drawn from
    them."""
    return bits * (1 << 32) + bits // (1 << 32)


def looked_up(table: pl.Series, bits: pl.Series) -> pl.Series:
    """Picks random entries of a table whose length is a power of two, by the top bits."""
    return table.gather(bits // ((1 << 64) // len(table)))


def _scattered(key: pl.Series) -> pl.Series:
    """Applies the finalizer of SplitMix64 (Steele, Lea, Flood 2014), a bijection of 64-bit
    numbers."""
    key = key + 0x9E3779B97F4A7C15
    key = (key ^ (key // (1 << 30))) * 0xBF58476D1CE4E5B9
    key = (key ^ (key // (1 << 27))) * 0x94D049BB133111EB
    return key ^ (key // (1 << 31))
