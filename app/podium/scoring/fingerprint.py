"""Computes fingerprints of the predictions of files, in three thousand bytes, independent of
container, spacing and order of rows.

Every list is hashed together with a number of its query, which depends on a secret seed. A
fingerprint has 256 sums of such hashes, from which a small number of differing lists can be
estimated, and for 256 queries that the seed selects the hashes of the list and of its first items,
by which any two files can be compared. Up to `MOST` queries all lists are hashed, above that a
share of them, so that the cost is negligible. Equal lists have equal hashes only under the same
version of Polars, which `SCHEME` therefore names.
"""

from __future__ import annotations

import hashlib
import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from podium.scoring.lists.plan import ListBlock
from podium.scoring.repeating import repeat

SCHEME = f"2/{pl.__version__}"

BUCKETS = 256
SAMPLED = 256
HEAD_ITEMS = 5
"""The first items of a list, which are also compared on their own: they stay equal where only the
last positions differ."""

MOST = 1 << 18
"""The most queries that are all hashed; of more, every second, fourth and so on."""

_SLICE = 1 << 20
"""Queries that are numbered at a time, so that memory stays bounded."""

_WORD = 4
_TOP = 1 << 64
_NOTHING = pl.Series([0], dtype=pl.UInt64)


@dataclass(frozen=True)
class FileFingerprint:
    """The fingerprint of a file. `content` is equal where all hashed lists are; `sketch` has the
    last 32 bits of the sums, then for the sampled queries 32 bits of the list, then of its head, 0
    where it is empty."""

    content: str
    sketch: bytes


@dataclass(frozen=True)
class Likeness:
    """The similarity of two files. `changed` estimates the share of all lists that differ; `lists`
    and `heads` are the shares of equal lists and equal first items, among those that are not empty
    in both. `added` is the share of differing lists that were empty in the first."""

    changed: float
    lists: float
    heads: float
    added: float

    @property
    def is_same(self) -> bool:
        """True where no difference was found."""
        return self.changed == 0


@dataclass(frozen=True)
class FingerprintPart:
    """The fingerprint of one block: `hashes` (`key` of the query, `hash` of the list, UInt64) of
    the selected rows, and the labels of the sampled queries by their index."""

    hashes: pl.DataFrame
    sampled: dict[int, str]


