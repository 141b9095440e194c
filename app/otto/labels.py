"""The organiser's definition of labels: what a session does after its cut. Frames, no files."""

from __future__ import annotations

import polars as pl

from app.otto.shape import TYPES


def visible_events(events: pl.DataFrame) -> pl.DataFrame:
    """The events before the cut: what a participant may see."""
    return events.filter(pl.col("position") < pl.col("cut"))


def hidden_labels(events: pl.DataFrame) -> pl.DataFrame:
    """The labels of every session that has an event after its cut, by session.

    Columns: session Int32 and, per type, a list of distinct aids in ascending order (Int32; empty
    where there are none): `clicks` holds the first click after the cut, `carts` and `orders`
    everything carted or ordered after it. `events` is in the order of time within a session.
    """
    hidden = events.filter(pl.col("position") >= pl.col("cut"))
    click, *sets = (pl.col("aid").filter(pl.col("type") == code) for code in range(len(TYPES)))
    wanted = [click.head(1), *(aids.unique().sort() for aids in sets)]
    return (
        hidden.group_by("session")
        .agg(aids.alias(name) for aids, name in zip(wanted, TYPES, strict=True))
        .sort("session")
    )
