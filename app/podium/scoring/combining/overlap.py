"""Computes the overlap of two submissions: equal lists, common items and, with a ground truth,
common hits."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from operator import add
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
    """Compares the lists of all published queries by objective, as deep as the spools have them:
    `queries`, `equal` (identical lists, in the same order), `equal_share`, and `jaccard`, the mean
    of items in both lists / items in either; two empty lists count 1. JSON-ready."""
    sides, width = Sides([first, second]), len(task.names)
    most = 2 * sides.depth
    equal, shared = [0] * width, [0] * (width * (most + 1))
    for same, common in sides.of_portions(lambda start, stop: _compared(sides, start, stop, width)):
        equal = list(map(add, equal, same))
        shared = list(map(add, shared, common))
    sessions = len(published.sessions)
    found = {}
    for place, name in enumerate(task.names):
        none, *by_size = shared[place * (most + 1) : (place + 1) * (most + 1)]
        sums = none + sum(Fraction(both, either) for either, both in enumerate(by_size, start=1))
        found[name] = {
            "queries": sessions,
            "equal": equal[place],
            "equal_share": equal[place] / sessions,
            "jaccard": float(sums / sessions),
        }
    return found


def common_hits(first: Hits, second: Hits) -> dict[str, Document]:
    """Counts by objective the labels that were found by `both`, by the `first` or the `second`
    alone, or by `neither`, within the K of the objective."""
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


def _compared(
    sides: Sides, start: int, stop: int, width: int
) -> tuple[Sequence[int], Sequence[int]]:
    """Counts by objective the lists that are equal and, by the number of distinct items in either
    list, from 0 on, the items in both; for two empty lists that is 1."""
    room, _held = sides.room()
    equal, shared = Array(8 * width), Array(8 * width * (2 * sides.depth + 1))
    sides.functions.podium_overlap(
        sides.c, sides.depth, start, stop, room, width, equal.address, shared.address
    )
    return memoryview(equal.bytes).cast("Q"), memoryview(shared.bytes).cast("Q")