class FingerprintReader:
    """Hashes the rows of one submission; threads may share it."""

    def __init__(self, *, seed: int, queries: int) -> None:
        self._seed = seed
        share = max(0, math.ceil(math.log2(max(queries, 1) / MOST)))
        keys = pl.int_range(queries, dtype=pl.UInt32, eager=True).hash(seed)
        # No more than needed is sorted.
        few = keys.filter(keys < min(_TOP - 1, 4 * SAMPLED * _TOP // max(queries, 1)))
        chosen = few.sort().head(SAMPLED)
        self._places = {key: place for place, key in enumerate(chosen)}
        self._last = int(chosen[-1])
        self._highest = (_TOP >> share) - 1
        self.looked_at = keys <= max(self._highest, self._last)
        """True for each query whose list is hashed."""

    def read(self, block: ListBlock) -> FingerprintPart:
        """Hashes the lists of a block."""
        block = block.only(self.looked_at.gather(block.query))
        keys = block.query.hash(self._seed)
        at = (keys <= self._last).arg_true()
        ends = block.first.gather(at) + block.length.gather(at)
        sampled = {
            self._places[key]: " ".join(map(str, block.items[first:end].to_list()))
            for key, first, end in zip(keys.gather(at), block.first.gather(at), ends, strict=True)
        }
        # An empty list and a missing one predict the same.
        taken = (keys <= self._highest) & (block.length > 0)
        hashes = pl.DataFrame({"key": keys, "hash": self._hashes(block)}).filter(taken)
        return FingerprintPart(hashes, sampled)

    def _hashes(self, block: ListBlock) -> pl.Series:
        """Hashes each list, 0 for an empty one: the sum of the hashes of its items with their
        positions."""
        placed = (block.items.hash(self._seed) + block.place).hash(self._seed)
        until = pl.concat([_NOTHING, placed.cum_sum()])
        # Sums overflow, and so do their differences, which are right again.
        return until.gather(block.first + block.length) - until.gather(block.first)

    def read_values(self, columns: Sequence[pl.Series]) -> FileFingerprint:
        """Computes the fingerprint of numbers, one in each column for each query in their order."""
        size, width = len(columns[0]), len(columns)
        parts = []
        for start in range(0, size, _SLICE):
            query = pl.int_range(start, min(size, start + _SLICE), dtype=pl.UInt32, eager=True)
            length = repeat(width, len(query), pl.UInt32)
            named = {f"number{place}": each for place, each in enumerate(columns)}
            part = pl.DataFrame({name: each.slice(start, _SLICE) for name, each in named.items()})
            values = part.select(pl.concat_list(pl.all())).to_series().explode()
            parts.append(self.read(ListBlock(query, length, values)))
        return self.whole(parts)

    def whole(self, parts: Sequence[FingerprintPart]) -> FileFingerprint:
        """Combines the parts of all blocks, once all rows were read."""
        hashes = pl.concat([part.hashes for part in parts])
        bucket, product = pl.col("key") % BUCKETS, pl.col("hash") * (pl.col("key") | 1)
        sums = hashes.group_by(bucket.alias("bucket")).agg(product.sum().alias("sum"))
        totals = dict(sums.iter_rows())
        exact = [totals.get(number, 0) for number in range(BUCKETS)]
        lists, heads = array("I", [0] * SAMPLED), array("I", [0] * SAMPLED)
        for part in parts:
            for place, text in part.sampled.items():
                if text:
                    head = " ".join(text.split(" ", HEAD_ITEMS)[:HEAD_ITEMS])
                    lists[place], heads[place] = _short(text), _short(head)
        content = hashlib.sha256(b"".join(total.to_bytes(8, "little") for total in exact))
        sketch = array("I", [total % (1 << 32) for total in exact]) + lists + heads
        return FileFingerprint(content.hexdigest()[:32], sketch.tobytes())


def likeness(one: bytes, other: bytes, *, queries: int) -> Likeness:
    """Compares the sketches of two files for the same number of queries."""
    sums, lists, heads = (_parts(one, other, number) for number in range(3))
    differing = sum(a != b for a, b in sums)
    taken = [(a, b) for a, b in lists if a or b]
    unequal = [(a, b) for a, b in taken if a != b]
    return Likeness(
        changed=_changed(differing, len(unequal), queries),
        lists=1 - len(unequal) / len(taken) if taken else 1.0,
        heads=sum(a == b for a, b in heads if a or b) / len(taken) if taken else 1.0,
        added=sum(a == 0 for a, _ in unequal) / len(unequal) if unequal else 0.0,
    )


def _changed(differing: int, unequal: int, queries: int) -> float:
    """Estimates the share of lists that differ: from the sums while few enough differ, otherwise
    from the sample."""
    sampled = min(SAMPLED, max(queries, 1))
    if differing > BUCKETS // 2 and unequal:
        return unequal / sampled
    lists = -BUCKETS * math.log1p(-min(differing, BUCKETS - 1) / BUCKETS)
    looked_at = min(queries, queries / 2 ** max(0, math.ceil(math.log2(max(queries, 1) / MOST))))
    return float(min(1.0, lists / max(looked_at, 1)))


def _short(text: str) -> int:
    """Hashes a text to 32 bits, never 0."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:_WORD], "little") or 1


def _parts(one: bytes, other: bytes, number: int) -> list[tuple[int, int]]:
    """Pairs the numbers of one third of both sketches."""
    start = number * BUCKETS * _WORD
    first, second = array("I"), array("I")
    first.frombytes(one[start : start + BUCKETS * _WORD])
    second.frombytes(other[start : start + BUCKETS * _WORD])
    return list(zip(first, second, strict=True))


def sampled_lists(sketch: bytes, most: int) -> list[tuple[int, int]]:
    """Lists the first sampled queries, by their index, with the hashes of their lists; without
    those whose list is empty."""
    lists = array("I")
    lists.frombytes(sketch[BUCKETS * _WORD : (BUCKETS + most) * _WORD])
    return [(place, of_list) for place, of_list in enumerate(lists) if of_list]
