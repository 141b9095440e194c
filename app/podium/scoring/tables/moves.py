"""Every metric of a submission of a table: its values, and what each row moves of them.

What is stored of a judging is this, so that comparing two submissions is one subtraction.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import polars as pl

from podium.scoring.containers.parquet_files import read_parquet
from podium.scoring.metrics import table_metric_of
from podium.scoring.tables.answers import TableAnswers
from podium.scoring.tables.checks import built_in
from podium.scoring.tables.truth import PLACE, TrueTable
from podium.scoring.uncertainty import Influence

Key = tuple[str, int]
"""The id of a metric, and the position of an objective."""

_VALUES = "podium_values"
"""The name of the values in the metadata of a stored file."""


@dataclass(frozen=True)
class TableMoves:
    """The values of each metric by split, and of each row of each split what it moves (Float64,
    split after split, in the order of `rows_of`); None where that is not known. `notes` are counts
    by metric, objective, split and name."""

    values: Mapping[Key, Mapping[int, Fraction]]
    moves: Mapping[Key, pl.Series | None]
    truth: TrueTable
    notes: Mapping[Key, Mapping[int, Mapping[str, int]]] = field(default_factory=dict)

    @classmethod
    def of(cls, answers: TableAnswers) -> TableMoves:
        """Everything that the task's metrics measure."""
        truth, task = answers.truth, answers.truth.task
        values: dict[Key, dict[int, Fraction]] = {}
        moves: dict[Key, pl.Series | None] = {}
        notes: dict[Key, dict[int, Mapping[str, int]]] = {}
        for position, _ in enumerate(task.objectives):
            for name in built_in(task, position):
                metric, key = table_metric_of(name), (name, position)
                found = {
                    split: metric.measure(answers.rows(split, position, metric))
                    for split in truth.splits
                }
                values[key] = {split: each.value for split, each in found.items()}
                notes[key] = {split: each.notes for split, each in found.items()}
                parts = [each.moves for each in found.values()]
                known = [part for part in parts if part is not None]
                moves[key] = pl.concat(known) if len(known) == len(parts) else None
        return cls(values, moves, truth, notes)

    def weighted(
        self, metrics: Sequence[str], weights: Sequence[Fraction]
    ) -> tuple[dict[int, Fraction], Influence | None]:
        """Σ weight · value over the objectives, by split, each with a metric of its own, and what
        moves it; objectives with weights that are 0 take no part."""
        keys = [(metric, position) for position, metric in enumerate(metrics)]
        parts = [(key, weight) for key, weight in zip(keys, weights, strict=True) if weight]
        values = {
            split: sum((w * self.values[key][split] for key, w in parts), Fraction(0))
            for split in self.truth.splits
        }
        z: pl.Series | None = None
        for key, weight in parts:
            moved = self.moves[key]
            if moved is None:
                return values, None
            moved = moved * float(weight)
            z = moved if z is None else z + moved
        return values, None if z is None else _of_units(z, self.truth)

    def write(self, path: Path) -> None:
        """Stores values and moves as Parquet: `place`, `split`, and a column for each metric whose
        moves are known. As secret as the solution."""
        keys = list(self.values)
        frame = rows_of(self.truth).with_columns(
            moved.alias(f"moves{number}")
            for number, key in enumerate(keys)
            if (moved := self.moves[key]) is not None
        )
        described = [[*key, _texts(self.values[key])] for key in keys]
        metadata = {_VALUES: json.dumps(described)}
        frame.write_parquet(path, compression="zstd", statistics=False, metadata=metadata)

    @classmethod
    def read(cls, path: Path, truth: TrueTable) -> TableMoves:
        """Inverse of `write`, under the same version of the solution. Raises ValueError for another
        one, whose rows are not known to the file."""
        frame = read_parquet(path)
        if not frame.select(PLACE, "split").equals(rows_of(truth)):
            raise ValueError("these answers belong to another version of the solution")
        values: dict[Key, dict[int, Fraction]] = {}
        moves: dict[Key, pl.Series | None] = {}
        with path.open("rb") as file:
            described = json.loads(pl.read_parquet_metadata(file)[_VALUES])
        for number, (metric, position, texts) in enumerate(described):
            key, column = (metric, position), f"moves{number}"
            values[key] = {int(split): Fraction(text) for split, text in texts.items()}
            moves[key] = frame[column] if column in frame.columns else None
        return cls(values, moves, truth)

    def noted(self, split: int) -> dict[str, dict[str, dict[str, int]]]:
        """By metric, note and objective the counts of a split; metrics without notes are left
        out."""
        names, found = self.truth.task.names, dict[str, dict[str, dict[str, int]]]()
        for (metric, position), by_split in self.notes.items():
            for note, count in by_split[split].items():
                found.setdefault(metric, {}).setdefault(note, {})[names[position]] = count
        return found


def rows_of(truth: TrueTable) -> pl.DataFrame:
    """`place` and `split` of the rows of each split, one split after the other."""
    return pl.concat(_parts(truth, PLACE))


def _parts(truth: TrueTable, column: str) -> Iterator[pl.DataFrame]:
    for split in truth.splits:
        yield truth.part(split).select(column, split=pl.lit(split, dtype=pl.UInt8))


def _of_units(z: pl.Series, truth: TrueTable) -> Influence:
    """The influence of each unit: of each row, or of clusters, whose rows' moves are added up."""
    cluster = truth.task.cluster_column
    if not cluster:
        return Influence(z, rows_of(truth)["split"])
    rows = pl.concat(_parts(truth, cluster)).with_columns(z=z)
    # Moves are added in the order of rows, however many threads there are.
    units = rows.group_by("split", cluster, maintain_order=True).agg("z")
    return Influence(units["z"].list.sum(), units["split"])


def _texts(values: Mapping[int, Fraction]) -> dict[str, str]:
    return {str(split): str(value) for split, value in values.items()}
