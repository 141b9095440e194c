"""Cuts sessions by a keyed hash of the id: uniformly, and independently of other sessions."""

from __future__ import annotations

import hashlib
import hmac
import sys
from array import array
from collections.abc import Callable

import polars as pl

Cuts = Callable[[pl.Series, pl.Series], pl.Series]
"""Maps sessions and their numbers of events (two or more) to how many of them stay visible,
Int32."""

_WORDS = 1 << 64


def keyed_cuts(key: bytes) -> Cuts:
    """Draws cuts from 1 … n-1, uniform and unpredictable without the key.

    HMAC-SHA256(key, "cut <session>") is read as four numbers of 64 bits. The first that lies below
    the largest multiple of n-1 gives the remainder; the others would make small cuts likelier by
    a hair. Should all four be too large, "cut <session> 2" is asked, and so on.
    """
    keyed = hmac.new(key, b"cut ", hashlib.sha256)

    def words(text: bytes) -> bytes:
        digest = keyed.copy()
        digest.update(text)
        return digest.digest()

    def cuts(sessions: pl.Series, lengths: pl.Series) -> pl.Series:
        texts = sessions.cast(pl.String).cast(pl.Binary).to_list()
        first = array("Q", b"".join(words(text)[:8] for text in texts))
        if sys.byteorder == "little":
            first.byteswap()
        word, choices = pl.Series(first, dtype=pl.UInt64), (lengths - 1).cast(pl.UInt64)
        # 2^64 itself does not fit in UInt64: the number of words that are too large is (2^64 mod
        # choices).
        surplus = (pl.Series([_WORDS - 1], dtype=pl.UInt64) % choices + 1) % choices
        cut = (word % choices + 1).cast(pl.Int32)
        for place in (word > _WORDS - 1 - surplus).arg_true().to_list():
            cut[place] = _slowly(words, texts[place], int(choices[place]))
        return cut

    return cuts


def seeded_key(seed: int) -> bytes:
    """Derives a key from a seed; the seed alone is enough to predict every cut."""
    return hashlib.sha256(f"podium otto seed {seed}".encode()).digest()


def _slowly(words: Callable[[bytes], bytes], text: bytes, choices: int) -> int:
    limit, asked = _WORDS - _WORDS % choices, 1
    while True:
        digest = words(text if asked == 1 else text + f" {asked}".encode())
        for start in range(0, 32, 8):
            word = int.from_bytes(digest[start : start + 8], "big")
            if word < limit:
                return word % choices + 1
        asked += 1
