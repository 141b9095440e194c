"""Small tables of interactions, and what a baseline answers to them."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from podium.baselines.matrix.interactions import CodedInteractions, RoleColumns, read_interactions
from podium.baselines.matrix.recommending import AnsweredRows, UsersItems
from podium.baselines.registry import USERS_ITEMS
from tests.builders.baselines.dense import Dense

ROLES = RoleColumns("user", "item", "rating", "timestamp")


def random_values(chance: np.random.Generator) -> Dense:
    """Users × items with whole numbers from 1 to 5 where there is anything; no user or item is
    without."""
    users, items = chance.integers(2, 12), chance.integers(2, 10)
    values = chance.integers(1, 6, (users, items)) * (chance.random((users, items)) < 0.4)
    for user in range(users):
        values[user, chance.integers(items)] = 1
    for item in range(items):
        values[chance.integers(users), item] = 1
    return values.astype(float)


def table(values: Dense, chance: np.random.Generator) -> pl.DataFrame:
    """One interaction a row, in random order, with different times."""
    user, item = values.nonzero()
    order = chance.permutation(len(user))
    rows = {"user": user, "item": item, "rating": values[user, item]}
    return pl.DataFrame({**rows, "timestamp": chance.permutation(len(user))})[order]


def read(frame: pl.DataFrame, columns: RoleColumns = ROLES) -> CodedInteractions:
    """The interactions of a table."""
    return read_interactions([frame.lazy()], columns)


def lists(
    name: str,
    frame: pl.DataFrame,
    users: list[Any],
    *,
    length: int = 5,
    keep_seen: bool = False,
    columns: RoleColumns = ROLES,
    **own: Any,
) -> dict[str, list[str]]:
    """The answer to each of these users."""
    rows = AnsweredRows.of(pl.Series(users), columns=("user", "labels"))
    data = UsersItems(read(frame, columns), rows)
    learned = USERS_ITEMS[name].learned(data, own, length=length)
    found = pl.concat(learned.rows(keep_seen=keep_seen))
    return {user: labels.split() for user, labels in found.iter_rows()}
