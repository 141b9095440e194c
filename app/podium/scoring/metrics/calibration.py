"""Computes miscalibration, the divergence of the categories of a list from those of the query's
relevant items."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

import polars as pl

from podium.scoring.hits import Hits
from podium.scoring.items import Need, added
from podium.scoring.metrics.predicted import VALUE, OfLists, predictions_of
from podium.scoring.metrics.ranked import Notes
from podium.scoring.metrics.sums import sums_in_order
from podium.scoring.predictions import Lists
from podium.scoring.repeating import repeat
from podium.scoring.truth.canonical import GroundTruth

_SMOOTHED = 0.01
_WORST = math.log(1 / _SMOOTHED)


class Miscalibration(OfLists):
    """Σ p(g) · ln(p(g) / q̃(g)) over categories g, q̃ = 0.99 q + 0.01 p: the divergence of a list.

    The features of the item file are the categories: those above 0 are an item's shares of them,
    divided by their sum, so that an item with 1 for two genres is half of each. p is the mean of
    the shares over the query's relevant items, q that over the first K items of its list; items
    without a category, or not in the file, are left out, and so are repetitions. 0 where both are
    the same; ln 100 = 4.605, the most there is, where a list has nothing of p, or there is none. A
    query whose relevant items have no category is 0 and noted. Steck takes p from the history of a
    user; here the relevant items are what is known of one. Source: Steck, Calibrated
    recommendations, 2018.

    Relevant items of the categories a and b, and a list of a alone: (ln(0.5 / 0.995) + ln 100) / 2.

    >>> Miscalibration(k=20).name
    'miscalibration@20'
    """

    key: ClassVar[str] = "miscalibration"
    formula: ClassVar[str] = (
        "Σ p · ln(p / (0.99 q + 0.01 p)) over categories, p of the relevant items, q of the first"
        " {k} items of the list"
    )
    source: ClassVar[str] = "Steck 2018"
    needs: ClassVar[tuple[Need, ...]] = ("features",)
    upper_bound: ClassVar[int | None] = 5
    higher_is_better: ClassVar[bool] = False

    def of_lists(self, lists: Lists) -> Mapping[str, pl.Series]:
        """Computes the divergence of each list, and a 1 for each, as there is a list."""
        items = lists.items
        shown = [place.fill_null(items.size) for place in lists.first(self.depth)]
        known_q = _above_0(added([items.has_category.gather(place) for place in shown]))
        owner, number = _relevant(lists)
        size = len(lists.lengths)
        known_p = _above_0(_sum(owner, items.has_category, number, size))
        divergence = repeat(0, size, pl.Float64)
        for shares in items.categories:
            p = _sum(owner, shares, number, size) / known_p
            q = added([shares.gather(place) for place in shown]) / known_q
            ratio = p / ((1 - _SMOOTHED) * q + _SMOOTHED * p)
            divergence = divergence + (p * ratio.log()).set(p == 0, 0.0)
        # Rounding may exceed the range slightly.
        values = divergence.clip(0.0, _WORST)
        return {VALUE: values, "is_list": repeat(1, size, pl.UInt32)}

    def sums(self, hits: Hits) -> pl.Series:
        """Returns the divergence of each labeled query, the largest possible where there is no
        list."""
        kept = predictions_of(hits).kept
        without = _WORST * _has_p(hits)
        return kept[self.id, VALUE].zip_with(kept[self.id, "is_list"] == 1, without)

    def notes(self, hits: Hits, truth: GroundTruth) -> Notes:
        """Counts the queries whose relevant items have no category."""
        without = truth.by_objective((_has_p(hits) == 0).cast(pl.UInt32))
        return {"without_categories": {key: without[key] for key in truth.totals}}


def _has_p(hits: Hits) -> pl.Series:
    """Returns 1.0 for each labeled query whose relevant items have a category, else 0.0."""
    truth, items = hits.truth, predictions_of(hits).items
    known = _sum(
        truth.slots, items.has_category, items.numbers(truth.frame["item"]), truth.queries.height
    )
    return (known > 0).cast(pl.Float64)


def _relevant(lists: Lists) -> tuple[pl.Series, pl.Series]:
    """Lists the relevant items of the queries of some lists: the index of the list, in order, and
    the item's number."""
    assert lists.slots is not None and lists.truth is not None  # noqa: PT018 - both or none
    queries = lists.truth.queries.select("first", "labels")[lists.slots].with_row_index("owner")
    labels = pl.int_ranges("first", pl.col("first") + pl.col("labels"), dtype=pl.UInt32)
    rows = queries.select("owner", label=labels).explode("label")
    return rows["owner"], lists.items.numbers(lists.truth.frame["item"].gather(rows["label"]))


def _sum(owner: pl.Series, of_items: pl.Series, number: pl.Series, size: int) -> pl.Series:
    return sums_in_order(owner, of_items.gather(number), size=size)


def _above_0(values: pl.Series) -> pl.Series:
    """Replaces 0 by 1, so that values can be divisors."""
    return values.set(values == 0, 1.0)
