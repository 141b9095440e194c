"""Small Parquet files of lists, made from a seed: good ones of all permitted types, and damaged
ones."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from podium.scoring.task import Task
from tests.builders.scoring.mutations import NASTY, Case, competition, item, labels
from tests.builders.scoring.tables.parquet import WIDTHS

HOSTILE = [*filter(None, (nasty.decode("utf-8", "ignore") for nasty in NASTY)), "1_clicks,5\n"]
NUMBERS = (-1, 0, 2**31 - 1, 2**31, 2**32 + 5, 2**63 - 1, 10**7, 10**8, 10**8 - 1, 10**16, 12)


@dataclass(frozen=True)
class ParquetCase:
    """A table with the competition it is sent to, and how it is written."""

    case: Case
    frame: pl.DataFrame
    group_rows: int

    def write(self, file: Path) -> None:
        """Writes the file."""
        self.frame.write_parquet(file, row_group_size=self.group_rows)


def parquet_cases(seed: int, count: int, *, damaged: float = 0.6) -> Iterator[ParquetCase]:
    """`count` files of one competition each; the given share of them is damaged somewhere."""
    for number in range(count):
        name = f"{seed}/{number}"
        rng = random.Random(name)
        task, sessions = competition(rng)
        ids: list[Any] = [f"{s}_{n}" if n else str(s) for s in sessions for n in task.names]
        rng.shuffle(ids)
        if task.missing_rows == "zero" and rng.random() < 0.5:
            ids = ids[: rng.randint(0, len(ids))]
        listed = rng.random() < 0.4
        cells = [_list(rng, task) if listed else _text(rng, task) for _ in ids]
        if ids and rng.random() < damaged:
            for _ in range(rng.choice((1, 1, 2))):
                rng.choice((_damage_row, _damage_cell, _damage_cell, _damage_cell))(rng, ids, cells)
        frame = _typed(rng, task, ids, cells, listed=listed)
        yield ParquetCase(Case(name, b"", task, sessions), frame, rng.choice((1, 2, 3, 100)))


def _text(rng: random.Random, task: Task) -> str:
    return labels(rng, task, tidy=rng.random() < 0.5)


def _list(rng: random.Random, task: Task) -> list[int | None]:
    count = rng.choice((0, 1, 2, 5, 22))
    integer = task.item_ids == "integer"
    return [int(item(rng, task)) if integer else rng.randint(0, 10**9) for _ in range(count)]


def _damage_row(rng: random.Random, ids: list[Any], cells: list[Any]) -> None:
    """A row twice, a row less, or a foreign one."""
    one, kind = rng.randrange(len(ids)), rng.randrange(3)
    if kind == 0:
        ids.insert(one, rng.choice(ids))
        cells.insert(one, rng.choice(cells))
    elif kind == 1 and len(ids) > 1:
        del ids[one], cells[one]
    else:
        ids[one] = rng.choice(("9_clicks", "77", "x", "", "12899779"))


def _damage_cell(rng: random.Random, ids: list[Any], cells: list[Any]) -> None:
    """Something nasty in an id or a list, or nothing, or something very long."""
    column = ids if rng.random() < 0.4 else cells
    one = rng.randrange(len(column))
    value = column[one]
    if value is None or rng.random() < 0.15:
        column[one] = None
    elif isinstance(value, list):
        longer = [None] if rng.random() < 0.3 else [rng.choice(NUMBERS)]
        at = rng.randint(0, len(value))
        column[one] = (value[:at] + longer + value[at:]) * rng.choice((1, 1, 1, 200, 2000))
    elif rng.random() < 0.15:
        column[one] = value.ljust(rng.choice((4085, 4096, 4097, 12_020, 66_020)))
    else:
        at = rng.choice((0, len(value), rng.randint(0, len(value))))
        column[one] = value[:at] + rng.choice(HOSTILE) + value[at:]


def _typed(
    rng: random.Random, task: Task, ids: list[Any], cells: list[Any], *, listed: bool
) -> pl.DataFrame:
    """The columns in one of the types that are taken."""
    texts = (pl.String, pl.String, pl.Categorical)
    id_column = pl.Series(task.id_column, ids, dtype=pl.String)
    label_column = pl.Series(task.labels_column, cells, dtype=pl.List(pl.Int64) if listed else None)
    if task.names == ("",) and rng.random() < 0.5:
        as_numbers = id_column.cast(pl.Int64, strict=False)
        if (as_numbers.cast(pl.String).eq_missing(id_column)).all():
            id_column = as_numbers.cast(pl.UInt32, strict=False)
            # Not all numbers are of each type.
            with suppress(pl.exceptions.InvalidOperationError):
                id_column = id_column.cast(rng.choice(WIDTHS))
    else:
        id_column = id_column.cast(rng.choice(texts))
    if listed:
        inner = rng.choice((*WIDTHS, pl.String, pl.Categorical))
        with suppress(pl.exceptions.InvalidOperationError):
            label_column = label_column.cast(pl.List(inner))
        sizes = set(label_column.list.len().drop_nulls())
        if len(sizes) == 1 and rng.random() < 0.7:
            label_column = label_column.cast(pl.Array(label_column.dtype.inner, sizes.pop()))  # type: ignore[attr-defined]
    else:
        label_column = label_column.cast(pl.String).cast(rng.choice(texts))
    columns = [id_column, label_column]
    return pl.DataFrame(columns if rng.random() < 0.8 else columns[::-1])
