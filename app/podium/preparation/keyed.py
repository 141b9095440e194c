"""Keyed randomness: a 64-bit number for each pair of user and item, unpredictable without the key.

Each user and each item gets 64 bits of keyed BLAKE2b. A pair's number is the SplitMix64 finalizer
of both, which is integer arithmetic modulo 2^64: the same on every machine, with every version of
Polars, and for any order of rows.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable

import polars as pl

from podium.scoring.repeating import repeat

_DENSEST = 1 << 26
"""Ids below this are looked up in a table, larger ones by a join."""


class KeyedHash:
    """Hashes users, items and pairs with one key."""

    def __init__(self, key: bytes) -> None:
        self._key = hashlib.sha256(key).digest()

    def words(self, purpose: str, texts: Iterable[str]) -> pl.Series:
        """Hashes each text to 64 bits (UInt64); different purposes are independent of each
        other."""
        keyed = hashlib.blake2b(purpose.encode() + b" ", key=self._key, digest_size=8)
        words = array("Q")
        for text in texts:
            digest = keyed.copy()
            digest.update(text.encode())
            words.append(int.from_bytes(digest.digest(), "big"))
        return pl.Series(words, dtype=pl.UInt64)

    def pairs(self, users: Words, items: Words) -> pl.Series:
        """Combines the hashes of user and item into 64 bits for each pair."""
        bits = users.bits ^ items.bits
        bits = (bits ^ (bits // (1 << 30))) * 0xBF58476D1CE4E5B9
        bits = (bits ^ (bits // (1 << 27))) * 0x94D049BB133111EB
        return bits ^ (bits // (1 << 31))


class Words:
    """Hashes of a column of codes, computed once for each distinct code."""

    def __init__(self, keyed: KeyedHash, purpose: str, codes: pl.Series, ids: Ids) -> None:
        distinct = codes.unique().sort()
        words = keyed.words(purpose, ids.texts(distinct))
        self.bits = looked_up(distinct, words, codes)


class Ids:
    """Maps codes to ids: the codes themselves, or texts in ascending order."""

    def __init__(self, names: pl.Series | None = None) -> None:
        self.names = names

    @property
    def kind(self) -> str:
        """`integer` or `string`, as in the descriptions of tasks and datasets."""
        return "integer" if self.names is None else "string"

    def decoded(self, codes: pl.Series) -> pl.Series:
        """Decodes codes to ids: Int64, or String."""
        if self.names is None:
            return codes.cast(pl.Int64)
        return self.names.gather(codes).alias(codes.name)

    def texts(self, codes: pl.Series) -> list[str]:
        """Decodes codes to ids as text."""
        return self.decoded(codes).cast(pl.String).to_list()


def looked_up(distinct: pl.Series, values: pl.Series, codes: pl.Series) -> pl.Series:
    """Looks up the value of each code; `distinct` are all codes, ascending, and `values` theirs."""
    if distinct.is_empty():
        return values
    most = int(distinct[-1])
    if most < _DENSEST:
        table = repeat(0, most + 1, values.dtype)
        return table.scatter(distinct, values).gather(codes)
    return values.gather(distinct.search_sorted(codes))
