"""The organiser's definition of labels: what a session does after its cut. Frames, no files."""

from __future__ import annotations

import polars as pl

from podium.otto.shape import TYPES

NEXT = "clicks"
"""The type of which only the next one counts; of any other, all that follow do."""


def visible_events(events: pl.DataFrame) -> pl.DataFrame:
    """The events before the cut: what a participant may see."""
    return events.filter(pl.col("position") < pl.col("cut"))


def hidden_labels(events: pl.DataFrame, types: tuple[str, ...] = TYPES) -> pl.DataFrame:
    """The labels of every session that has an event after its cut, by session.

    Columns: session Int32 and, per type, a list of distinct aids in ascending order (Int32; empty
    where there are none): `clicks` holds the first click after the cut, any other type, such as
    `carts` and `orders`, everything of it after the cut. `events` is in the order of time within a
    session; its `type` is a place in `types`.
    """
    hidden = events.filter(pl.col("position") >= pl.col("cut"))
    wanted = {}
    for code, name in enumerate(types):
        aids = pl.col("aid").filter(pl.col("type") == code)
        wanted[name] = aids.head(1) if name == NEXT else aids.unique().sort()
    return hidden.group_by("session").agg(**wanted).sort("session")
