"""Computes keyed hashes of texts by the compiled functions."""

from __future__ import annotations

import ctypes
import hashlib
from concurrent.futures import ThreadPoolExecutor

import polars as pl

from podium.scoring.kernel.columns import Filled, TextColumn

_KEY_BYTES = 64
_START_BYTES = _HASH_BYTES = 8


def keyed_hashes(kernel: ctypes.CDLL, key: bytes, texts: pl.Series) -> pl.Series:
    """Computes the first eight bytes of HMAC-SHA256(key, text) of each text, read as a number whose
    first byte is the highest, UInt64."""
    if len(key) > _KEY_BYTES:
        key = hashlib.sha256(key).digest()
    key = key.ljust(_KEY_BYTES, b"\0")
    column, found = TextColumn(texts), Filled(pl.UInt64, len(texts))
    starts = column.starts.address
    assert starts is not None, "there is one start more than there are texts"

    def hash_part(start: int, stop: int) -> None:
        at, to = starts + _START_BYTES * start, found.address + _HASH_BYTES * start
        kernel.podium_hash_texts(key, column.address, at, stop - start, to)

    threads = pl.thread_pool_size()
    bounds = [len(texts) * number // threads for number in range(threads + 1)]
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(hash_part, bounds, bounds[1:]))
    return found.column()
