"""The published ids: which queries a submission must answer, and nothing about their answers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import polars as pl


@dataclass(frozen=True)
class PublishedIds:
    """All sessions of the test set × all objectives, in published order.

    `sessions` is an Int32 series of distinct ids in the order in which they were published. Query
    number q stands for session `sessions[q // len(objectives)]` and objective
    `objectives[q % len(objectives)]`; its id is `<session>_<objective>`, or the bare session where
    the only objective has no name.
    """

    sessions: pl.Series
    objectives: tuple[str, ...]

    @property
    def count(self) -> int:
        """How many rows a complete submission has."""
        return len(self.sessions) * len(self.objectives)

    def id_of(self, query: int) -> str:
        """The id of a query as it stands in a submission's id column."""
        session, position = divmod(query, len(self.objectives))
        objective = self.objectives[position]
        return f"{self.sessions[session]}_{objective}" if objective else str(self.sessions[session])

    def numbers(self) -> SessionNumbers:
        """An index from sessions to their place in published order."""
        return SessionNumbers(self.sessions)

    def write(self, path: Path) -> None:
        """Stores the sessions as Parquet, one column `session`; the objectives are the task's."""
        self.sessions.alias("session").to_frame().write_parquet(path, compression="zstd")

    @classmethod
    def read(cls, path: Path, objectives: tuple[str, ...]) -> PublishedIds:
        """Inverse of `write`."""
        return cls(pl.read_parquet(path)["session"], objectives)


class SessionNumbers:
    """Session ids → their 0-based place in published order."""

    def __init__(self, sessions: pl.Series) -> None:
        self._low, self._high = int(sessions.min()), int(sessions.max())  # type: ignore[arg-type]
        # Sessions are distinct, so sorted ones without a gap are a range.
        span = self._high - self._low + 1
        self._contiguous = span == len(sessions) and sessions.is_sorted()
        if not self._contiguous:
            self._order = sessions.arg_sort()
            self._sorted = sessions.gather(self._order)

    def number(self, sessions: pl.Series) -> pl.Series:
        """UInt32 places of Int32 sessions without nulls; null for a session not published."""
        known = sessions.is_between(self._low, self._high)
        if self._contiguous:
            # Neither is below 0 or above 2**31 - 1: the difference fits in Int32.
            places = (sessions - self._low).cast(pl.UInt32, strict=False)
            return places if known.all() else places.set(~known, None)
        at = self._sorted.search_sorted(sessions.clip(self._low, self._high))
        known = known & (self._sorted.gather(at) == sessions)
        places = self._order.gather(at)
        return places if known.all() else places.set(~known, None)

    def text_bytes(self, sessions: pl.Series) -> pl.Series:
        """UInt32 lengths of the canonical decimal texts of published sessions."""
        shortest = len(str(self._low))
        lengths = pl.zeros(len(sessions), dtype=pl.UInt32, eager=True) + shortest
        for length in range(shortest, len(str(self._high))):
            lengths = lengths + (sessions >= 10**length).cast(pl.UInt32)
        return lengths
