"""Items as tests write them down, and the item file that says the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from podium.scoring.items import ItemFile


@dataclass(frozen=True)
class Item:
    """An item of the item file; no features means empty cells."""

    users: int
    features: tuple[float, ...] | None


def item_file(items: Mapping[int, Item], training_users: int, *, text: bool = False) -> ItemFile:
    """The same as an item file."""
    ids = sorted(items, key=lambda item: str(item) if text else item)
    columns: dict[str, pl.Series] = {
        "item": pl.Series(map(str, ids)) if text else pl.Series(ids, dtype=pl.Int32),
        "users": pl.Series([items[item].users for item in ids], dtype=pl.Int64),
    }
    width = max(len(item.features or ()) for item in items.values())
    for place in range(width):
        found = [items[item].features for item in ids]
        values = [None if features is None else features[place] for features in found]
        columns[f"feature{place}"] = pl.Series(values, dtype=pl.Float64)
    return ItemFile(pl.DataFrame(columns), training_users)
