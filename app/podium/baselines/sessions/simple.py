"""Baselines without learning: random, popular and recent items."""

from __future__ import annotations

import polars as pl

from podium.baselines.sessions.lists import COLUMNS, for_all_types, last_items, most_frequent
from podium.baselines.sessions.material import Material, Recommend
from podium.otto.draws import Draws, below


def random(material: Material, length: int) -> Recommend:
    """Recommends distinct items of the training set, drawn at random."""
    aids = material.train["aid"].unique().sort()
    size, draws = len(aids), Draws(0)
    wanted = min(length, size)
    places = pl.DataFrame({"rank": range(wanted)}, schema={"rank": pl.Int64})

    def recommend(sessions: pl.Series, events: pl.DataFrame) -> pl.DataFrame:
        queries = sessions.to_frame().join(material.codes, how="cross")
        key = queries["session"].cast(pl.UInt64) * len(material.types) + queries["type"]
        # Equal steps from a first item, too small to come round to it again.
        queries = queries.with_columns(
            first=below(draws.bits("first", key), max(1, size)),
            step=1 + below(draws.bits("step", key), max(1, size // max(1, length))),
        )
        number = pl.col("first").cast(pl.Int64) + pl.col("rank") * pl.col("step")
        rows = queries.join(places, how="cross").with_columns(number=number % max(1, size))
        return rows.with_columns(aid=aids.gather(rows["number"])).select(COLUMNS)

    return recommend


def popular(material: Material, length: int) -> Recommend:
    """Recommends the items with most training events of the type: the same list for every
    session."""
    lists = most_frequent(material.train, length)
    return lambda sessions, events: sessions.to_frame().join(lists, how="cross").select(COLUMNS)


def recent(material: Material, length: int) -> Recommend:
    """Recommends the items of the session itself, the last one first, for all types."""
    return lambda sessions, events: for_all_types(
        last_items(events).filter(pl.col("rank") < length), material.codes
    )
