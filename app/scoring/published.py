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

    def write(self, path: Path) -> None:
        """Stores the sessions as Parquet, one column `session`; the objectives are the task's."""
        self.sessions.alias("session").to_frame().write_parquet(path, compression="zstd")

    @classmethod
    def read(cls, path: Path, objectives: tuple[str, ...]) -> PublishedIds:
        """Inverse of `write`."""
        return cls(pl.read_parquet(path)["session"], objectives)
