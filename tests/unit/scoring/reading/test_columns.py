"""Arrays become columns of Polars and back."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from podium.scoring.kernel.columns import Array, Column

KINDS = (pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64, pl.Int32, pl.Int64, pl.Float64)


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_keep_their_values(kind: Any) -> None:
    ends = (
        (-1.5, 1e300) if kind is pl.Float64 else pl.select(low=kind.min(), high=kind.max()).row(0)
    )
    values = pl.Series([*ends, 1, 2, 3], dtype=kind)
    array = Array(int(values.estimated_size()))
    array.bytes[:] = Column(values).view()
    column = array.column(kind, len(values))
    array.bytes[:] = bytes(len(array.bytes))
    assert column.dtype == kind
    assert column.equals(values)
    assert array.column(kind, 0).equals(values.clear())
    assert array.column(kind, 2).to_list() == [0, 0]
