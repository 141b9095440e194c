"""Computes the range of scores of a competition: the best possible lists, random baselines, and the
standard error of random lists.

All of it is computed from the labels alone, without a file, so that the judging of a perfect file
can be checked against it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import polars as pl

from podium.scoring.hits import Hits
from podium.scoring.metrics import metric_of
from podium.scoring.scores.extremes import SEED
from podium.scoring.scores.list_scores import split_scores
from podium.scoring.scores.result import SplitScore
from podium.scoring.truth.canonical import GroundTruth

GUESSED_QUERIES = 1000
"""The most queries of each objective and split for which lists are guessed; either the share that
guesses reach is small, or the number of queries is."""


def ideal_lists(truth: GroundTruth) -> Hits:
    """Computes the hits of lists that contain exactly the labels of their query, the most relevant
    first."""
    labels = pl.DataFrame({"slot": truth.slots, "relevance": truth.relevances})
    order = labels.with_row_index("label").sort(
        "slot", "relevance", descending=[False, True], maintain_order=True
    )
    number = pl.int_range(order.height, dtype=pl.UInt32, eager=True)
    rank = number - truth.queries["first"].gather(order["slot"]) + 1
    found = pl.DataFrame({"label": order["label"], "rank": rank})
    hits = Hits.of(found.filter(rank <= truth.task.depth), truth)
    return replace(hits, lengths=_lengths(truth))


def is_optimal(perfect: SplitScore, best: SplitScore, truth: GroundTruth) -> bool:
    """True where a judged file reaches exactly `best`, the score of ideal lists: every label that
    fits is found, and every bounded metric is exactly 1."""
    bounded = {
        objective.name: Fraction(1)
        for objective in truth.task.objectives
        if metric_of(objective.metric).is_bounded
    }
    return (
        perfect.hits == perfect.denominators
        and perfect.values == best.values
        and perfect.values.items() >= bounded.items()
    )


def guessed_shares(truth: GroundTruth) -> dict[str, Fraction]:
    """Computes by the name of each split the share of the optimum that lists of random labeled
    items reach: simulated on some of the queries, so for any metric."""
    dice = random.Random(SEED)  # noqa: S311 - a draw that can be repeated, no secret
    items = truth.frame["item"].n_unique()
    # At most so many queries of each objective and split are sampled.
    chosen: list[int] = []
    for _, queries in truth.queries.select("query").group_by(truth.query_keys, maintain_order=True):
        numbers = queries["query"].to_list()
        chosen += dice.sample(numbers, min(len(numbers), GUESSED_QUERIES))
    wanted = pl.Series(chosen, dtype=pl.UInt32).implode()
    part = replace(truth, frame=truth.frame.filter(pl.col("query").is_in(wanted)))
    found: list[tuple[int, int]] = []
    for first, labels in part.queries.select("first", "labels").iter_rows():
        ranks = enumerate(dice.sample(range(items), labels), start=first)
        found += [(label, rank + 1) for label, rank in ranks if rank < truth.task.depth]
    hits = Hits.of(pl.DataFrame(found, ["label", "rank"], orient="row"), part)
    hits = replace(hits, lengths=_lengths(part))
    guessed = split_scores(hits, part)
    best = split_scores(ideal_lists(part), part)
    return {
        name: guessed[name].score(truth.task) / score.score(truth.task)
        for name, score in best.items()
    }


def errors_by_chance(truth: GroundTruth) -> Mapping[str, float | None]:
    """Computes by the name of each split the standard error of the score of lists with a random
    half of the labels, at their ideal positions."""
    ideal = ideal_lists(truth)
    drawn = pl.int_range(len(ideal.ranks), eager=True).shuffle(seed=SEED) % 2
    half = replace(ideal, ranks=ideal.ranks.set(drawn == 1, 0))
    return {name: score.standard_error for name, score in split_scores(half, truth).items()}


def _lengths(truth: GroundTruth) -> pl.Series:
    """Returns the lengths of lists with as many items as their query has labels."""
    return truth.queries["labels"].clip(0, truth.task.depth)
