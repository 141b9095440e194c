"""Ground truths and hits made directly from counts, for tests of uncertainty."""

from __future__ import annotations

import random
from collections.abc import Sequence
from decimal import Decimal

import polars as pl

from podium.scoring.hits import Hits
from podium.scoring.splits import ALL
from podium.scoring.task import Objective, Task
from podium.scoring.truth.canonical import GroundTruth

Counts = Sequence[Sequence[tuple[int, int]]]
"""The (hits, labels) of every objective for each session; (0, 0) is a query without labels."""


def task_of(*weights: str, metric: str = "recall_capped@20:micro") -> Task:
    """A task with an objective for each weight."""
    names = ["", "a", "b", "c"] if len(weights) == 1 else ["a", "b", "c"]
    objectives = zip(names, weights, strict=False)
    return Task(tuple(Objective(name, Decimal(weight), metric) for name, weight in objectives))


def truth_of(counts: Counts, task: Task, splits: Sequence[int] | None = None) -> GroundTruth:
    """Every session has as many labels as its counts say."""
    width = len(task.objectives)
    rows = [
        (session * width + position, item, splits[session] if splits else ALL)
        for session, of_session in enumerate(counts)
        for position, (_, labels) in enumerate(of_session)
        for item in range(labels)
    ]
    schema = {"query": pl.UInt32, "item": pl.Int32, "split": pl.UInt8}
    return GroundTruth(pl.DataFrame(rows, schema=schema, orient="row"), task, len(counts))


def hits_of(counts: Counts, truth: GroundTruth) -> Hits:
    """Every session's first labels are found, in the first places."""
    found = []
    label = 0
    for of_session in counts:
        for hits, labels in of_session:
            found += [(label + place, place + 1) for place in range(hits)]
            label += labels
    return Hits.of(pl.DataFrame(found, schema=["label", "rank"], orient="row"), truth)


def random_counts(rng: random.Random, sessions: int, shares: Sequence[float]) -> Counts:
    """Sessions as in OTTO: some objectives have no label, and who hits once hits more often."""
    counts = []
    for _ in range(sessions):
        luck = rng.random()
        of_session = []
        for share in shares:
            labels = 1 + min(int(rng.expovariate(0.9)), 19) if rng.random() < share else 0
            of_session.append((sum(rng.random() < luck for _ in range(labels)), labels))
        counts.append(of_session)
    if not any(labels for of_session in counts for _, labels in of_session[:1]):
        counts[0] = [(0, 1)] * len(shares)
    return counts
