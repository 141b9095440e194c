"""Stores every metric of a submission of a table: its values, and the influence of each row on
them.

This is the stored part of a judging, so that comparing two submissions is one subtraction.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import polars as pl

from podium.scoring.metrics.rows import RowMeasure
from podium.scoring.parquet.files import read_parquet
from podium.scoring.repeating import repeat
from podium.scoring.scores.measurements import Key, Measurements
from podium.scoring.scores.table_checks import built_in
from podium.scoring.tables.truth import PLACE, TrueTable
from podium.scoring.task import Task
from podium.scoring.uncertainty import Influence

_VALUES = "podium_values"
"""The key of the values in the metadata of a stored file."""


@dataclass(frozen=True)
class TableMoves(Measurements):
    """Values and influence over the rows of a table, split after split, in the order of `rows_of`.
    Notes are not stored."""

    truth: TrueTable

    def influence(self, z: pl.Series) -> Influence:
        """Returns the influence of each row, or of each cluster, whose rows' moves are summed."""
        cluster = self.truth.task.cluster_column
        if not cluster:
            return Influence(z, rows_of(self.truth)["split"])
        # The column may have any name, also one of those here.
        units = pl.DataFrame({"unit": self.truth.frame[cluster]})
        rows = _by_split(self.truth, units).with_columns(z=z)
        # Moves are added in the order of rows, however many threads there are.
        units = rows.group_by("split", "unit", maintain_order=True).agg("z")
        return Influence(units["z"].list.sum(), units["split"])

    def write(self, path: Path) -> None:
        """Stores values and moves as Parquet: `place`, `split`, and a column for each metric with
        known moves. As secret as the solution."""
        frame = rows_of(self.truth).with_columns(
            each.moves.alias(f"moves{number}")
            for number, each in enumerate(self.found.values())
            if each.moves is not None
        )
        described = [[*key, _texts(each.values)] for key, each in self.found.items()]
        metadata = {_VALUES: json.dumps(described)}
        frame.write_parquet(path, compression="zstd", statistics=False, metadata=metadata)

    @classmethod
    def read(cls, path: Path, truth: TrueTable) -> TableMoves:
        """Reads stored values and moves, with the same version of the solution. Raises ValueError
        for another one, whose rows differ."""
        frame = read_parquet(path)
        if not frame.select(PLACE, "split").equals(rows_of(truth)):
            raise ValueError("these answers belong to another version of the solution")
        found: dict[Key, RowMeasure] = {}
        with path.open("rb") as file:
            described = json.loads(pl.read_parquet_metadata(file)[_VALUES])
        for number, (metric, position, texts) in enumerate(described):
            values = {int(split): Fraction(text) for split, text in texts.items()}
            moves = frame.get_column(f"moves{number}", default=None)
            found[metric, position] = RowMeasure(values, moves)
        return cls(found, truth)


def rows_of(truth: TrueTable) -> pl.DataFrame:
    """Lists `place` and `split` of the rows of each split, one split after the other."""
    return _by_split(truth, truth.frame.select(PLACE))


def _by_split(truth: TrueTable, rows: pl.DataFrame) -> pl.DataFrame:
    sides = [repeat(*each, pl.UInt8) for each in truth.totals.items()]
    return truth.by_split(rows).with_columns(split=pl.concat(sides))


def _texts(values: Mapping[int, Fraction]) -> dict[str, str]:
    return {str(split): str(value) for split, value in values.items()}


def table_keys(task: Task) -> list[Key]:
    """Lists the built-in metrics of a task of tables, by objective."""
    places = range(len(task.objectives))
    return [(name, place) for place in places for name in built_in(task, place)]
