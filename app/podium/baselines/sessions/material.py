"""The input of a baseline: the events of the training and of the test sessions, in memory with
thirteen bytes each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from podium.otto.shape import TYPES
from podium.preparation.files.text import MAX_BYTES
from podium.preparation.sessions.raw import raw_chunks

TYPE_WEIGHTS = {"clicks": 1, "carts": 6, "orders": 3}
"""Weights of events by type where intent is predicted, not only views."""

OTHER_WEIGHT = 3
"""That of types of other shops."""

PORTION_SESSIONS = 50_000
"""Test sessions that are answered at a time: some hundred megabytes."""

_EVENTS = {"session": pl.Int32, "aid": pl.Int32, "second": pl.Int32, "type": pl.UInt8}


@dataclass(frozen=True, slots=True)
class Material:
    """Both frames have a row for each event: session, aid (Int32), `second` since 1970 (Int32) and
    type (UInt8, a place in `types`), session by session, in order of time within each. `sessions`
    are those to answer, also without events, in the order of the file."""

    train: pl.DataFrame
    test: pl.DataFrame
    sessions: pl.Series
    types: tuple[str, ...]

    @property
    def codes(self) -> pl.DataFrame:
        """The column `type` with every type once."""
        return pl.DataFrame({"type": range(len(self.types))}, schema={"type": pl.UInt8})

    @property
    def looking(self) -> int:
        """The type that is no more than a look: clicks, or else the most frequent one."""
        if "clicks" in self.types:
            return self.types.index("clicks")
        counted = self.train.group_by("type").len().sort("len", "type", descending=[True, False])
        return int(counted["type"][0]) if counted.height else 0

    @property
    def worth(self) -> pl.Series:
        """The weight of each event by its type, Int64."""
        looking = self.looking
        return pl.Series(
            [
                1 if code == looking else TYPE_WEIGHTS.get(name, OTHER_WEIGHT)
                for code, name in enumerate(self.types)
            ],
            dtype=pl.Int64,
        )

    def portions(self) -> Iterator[tuple[pl.Series, pl.DataFrame]]:
        """The test sessions, some at a time, and their events."""
        for first in range(0, len(self.sessions), PORTION_SESSIONS):
            sessions = self.sessions[first : first + PORTION_SESSIONS]
            wanted = sessions.to_frame()
            yield sessions, self.test.join(wanted, "session", "semi", maintain_order="left")


Recommend = Callable[[pl.Series, pl.DataFrame], pl.DataFrame]
"""Some sessions, which may have no events, and their events → what they are recommended: session,
type, aid and rank (from 0, as far as wanted or further), without an item twice in a list."""

Learn = Callable[[Material, int], Recommend]
"""A baseline: from all that is known, and the length of lists, to a function that recommends."""


def read_material(train: Path, test: Path, types: tuple[str, ...] = TYPES) -> Material:
    """Sessions in OTTO's raw form, plain, gzip or zstd, with events of these types. Raises
    `RawFileRefused`, with lines."""
    known, _ = _read(train, types)
    seen, sessions = _read(test, types)
    return Material(known, seen, sessions, types)


def _read(file: Path, types: tuple[str, ...]) -> tuple[pl.DataFrame, pl.Series]:
    parts, sessions = [pl.DataFrame(schema=_EVENTS)], [pl.Series("session", [], dtype=pl.Int32)]
    # Timestamps end in 2038; a later one becomes the latest there is.
    second = (pl.col("ts") // 1000).clip(0, 2**31 - 1).cast(pl.Int32)
    code = pl.col("type").cast(pl.Enum(types)).to_physical().cast(pl.UInt8)
    for chunk in raw_chunks(file, most_bytes=MAX_BYTES, types=types):
        parts.append(chunk.events.select("session", "aid", second=second, type=code))
        sessions.append(chunk.sessions.alias("session"))
    every = pl.concat(sessions)
    events = pl.concat(parts, rechunk=True)
    distinct = every.unique(maintain_order=True)
    if len(distinct) < len(every):
        # The lines of a session may lie apart: what belongs together is put together.
        events = events.sort("session", "second", maintain_order=True)
    return events, distinct
