"""Sorts interactions fast: users are sorted once, times within them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

_HALF = 1 << 32


def ascending(frame: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """Sorts rows by user and item, then by the other named columns; rows that are equal in these
    may come in any order."""
    packed = frame.select(pl.col("user").cast(pl.UInt64) * _HALF + pl.col("item")).to_series()
    if not packed.is_sorted():
        # One key of 64 bits sorts several times as fast as two of 32.
        frame = frame[packed.arg_sort()]
    return frame if list(names) == ["user", "item"] else frame.sort(names)


@dataclass(frozen=True)
class Runs:
    """The consecutive rows of each user: `user`, `count` and `start` (Int64)."""

    user: pl.Series
    count: pl.Series
    start: pl.Series

    @classmethod
    def of(cls, users: pl.Series) -> Runs:
        """Finds the runs of a column that is in the order of users."""
        runs = users.rle().struct.unnest()
        count = runs["len"].cast(pl.Int64)
        return cls(runs["value"].alias("user"), count, (count.cum_sum() - count).alias("start"))

    def rows(self, first: pl.Series, end: pl.Series) -> pl.DataFrame:
        """Lists the rows `first` … `end`-1 of each user, counted from 0 within the user, as `run`
        (the index of the user) and `row` (the index in the frame)."""
        runs = pl.DataFrame(
            {
                "run": pl.int_range(len(self.user), dtype=pl.UInt32, eager=True),
                "first": self.start + first,
                "end": self.start + end,
            }
        ).filter(pl.col("end") > pl.col("first"))
        return runs.select("run", row=pl.int_ranges("first", "end", dtype=pl.UInt32)).explode("row")


@dataclass(frozen=True)
class TimeOrder:
    """The times of each user in ascending order, without sorting the interactions themselves: user
    and time are packed into one number, which sorts several times as fast."""

    keys: pl.Series
    width: int
    times: pl.Series | int

    @classmethod
    def of(cls, frame: pl.DataFrame) -> TimeOrder:
        """Sorts the times of a frame that is in the order of users."""
        run, times = frame["user"].rle_id(), frame["timestamp"]
        low, high = int(times.min()), int(times.max())  # type: ignore[arg-type]
        bits = (high - low).bit_length()
        known: pl.Series | int = low
        if bits + int(run[-1]).bit_length() > 64:
            # Few distinct times can be so far apart that the packed number does not hold them.
            known = times.unique().sort()
            times, low, bits = known.search_sorted(times), 0, len(known).bit_length()
        keys = run.cast(pl.UInt64) * (1 << bits) + (times - low).cast(pl.UInt64)
        return cls(keys.sort(), 1 << bits, known)

    def at(self, places: pl.Series) -> pl.Series:
        """Returns the times at these positions in the order of users and times."""
        found = (self.keys.gather(places) % self.width).cast(pl.Int64)
        return found + self.times if isinstance(self.times, int) else self.times.gather(found)

    @property
    def share_of_equal(self) -> float:
        """The share of interactions whose user has another one at the same time."""
        same = (self.keys == self.keys.shift()).fill_null(value=False)
        return int((same | same.shift(-1).fill_null(value=False)).sum()) / max(1, len(self.keys))
