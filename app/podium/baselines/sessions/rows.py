"""Turns ranked items of sessions into the rows of a submission."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from podium.baselines.registry import Hyperparameters
from podium.baselines.sessions.lists import in_order, query_number
from podium.baselines.sessions.material import Learn, Material, Recommend, read_material
from podium.otto.shape import TYPES


@dataclass(frozen=True)
class SessionFiles:
    """Sessions to learn from, and sessions to answer, in OTTO's raw format, with events of these
    `types`."""

    train: Path
    test: Path
    types: tuple[str, ...] = TYPES

    def learned(self, learn: Learn, settings: Hyperparameters) -> LearnedSessions:
        """Reads both files. Raises `RawFileRefused`, with lines, for an invalid one."""
        material = read_material(self.train, self.test, self.types)
        return LearnedSessions(material, learn(material, settings.length), settings.length)


@dataclass(frozen=True)
class LearnedSessions:
    """A function that recommends, and the sessions to answer."""

    material: Material
    recommend: Recommend
    length: int

    def rows(self) -> Iterator[pl.DataFrame]:
        """Yields `session_type` and `labels` for every test session and type, in the order of the
        file; with a single type, `session` and `labels`. A row has at most `length` items, none of
        them twice; it may have fewer, or none."""
        material = self.material
        if material.sessions.is_empty():
            lists = self.recommend(material.sessions, material.test)
            yield _rows(material, material.sessions, lists, self.length)
        for sessions, events in material.portions():
            yield _rows(material, sessions, self.recommend(sessions, events), self.length)


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
