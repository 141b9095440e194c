"""Candidate recall: the share of labels among the first 20, 50 … items, and the ranks of those
found."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import polars as pl

from podium.scoring.hits import Hits
from podium.scoring.scores.list_scores import measure

Document = dict[str, Any]

FORMS = ("recall_capped", "recall")
"""The metrics reported: recall whose denominator is capped at K, and without the cap."""

_EDGES = (1, 2, 3, 4, 6, 11, 21, 51, 101, 201, 501, 1001)


def recalls(hits: Hits, ks: Sequence[int], *, split: int) -> list[Document]:
    """Computes for each K, JSON-ready: `{"k", "recall_capped", "recall", "objectives": {name:
    {"found", "labels", "queries", "recall_capped", "recall"}}}`, micro averages of a split; the two
    values beside K are weighted as the objectives are. The task's depth is at least the largest
    K."""
    truth = hits.truth
    names, weights = truth.task.names, [Fraction(o.weight) for o in truth.task.objectives]
    rows = []
    for k in ks:
        values = {form: measure(f"{form}@{k}:micro", hits, truth).values for form in FORMS}
        labels = _labels(hits, split).filter(pl.col("rank").is_between(1, k))
        found = dict(labels.group_by("place").len().iter_rows())
        objectives = {
            name: {
                "found": found.get(place, 0),
                "labels": truth.totals[split, place].labels,
                "queries": truth.totals[split, place].queries,
                **{form: float(values[form][split, place]) for form in FORMS},
            }
            for place, name in enumerate(names)
            if (split, place) in truth.totals
        }
        weighted = {
            form: float(
                sum(
                    weight * values[form][split, place]
                    for place, weight in enumerate(weights)
                    if (split, place) in values[form]
                )
            )
            for form in FORMS
        }
        rows.append({"k": k, **weighted, "objectives": objectives})
    return rows


def rank_histogram(hits: Hits, *, split: int) -> list[Document]:
    """Counts the labels found by rank, down to the depth of the task: `{"ranks", "found": {name:
    count}}`, in the order of ranks, e.g. `4 to 5`."""
    truth, depth = hits.truth, hits.truth.task.depth
    table = _labels(hits, split).filter(pl.col("rank") > 0)
    edges = [edge for edge in _EDGES if edge <= depth]
    rows = []
    for low, following in pairwise([*edges, depth + 1]):
        within = table.filter(pl.col("rank").is_between(low, following - 1))
        counts = dict(within.group_by("place").len().iter_rows())
        name = str(low) if following == low + 1 else f"{low} to {following - 1}"
        found = {name: counts.get(place, 0) for place, name in enumerate(truth.task.names)}
        rows.append({"ranks": name, "found": found})
    return rows


def _labels(hits: Hits, split: int) -> pl.DataFrame:
    """Selects the labels of a split: position of the objective, and rank (0 if not found)."""
    truth = hits.truth
    place = truth.frame["query"] % len(truth.task.names)
    table = pl.DataFrame({"place": place, "rank": hits.ranks})
    return table.filter(truth.frame["split"] == split)
