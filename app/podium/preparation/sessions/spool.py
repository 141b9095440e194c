"""Spools events to disk: written once as they are read, and read back by ranges of sessions. Only
one range is in memory, however large the files are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from podium.otto.shape import TYPES
from podium.preparation.files.findings import RawFileCode, refuse
from podium.preparation.sessions.raw import LATEST, RawChunk

RANGE_EVENTS = 2_000_000
"""The approximate number of events of a range, which take about a gigabyte as text; a session is
never divided."""

LAST_SESSION = 2**31


@dataclass(frozen=True, slots=True)
class _Piece:
    path: Path
    low: int
    high: int


@dataclass
class EventSpool:
    """Events in a folder of Arrow files, with the counts and types of all of them."""

    folder: Path
    known_types: tuple[str, ...] = ()
    latest: int = -1
    earliest: int = LATEST
    events: int = 0
    _pieces: list[_Piece] = field(default_factory=list)
    _counts: list[pl.DataFrame] = field(default_factory=list)
    _lines: list[RawChunk] = field(default_factory=list)
    _types: list[str] = field(default_factory=list)

    @property
    def types(self) -> tuple[str, ...]:
        """The known types, and those that occurred: OTTO's first, in their order, then others by
        name."""
        found = {*self.known_types, *self._types}
        return (*(name for name in TYPES if name in found), *sorted(found - set(TYPES)))

    def add(self, chunk: RawChunk) -> None:
        """Appends the events of a chunk."""
        if len(chunk.sessions):
            lines = RawChunk(chunk.file, pl.DataFrame(), chunk.sessions, chunk.lines)
            self._lines.append(lines)
        events = chunk.events
        if events.is_empty():
            return
        new = set(events["type"].unique()) - set(self._types)
        self._types += sorted(new)
        codes = pl.col("type").cast(pl.Enum(self._types)).to_physical().cast(pl.UInt8)
        self.latest = max(self.latest, int(events["ts"].max()))  # type: ignore[arg-type]
        self.earliest = min(self.earliest, int(events["ts"].min()))  # type: ignore[arg-type]
        self.events += events.height
        self._counts.append(events.group_by("session").len())
        path = self.folder / f"{len(self._pieces)}.arrow"
        events.with_columns(codes).write_ipc(path, compression="uncompressed")
        low, high = int(events["session"].min()), int(events["session"].max())  # type: ignore[arg-type]
        self._pieces.append(_Piece(path, low, high))

    def refuse_repeated(self) -> None:
        """Raises `RawFileRefused` where two lines have the same session: one of them may be a copy
        or a continuation of the other."""
        if not self._lines:
            return
        sessions = pl.concat(lines.sessions for lines in self._lines)
        repeated = sessions.filter(sessions.is_duplicated())
        if repeated.is_empty():
            return
        session = int(repeated.min())  # type: ignore[arg-type]
        (first, at), (second, line) = self._places(session)[:2]
        where = f"on line {at}" + ("" if first == second else f" of {first.name}")
        detail = f"session {session} is there already, {where}"
        raise refuse(second, RawFileCode.DUPLICATE_SESSION, detail, line)

    def ranges(self, *, by_time: bool) -> Iterator[pl.DataFrame]:
        """Yields all events by session, a range of sessions at a time; `type` is a code in `types`.

        `by_time` sorts the events of a session by time, equal times by type and aid. Without it
        they are in order already.
        """
        codes = [self.types.index(name) for name in self._types]
        final = pl.Series(codes, dtype=pl.UInt8)
        low = 0
        for high in [*self._bounds(), LAST_SESSION]:
            within = pl.col("session").ge(low) & pl.col("session").lt(high)
            parts = [
                pl.read_ipc(piece.path).filter(within)
                for piece in self._pieces
                if piece.low < high and piece.high >= low
            ]
            events = pl.concat(parts) if parts else None
            low = high
            if events is None:
                continue
            events = events.with_columns(final.gather(events["type"]).alias("type"))
            if by_time:
                events = events.sort("session", "ts", "type", "aid")
            elif not events["session"].is_sorted():
                events = events.sort("session", maintain_order=True)
            yield events

    def _places(self, session: int) -> list[tuple[Path, int]]:
        """Finds a session in the files: their names, and lines."""
        found = [
            (lines.file, int(line))
            for lines in self._lines
            for line in lines.lines.filter(lines.sessions == session)
        ]
        return sorted(found)

    def _bounds(self) -> list[int]:
        """Finds the first session of every range except the first."""
        if not self._counts:
            return []
        counts = pl.concat(self._counts).sort("session")
        number = (counts["len"].cast(pl.UInt64).cum_sum() - 1) // RANGE_EVENTS
        starts = counts["session"].filter((number != number.shift()).fill_null(value=False))
        return starts.unique().sort().to_list()
