"""Computes metrics of popularity bias: how evenly lists show the catalog, and the popularity of the
items shown.

Like all metrics of predictions, they never rank.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar

import polars as pl

from podium.scoring.items import Need, added
from podium.scoring.metrics.predicted import VALUE, OfExposure, OfLists
from podium.scoring.predictions import Lists


class Gini(OfExposure):
    """Σ (2i − n − 1) · x_i / (n Σ x): the inequality of the exposure of the n items of the catalog.

    x_1 ≤ … ≤ x_n count the lists that show an item in their first K places, 0 included. 0 where all
    items are shown equally often, 1 − 1/n where one item has it all, and 0 where nothing is shown.
    Items that the catalog lacks are left out. No mean over queries, so without a standard error.
    Source: Fleder & Hosanagar, Blockbuster culture's next rise or fall, 2009.

    With three items that are shown 0, 1 and 3 times: (−2 · 0 + 0 · 1 + 2 · 3) / (3 · 4) = 1/2.

    >>> Gini(k=20).of_items(pl.Series([1, 3, 0]))
    Fraction(1, 2)
    """

    key: ClassVar[str] = "gini"
    formula: ClassVar[str] = (
        "Σ (2i − n − 1) · x_i / (n Σ x) over the n items of the catalogue, x_i lists that show the"
        " i-th of them among the first {k}, in ascending order"
    )
    source: ClassVar[str] = "Fleder & Hosanagar 2009"
    higher_is_better: ClassVar[bool] = False

    def of_items(self, found: pl.Series) -> Fraction:
        """Computes the Gini coefficient of these counts."""
        counts, size = found.cast(pl.Int64).sort(), len(found)
        total = int(counts.sum())
        if not total:
            return Fraction(0)
        weights = pl.int_range(1 - size, size, 2, dtype=pl.Int64, eager=True)
        return Fraction(int((counts * weights).sum()), size * total)


class Entropy(OfExposure):
    """−Σ p_i · log2(p_i): how many bits tell which item of the catalog a list shows.

    p_i is the item's share of all places, among the first K, that show an item of the catalog. log2
    of the number of items where all are shown equally often, 0 where one item has it all or nothing
    is shown. No mean over queries, so without a standard error. Source: Shannon 1948; Adomavicius &
    Kwon, Improving aggregate recommendation diversity using ranking-based techniques, 2012.

    With items that are shown 2, 1, 1 and 0 times: 1/2 · 1 + 2 · 1/4 · 2 = 1.5 bits.

    >>> Entropy(k=20).of_items(pl.Series([2, 1, 0, 1]))
    Fraction(3, 2)
    """

    key: ClassVar[str] = "entropy"
    formula: ClassVar[str] = (
        "−Σ p · log2(p) over the catalogue, p an item's share of what the first {k} places show"
    )
    source: ClassVar[str] = "Shannon 1948; Adomavicius & Kwon 2012"
    upper_bound: ClassVar[int | None] = None

    def of_items(self, found: pl.Series) -> Fraction:
        """Computes the entropy of these counts, one float64."""
        total = int(found.sum())
        if not total:
            return Fraction(0)
        # Few distinct counts occur, and their sum is rounded once, whatever the order.
        distinct = found.alias("shown").value_counts().filter(pl.col("shown") > 0)
        bits = (n * (shown / total) * math.log2(total / shown) for shown, n in distinct.rows())
        return Fraction(math.fsum(bits))


class AveragePopularity(OfLists):
    """Σ n_i over the first K items / their number: the mean popularity of what a list shows.

    n_i training users had the item, 0 where the item file lacks it. The sum is divided by the
    places that are taken, at most K; a repeated item takes one and adds 0. Source: ARP of Yin et
    al., Challenging the long tail recommendation, 2012; Abdollahpouri et al. 2019.

    Items 1 and 2 have 8 and 2 users: the list 1, 2 has 5, and a list of 2 alone has 2.

    >>> from podium.scoring.items import ItemFile
    >>> items = ItemFile(pl.DataFrame({"item": [1, 2], "users": [8, 2]}), training_users=8)
    >>> lists = Lists.of([pl.Series([1, 2]), pl.Series([2, None])], items)
    >>> AveragePopularity(k=2).of_lists(lists)["value"].to_list()
    [5.0, 2.0]
    """

    key: ClassVar[str] = "arp"
    formula: ClassVar[str] = "mean of the training users of the first {k} items of the list"
    source: ClassVar[str] = "Yin et al. 2012; Abdollahpouri et al. 2019"
    needs: ClassVar[tuple[Need, ...]] = ("users",)
    upper_bound: ClassVar[int | None] = None
    higher_is_better: ClassVar[bool] = False

    def of_lists(self, lists: Lists) -> Mapping[str, pl.Series]:
        """Computes the mean popularity of each list, summed in the order of rank."""
        users, places = lists.items.popularities, lists.first(self.depth)
        total = added([users.gather(place).fill_null(0.0) for place in places])
        return {VALUE: total / _taken(lists, self.depth)}


class LongTailShare(OfLists):
    """Items of the long tail among the first K / their number: APLT.

    The short head are the most popular items that together make 80 % of all interactions, by the
    column `users` of the item file: the fewest that do; of equals, the smaller id comes first. All
    others are the long tail, and so is an item that the file lacks. The number is divided by the
    places that are taken, at most K; a repeated item takes one and adds 0. Source: Abdollahpouri,
    Burke & Mobasher, Managing popularity bias in recommender systems with personalized re-ranking,
    2019.

    Of 10 interactions item 1 has 8, so that it alone is the short head: the list 1, 2, 3 has 2/3.

    >>> from podium.scoring.items import ItemFile
    >>> items = ItemFile(pl.DataFrame({"item": [1, 2], "users": [8, 2]}), training_users=8)
    >>> lists = Lists.of([pl.Series([1]), pl.Series([2]), pl.Series([3])], items)
    >>> round(LongTailShare(k=3).of_lists(lists)["value"].item(), 4)
    0.6667
    """

    key: ClassVar[str] = "aplt"
    formula: ClassVar[str] = (
        "share of the first {k} items of the list that are none of the most popular ones, which"
        " make 80 % of interactions"
    )
    source: ClassVar[str] = "Abdollahpouri et al. 2019"
    needs: ClassVar[tuple[Need, ...]] = ("users",)

    def of_lists(self, lists: Lists) -> Mapping[str, pl.Series]:
        """Computes the share of the long tail in each list."""
        tail, places = lists.items.is_long_tail, lists.first(self.depth)
        count = added([tail.gather(place).fill_null(0) for place in places])
        return {VALUE: count.cast(pl.Float64) / _taken(lists, self.depth)}


def _taken(lists: Lists, k: int) -> pl.Series:
    """Counts the occupied positions of each list, at most K, Float64."""
    return lists.lengths.clip(1, k).cast(pl.Float64)
