"""Baselines without learning, and the rows of a submission from any ranked items."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import polars as pl

from podium.baselines.sessions.covisitation import covisitation
from podium.baselines.sessions.factors import als
from podium.baselines.sessions.lists import (
    COLUMNS,
    for_all_types,
    in_order,
    last_items,
    most_frequent,
    query_number,
)
from podium.baselines.sessions.material import Learn, Material, Recommend, read_material
from podium.otto.draws import Draws, below
from podium.otto.shape import LIST_LENGTH, TYPES


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


BaselineName = Literal["random", "popular", "recent", "covisitation", "als"]

BASELINES: dict[BaselineName, Learn] = {
    "random": random,
    "popular": popular,
    "recent": recent,
    "covisitation": covisitation,
    "als": als,
}

NAMES: tuple[BaselineName, ...] = tuple(BASELINES)


def baseline_rows(
    name: BaselineName,
    *,
    train: Path,
    test: Path,
    length: int = LIST_LENGTH,
    types: tuple[str, ...] = TYPES,
) -> Iterator[pl.DataFrame]:
    """Yields `session_type` and `labels` for every test session and type, in the order of the file;
    with a single type, `session` and `labels`.

    `train` and `test` are in OTTO's raw format, with events of these `types`. A row has at most
    `length` items, none of them twice; it may have fewer, or none. Raises `RawFileRefused`, with
    lines, for an invalid file.
    """
    material = read_material(train, test, types)
    recommend = BASELINES[name](material, length)
    if material.sessions.is_empty():
        lists = recommend(material.sessions, material.test)
        yield _rows(material, material.sessions, lists, length)
    for sessions, events in material.portions():
        yield _rows(material, sessions, recommend(sessions, events), length)


def _rows(
    material: Material, sessions: pl.Series, lists: pl.DataFrame, length: int
) -> pl.DataFrame:
    ordered = in_order(lists.filter(pl.col("rank") < length))
    items = ordered.select(pl.col("query").set_sorted(), item=pl.col("aid").cast(pl.String))
    labels = items.group_by("query", maintain_order=True).agg(labels=pl.col("item").str.join(" "))
    queries = sessions.to_frame().join(material.codes, how="cross", maintain_order="left_right")
    queries = queries.with_columns(query=query_number())
    rows = queries.join(labels, on="query", how="left", maintain_order="left")
    listed = pl.col("labels").fill_null("")
    if len(material.types) == 1:
        return rows.select(pl.col("session").cast(pl.String), listed)
    name = pl.Series(material.types).gather(rows["type"])
    return rows.select(pl.concat_str("session", pl.lit("_"), name).alias("session_type"), listed)
