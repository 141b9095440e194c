"""Counts the differences between two versions of a ground truth; the result contains no labels."""

from __future__ import annotations

from typing import Any

import polars as pl

from podium.scoring.engine import Published

MAX_EXAMPLES = 10
"""The most ids that are listed, of those with labels in one version only, or with other labels."""


def changes(before: pl.DataFrame, after: pl.DataFrame, *, published: Published) -> dict[str, Any]:
    """Counts the differences between the labels of two versions with the same published ids,
    JSON-ready.

    `ids`, `lists` and `labels` each have counts `before` and `after`, `only_before` and
    `only_after`; `different` are ids and lists with labels in both, but not the same. `examples`
    names the first ids of each of these. A pair is an id with one list.
    """
    width = published.width
    frames = _comparable(before, after)
    lost, gained = _only(*frames), _only(*reversed(frames))
    lists = [frame.select("query").unique() for frame in frames]
    ids = [each.select(pl.col("query") // width).unique() for each in lists]
    touched = pl.concat([lost.select("query"), gained.select("query")]).unique()
    altered = touched.select(pl.col("query") // width).unique()
    for side in ids:
        altered = altered.join(side, on="query", how="semi")
    of_lists = _counts(*lists)
    different = touched.height - of_lists["only_before"] - of_lists["only_after"]
    return {
        "ids": {**_counts(*ids), "different": altered.height},
        "lists": {**of_lists, "different": different},
        "labels": {
            "before": before.height,
            "after": after.height,
            "only_before": lost.height,
            "only_after": gained.height,
        },
        "examples": {
            "only_before": _examples(_only(*ids), published),
            "only_after": _examples(_only(*reversed(ids)), published),
            "different": _examples(altered, published),
        },
    }


def _comparable(*frames: pl.DataFrame) -> list[pl.DataFrame]:
    """Drops the splits of labels; where only some versions have relevances, others count 1."""
    labels = [frame.rename({"pair": "query"}, strict=False) for frame in frames]
    targets = sorted({n for frame in labels for n in frame.columns if n.startswith("target")})
    names = ["query", "item", "relevance", *targets, "group"]
    names = [name for name in names if any(name in frame.columns for frame in labels)]
    whole = [
        frame if set(names) <= set(frame.columns) else frame.with_columns(relevance=pl.lit(1.0))
        for frame in labels
    ]
    return [frame.select(names) for frame in whole]


def _only(one: pl.DataFrame, other: pl.DataFrame) -> pl.DataFrame:
    """Selects the rows of one frame that the other lacks."""
    return one.join(other, on=one.columns, how="anti")


def _counts(before: pl.DataFrame, after: pl.DataFrame) -> dict[str, int]:
    return {
        "before": before.height,
        "after": after.height,
        "only_before": _only(before, after).height,
        "only_after": _only(after, before).height,
    }


def _examples(ids: pl.DataFrame, published: Published) -> list[str]:
    return [published.name_of(number) for number in ids["query"].sort().head(MAX_EXAMPLES)]
