"""Maps users and items with text ids to whole numbers, and writes the tables of both.

Numbers follow the order of the texts, so neither the order of files nor that of rows changes
them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import polars as pl

ITEM_NAMES, USER_NAMES = "item_names.csv", "user_names.csv"

LONGEST = 256
"""Characters of the longest id."""

_GOOD = rf"^[^\x00-\x1f\x7f]{{1,{LONGEST}}}$"


@dataclass(frozen=True)
class IdNumbers:
    """The numbers of all users and all items: `text` (String, sorted) and `number` (Int32, from
    0)."""

    users: pl.DataFrame
    items: pl.DataFrame

    @classmethod
    def of(cls, frames: Iterable[pl.DataFrame]) -> IdNumbers:
        """Numbers the texts in the columns `session` and `aid` of all frames; invalid ids get no
        number."""
        users = items = pl.Series(dtype=pl.String)
        for frame in frames:
            texts = frame.select(pl.col("session", "aid").cast(pl.String))
            users = pl.concat([users, texts["session"].unique()]).unique()
            items = pl.concat([items, texts["aid"].unique()]).unique()
        return cls(_numbered(users), _numbered(items))

    def instead_of_texts(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Replaces the texts in `session` and `aid` by their numbers; null where the text is not a
        valid id."""
        for column, known in (("session", self.users), ("aid", self.items)):
            texts = frame.select(pl.col(column).cast(pl.String).alias("text"))
            found = texts.join(known, on="text", how="left", maintain_order="left")
            frame = frame.with_columns(found["number"].alias(column))
        return frame

    def write(self, to: Path) -> None:
        """Writes `item_names.csv` (aid,item) and `user_names.csv` (session,user) to a folder."""
        for name, known, ours, theirs in (
            (ITEM_NAMES, self.items, "aid", "item"),
            (USER_NAMES, self.users, "session", "user"),
        ):
            table = known.select(pl.col("number").alias(ours), pl.col("text").alias(theirs))
            table.write_csv(to / name)


def _numbered(texts: pl.Series) -> pl.DataFrame:
    good = texts.drop_nulls()
    good = good.filter(good.str.contains(_GOOD)).sort()
    number = pl.int_range(len(good), dtype=pl.Int32, eager=True)
    return pl.DataFrame({"text": good, "number": number})
