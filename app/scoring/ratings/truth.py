"""The canonical ratings: one frame, stored as Parquet, known by its hash.

As secret as anything here gets: nothing that a participant sees is made from this module.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from podium.scoring.ratings.pairs import PublishedPairs
from podium.scoring.splits import SPLIT_NAMES
from podium.scoring.task import Task
from podium.scoring.truth.canonical import GroundTruthCorrupt, read_frame, write_frame

_SCHEMA = {"pair": pl.UInt32, "user": pl.UInt32, "rating": pl.Float64, "split": pl.UInt8}


@dataclass(frozen=True)
class TrueRatings:
    """All ratings of a competition.

    `frame` has one row for each rated pair, sorted by `pair` (UInt32, as numbered by
    `PublishedPairs`), with `rating` (Float64), `user` (UInt32: users in the order in which they
    first appear among the published pairs, whatever their ids) and `split` (UInt8, see `splits`),
    which is the same for all pairs of a user. Published pairs without a row are decoys.
    """

    frame: pl.DataFrame
    task: Task
    pair_count: int
    warnings: tuple[str, ...] = ()

    @cached_property
    def users(self) -> pl.DataFrame:
        """The users who have ratings, in the order of their number: `user`, `split`, and `pairs`
        (UInt32, how many)."""
        by_user = self.frame.group_by("user").agg(
            pl.col("split").first(), pl.len().alias("pairs").cast(pl.UInt32)
        )
        return by_user.sort("user")

    @cached_property
    def user_slots(self) -> pl.Series:
        """For every row of `frame` the row of its user in `users`, UInt32."""
        slot = pl.zeros(int(self.users["user"][-1]) + 1, dtype=pl.UInt32, eager=True)
        numbers = pl.int_range(self.users.height, dtype=pl.UInt32, eager=True)
        return slot.scatter(self.users["user"], numbers).gather(self.frame["user"])

    @cached_property
    def totals(self) -> Mapping[int, int]:
        """Rated pairs by split; the ignored split is left out."""
        counts = dict(self.frame["split"].value_counts().iter_rows())
        return {split: counts[split] for split in sorted(counts) if split in SPLIT_NAMES}

    @property
    def splits(self) -> tuple[int, ...]:
        """The scored splits that occur, in order."""
        return tuple(self.totals)

    def summary(self) -> dict[str, Any]:
        """For organizers, JSON-ready, in the words of ranked lists: a pair is a session with one
        query, a rating its label."""
        of_split = {
            SPLIT_NAMES[split]: {"queries": pairs, "labels": pairs, "denominator": pairs}
            for split, pairs in self.totals.items()
        }
        return {
            "sessions": self.pair_count,
            "queries": self.frame.height,
            "unlabelled": self.pair_count - self.frame.height,
            "labels": self.frame.height,
            "objectives": {"": of_split},
            "warnings": list(self.warnings),
        }

    def write(self, path: Path) -> str:
        """Stores the frame; equal content gives equal bytes. Returns their sha256 in hex."""
        return write_frame(self.frame, path)

    @classmethod
    def load(
        cls, path: Path, *, sha256: str | None, published: PublishedPairs, task: Task
    ) -> TrueRatings:
        """Inverse of `write`. Raises GroundTruthCorrupt if the bytes do not have this hash, or do
        not fit the published pairs. Warnings are not stored."""
        frame = read_frame(path, sha256=sha256)
        if dict(frame.schema) != _SCHEMA or not frame["pair"].is_sorted():
            raise GroundTruthCorrupt(f"{path.name} holds no canonical ratings")
        if frame.height and int(frame["pair"][-1]) >= published.count:
            raise GroundTruthCorrupt(f"{path.name} holds pairs that are not published")
        return cls(frame, task, published.count)
