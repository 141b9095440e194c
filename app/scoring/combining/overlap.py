"""How much two submissions have in common: lists, items, and with a ground truth, hits."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import polars as pl

from app.scoring.combining.entries import Portion, portions
from app.scoring.combining.spool import Spool
from app.scoring.hits import Hits
from app.scoring.published import PublishedIds
from app.scoring.task import Task

Document = dict[str, Any]


def overlap(
    first: Spool, second: Spool, *, task: Task, published: PublishedIds, k: int
) -> dict[str, Document]:
    """By objective, of the first K items of all published queries: `queries`, `equal` (lists that
    are the same, in the same order), `equal_share`, and `jaccard`, the mean of items in both lists
    / items in either; two empty lists count 1. JSON-ready."""
    width = len(task.names)
    equal, sums = [0] * width, [Fraction(0)] * width
    text_items = task.item_ids == "string"
    spools = [first, second]
    for portion in portions(spools, queries=published.count, depth=k, text_items=text_items):
        for place, count in _equal(portion, width, k).iter_rows():
            equal[place] += count
        for place, both, either, count in _shared(portion, width).iter_rows():
            sums[place] += Fraction(both * count, either) if either else Fraction(count)
    sessions = len(published.sessions)
    return {
        name: {
            "queries": sessions,
            "equal": equal[place],
            "equal_share": equal[place] / sessions,
            "jaccard": float(sums[place] / sessions),
        }
        for place, name in enumerate(task.names)
    }


def common_hits(first: Hits, second: Hits) -> dict[str, Document]:
    """By objective, the labels that were found by `both`, by the `first` or the `second` alone, or
    by `neither`, within the K of the objective."""
    truth = first.truth
    position = truth.frame["query"] % len(truth.task.names)
    depths = pl.Series(truth.depths, dtype=pl.UInt16).gather(position)
    found = [(hits.ranks > 0) & (hits.ranks <= depths) for hits in (first, second)]
    table = pl.DataFrame({"place": position, "one": found[0], "other": found[1]})
    counts = {tuple(key): n for *key, n in table.group_by(table.columns).len().iter_rows()}
    kinds = {"both": (1, 1), "first": (1, 0), "second": (0, 1), "neither": (0, 0)}
    return {
        name: {
            kind: counts.get((place, bool(one), bool(other)), 0)
            for kind, (one, other) in kinds.items()
        }
        for place, name in enumerate(truth.task.names)
    }


def _equal(portion: Portion, width: int, k: int) -> pl.DataFrame:
    """By objective, how many lists are equal: place, count."""
    one, other = (
        _every(portion).join(lists, on="query", how="left", maintain_order="left")["labels"]
        for lists in portion.lists
    )
    one, other = one.fill_null(""), other.fill_null("")
    differs = pl.DataFrame({"one": one, "other": other})
    heads = differs.select(pl.all().str.split(" ").list.head(k).list.join(" "))
    query = _every(portion)["query"]
    table = pl.DataFrame({"place": query % width, "same": heads["one"] == heads["other"]})
    return table.filter("same").group_by("place").len()


def _shared(portion: Portion, width: int) -> pl.DataFrame:
    """How many queries of an objective share so many items of so many: place, both, either,
    count."""
    pairs = portion.entries.group_by("pair", maintain_order=True).len("files")
    items = pl.DataFrame(
        {"query": portion.queries(pairs["pair"]), "both": (pairs["files"] == 2).cast(pl.UInt32)}
    )
    of_query = items.group_by("query").agg(pl.col("both").sum(), either=pl.len())
    rows = _every(portion).join(of_query, on="query", how="left").fill_null(0)
    return rows.group_by(pl.col("query") % width, "both", "either").len()


def _every(portion: Portion) -> pl.DataFrame:
    return pl.DataFrame(
        {"query": pl.int_range(portion.start, portion.stop, dtype=pl.UInt32, eager=True)}
    )
