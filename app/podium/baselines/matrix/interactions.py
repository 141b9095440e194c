"""Reads interactions of users with items once: ids as whole numbers, values as a sparse matrix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
import scipy.sparse

from podium.errors import InvalidInput
from podium.preparation.reading.values import WITHOUT_POINT, float_among

Whole = np.ndarray[Any, np.dtype[Any]]
"""An array of any shape and type; each use documents its contents."""

_NUMBER = r"^(0|-?[1-9][0-9]{0,17})$"
"""A whole number without redundant characters: ids that all match are ordered as numbers."""


@dataclass(frozen=True)
class RoleColumns:
    """Names of columns by role; "" for a role without a column."""

    user: str
    item: str
    rating: str = ""
    timestamp: str = ""
    type: str = ""


@dataclass(frozen=True)
class CodedInteractions:
    """One entry per row of the files: `user` and `item` are indices in `users` and `items`, which
    are sorted; `value` (float), `time` (integer) and `type` (index in `types`) where they exist."""

    users: pl.Series
    items: pl.Series
    user: Whole
    item: Whole
    value: Whole | None
    time: Whole | None
    type: Whole | None
    types: tuple[str, ...]

    def of_type(self, name: str) -> CodedInteractions:
        """Filters to the interactions of one type; all where types have no name."""
        if self.type is None or name == "":
            return self
        mine = np.zeros(len(self.user), bool)
        if name in self.types:
            mine = self.type == self.types.index(name)
        value, time = (None if each is None else each[mine] for each in (self.value, self.time))
        return CodedInteractions(
            self.users, self.items, self.user[mine], self.item[mine], value, time, None, ()
        )

    def matrix(self, *, binary: bool = False) -> scipy.sparse.csr_matrix:
        """Builds the matrix of users × items (float64): the sum of values of each pair, independent
        of the order of rows; or 1 for each pair."""
        shape = (len(self.users), len(self.items))
        key = self.user.astype(np.int64) * max(1, shape[1]) + self.item
        order = np.argsort(key, kind="stable")
        key = key[order]
        starts = np.flatnonzero(np.diff(key, prepend=-1))
        if binary:
            data = np.ones(len(starts))
        elif self.value is None:
            data = np.diff(starts, append=len(key)).astype(np.float64)
        else:
            if len(starts) < len(key):
                # Sums of floats depend on the order of their terms.
                order = order[np.lexsort((self.value[order], key))]
            value = self.value[order]
            data = np.add.reduceat(value, starts) if len(starts) else value
        pairs, width = key[starts], max(1, shape[1])
        first = np.searchsorted(pairs, np.arange(shape[0] + 1) * width)
        return scipy.sparse.csr_matrix((data, pairs % width, first), shape=shape)


def read_interactions(frames: Sequence[pl.LazyFrame], columns: RoleColumns) -> CodedInteractions:
    """Reads tables of interactions. Raises `InvalidInput` for missing columns, and for invalid
    users, items, values or times."""
    _check(frames, columns)
    users, user = _codes(frames, columns.user)
    if users.is_empty():
        raise InvalidInput("There are no interactions to learn from.")
    items, item = _codes(frames, columns.item)
    for name, ids in ((columns.user, users), (columns.item, items)):
        if (found := float_among(ids)) is not None:
            detail = f"{found} in column {name!r} is a whole number as a float."
            raise InvalidInput(f"{detail} {WITHOUT_POINT}")
    types, kind = (
        _codes(frames, columns.type) if columns.type else (pl.Series([], dtype=pl.String), None)
    )
    return CodedInteractions(
        users=users,
        items=items,
        user=user,
        item=item,
        value=_values(frames, columns.rating) if columns.rating else None,
        time=_times(frames, columns.timestamp) if columns.timestamp else None,
        type=kind,
        types=tuple(types),
    )


def in_order(ids: pl.Series) -> pl.Series:
    """Sorts distinct ids (text): as numbers where all are, otherwise as text."""
    if ids.str.contains(_NUMBER).all():
        return ids.gather(ids.cast(pl.Int64).arg_sort())
    return ids.sort()


def _check(frames: Sequence[pl.LazyFrame], columns: RoleColumns) -> None:
    asked = (columns.user, columns.item, columns.rating, columns.timestamp, columns.type)
    for frame in frames:
        known = frame.collect_schema().names()
        for name in filter(None, asked):
            if name not in known:
                raise InvalidInput(
                    f"The interactions have no column {name!r}, but {', '.join(known)}."
                )


def _column(frames: Sequence[pl.LazyFrame], name: str, dtype: pl.DataType) -> pl.Series:
    """Concatenates a column of all tables. Columns are read one by one, to save memory."""
    parts = [frame.select(pl.col(name).cast(dtype)).collect().to_series() for frame in frames]
    whole = pl.concat(parts)
    if whole.null_count():
        row = int(whole.is_null().arg_max() or 0) + 1
        raise InvalidInput(f"Row {row:,} of the interactions has nothing in column {name!r}.")
    return whole


def _codes(frames: Sequence[pl.LazyFrame], name: str) -> tuple[pl.Series, Whole]:
    """Sorts the distinct ids of a column, and finds the index of each row's id among them."""
    texts = _column(frames, name, pl.String())
    ids = in_order(texts.unique())
    codes = texts.cast(pl.Enum(ids)).to_physical().cast(pl.Int32)
    return ids, codes.to_numpy()


def _values(frames: Sequence[pl.LazyFrame], name: str) -> Whole:
    try:
        values = _column(frames, name, pl.Float64())
    except pl.exceptions.PolarsError:
        raise InvalidInput(f"Column {name!r} holds something other than numbers.") from None
    if len(values) and not (values.is_finite() & (values > 0)).all():
        raise InvalidInput(
            f"Column {name!r} has values that are not above 0. A rating says how much an"
            " interaction counts: take all as equal with --binary, or leave such rows out."
        )
    return values.to_numpy()


def _times(frames: Sequence[pl.LazyFrame], name: str) -> Whole:
    kinds = [frame.collect_schema()[name] for frame in frames]
    try:
        if all(kind == pl.String for kind in kinds):
            parsed = pl.col(name).str.to_datetime(time_unit="ms")
            frames = [frame.with_columns(parsed) for frame in frames]
        elif all(kind.is_temporal() for kind in kinds):
            frames = [frame.with_columns(pl.col(name).cast(pl.Datetime("ms"))) for frame in frames]
        elif any(kind.is_float() for kind in kinds):
            return _column(frames, name, pl.Float64()).to_numpy()
        return _column(frames, name, pl.Int64()).to_numpy()
    except pl.exceptions.PolarsError:
        raise InvalidInput(f"Column {name!r} holds something other than times.") from None
