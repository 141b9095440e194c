"""Filters interactions: by rating threshold, duplicates, and minimum counts of users and items."""

from __future__ import annotations

import math

import polars as pl

from podium.errors import InvalidInput
from podium.preparation.options import Options
from podium.preparation.ordering import ascending


def cleaned(frame: pl.DataFrame, options: Options) -> tuple[pl.DataFrame, dict[str, int]]:
    """Filters interactions, and counts how many each rule dropped. The frame is in the order of
    users and items. Raises `InvalidInput` for columns that the file lacks, and for duplicates that
    are refused."""
    dropped = {}
    counts = frame.height
    if options.threshold is not None:
        if "rating" not in frame.columns:
            raise InvalidInput("A threshold is for ratings, and the file has none.")
        frame = frame.filter(pl.col("rating") >= options.threshold)
        dropped["below_threshold"] = counts - frame.height
    if options.relevance:
        if "rating" not in frame.columns:
            raise InvalidInput("The relevance is the rating, and the file has none.")
        count = int((frame["rating"] <= 0).sum())
        if count:
            raise InvalidInput(
                f"{count:,} ratings are 0 or less, which is not relevance: add a threshold above 0."
            )
    counts = frame.height
    frame = without_duplicates(ascending(frame, pair_of(frame)), options.duplicates)
    dropped["duplicates"] = counts - frame.height
    counts = frame.height
    frame = core_of(frame, options.min_user, options.min_item)
    dropped["too_few"] = counts - frame.height
    if frame.is_empty():
        raise InvalidInput("No interaction is left: lower the threshold or the minimum counts.")
    return frame, dropped


def pair_of(frame: pl.DataFrame) -> list[str]:
    """Names the columns that identify an interaction: two rows with equal values are duplicates."""
    return [name for name in ("user", "item", "type") if name in frame.columns]


def without_duplicates(frame: pl.DataFrame, rule: str) -> pl.DataFrame:
    """Reduces duplicates to one interaction per user and item (and type). The frame is in the order
    of these.

    `last` and `first` go by time, `max` by rating; among equals, the larger rating and the later
    time are retained, so that the order of rows does not matter. `sum` adds ratings up, exactly
    rounded, or counts rows where there are none, and retains the latest time.
    """
    names = pair_of(frame)
    same = pl.lit(value=True)
    for name in names:
        same = same & (pl.col(name) == pl.col(name).shift())
    again = frame.select(same.fill_null(value=False)).to_series()
    if rule == "sum" and "rating" not in frame.columns:
        return _counted(frame, names, again)
    if not again.any():
        return frame
    if rule == "refuse":
        raise InvalidInput(
            f"{int(again.sum()):,} interactions stand in the file more than once, and duplicates"
            " are refused."
        )
    involved = again | again.shift(-1).fill_null(value=False)
    several = _one_each(frame.filter(involved), names, rule)
    return pl.concat([frame.filter(~involved), several]).sort(names)


def _one_each(several: pl.DataFrame, names: list[str], rule: str) -> pl.DataFrame:
    values = [name for name in ("timestamp", "rating") if name in several.columns]
    if rule == "first" and "timestamp" in values:
        ordered = several.sort(
            *names, *values, descending=[False] * (len(names) + 1) + [True] * (len(values) - 1)
        )
        return ordered.unique(names, keep="first", maintain_order=True)
    by = list(reversed(values)) if rule == "max" else values
    ordered = several.sort(*names, *by)
    last = ordered.unique(names, keep="last", maintain_order=True)
    if rule != "sum":
        return last
    runs = ordered.group_by(names, maintain_order=True).agg(pl.col("rating"))
    sums = [math.fsum(ratings) for ratings in runs["rating"].to_list()]
    latest = ordered.group_by(names, maintain_order=True).agg(pl.all().exclude("rating").max())
    return latest.with_columns(rating=pl.Series(sums, dtype=pl.Float64)).select(several.columns)


def _counted(frame: pl.DataFrame, names: list[str], again: pl.Series) -> pl.DataFrame:
    """Reduces each group of duplicates to one row, with its size as the rating."""
    if not again.any():
        return frame.with_columns(rating=pl.lit(1.0))
    latest = [pl.col("timestamp").max()] if "timestamp" in frame.columns else []
    counted = frame.group_by(names).agg(*latest, rating=pl.len().cast(pl.Float64))
    return counted.sort(names)


def core_of(frame: pl.DataFrame, min_user: int, min_item: int) -> pl.DataFrame:
    """Filters to the interactions of users with at least `min_user` and items with at least
    `min_item` of them, repeated until nothing more is dropped (the k-core)."""
    least = {name: n for name, n in (("user", min_user), ("item", min_item)) if n > 1}
    before = -1
    while least and before != frame.height:
        before = frame.height
        for name, fewest in least.items():
            counts = frame.group_by(name).len()
            few = counts.filter(pl.col("len") < fewest)[name]
            if len(few):
                frame = frame.join(few.to_frame(), on=name, how="anti", maintain_order="left")
    return frame
