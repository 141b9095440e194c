"""Stores the canonical truth of rows: one frame, written as Parquet, identified by its hash.

It is secret: no data that a participant sees may be computed from this module.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import polars as pl

from podium.scoring.parquet.files import write_frame
from podium.scoring.rows.keys import PublishedRows
from podium.scoring.splits import SPLIT_NAMES
from podium.scoring.task import Task
from podium.scoring.truth.canonical import GroundTruthCorrupt, read_frame


@dataclass(frozen=True)
class TrueRows(ABC):
    """All rows of a competition whose truth is known: some of the `row_count` published ones, in
    their order. Published rows without a truth do not count."""

    frame: pl.DataFrame
    task: Task
    row_count: int
    warnings: tuple[str, ...] = ()

    place: ClassVar[str]
    """The stored column with the number of the published row, UInt32."""
    row_word: ClassVar[str]
    """The word for a row."""
    published_word: ClassVar[str]
    """The word for a published row."""
    content: ClassVar[str]
    """The words for the contents of a file."""
    former_names: ClassVar[Mapping[str, str]] = {}
    """Column names in frames that earlier versions stored, mapped to current ones."""

    @property
    @abstractmethod
    def totals(self) -> Mapping[int, int]:
        """The number of rows by split, without the ignored ones."""

    @property
    def splits(self) -> tuple[int, ...]:
        """The scored splits that occur, in order."""
        return tuple(self.totals)

    @abstractmethod
    def unit_count(self, split: int) -> int:
        """Counts the sampling units of a split."""

    @property
    @abstractmethod
    def unit_word(self) -> str:
        """The word for a sampling unit."""

    @property
    @abstractmethod
    def stored(self) -> pl.DataFrame:
        """The frame in its stored form."""

    @staticmethod
    @abstractmethod
    def is_canonical(schema: Mapping[str, Any], task: Task) -> bool:
        """True for the columns of a stored frame, in their order."""

    def summary(self) -> dict[str, Any]:
        """Summarizes the truth for organizers, JSON-ready, in the terms of ranked lists: a row is a
        session with one query, and its values are one label."""
        of_split = {
            SPLIT_NAMES[split]: {"queries": rows, "labels": rows, "denominator": rows}
            for split, rows in self.totals.items()
        }
        return {
            "sessions": self.row_count,
            "queries": self.frame.height,
            "unlabelled": self.row_count - self.frame.height,
            "labels": self.frame.height,
            "objectives": dict.fromkeys(self.task.names, of_split),
            "warnings": list(self.warnings),
        }

    def write(self, path: Path) -> str:
        """Stores the rows; equal content gives equal bytes. Returns their sha256 in hex."""
        return write_frame(self.stored, path)

    @classmethod
    def load(cls, path: Path, *, sha256: str | None, published: PublishedRows, task: Task) -> Self:
        """Loads stored rows. Raises GroundTruthCorrupt if the bytes do not have this hash, or do
        not fit the published rows. Warnings are not stored."""
        frame = read_frame(path, sha256=sha256).rename(cls.former_names, strict=False)
        if not cls.is_canonical(frame.schema, task) or not frame[cls.place].is_sorted():
            raise GroundTruthCorrupt(f"{path.name} holds no canonical {cls.content}")
        if frame.height and int(frame[cls.place][-1]) >= published.count:
            word = cls.published_word
            raise GroundTruthCorrupt(f"{path.name} holds {word}s that are not published")
        return cls(cls.held(frame, published.count), task, published.count)

    @staticmethod
    def held(frame: pl.DataFrame, row_count: int) -> pl.DataFrame:
        """Converts a stored frame to its form in memory."""
        del row_count
        return frame
