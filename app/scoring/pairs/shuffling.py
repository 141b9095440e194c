"""The order in which candidates are published: a keyed hash of their ids, which tells nothing."""

from __future__ import annotations

import hashlib
import hmac

import polars as pl


def shuffled_within(queries: pl.Series, items: pl.Series, *, key: bytes) -> pl.Series:
    """The UInt32 places of pairs: queries in the order in which they first appear, and the items of
    each in an order that the key gives, whatever the order of the rows."""
    keyed = hmac.new(key, digestmod=hashlib.sha256)
    places = []
    for query, item in zip(queries.cast(pl.String), items.cast(pl.String), strict=True):
        digest = keyed.copy()
        digest.update(f"{query},{item}".encode())
        places.append(int.from_bytes(digest.digest()[:8], "big"))
    frame = pl.DataFrame({"query": queries, "place": pl.Series(places, dtype=pl.UInt64)})
    first = pl.int_range(pl.len(), dtype=pl.UInt32).first().over("query")
    return frame.select(pl.arg_sort_by(first, "place")).to_series().cast(pl.UInt32)
