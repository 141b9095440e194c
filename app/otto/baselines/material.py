"""What a baseline may look at: the events of the training and of the test sessions, in memory with
thirteen bytes each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from app.otto.preparation.raw import raw_chunks
from app.otto.preparation.text import MOST_BYTES
from app.otto.shape import TYPES

PORTION_SESSIONS = 50_000
"""Test sessions that are answered at a time: some hundred megabytes."""

_EVENTS = {"session": pl.Int32, "aid": pl.Int32, "second": pl.Int32, "type": pl.UInt8}


@dataclass(frozen=True, slots=True)
class Material:
    """Both frames have a row for each event: session, aid (Int32), `second` since 1970 (Int32) and
    type (UInt8, a place in `TYPES`), session by session, in order of time within each. `sessions`
    are those to answer, also without events, in the order of the file."""

    train: pl.DataFrame
    test: pl.DataFrame
    sessions: pl.Series

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


def read_material(train: Path, test: Path) -> Material:
    """Sessions in OTTO's raw form, plain, gzip or zstd. Raises `Refused`, with lines."""
    known, _ = _read(train)
    seen, sessions = _read(test)
    return Material(known, seen, sessions)


def _read(file: Path) -> tuple[pl.DataFrame, pl.Series]:
    parts, sessions = [pl.DataFrame(schema=_EVENTS)], [pl.Series("session", [], dtype=pl.Int32)]
    # Nobody's clock is beyond 2038; a later time only is the latest there is.
    second = (pl.col("ts") // 1000).clip(0, 2**31 - 1).cast(pl.Int32)
    code = pl.col("type").cast(pl.Enum(TYPES)).to_physical().cast(pl.UInt8)
    for chunk in raw_chunks(file, most_bytes=MOST_BYTES):
        parts.append(chunk.events.select("session", "aid", second=second, type=code))
        sessions.append(chunk.sessions.alias("session"))
    every = pl.concat(sessions)
    events = pl.concat(parts, rechunk=True)
    distinct = every.unique(maintain_order=True)
    if len(distinct) < len(every):
        # The lines of a session may lie apart: what belongs together is put together.
        events = events.sort("session", "second", maintain_order=True)
    return events, distinct
