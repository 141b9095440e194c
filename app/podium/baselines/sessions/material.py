"""Reads the input of a baseline: the events of the training and of the test sessions, in memory
with thirteen bytes each."""

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
"""The weight of types that other shops have."""

PORTION_SESSIONS = 50_000
"""Test sessions that are answered at a time: a few hundred megabytes."""

_EVENTS = {"session": pl.Int32, "aid": pl.Int32, "second": pl.Int32, "type": pl.UInt8}


@dataclass(frozen=True, slots=True)
class Material:
    """Events of the training and of the test sessions, one row each: session, aid (Int32), `second`
    since 1970 (Int32) and type (UInt8, an index in `types`), session by session, in order of time
    within each. `sessions` are those to answer, also without events, in the order of the file."""

    train: pl.DataFrame
    test: pl.DataFrame
    sessions: pl.Series
    types: tuple[str, ...]

    @property
    def codes(self) -> pl.DataFrame:
        """A frame with the column `type` and one row for every type."""
        return pl.DataFrame({"type": range(len(self.types))}, schema={"type": pl.UInt8})

    @property
    def looking(self) -> int:
        """The type that means a mere view: clicks, or otherwise the most frequent one."""
        if "clicks" in self.types:
            return self.types.index("clicks")
        counted = self.train.group_by("type").len().sort("len", "type", descending=[True, False])
        return int(counted["type"][0]) if counted.height else 0

    @property
    def worth(self) -> pl.Series:
        """The weight of an event by its type, Int64."""
        looking = self.looking
        return pl.Series(
            [
                1 if code == looking else TYPE_WEIGHTS.get(name, OTHER_WEIGHT)
                for code, name in enumerate(self.types)
            ],
            dtype=pl.Int64,
        )

    def portions(self) -> Iterator[tuple[pl.Series, pl.DataFrame]]:
        """Yields the test sessions, a portion at a time, and their events."""
        for first in range(0, len(self.sessions), PORTION_SESSIONS):
            sessions = self.sessions[first : first + PORTION_SESSIONS]
            wanted = sessions.to_frame()
            yield sessions, self.test.join(wanted, "session", "semi", maintain_order="left")


Recommend = Callable[[pl.Series, pl.DataFrame], pl.DataFrame]
"""Maps some sessions, which may have no events, and their events to recommendations: session, type,
aid and rank (from 0, at least as far as needed), without an item twice in a list."""

Learn = Callable[[Material, int], Recommend]
"""Learns from the material and the length of lists, and returns a function that recommends."""


def read_material(train: Path, test: Path, types: tuple[str, ...] = TYPES) -> Material:
    """Reads sessions in OTTO's raw format, plain, gzip or zstd, with events of these types. Raises
    `RawFileRefused`, with lines."""
    known, _ = _read(train, types)
    seen, sessions = _read(test, types)
    return Material(known, seen, sessions, types)


def _read(file: Path, types: tuple[str, ...]) -> tuple[pl.DataFrame, pl.Series]:
    parts, sessions = [pl.DataFrame(schema=_EVENTS)], [pl.Series("session", [], dtype=pl.Int32)]
    # Timestamps end in 2038; later ones become the latest possible.
    second = (pl.col("ts") // 1000).clip(0, 2**31 - 1).cast(pl.Int32)
    code = pl.col("type").cast(pl.Enum(types)).to_physical().cast(pl.UInt8)
    for chunk in raw_chunks(file, most_bytes=MAX_BYTES, types=types):
        parts.append(chunk.events.select("session", "aid", second=second, type=code))
        sessions.append(chunk.sessions.alias("session"))
    every = pl.concat(sessions)
    events = pl.concat(parts, rechunk=True)
    distinct = every.unique(maintain_order=True)
    if len(distinct) < len(every):
        # The lines of a session may be apart: its events are moved together.
        events = events.sort("session", "second", maintain_order=True)
    return events, distinct
