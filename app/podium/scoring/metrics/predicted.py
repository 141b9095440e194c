"""Defines the base classes of metrics of the predictions themselves, with the organizer's item
file.

None may rank teams: a list of random items would win. Queries count as everywhere: those that have
a relevant item, and a query without a list is 0 by default. Lists are cut to K first; an item's
second occurrence takes a position and adds nothing.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar

import polars as pl

from podium.scoring.hits import Hits
from podium.scoring.items import Need
from podium.scoring.kernel.terms import Terms
from podium.scoring.metrics.ranked import ByObjective, GainMetric, RankMetric
from podium.scoring.predictions import Lists, Predictions
from podium.scoring.truth.canonical import GroundTruth

VALUE = "value"
"""The column of `of_lists` that has the values of the metric."""


REWARDS_NOISE = "would reward noise"


class OfPredictions(RankMetric):
    """A metric of the predictions themselves, whether hits or not."""

    is_bounded: ClassVar[bool] = False
    ranks: ClassVar[bool] = False
    unranked_reason: ClassVar[str] = REWARDS_NOISE


class OfAllLists(OfPredictions):
    """A metric of all counted lists of an objective in a split together: it is not a mean over
    queries, and has no standard error."""

    needs: ClassVar[tuple[Need, ...]] = ("items",)
    is_mean: ClassVar[bool] = False

    @abstractmethod
    def of_items(self, found: pl.Series) -> Fraction:
        """Computes the value from a number for each item of the catalog."""

    @abstractmethod
    def found(self, predictions: Predictions) -> pl.Series:
        """Returns the numbers of all items, by split and objective."""

    def compute(self, hits: Hits, truth: GroundTruth) -> ByObjective:
        """Computes the values by split and objective."""
        found, keys = self.found(predictions_of(hits)), sorted(truth.totals)
        size = len(found) // len(keys)
        return {
            key: self.of_items(found.slice(place * size, size)) for place, key in enumerate(keys)
        }

    def terms(self, hits: Hits, truth: GroundTruth) -> Terms:
        """Raises ValueError, as the metric is not a sum over queries."""
        raise ValueError(f"{self.key} is not a mean over queries")

    def values_of(self, terms: Terms, truth: GroundTruth) -> ByObjective:
        """Raises ValueError, as there are no terms."""
        raise ValueError(f"{self.key} is not a mean over queries")


class OfExposure(OfAllLists):
    """A metric of how often each item of the catalog is shown."""

    def found(self, predictions: Predictions) -> pl.Series:
        """Returns the number of lists that show each item."""
        return predictions.exposed[self.depth]


class OfLists(OfPredictions, GainMetric):
    """A mean over queries of the value of each list."""

    @abstractmethod
    def of_lists(self, lists: Lists) -> Mapping[str, pl.Series]:
        """Computes columns for each list, by name; `value`, at least 0, is the metric of the
        list."""

    def sums(self, hits: Hits) -> pl.Series:
        """Returns the value of each labeled query's list, Float64."""
        return predictions_of(hits).kept[self.id, VALUE]


def predictions_of(hits: Hits) -> Predictions:
    """Returns the predictions behind these hits. Raises ValueError where there is no item file."""
    if hits.predictions is None:
        raise ValueError("these hits came without an item file")
    return hits.predictions
