"""The canonical truth of rows: one frame, stored as Parquet, known by its hash.

As secret as anything here gets: nothing that a participant sees is made from this module.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import polars as pl

from podium.scoring.rows.keys import PublishedRows
from podium.scoring.splits import SPLIT_NAMES
from podium.scoring.task import Task
from podium.scoring.truth.canonical import GroundTruthCorrupt, read_frame, write_frame


@dataclass(frozen=True)
class TrueRows(ABC):
    """All rows of a competition the truth of which is known: some of the `row_count` published
    ones, in their order. Published rows without a truth count nowhere."""

    frame: pl.DataFrame
    task: Task
    row_count: int
    warnings: tuple[str, ...] = ()

    place: ClassVar[str]
    """The stored column with the number of the published row, UInt32."""
    row_word: ClassVar[str]
    """The word for a row."""
    published_word: ClassVar[str]
    """The word for a published one."""
    content: ClassVar[str]
    """The words for all that a file holds."""
    former_names: ClassVar[Mapping[str, str]] = {}
    """Names in frames that earlier versions stored, and what they are called now."""

    @property
    @abstractmethod
    def totals(self) -> Mapping[int, int]:
        """Rows by split; the ignored ones are left out."""

    @property
    def splits(self) -> tuple[int, ...]:
        """The scored splits that occur, in order."""
        return tuple(self.totals)

    @abstractmethod
    def unit_count(self, split: int) -> int:
        """The number of units in a split that were drawn as a whole."""

    @property
    @abstractmethod
    def unit_word(self) -> str:
        """The word for a unit."""

    @property
    @abstractmethod
    def stored(self) -> pl.DataFrame:
        """The frame as it is stored."""

    @staticmethod
    @abstractmethod
    def is_canonical(schema: Mapping[str, Any], task: Task) -> bool:
        """True for the columns of a stored frame, in their order."""

    def summary(self) -> dict[str, Any]:
        """For organizers, JSON-ready, in the words of ranked lists: a row is a session with one
        query, and its values are one label."""
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
        """Inverse of `write`. Raises GroundTruthCorrupt if the bytes do not have this hash, or do
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
        """A stored frame as it is held in memory."""
        del row_count
        return frame
