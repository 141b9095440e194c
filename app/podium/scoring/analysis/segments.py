"""Breaks a score down by number of labels, by popularity of items, by rank of the hits, and by the
organizer's attributes of sessions.

A group is shown only if it has at least `FEWEST` sessions: the score of fewer would reveal single
ones. Small groups are combined as `other`; where that would still be small, or could be derived by
subtraction, the smallest group that is shown joins them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import polars as pl

from podium.scoring.analysis.session_file import SessionFile
from podium.scoring.hits import Hits
from podium.scoring.items import USERS, ItemFile
from podium.scoring.metrics.sums import as_whole_numbers
from podium.scoring.repeating import repeat
from podium.scoring.scores.list_scores import measured_score
from podium.scoring.splits import SPLIT_NAMES
from podium.scoring.truth.canonical import GroundTruth
from podium.scoring.uncertainty import of_objectives

FEWEST = 30
"""The fewest sessions of a group that is shown."""

OTHER = "other"

_EDGES = (1, 2, 3, 5, 10, 20, 50, 100, 1000, 10_000, 100_000)
_RANKS = (1, 2, 3, 5, 10, 20, 50, 100, 1000)

Document = dict[str, Any]


@dataclass(frozen=True)
class Segmentation:
    """A way to group: the group of each row as a number, and the groups' names in order. Rows are
    labeled queries, or labels where a query has items of several groups (`of_labels`)."""

    name: str
    group: pl.Series
    names: Sequence[str]
    of_labels: bool = False


def segments(
    hits: Hits, *, sessions: SessionFile | None = None, items: ItemFile | None = None
) -> Document:
    """Computes the score of each group, JSON-ready: `{"popularity_by": "users" | "labels",
    "splits": {split: {segmentation: [group]}}, "differences": {split: {segmentation: {objective:
    {…}}}}}`.

    A group of queries is `{"group", "sessions", "score", "objectives": {name: {"value",
    "queries"}}}`, its value by the objective's metric; `score` is null where an objective has no
    query in the group. A group of labels (`popularity`, `rank`) has for each objective `{"labels",
    "found"}` and no score. Ranks are those of hits, without labels not found. `other` has `joined`,
    the names of the groups in it that are not small. `differences` are those of groups of queries,
    in the format of `_differences`.
    """
    truth = hits.truth
    group, names = _between(truth.queries["labels"], _EDGES[:6])
    of_queries = [Segmentation("labels", group, names), *_by_columns(truth, sessions)]
    users = items.frame if items is not None and USERS in items.frame.columns else None
    of_labels = [_by_popularity(truth, users), _by_rank(hits)]
    return {
        "popularity_by": "labels" if users is None else "users",
        "splits": {
            SPLIT_NAMES[split]: {
                each.name: _groups(each, hits, split) for each in (*of_queries, *of_labels)
            }
            for split in truth.splits
        },
        "differences": {
            SPLIT_NAMES[split]: {each.name: _differences(each, hits, split) for each in of_queries}
            for split in truth.splits
        },
    }


def _by_popularity(truth: GroundTruth, users: pl.DataFrame | None) -> Segmentation:
    """Groups by the number of training users of the item, or otherwise by the number of its
    labels."""
    labels = truth.frame.select("item")
    if users is None:
        group, names = _between(labels.select(pl.len().over("item"))["len"], _EDGES)
        return Segmentation("popularity", group, names, of_labels=True)
    known = labels.join(users.select("item", USERS), on="item", how="left", maintain_order="left")
    group, names = _between(known[USERS].fill_null(0).clip(1), _EDGES)
    return Segmentation("popularity", group, ["0 or 1", *names[1:]], of_labels=True)


def _by_rank(hits: Hits) -> Segmentation:
    group, names = _between(hits.ranks, [edge for edge in _RANKS if edge <= hits.truth.task.depth])
    return Segmentation("rank", group.set(hits.ranks == 0, None), names, of_labels=True)


def _by_columns(truth: GroundTruth, sessions: SessionFile | None) -> list[Segmentation]:
    if sessions is None:
        return []
    number = truth.queries["query"] // len(truth.task.objectives)
    found = []
    for name in sessions.columns:
        groups = sessions.groups(name)
        found.append(Segmentation(name, groups.of_session.gather(number), groups.names))
    return found


def _between(values: pl.Series, edges: Sequence[int]) -> tuple[pl.Series, list[str]]:
    """Groups whole numbers from 1 on by the largest edge that they reach: `3 to 4`, the last `100
    or more`."""
    group = pl.Series(edges).search_sorted(values.cast(pl.Int64), side="right").cast(pl.UInt32)
    names = [
        str(low) if following == low + 1 else f"{low} to {following - 1}"
        for low, following in pairwise(edges)
    ]
    return group.clip(1) - 1, [*names, f"{edges[-1]} or more"]


def _grouped(each: Segmentation, rows: pl.DataFrame, split: int) -> tuple[pl.DataFrame, list[str]]:
    """Assigns the rows of a split to their groups, with small ones combined, and returns the names
    of larger groups that joined these."""
    rows = rows.with_columns(group=each.group).filter(pl.col("split") == split).drop_nulls("group")
    hidden, sizes = _hidden(rows), _sessions(rows)
    joined = [each.names[group] for group in sorted(hidden) if sizes[group] >= FEWEST]
    is_hidden = pl.col("group").is_in(hidden)
    other = pl.when(is_hidden).then(len(each.names)).otherwise("group")
    return rows.with_columns(group=other), joined


def _differences(each: Segmentation, hits: Hits, split: int) -> Document:
    """Computes by objective the differences between the groups that are shown, with the K of its
    metric: `miss_rate`, the share of their queries without a hit, `mred`, the mean distance of the
    groups' miss rates from that, and `largest`, the difference of the highest and the lowest miss
    rate. An objective without queries in at least two groups is omitted.

    Source: miss rate equality difference, EvalRS 2022, where `mred` has a minus before it.
    """
    truth = hits.truth
    width = len(truth.task.objectives)
    place = truth.queries["query"] % width
    missed = repeat(0, truth.queries.height, pl.UInt32)
    for position, depth in enumerate(truth.depths):
        is_missed = (hits.per_query(depth) == 0).cast(pl.UInt32)
        missed = is_missed.zip_with(place == position, missed)
    queries = truth.queries.select("split", session=pl.col("query") // width)
    rows, _ = _grouped(each, queries.with_columns(objective=place, missed=missed), split)
    sessions = _sessions(rows)
    counts = rows.group_by("group", "objective").agg(pl.col("missed").sum(), pl.len())
    found: dict[int, list[tuple[int, int]]] = {}
    for group, position, misses, count in counts.iter_rows():
        if sessions[group] >= FEWEST:
            found.setdefault(position, []).append((misses, count))
    names = truth.task.names
    return {
        names[position]: _difference(found[position])
        for position in sorted(found)
        if len(found[position]) > 1
    }


def _difference(groups: Sequence[tuple[int, int]]) -> Document:
    """Computes the differences of groups, each given by its misses and queries.

    >>> _difference([(1, 4), (3, 4)])
    {'miss_rate': 0.5, 'mred': 0.25, 'largest': 0.5}
    """
    rates = [Fraction(misses, count) for misses, count in groups]
    of_all = Fraction(sum(misses for misses, _ in groups), sum(count for _, count in groups))
    apart = sum((abs(rate - of_all) for rate in rates), start=Fraction(0))
    return {
        "miss_rate": float(of_all),
        "mred": float(apart / len(rates)),
        "largest": float(max(rates) - min(rates)),
    }


def _groups(each: Segmentation, hits: Hits, split: int) -> list[Document]:
    rows, unit = _label_rows(hits) if each.of_labels else _query_rows(hits)
    other = len(each.names)
    rows, joined = _grouped(each, rows, split)
    sessions = _sessions(rows)
    sums = rows.group_by("group", "objective").agg(pl.col("above", "below").sum(), pl.len())
    found = {(group, place): row for group, place, *row in sums.iter_rows()}
    return [
        {
            "group": OTHER if group == other else each.names[group],
            "sessions": sessions[group],
            **_described(group, found, hits.truth, unit=unit, of_labels=each.of_labels),
            **({"joined": joined} if group == other and joined else {}),
        }
        for group in sorted(sessions)
        if sessions[group] >= FEWEST
    ]


def _hidden(rows: pl.DataFrame) -> list[int]:
    """Finds the groups that become `other`: the small ones, and larger ones until they have enough
    sessions together."""
    sessions = _sessions(rows)
    by_size = sorted(sessions, key=lambda group: (sessions[group], group))
    count = sum(sessions[group] < FEWEST for group in by_size)
    while 0 < count < len(by_size):
        together = rows.filter(pl.col("group").is_in(by_size[:count]))["session"].n_unique()
        if together >= FEWEST:
            break
        count += 1
    return by_size[:count]


def _sessions(rows: pl.DataFrame) -> dict[int, int]:
    """Counts the sessions of each group."""
    return dict(rows.group_by("group").agg(pl.col("session").n_unique()).iter_rows())


def _described(
    group: int,
    found: dict[tuple[int, int], list[Any]],
    truth: GroundTruth,
    *,
    unit: float,
    of_labels: bool,
) -> Document:
    objectives: Document = {}
    score: float | None = 0.0
    for place, objective in enumerate(truth.task.objectives):
        if (group, place) not in found:
            score = None
            continue
        above, below, rows = found[group, place]
        if of_labels:
            objectives[objective.name] = {"labels": rows, "found": above}
            continue
        value = above * unit / below
        objectives[objective.name] = {"value": value, "queries": rows}
        score = None if score is None else score + float(objective.weight) * value
    return {"objectives": objectives} | ({} if of_labels else {"score": score})


def _query_rows(hits: Hits) -> tuple[pl.DataFrame, float]:
    """Builds rows of labeled queries with the terms that their own metric sums: whole numbers, and
    their unit."""
    truth = hits.truth
    queries = truth.queries
    width = len(truth.task.objectives)
    _, terms = measured_score(hits, truth)
    own = of_objectives(terms, truth)
    whole, unit = as_whole_numbers(own.above.cast(pl.Float64))
    rows = {
        "session": queries["query"] // width,
        "split": queries["split"],
        "objective": queries["query"] % width,
        "above": whole,
        "below": own.below.cast(pl.Float64),
    }
    return pl.DataFrame(rows), unit


def _label_rows(hits: Hits) -> tuple[pl.DataFrame, float]:
    """Builds rows of labels, with 1 for those that were found within the K of their objective."""
    truth = hits.truth
    width = len(truth.task.objectives)
    place = truth.frame["query"] % width
    depths = pl.Series(truth.depths, dtype=pl.UInt16).gather(place)
    rows = {
        "session": truth.frame["query"] // width,
        "split": truth.frame["split"],
        "objective": place,
        "above": ((hits.ranks > 0) & (hits.ranks <= depths)).cast(pl.Int64),
        "below": repeat(1.0, len(place), pl.Float64),
    }
    return pl.DataFrame(rows), 1.0
