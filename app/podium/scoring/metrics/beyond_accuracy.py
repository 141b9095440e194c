"""Computes metrics beyond accuracy: catalog coverage, novelty, diversity within a list, and
serendipity, the hits that popularity does not explain.

They read the organizer's item file, and all but one the predictions themselves. None may rank
teams: a list of random items would win. Queries count as everywhere: those that have a relevant
item, and a query without a list is 0. Lists are cut to K first; an item's second occurrence takes a
position and adds nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import ClassVar

import polars as pl

from podium.scoring.hits import Hits
from podium.scoring.items import ItemFile, Need, added, lacks
from podium.scoring.metrics.base import Average
from podium.scoring.metrics.predicted import (
    REWARDS_NOISE,
    VALUE,
    OfAllLists,
    OfExposure,
    OfLists,
    predictions_of,
)
from podium.scoring.metrics.ranked import CountMetric, Notes, RankMetric
from podium.scoring.predictions import Lists, PredictionReader, Predictions
from podium.scoring.repeating import repeat
from podium.scoring.truth.canonical import GroundTruth


class Coverage(OfAllLists):
    """|∪ L ∩ catalogue| / |catalogue|: the share of the item file that is in any list.

    The union is over the counted queries of an objective in a split, which is why this is not a
    mean, has no standard error, and grows with the number of queries. Source: Ge,
    Delgado-Battenfeld & Jannach, Beyond accuracy: evaluating recommender systems by coverage and
    serendipity, 2010.

    With the catalogue 1, 2, 3, 4 and the lists 1, 2 and 2, 9: 2/4.

    >>> Coverage(k=20).name
    'coverage@20'
    """

    key: ClassVar[str] = "coverage"
    formula: ClassVar[str] = (
        "items of the catalogue in the first {k} places of any list / items of the catalogue"
    )
    source: ClassVar[str] = "Ge et al. 2010"

    def of_items(self, found: pl.Series) -> Fraction:
        """Computes the share of marked items."""
        return Fraction(int(found.sum()), len(found))

    def found(self, predictions: Predictions) -> pl.Series:
        """Returns 1 for each item that is in a list, 0 for the others."""
        return predictions.recommended[self.depth]


class Novelty(OfLists):
    """Σ −log2(n_i / N) over the first K items / K: how little known they are, in bits.

    n_i of N training users had item i; an item that none had, or that the file lacks, is cold and
    counts as if one had (n = 1). A place without an item adds 0 and the sum is divided by K, never
    by the length of the list: otherwise, one obscure item and nothing else would be the most novel
    list. Source: Zhou et al., Solving the apparent diversity-accuracy dilemma of recommender
    systems, 2010 (surprisal).

    With N = 8, n = 2 and 8 for items 1 and 2, K = 2: the list 1, 2 has (2 + 0) / 2 = 1 bit.

    >>> items = ItemFile(pl.DataFrame({"item": [1, 2], "users": [2, 8]}), training_users=8)
    >>> lists = Lists.of([pl.Series([1, 1, 9]), pl.Series([2, None, 1])], items)
    >>> Novelty(k=2).of_lists(lists)["value"].to_list()
    [1.0, 1.0, 2.5]
    """

    key: ClassVar[str] = "novelty"
    formula: ClassVar[str] = (
        "Σ −log2(training users of the item / training users) over the first {k} items / {k}"
    )
    upper_bound: ClassVar[int | None] = None
    source: ClassVar[str] = "Zhou et al. 2010"
    needs: ClassVar[tuple[Need, ...]] = ("users",)

    def of_lists(self, lists: Lists) -> Mapping[str, pl.Series]:
        """Computes the novelty of each list, summed in the order of rank."""
        surprises, places = lists.items.surprises, lists.first(self.depth)
        total = added([surprises.gather(place).fill_null(0.0) for place in places])
        return {VALUE: total / self.depth}


class IntraListDiversity(OfLists):
    """Mean of 1 − cos(i, j) over the unordered pairs of a list's items: how different they are.

    The cosine is that of the item file's features. A list with fewer than two items is 0; a pair
    with an item without features (or whose features are all 0), or with an item's repetition, adds
    0 and is divided by as well. From 0 to 2; to 1 where no feature is negative. Source: Ziegler et
    al., Improving recommendation lists through topic diversification, 2005.

    Σ cos over all pairs is (|Σ x|² − n) / 2 for the n vectors x of length 1, so a list costs n
    additions instead of n² products.

    With the features (1, 0), (0, 1), (0, 2) of items 1, 2, 3, the list 1, 2, 3 has (1 + 1 + 0) / 3.

    >>> a, b = [1.0, 0.0, 0.0], [0.0, 1.0, 2.0]
    >>> items = ItemFile(pl.DataFrame({"item": [1, 2, 3], "a": a, "b": b}))
    >>> lists = Lists.of([pl.Series([1, 1]), pl.Series([2, 2]), pl.Series([3, 1])], items)
    >>> [round(value, 4) for value in IntraListDiversity(k=3).of_lists(lists)["value"]]
    [0.6667, 0.3333]
    """

    key: ClassVar[str] = "ild"
    formula: ClassVar[str] = (
        "mean of 1 − cosine of the features over the pairs of the first {k} items"
    )
    upper_bound: ClassVar[int | None] = 2
    source: ClassVar[str] = "Ziegler et al. 2005"
    needs: ClassVar[tuple[Need, ...]] = ("features",)

    def of_lists(self, lists: Lists) -> Mapping[str, pl.Series]:
        """Computes the diversity of each list, whether it has a pair of distinct items, and how
        many of its pairs have an item without features."""
        items, places = lists.items, lists.first(self.depth)
        # The row of unlisted items holds zeros, as needed for positions that add nothing.
        vectors = [place.fill_null(items.size) for place in places]
        square = repeat(0, len(lists.lengths), pl.Float64)
        for column in items.directions:
            total = added([column.gather(vector) for vector in vectors])
            square = square + total * total
        described = added([items.has_direction.gather(vector) for vector in vectors])
        different = added([place.is_not_null().cast(pl.UInt32) for place in places])
        frame = pl.DataFrame(
            {
                "square": square,
                "described": described.cast(pl.Float64),
                "different": different.cast(pl.Float64),
                "taken": lists.lengths.clip(upper_bound=self.depth).cast(pl.Float64),
            }
        )
        compared, alike = _pairs("described"), (pl.col("square") - pl.col("described")) / 2
        # Rounding may exceed the range slightly.
        apart = pl.min_horizontal((compared - alike).clip(lower_bound=0.0), 2 * compared)
        return frame.select(
            (apart / _pairs("taken").clip(lower_bound=1.0)).alias(VALUE),
            (pl.col("different") >= 2).cast(pl.UInt32).alias("has_pair"),
            (_pairs("different") - compared).cast(pl.UInt32).alias("bare_pairs"),
        ).to_dict()

    def notes(self, hits: Hits, truth: GroundTruth) -> Notes:
        """Counts the queries without a pair of distinct items, and the pairs with an item without
        features."""
        kept = predictions_of(hits).kept
        with_pair = _sums(kept[self.id, "has_pair"], truth)
        return {
            "short_lists": {
                key: totals.queries - with_pair[key] for key, totals in truth.totals.items()
            },
            "pairs_without_features": _sums(kept[self.id, "bare_pairs"], truth),
        }


class Serendipity(CountMetric):
    r"""|L ∩ G \ PM| / K: relevant items that no list of the most popular ones would have shown.

    PM are the K items that most training users had; of equals, the smaller id comes first, numbers
    as numbers and texts as texts. Source: Ge, Delgado-Battenfeld & Jannach 2010, with popularity as
    the primitive model.

    With K = 2, PM = {1, 2}, relevant items 1 and 5 and the list 5, 1: 1/2.

    >>> Serendipity(k=20).name
    'serendipity@20'
    """

    key: ClassVar[str] = "serendipity"
    formula: ClassVar[str] = (
        "relevant items among the first {k} that are not of the {k} most popular ones / {k}"
    )
    source: ClassVar[str] = "Ge et al. 2010"
    needs: ClassVar[tuple[Need, ...]] = ("users",)
    averages: ClassVar[tuple[Average, ...]] = ("macro",)
    is_bounded: ClassVar[bool] = False
    ranks: ClassVar[bool] = False
    unranked_reason: ClassVar[str] = REWARDS_NOISE

    def gains(self, hits: Hits) -> pl.Series:
        """Returns 1 for a hit that is not popular, else 0."""
        item = hits.truth.frame["item"].gather(hits.top(self.depth)["label"])
        popular = predictions_of(hits).items.popular(self.depth)
        return (~item.is_in(popular.implode())).cast(pl.UInt8)

    def ideals(self, truth: GroundTruth) -> pl.Series:
        """Returns K for every query."""
        return repeat(self.depth, truth.queries.height, pl.UInt32)


def prediction_reader(
    metrics: Sequence[RankMetric], truth: GroundTruth, items: ItemFile | None
) -> PredictionReader | None:
    """Creates a reader of the predictions for these metrics; None where none of them needs one.

    Raises ValueError where a metric needs a fact that the item file lacks.
    """
    for metric in metrics:
        if missing := lacks(metric.needs, items):
            raise ValueError(f"{metric.name} needs an item file that tells {missing[0]}")
    coverages = sorted({metric.depth for metric in metrics if isinstance(metric, Coverage)})
    exposures = sorted({metric.depth for metric in metrics if isinstance(metric, OfExposure)})
    of_lists = [metric for metric in metrics if isinstance(metric, OfLists)]
    if items is None or not (coverages or exposures or of_lists):
        return None
    return PredictionReader(
        truth, items, metrics=of_lists, coverages=coverages, exposures=exposures
    )


def _pairs(name: str) -> pl.Expr:
    return pl.col(name) * (pl.col(name) - 1) / 2


def _sums(values: pl.Series, truth: GroundTruth) -> dict[tuple[int, int], int]:
    sums = truth.by_objective(values)
    return {key: sums[key] for key in truth.totals}
