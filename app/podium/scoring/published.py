"""Represents the published ids: the queries that a submission must answer, without any answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from podium.scoring.parquet.files import read_parquet
from podium.scoring.repeating import repeat
from podium.scoring.task import IdKind


@dataclass(frozen=True)
class PublishedIds:
    """All sessions of the test set × all objectives, in published order.

    `sessions` is a series of distinct ids in the order in which they were published, Int32, or
    String where ids are compared as text. Query number q stands for session
    `sessions[q // len(objectives)]` and objective `objectives[q % len(objectives)]`; its id is
    `<session>_<objective>`, or the bare session where the only objective has no name.
    """

    sessions: pl.Series
    objectives: tuple[str, ...]

    @property
    def count(self) -> int:
        """The number of rows of a complete submission."""
        return len(self.sessions) * len(self.objectives)

    @property
    def width(self) -> int:
        """The number of rows for each published id."""
        return len(self.objectives)

    def name_of(self, number: int) -> str:
        """Returns a published id as text."""
        return str(self.sessions[number])

    def id_of(self, query: int) -> str:
        """Formats the id of a query as in a submission's id column."""
        session, position = divmod(query, len(self.objectives))
        objective = self.objectives[position]
        return f"{self.sessions[session]}_{objective}" if objective else str(self.sessions[session])

    def ids_of(self, start: int, stop: int) -> pl.Series:
        """Formats the ids of the queries from `start` to before `stop`, as `id_of` does for one."""
        query = pl.int_range(start, stop, dtype=pl.UInt32, eager=True)
        names = pl.Series([f"_{name}" if name else "" for name in self.objectives], dtype=pl.String)
        session = self.sessions.gather(query // self.width).cast(pl.String)
        return session + names.gather(query % self.width)

    def place_lookup(self) -> Callable[[bytes], int]:
        """Creates a lookup of a canonical session's position among the published ones, or −1:
        arithmetic where they are a range, else a dict."""
        sessions = self.sessions
        if sessions.dtype != pl.String and len(sessions) and sessions.is_sorted():
            first, last = int(sessions[0]), int(sessions[-1])
            if last - first == len(sessions) - 1:

                def in_range(session: bytes) -> int:
                    number = int(session)
                    return number - first if first <= number <= last else -1

                return in_range
        texts = sessions.cast(pl.String).cast(pl.Binary).to_list()
        places = {session: place for place, session in enumerate(texts)}
        return lambda session: places.get(session, -1)

    def write(self, path: Path) -> None:
        """Stores the sessions as Parquet, one column `session`; the objectives are the task's."""
        self.sessions.alias("session").to_frame().write_parquet(path, compression="zstd")

    @classmethod
    def read(cls, path: Path, objectives: tuple[str, ...]) -> PublishedIds:
        """Reads the sessions that `write` has stored."""
        return cls(read_parquet(path)["session"], objectives)


def id_type(kind: IdKind) -> type[pl.Int32] | type[pl.String]:
    """Returns the data type of a column of ids."""
    return pl.String if kind == "string" else pl.Int32


class IdPlaces:
    """Maps ids to their 0-based position in published order by a table of hashes, built and
    searched without a loop over rows. Joins and categories of Polars would build theirs again for
    each block."""

    def __init__(self, sessions: pl.Series) -> None:
        self._sessions = sessions
        self._seed = 0
        while (hashes := sessions.hash(self._seed)).n_unique() < len(sessions):
            # Distinct sessions have distinct hashes: one comparison decides.
            self._seed += 1  # pragma: no cover - no two ids with the same hash are known
        self._order = hashes.arg_sort()
        self._hashes = hashes.gather(self._order)
        # Sorted hashes are divided into about twice as many buckets, one after the other.
        bits = len(sessions).bit_length() + 1
        self._bucket_size = 1 << (64 - bits)
        buckets = (self._hashes // self._bucket_size).rle().struct.unnest()
        sizes = buckets["len"].cast(pl.UInt32)
        self._largest = int(sizes.max() or 0)  # type: ignore[arg-type]
        self._first = repeat(0, 1 << bits, pl.UInt32).scatter(
            buckets["value"].cast(pl.UInt32), sizes.cum_sum() - sizes
        )

    def number(self, sessions: pl.Series) -> pl.Series:
        """Looks up UInt32 positions of sessions; null for one that is null or not published."""
        if self._sessions.is_empty():
            return repeat(None, len(sessions), pl.UInt32)
        hashes = sessions.hash(self._seed)
        at = self._first.gather((hashes // self._bucket_size).cast(pl.UInt32))
        other = (self._hashes.gather(at) != hashes).arg_true()
        for _ in range(1, self._largest):
            if not len(other):
                break
            following = (at.gather(other) + 1).clip(0, len(self._sessions) - 1)
            at = at.scatter(other, following)
            other = other.filter(self._hashes.gather(following) != hashes.gather(other))
        places = self._order.gather(at)
        # Anyone who knows the hash function can construct an id with the hash of another.
        known = self._sessions.gather(places).eq_missing(sessions)
        return places if known.all() else places.set(~known, None)
