"""Stores the canonical ground truth: one frame of labels, written as Parquet, identified by its
hash.

It is secret: no data that a participant sees may be computed from this module.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from podium.scoring.kernel.runs import Queries, list_queries, sums_by_key
from podium.scoring.parquet.files import read_parquet, write_frame
from podium.scoring.published import PublishedIds, id_type
from podium.scoring.repeating import repeat
from podium.scoring.splits import SPLIT_NAMES
from podium.scoring.task import Task


class GroundTruthCorrupt(Exception):
    """The stored bytes are not those that were written, or belong to another competition."""


@dataclass(frozen=True, slots=True)
class Totals:
    """Totals of one objective in one split: labeled queries, labels, and Σ min(K, labels of a
    query) with the K of the objective's metric."""

    queries: int
    labels: int
    denominator: int


@dataclass(frozen=True)
class GroundTruth:
    """All labels of a competition.

    `frame` has one row per label, sorted by (query, item) without duplicates: `query` (UInt32, as
    numbered by `PublishedIds`), `item` (Int32, or String where items are text), `relevance`
    (Float64, only where the labels are graded) and `split` (UInt8, see `splits`), the same for all
    labels of a session. A row's number is the label's number in a hits frame.
    """

    frame: pl.DataFrame
    task: Task
    session_count: int
    warnings: tuple[str, ...] = ()

    @property
    def query_count(self) -> int:
        """The number of published queries, labeled or not."""
        return self.session_count * len(self.task.objectives)

    @cached_property
    def _listed(self) -> Queries:
        return list_queries(self.frame["query"], self.frame["split"], len(self.task.objectives))

    @property
    def queries(self) -> pl.DataFrame:
        """Labeled queries in order: `query`, `first` (row of its first label), `labels` (their
        number, UInt32) and `split`."""
        return self._listed.queries

    @property
    def query_keys(self) -> pl.Series:
        """The split and the objective of every row of `queries` as one number, which `key`
        decodes."""
        return self._listed.keys

    @property
    def sessions(self) -> pl.DataFrame:
        """Labeled sessions in order: `first` (row of its first query in `queries`) and `split`."""
        return self._listed.sessions

    @cached_property
    def ones(self) -> pl.Series:
        """A 1 for every row of `queries`, UInt32."""
        return repeat(1, self.queries.height, pl.UInt32)

    @cached_property
    def totals(self) -> Mapping[tuple[int, int], Totals]:
        """Totals by (split, position of the objective), without the ignored split."""
        labels = self.queries["labels"]
        counts = self.by_objective(self.ones)
        of_all = self.by_objective(labels)
        capped = {k: self.by_objective(self.capped_labels(k)) for k in set(self.depths)}
        return {
            (split, place): Totals(
                count, of_all[split, place], capped[self.depths[place]][split, place]
            )
            for (split, place), count in counts.items()
            if count and split in SPLIT_NAMES
        }

    def capped_labels(self, k: int) -> pl.Series:
        """Computes min(K, labels) for each row of `queries`, UInt32."""
        if k not in self._capped:
            self._capped[k] = self.queries["labels"].clip(0, k)
        return self._capped[k]

    @cached_property
    def _capped(self) -> dict[int, pl.Series]:
        return {}

    def by_objective(self, values: pl.Series) -> dict[tuple[int, int], int]:
        """Sums a whole number for each row of `queries`, by (split, position of the objective)."""
        sums = sums_by_key(values, self.query_keys)
        return {self.key(number): total for number, total in enumerate(sums)}

    @property
    def depths(self) -> tuple[int, ...]:
        """The number of items of a list that count for each objective's metric."""
        return tuple(self.task.depth_of(objective.metric) for objective in self.task.objectives)

    @property
    def is_graded(self) -> bool:
        """True where labels have relevances; without them, each counts 1."""
        return "relevance" in self.frame.columns

    @cached_property
    def slots(self) -> pl.Series:
        """The row in `queries` of every label's query, UInt32."""
        return self.frame["query"].rle_id()

    @cached_property
    def relevances(self) -> pl.Series:
        """The relevance of every label, Float64; 1 where they are not graded."""
        if not self.is_graded:
            return repeat(1.0, self.frame.height, pl.Float64)
        return self.frame["relevance"]

    @cached_property
    def ideal_lists(self) -> pl.DataFrame:
        """The labels of each query as its ideal list: `slot`, `relevance` in descending order, and
        `place` (0-based, UInt32)."""
        labels = pl.DataFrame({"slot": self.slots, "relevance": self.relevances})
        labels = labels.sort("slot", "relevance", descending=[False, True])
        number = pl.int_range(labels.height, dtype=pl.UInt32, eager=True)
        return labels.with_columns(place=number - self.queries["first"].gather(labels["slot"]))

    def count_up(self) -> None:
        """Computes in advance what every judging needs, in an otherwise idle thread."""
        _ = self.totals, self.sessions

    def key(self, number: int) -> tuple[int, int]:
        """Decodes a number in `query_keys` to the split and the position of the objective."""
        return divmod(number, len(self.task.objectives))

    @property
    def splits(self) -> tuple[int, ...]:
        """The scored splits that occur, in order."""
        return tuple(sorted({split for split, _ in self.totals}))

    def unit_count(self, split: int) -> int:
        """Counts the sessions in a split that have labels."""
        return int((self.sessions["split"] == split).sum())

    @property
    def numbered(self) -> pl.DataFrame:
        """The labels, by which versions are compared."""
        return self.frame

    def summary(self) -> dict[str, Any]:
        """Summarizes the ground truth for organizers, JSON-ready: counts per objective and split,
        and the warnings. `queries` have labels, `unlabelled` ones are published without."""
        objectives: dict[str, Any] = {}
        for position, name in enumerate(self.task.names):
            objectives[name] = {
                SPLIT_NAMES[split]: {
                    "queries": totals.queries,
                    "labels": totals.labels,
                    "denominator": totals.denominator,
                }
                for split in self.splits
                if (totals := self.totals.get((split, position))) is not None
            }
        return {
            "sessions": self.session_count,
            "queries": self.queries.height,
            "unlabelled": self.query_count - self.queries.height,
            "labels": self.frame.height,
            "objectives": objectives,
            "warnings": list(self.warnings),
        }

    def write(self, path: Path) -> str:
        """Stores the frame; equal content gives equal bytes. Returns their sha256 in hex."""
        return write_frame(self.frame, path)

    @classmethod
    def load(
        cls, path: Path, *, sha256: str | None, published: PublishedIds, task: Task
    ) -> GroundTruth:
        """Loads a stored ground truth. Raises GroundTruthCorrupt if the bytes do not have this
        hash, or do not fit the published ids. Warnings are not stored."""
        frame = read_frame(path, sha256=sha256)
        expected: dict[str, type[pl.DataType]] = {
            "query": pl.UInt32,
            "item": id_type(task.item_ids),
            "split": pl.UInt8,
        }
        if "relevance" in frame.columns:
            expected["relevance"] = pl.Float64
        if dict(frame.schema) != expected or not frame["query"].is_sorted():
            raise GroundTruthCorrupt(f"{path.name} is not a canonical ground truth of this task")
        if frame.height and int(frame["query"][-1]) >= published.count:
            raise GroundTruthCorrupt(f"{path.name} holds queries that are not published")
        return cls(frame, task, len(published.sessions))


def read_frame(path: Path, *, sha256: str | None) -> pl.DataFrame:
    """Reads a stored frame. Raises GroundTruthCorrupt if the bytes do not have this hash."""
    with ThreadPoolExecutor(1) as beside:
        found = beside.submit(_sha256_of, path) if sha256 is not None else None
        try:
            frame = read_parquet(path)
        finally:
            # Whatever other bytes decode to, the hash decides.
            if found is not None and found.result() != sha256:
                raise GroundTruthCorrupt(f"{path.name} does not have the recorded hash")
    # In one chunk, as the compiled functions need it. The chunks of a column are dropped before
    # those of the next are joined, or all would be in memory twice.
    parts = frame.get_columns()
    del frame
    return pl.DataFrame([parts.pop(0).rechunk() for _ in range(len(parts))])


def _sha256_of(path: Path) -> str:
    with path.open("rb") as stored:
        return hashlib.file_digest(stored, "sha256").hexdigest()
