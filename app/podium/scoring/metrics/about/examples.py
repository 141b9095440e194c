"""Worked examples, and the values that the scoring code finds for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import partial

import polars as pl

from podium.scoring.hits import Hits
from podium.scoring.items import ItemFile
from podium.scoring.lists.plan import ListBlock
from podium.scoring.metrics import (
    RankMetric,
    pair_metric_of,
    prediction_reader,
    rank_metric_of,
)
from podium.scoring.metrics.about.description import Example
from podium.scoring.pairs.answers import ScoredPairs
from podium.scoring.predictions import Predictions
from podium.scoring.splits import ALL
from podium.scoring.task import Objective, Task
from podium.scoring.truth.canonical import GroundTruth

Answer = tuple[Sequence[int], Mapping[int, float]]
"""A list, best first, and the relevances of the relevant items."""


def example_of_lists(
    metric: str,
    *answers: Answer,
    steps: Sequence[str],
    value: float,
    items: ItemFile | None = None,
    catalogue: str | None = None,
) -> Example:
    """The example of one or more lists. With an item file, `catalogue` says what is in it."""
    given = [("Item file", catalogue)] if catalogue else []
    for number, (ranked, relevant) in enumerate(answers, 1):
        query = f" of query {number}" if len(answers) > 1 else ""
        given.append((f"List{query}", " ".join(map(str, ranked))))
        given.append(_labels(query, relevant))
    return Example(
        metric=metric,
        given=tuple(given),
        steps=tuple(steps),
        value=value,
        compute=partial(value_of_lists, metric, answers, items),
    )


def _labels(query: str, relevant: Mapping[int, float]) -> tuple[str, str]:
    if set(relevant.values()) == {1}:
        return f"Relevant items{query}", " ".join(map(str, relevant))
    graded = ", ".join(f"item {item}: {worth:g}" for item, worth in relevant.items())
    return f"Relevances{query}", graded


def value_of_lists(metric_id: str, answers: Sequence[Answer], items: ItemFile | None) -> float:
    """The metric of these lists, as a submission with a row for each would get it."""
    metric = rank_metric_of(metric_id)
    task = Task((Objective("", Decimal(1), metric_id),))
    rows = [
        (query, item, ALL, float(worth))
        for query, (_, relevant) in enumerate(answers)
        for item, worth in sorted(relevant.items())
    ]
    schema = {"query": pl.UInt32, "item": pl.Int32, "split": pl.UInt8, "relevance": pl.Float64}
    labels = pl.DataFrame(rows, schema=schema, orient="row")
    truth = GroundTruth(labels, task, len(answers))
    ranks = [_rank(answers[query][0], item) for query, item, *_ in rows]
    predictions = None if items is None else _predictions(metric, answers, truth, items)
    lengths = pl.Series([len(ranked) for ranked, _ in answers], dtype=pl.UInt32)
    hits = Hits(pl.Series(ranks, dtype=pl.UInt16), truth, predictions, lengths)
    return float(metric.compute(hits, truth)[ALL, 0])


def _predictions(
    metric: RankMetric, answers: Sequence[Answer], truth: GroundTruth, items: ItemFile
) -> Predictions:
    reader = prediction_reader([metric], truth, items)
    if reader is None:
        return Predictions(items)
    lists = [ranked for ranked, _ in answers]
    block = ListBlock(
        pl.Series(range(len(lists)), dtype=pl.UInt32),
        pl.Series(map(len, lists), dtype=pl.UInt32),
        pl.Series([item for ranked in lists for item in ranked], dtype=pl.Int32),
    )
    return reader.whole([reader.read(block)])


def _rank(ranked: Sequence[int], item: int) -> int:
    return ranked.index(item) + 1 if item in ranked else 0


def example_of_ratings(
    metric: str,
    pairs: Sequence[tuple[float, float]],
    *,
    steps: Sequence[str],
    value: float,
) -> Example:
    """The example of some ratings, each with its prediction."""
    return Example(
        metric=metric,
        given=(
            ("Ratings", " ".join(f"{rating:g}" for rating, _ in pairs)),
            ("Predictions", " ".join(f"{predicted:g}" for _, predicted in pairs)),
        ),
        steps=tuple(steps),
        value=value,
        compute=partial(value_of_ratings, metric, pairs),
    )


def example_of_pairs(
    metric: str,
    queries: Sequence[Sequence[tuple[float, float]]],
    *,
    steps: Sequence[str],
    value: float,
) -> Example:
    """The example of scored pairs, query by query: each a target with the number given for it."""
    several = len(queries) > 1
    given = []
    for number, pairs in enumerate(queries, 1):
        query = f" of query {number}" if several else ""
        given.append((f"Targets{query}", " ".join(f"{target:g}" for target, _ in pairs)))
        given.append((f"Numbers{query}", " ".join(f"{score:g}" for _, score in pairs)))
    return Example(
        metric=metric,
        given=tuple(given),
        steps=tuple(steps),
        value=value,
        compute=partial(value_of_pairs, metric, queries),
    )


def value_of_ratings(metric_id: str, pairs: Sequence[tuple[float, float]]) -> float:
    """The metric of these pairs of a rating and its prediction."""
    return value_of_pairs(metric_id, [pairs])


def value_of_pairs(metric_id: str, queries: Sequence[Sequence[tuple[float, float]]]) -> float:
    """The metric of these pairs of a target and a number, query by query."""
    rows = [(slot, *pair) for slot, pairs in enumerate(queries) for pair in pairs]
    slots, targets, numbers = zip(*rows, strict=True)
    units = {"split": [ALL] * len(queries), "pairs": [len(pairs) for pairs in queries]}
    scored = ScoredPairs(
        numbers=pl.Series(numbers, dtype=pl.Float64),
        targets=pl.Series(targets, dtype=pl.Float64),
        side=pl.Series([ALL] * len(rows), dtype=pl.UInt8),
        slots=pl.Series(slots, dtype=pl.UInt32),
        units=pl.DataFrame(units, schema={"split": pl.UInt8, "pairs": pl.UInt32}),
        splits=(ALL,),
    )
    return float(pair_metric_of(metric_id).measure(scored).values[ALL])
