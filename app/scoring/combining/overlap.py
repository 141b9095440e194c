"""The overlap of two submissions: equal lists, common items and, with a ground truth, common
hits."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import polars as pl

from podium.scoring.combining.sides import Sides
from podium.scoring.combining.spool import ListSpool
from podium.scoring.hits import Hits
from podium.scoring.kernel.columns import Array
from podium.scoring.published import PublishedIds
from podium.scoring.task import Task

Document = dict[str, Any]


def overlap(
    first: ListSpool, second: ListSpool, *, task: Task, published: PublishedIds
) -> dict[str, Document]:
    """By objective, of the lists of all published queries, as deep as the spools have them:
    `queries`, `equal` (lists that are the same, in the same order), `equal_share`, and `jaccard`,
    the mean of items in both lists / items in either; two empty lists count 1. JSON-ready."""
    width = len(task.names)
    equal, sums = [0] * width, [Fraction(0)] * width
    sides = Sides([first, second])
    found = sides.of_portions(lambda start, stop: _compared(sides, start, stop, width))
    for table in found:
        for place, same, both, either, count in table.iter_rows():
            equal[place] += count if same else 0
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


def _compared(sides: Sides, start: int, stop: int, width: int) -> pl.DataFrame:
    """Counts the queries of an objective with equal (`same`) or different lists, `both` common
    items and `either` distinct ones: place, same, both, either, count."""
    room, _held = sides.room()
    count = stop - start
    same, both, either = Array(count), Array(4 * count), Array(4 * count)
    sides.functions.podium_overlap(
        sides.c, start, stop, room, same.address, both.address, either.address
    )
    rows = {
        "place": pl.int_range(start, stop, dtype=pl.UInt32, eager=True) % width,
        "same": same.column(pl.UInt8, count),
        "both": both.column(pl.UInt32, count),
        "either": either.column(pl.UInt32, count),
    }
    return pl.DataFrame(rows).group_by("place", "same", "both", "either").len()
