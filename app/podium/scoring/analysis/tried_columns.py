"""Builds the columns on which a launch tries a metric: the solution itself, random columns, and the
solution's rows in another order."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from podium.scoring.columns import TableColumn

PLACE = "place"
"""The column of a solution that holds the index of the published id."""


@dataclass(frozen=True, slots=True)
class TriedColumns:
    """Canonical columns to try. `unmatched` are columns of a submission that the solution lacks, or
    holds with values that a submission may not have: for these the “perfect” file uses the sample,
    and is not perfect."""

    perfect: pl.DataFrame
    by_chance: pl.DataFrame
    shuffled: pl.DataFrame
    unmatched: tuple[str, ...]


def tried_columns(
    sample: pl.DataFrame,
    solutions: Sequence[pl.DataFrame],
    columns: Sequence[TableColumn],
    *,
    seed: int,
) -> TriedColumns:
    """Fills the columns of a sample submission with the values of the solution's splits; with these
    shuffled column by column, or drawn within the range of a column; and with whole rows shuffled.
    The result depends only on the arguments and the seed."""
    solution = pl.concat(solutions).unique(PLACE, maintain_order=True).sort(PLACE)
    places = solution[PLACE]
    chance = random.Random(seed)  # noqa: S311 - a launch's guesses are no secret
    perfect, by_chance, unmatched = {}, {}, []
    for column in columns:
        default = sample[column.name]
        right = _fitting(solution, column, default.dtype)
        if right is None:
            unmatched.append(column.name)
            perfect[column.name] = default
            by_chance[column.name] = _drawn(default, column, chance)
            continue
        perfect[column.name] = default.clone().scatter(places, right)
        by_chance[column.name] = default.clone().scatter(
            places, right.shuffle(seed + 1 + len(by_chance))
        )
    made = pl.DataFrame(perfect)
    known = made[places.to_list()]
    order = known.sample(fraction=1, shuffle=True, seed=seed)
    shuffled = {name: made[name].clone().scatter(places, order[name]) for name in made.columns}
    return TriedColumns(made, pl.DataFrame(by_chance), pl.DataFrame(shuffled), tuple(unmatched))


def _fitting(solution: pl.DataFrame, column: TableColumn, dtype: pl.DataType) -> pl.Series | None:
    """Converts the solution's column of the same name to the type of a submission's; None where its
    values do not fit, or there is none."""
    if column.name not in solution.columns:
        return None
    given = solution[column.name]
    if given.dtype.is_numeric() and dtype == pl.Boolean:
        return None
    found = given.cast(dtype, strict=False)
    if found.null_count() > (given.null_count() if column.is_optional else 0):
        return None
    if dtype == pl.Int64 and given.dtype.is_float() and not (given == found.cast(pl.Float64)).all():
        return None
    if column.values and not found.drop_nulls().is_in(list(column.values)).all():
        return None
    return found if _is_within(found, column) else None


def _is_within(found: pl.Series, column: TableColumn) -> bool:
    if not found.dtype.is_numeric() or found.drop_nulls().is_empty():
        return True
    least, most = float(found.min()), float(found.max())  # type: ignore[arg-type]
    return (column.minimum is None or least >= column.minimum) and (
        column.maximum is None or most <= column.maximum
    )


def _drawn(default: pl.Series, column: TableColumn, chance: random.Random) -> pl.Series:
    rows, drawn = range(len(default)), list[Any]()
    if column.values:
        drawn = [chance.choice(column.values) for _ in rows]
    elif default.dtype == pl.Boolean:
        drawn = [chance.random() < 0.5 for _ in rows]
    elif default.dtype.is_numeric():
        # A column without an upper or lower bound is 1 wide.
        least, most = column.minimum, column.maximum
        if least is None:
            least = 0.0 if most is None else most - 1
        drawn = [chance.uniform(least, least + 1 if most is None else most) for _ in rows]
    else:
        return default
    return pl.Series(default.name, drawn).cast(default.dtype)
