"""Reads the tables that are passed to a metric: rows of the solution, and a submission's answers in
the same order."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import polars as pl

from podium.scoring.parquet.files import read_parquet

if TYPE_CHECKING:
    import pandas as pd

PLACE = "place"
"""The column of a split's solution that numbers published ids."""

USAGE = "Usage"
"""The column that assigns rows to splits; metrics do not get it."""

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Tables:
    """The solution of a split, with its ids first, and a submission's answers to the same rows,
    with the same ids."""

    solution: pl.DataFrame
    submission: pl.DataFrame
    id_column: str

    @classmethod
    def read(cls, solution: Path, columns: Path, id_column: str) -> Tables:
        """Reads the tables of one split, in the solution's order."""
        known = read_parquet(solution)
        places = known[PLACE]
        answers = read_parquet(columns)[places]
        ids = known[id_column]
        rest = known.drop(PLACE, id_column).drop(USAGE, strict=False)
        return cls(
            rest.insert_column(0, ids),
            answers.drop(id_column, strict=False).insert_column(0, ids),
            id_column,
        )

    @property
    def count(self) -> int:
        """The number of rows, the same in both tables."""
        return self.solution.height

    def taken(self, rows: Rows) -> Tables:
        """Selects these rows, in this order."""
        return Tables(self.solution[rows], self.submission[rows], self.id_column)

    def as_polars(self) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Clones both frames, which a metric may then modify."""
        return self.solution.clone(), self.submission.clone()

    def as_pandas(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Converts both frames to pandas, as it would read them from a CSV file."""
        return pandas_frame(self.solution), pandas_frame(self.submission)


def pandas_frame(frame: pl.DataFrame) -> pd.DataFrame:
    """Converts a frame to pandas as if read from a CSV file: missing values are NaN, columns of
    integers with some become floats, booleans with some become objects, and a column of only
    missing values is of floats."""
    import pandas as pd

    columns = {column.name: _pandas_column(column) for column in frame.iter_columns()}
    return pd.DataFrame(columns, index=pd.RangeIndex(frame.height))


def _pandas_column(column: pl.Series) -> Any:  # noqa: ANN401 - an array of any kind
    import pandas as pd

    has_missing = column.null_count() > 0
    if column.null_count() == len(column):
        return np.full(len(column), np.nan)
    if column.dtype == pl.String:
        return pd.array(column.to_numpy(), dtype="str")
    if column.dtype == pl.Boolean and has_missing:
        values = column.to_numpy().astype(object)
        values[column.is_null().to_numpy()] = np.nan
        return values
    if column.dtype.is_integer():
        column = column.cast(pl.Float64 if has_missing else pl.Int64)
    return np.array(column.to_numpy())
