"""Builds ranked lists and fills them up. Frames of session, type, aid and rank."""

from __future__ import annotations

import polars as pl

from podium.otto.shape import MAX_TYPES

COLUMNS = ("session", "type", "aid", "rank")


def for_all_types(lists: pl.DataFrame, codes: pl.DataFrame) -> pl.DataFrame:
    """Repeats the same list, of session, aid and rank, for every type."""
    return lists.join(codes, how="cross").select(COLUMNS)


def last_items(events: pl.DataFrame) -> pl.DataFrame:
    """Lists the distinct items of each session, the last one first: session, aid, rank."""
    found = (
        events.with_row_index("at")
        .group_by("session", "aid")
        .agg(pl.col("at").max())
        .sort("at", descending=True)
    )
    return found.select("session", "aid", rank=_places(found["session"]))


def ranked(scored: pl.DataFrame, by: str, *, length: int, item: str = "aid") -> pl.DataFrame:
    """Selects the rows with the largest `weight` (Int64, not below 0) of each group, with their
    `rank`, in order of both; ties go to the smaller item. Groups and items are numbers below
    2**31."""
    # Packed into one number, all three are sorted in less than half the time of three columns.
    number = _wide(by) * _GROUP + (_HEAVIEST - _wide("weight")) * _ITEM + _wide(item)
    packed = scored.select(number.alias("packed")).to_series().sort()
    found = packed.to_frame().with_columns(group=_part(_GROUP).cast(pl.Int32))
    found = found.with_columns(rank=_places(found["group"])).filter(pl.col("rank") < length)
    weight = (_HEAVIEST - _part(_ITEM) % (_GROUP // _ITEM)).cast(pl.Int64)
    return found.select(
        pl.col("group").cast(scored.schema[by]).alias(by),
        (pl.col("packed") % _ITEM).cast(scored.schema[item]).alias(item),
        weight.alias("weight"),
        "rank",
    )


def most_frequent(events: pl.DataFrame, length: int) -> pl.DataFrame:
    """Counts the items with most events of each type: type, aid, rank."""
    counted = events.group_by("type", "aid").len("weight")
    return ranked(counted, "type", length=length).select("type", "aid", "rank")


def filled_up(
    lists: pl.DataFrame,
    sessions: pl.Series,
    codes: pl.DataFrame,
    *,
    fill: pl.DataFrame,
    length: int,
) -> pl.DataFrame:
    """Fills up short lists of sessions × types with the items of `fill` (type, aid, rank), without
    repetitions. No list may have an item twice."""
    every = sessions.to_frame().join(codes, how="cross")
    counted = lists.group_by("session", "type").len("has")
    short = every.join(counted, on=["session", "type"], how="left")
    short = short.filter(pl.col("has").fill_null(0) < length).select("session", "type")
    behind = short.join(fill, on="type").join(lists, on=["session", "type", "aid"], how="anti")
    behind = behind.with_columns(pl.col("rank") + _BEHIND)
    return closed_up(pl.concat([lists.select(COLUMNS), behind.select(COLUMNS)]), length)


def closed_up(lists: pl.DataFrame, length: int) -> pl.DataFrame:
    """Closes gaps in ranks, retaining the order, and cuts lists to a length; by session, type and
    rank."""
    ordered = in_order(lists)
    ordered = ordered.with_columns(rank=_places(ordered["query"]))
    return ordered.filter(pl.col("rank") < length).select(COLUMNS)


def in_order(lists: pl.DataFrame) -> pl.DataFrame:
    """Sorts the rows by session, type and rank, with session and type also packed into `query`
    (Int64)."""
    numbered = lists.with_columns(query=query_number())
    return numbered.sort(pl.col("query") * _RANKS + pl.col("rank"))


def query_number() -> pl.Expr:
    """Packs the session and type of a row into one number."""
    return pl.col("session").cast(pl.Int64) * MAX_TYPES + pl.col("type")


_RANKS = 1 << 28
"""More than any rank; a session, a type and a rank fit into 63 bits."""

_BEHIND = 1 << 27
"""Ranks from here on come after all others."""

_ITEM, _GROUP, _HEAVIEST = (
    pl.lit(number, dtype=pl.Int128) for number in (1 << 31, 1 << 94, (1 << 63) - 1)
)


def _wide(name: str) -> pl.Expr:
    return pl.col(name).cast(pl.Int128)


def _part(unit: pl.Expr) -> pl.Expr:
    return pl.col("packed") // unit


def _places(groups: pl.Series) -> pl.Series:
    """Numbers each row within its group, from 0; the rows of a group are adjacent."""
    sizes = groups.rle().struct.field("len").cast(pl.Int64)
    number = pl.int_range(len(groups), eager=True)
    return number - (sizes.cum_sum() - sizes).gather(groups.rle_id())
