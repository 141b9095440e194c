"""Simple recommenders to compare with: truncated test sessions and a training set in, a valid
submission out.

Each ranks items per query in a frame with the columns session, type, aid and rank (from 0), best
first; `write_baseline` turns it into the CSV that the competition asks for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import polars as pl

from app.otto.draws import Draws
from app.otto.jsonl import read_events
from app.otto.shape import LIST_LENGTH, TYPES

BaselineName = Literal["random", "popular", "recent", "covisitation"]

NEIGHBOURS = 3
"""Events of a session that stand at most so far apart make their items companions."""

COMPANIONS = 40
"""Companions kept per item."""

CLOSE, EXACT = 6, 5040
"""Weights are whole numbers, so that no order of summing changes a list: neighbours weigh 6, 3 and
2 by their distance, and what an item of rank r brings along is divided by 1 + r."""


@dataclass(frozen=True, slots=True)
class Material:
    """What a baseline may look at. Both frames: session, aid, ts, type; in order of time within a
    session."""

    train: pl.DataFrame
    test: pl.DataFrame

    @property
    def sessions(self) -> pl.DataFrame:
        """The sessions to answer, one column `session`, in the order of the file."""
        return self.test.select("session").unique(maintain_order=True)


def write_baseline(name: BaselineName, *, train: Path, test: Path, out: Path) -> int:
    """Reads sessions in OTTO's raw form and writes `session_type,labels` for every test session.

    Returns the number of rows. A row may have fewer than twenty items, or none.
    """
    material = Material(read_events(train).collect(), read_events(test).collect())
    lists = (
        BASELINES[name](material)
        .filter(pl.col("rank") < LIST_LENGTH)
        .sort("session", "type", "rank")
        .group_by("session", "type", maintain_order=True)
        .agg(pl.col("aid").cast(pl.String).str.join(" ").alias("labels"))
    )
    rows = material.sessions.join(_types(), how="cross", maintain_order="left_right").join(
        lists, on=["session", "type"], how="left", maintain_order="left"
    )
    rows.select(
        pl.format("{}_{}", "session", "type").alias("session_type"), pl.col("labels").fill_null("")
    ).write_csv(out, quote_style="never")
    return len(rows)


def random(material: Material) -> pl.DataFrame:
    """Items drawn from the training catalogue without looking at anything."""
    aids = material.train["aid"].unique().sort()
    queries = material.sessions.join(_types(), how="cross", maintain_order="left_right")
    places = pl.int_range(LIST_LENGTH, dtype=pl.Int32, eager=True).alias("rank").to_frame()
    rows = queries.join(places, how="cross", maintain_order="left_right")
    bits = Draws(0).bits("random", pl.int_range(len(rows), eager=True))
    return rows.with_columns(aids.gather(bits % len(aids)).alias("aid"))


def popular(material: Material) -> pl.DataFrame:
    """The items with most events of the type in training: the same list for everybody."""
    return material.sessions.join(_most_frequent(material.train), how="cross")


def recent(material: Material) -> pl.DataFrame:
    """The items of the session itself, the last one first, for all three types."""
    return _for_all_types(_last_items(material.test))


def covisitation(material: Material) -> pl.DataFrame:
    """The items of the session, then what others looked at together with them, then popular ones.

    A companion weighs the more the later the item it goes with was seen, and the closer together
    and the oftener the two were seen.
    """
    own = _last_items(material.test)
    everything = pl.concat([material.train, material.test])
    found = (
        own.filter(pl.col("rank") < LIST_LENGTH)
        .join(_companions(everything), on="aid")
        .group_by("session", pl.col("companion").alias("aid"))
        .agg((pl.col("weight") * EXACT // (1 + pl.col("rank"))).sum())
        .join(own, on=["session", "aid"], how="anti")
        .sort("session", "weight", "aid", descending=[False, True, False])
        .with_columns(rank=LIST_LENGTH + pl.int_range(pl.len()).over("session"))
        .filter(pl.col("rank") < 2 * LIST_LENGTH)
    )
    columns = ["session", "aid", "rank"]
    personal = _for_all_types(pl.concat([own.select(columns), found.select(columns)]))
    fallback = popular(material).with_columns(pl.col("rank") + 2 * LIST_LENGTH)
    return (
        pl.concat([personal, fallback.select(personal.columns)])
        .sort("session", "type", "rank")
        .unique(["session", "type", "aid"], keep="first", maintain_order=True)
        .with_columns(rank=pl.int_range(pl.len()).over("session", "type"))
    )


BASELINES: dict[BaselineName, Callable[[Material], pl.DataFrame]] = {
    "random": random,
    "popular": popular,
    "recent": recent,
    "covisitation": covisitation,
}


def _types() -> pl.DataFrame:
    return pl.DataFrame({"type": TYPES})


def _for_all_types(lists: pl.DataFrame) -> pl.DataFrame:
    return lists.select("session", "aid", pl.col("rank").cast(pl.Int64)).join(_types(), how="cross")


def _most_frequent(events: pl.DataFrame) -> pl.DataFrame:
    """The first twenty items of each type by events; columns type, aid, rank."""
    return (
        events.group_by("type", "aid")
        .len()
        .sort("type", "len", "aid", descending=[False, True, False])
        .select("type", "aid", rank=pl.int_range(pl.len()).over("type"))
        .filter(pl.col("rank") < LIST_LENGTH)
    )


def _last_items(events: pl.DataFrame) -> pl.DataFrame:
    """The distinct items of each session, the one that was touched last first."""
    return (
        events.reverse()
        .unique(["session", "aid"], keep="first", maintain_order=True)
        .select("session", "aid", rank=pl.int_range(pl.len()).over("session"))
    )


def _companions(events: pl.DataFrame) -> pl.DataFrame:
    """Pairs of items seen close together in a session: aid, companion, weight; best per item."""
    aid, session = pl.col("aid"), pl.col("session")
    pairs = []
    for apart in range(1, NEIGHBOURS + 1):
        together = (session == session.shift(-apart)) & (aid != aid.shift(-apart))
        pair = events.select("aid", companion=aid.shift(-apart), together=together)
        pair = pair.filter("together").select("aid", "companion", weight=pl.lit(CLOSE // apart))
        turned = pair.select(aid="companion", companion="aid", weight="weight")
        pairs += [pair, turned]
    return (
        pl.concat(pairs)
        .group_by("aid", "companion")
        .agg(pl.col("weight").sum())
        .sort("aid", "weight", "companion", descending=[False, True, False])
        .filter(pl.int_range(pl.len()).over("aid") < COMPANIONS)
    )
