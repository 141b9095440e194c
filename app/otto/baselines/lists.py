"""Pieces of ranked lists and how they are put together. Frames of session, type, aid and rank."""

from __future__ import annotations

import polars as pl

from app.otto.shape import TYPES

TYPE_CODES = pl.DataFrame({"type": range(len(TYPES))}, schema={"type": pl.UInt8})

COLUMNS = ("session", "type", "aid", "rank")


def for_all_types(lists: pl.DataFrame) -> pl.DataFrame:
    """The same list, of session, aid and rank, for every type."""
    return lists.join(TYPE_CODES, how="cross").select(COLUMNS)


def last_items(events: pl.DataFrame) -> pl.DataFrame:
    """The distinct items of each session, the last one first: session, aid, rank."""
    found = (
        events.with_row_index("at")
        .group_by("session", "aid")
        .agg(pl.col("at").max())
        .sort("at", descending=True)
    )
    return found.select("session", "aid", rank=_place("session"))


def ranked(scored: pl.DataFrame, *by: str, length: int) -> pl.DataFrame:
    """The rows with the largest `weight` of each group, with their `rank`; of equal ones those with
    the smaller aid first."""
    order = [*by, "weight", "aid"]
    descending = [name == "weight" for name in order]
    ordered = scored.sort(order, descending=descending).with_columns(rank=_place(*by))
    return ordered.filter(pl.col("rank") < length)


def most_frequent(events: pl.DataFrame, length: int) -> pl.DataFrame:
    """The items with most events of each type: type, aid, rank."""
    counted = events.group_by("type", "aid").len("weight")
    return ranked(counted, "type", length=length).select("type", "aid", "rank")


def filled_up(
    lists: pl.DataFrame, sessions: pl.Series, fill: pl.DataFrame, length: int
) -> pl.DataFrame:
    """Lists with what `fill` (type, aid, rank) has for everybody behind them where they are short,
    without repetitions. No list may have an item twice."""
    every = sessions.to_frame().join(TYPE_CODES, how="cross")
    counted = lists.group_by("session", "type").len("has")
    short = every.join(counted, on=["session", "type"], how="left")
    short = short.filter(pl.col("has").fill_null(0) < length).select("session", "type")
    behind = short.join(fill, on="type").join(lists, on=["session", "type", "aid"], how="anti")
    behind = behind.with_columns(pl.col("rank").cast(pl.Int64) + _BEHIND)
    return closed_up(pl.concat([lists.select(COLUMNS), behind.select(COLUMNS)]), length)


def closed_up(lists: pl.DataFrame, length: int) -> pl.DataFrame:
    """Ranks without gaps, in the order that there is, cut to a length."""
    ordered = lists.sort("session", "type", "rank")
    ordered = ordered.with_columns(rank=_place("session", "type"))
    return ordered.filter(pl.col("rank") < length)


_BEHIND = 1 << 32
"""Ranks from here on stand behind all others."""


def _place(*by: str) -> pl.Expr:
    return pl.int_range(pl.len()).over(*by)
