"""Queries with ranked lists for tests of metrics: made at random, judged together, looked at one by
one."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from podium.scoring.engine import judge
from podium.scoring.hits import Hits
from podium.scoring.metrics import RANK_METRICS, RankMetric
from podium.scoring.scores.result import ScoreResult
from podium.scoring.task import Objective, Task
from podium.scoring.truth.canonical import GroundTruth
from podium.scoring.truth.reading import read_ground_truth
from tests.builders.scoring.competitions import WHOLE


@dataclass(frozen=True)
class Query:
    """Relevances of the relevant items, and the items predicted, best first."""

    relevant: dict[int, int]
    ranked: list[int]


@dataclass(frozen=True)
class Judged:
    """The verdict on a file that answers the queries, and the hits that were stored."""

    scored: ScoreResult
    hits: Hits
    truth: GroundTruth

    def values(self, metric: RankMetric) -> list[float]:
        """The metric's value for each query that has labels, in order."""
        terms = metric.terms(self.hits, self.truth)
        return (terms.above / terms.below).to_list()


def id_at(name: str, k: int, average: str = "macro") -> str:
    """The id of the rank metric with this name at this K, which metrics of whole lists have not."""
    metric = RANK_METRICS[name]
    spelled = name if metric.takes_k == "never" else f"{name}@{k}"
    return spelled if average == "macro" else f"{spelled}:{average}"


def random_queries(
    rng: random.Random, count: int, *, graded: bool = False, repeats: bool = False
) -> list[Query]:
    """Labelled queries; with `repeats`, lists hold items more than once."""
    return [_random_query(rng, graded=graded, repeats=repeats) for _ in range(count)]


def _random_query(rng: random.Random, *, graded: bool, repeats: bool) -> Query:
    pool = rng.choice((6, 12, 40, 200))
    labels = rng.sample(range(pool), rng.randint(1, rng.choice((1, 3, pool))))
    relevant = {item: rng.randint(1, 4) if graded else 1 for item in labels}
    length = rng.choice((0, 1, 3, 10, pool))
    if repeats:
        return Query(relevant, [rng.randrange(pool) for _ in range(length)])
    return Query(relevant, rng.sample(range(pool), min(length, pool)))


def judged(
    folder: Path, queries: Sequence[Query], metrics: Sequence[str], *, graded: bool = False
) -> Judged:
    """Scores one file with a row for each query by all the metrics, from text to verdict."""
    task = Task(
        objectives=(Objective("", Decimal(1), metrics[0]),),
        diagnostics=tuple(metrics[1:]),
        id_column="user",
    )
    truth_file, file, hits_to = (folder / name for name in ("truth.csv", "file.csv", "hits"))
    truth_file.write_text(_truth_text(queries, graded=graded))
    rows = (f"{n},{' '.join(map(str, query.ranked))}" for n, query in enumerate(queries))
    file.write_text("\n".join(["user,labels", *rows]) + "\n")
    truth, published = read_ground_truth(truth_file, task=task, published=None, split=WHOLE)
    scored = judge(
        file, task=task, published=published, truth=truth, scratch=folder, hits_to=hits_to
    )
    return Judged(scored, Hits.read(hits_to, truth), truth)


def _truth_text(queries: Sequence[Query], *, graded: bool) -> str:
    lines = ["user,item,relevance" if graded else "user,item"]
    for number, query in enumerate(queries):
        # A row without an item publishes a query that has no label.
        for item, relevance in query.relevant.items() or [("", 0)]:
            lines.append(f"{number},{item},{relevance}" if graded else f"{number},{item}")
    return "\n".join(lines) + "\n"
