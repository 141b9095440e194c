"""The examples on metrics' pages, and what the scoring code finds for their rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

import polars as pl

from podium.scoring.hits import Hits
from podium.scoring.items import ItemFile
from podium.scoring.lists.plan import ListBlock
from podium.scoring.metrics import (
    RankMetric,
    RowMetric,
    metric_of,
    pair_metric_of,
    prediction_reader,
    rank_metric_of,
)
from podium.scoring.metrics.pages import MetricDescription
from podium.scoring.metrics.rows.targets import TargetRows
from podium.scoring.predictions import Predictions
from podium.scoring.splits import ALL
from podium.scoring.task import Objective, Task
from podium.scoring.truth.canonical import GroundTruth

Ranked = tuple[list[int], Mapping[int, float]]
"""A list, best first, and the relevances of the relevant items."""

OWN: Mapping[str, Callable[[float, float], float]] = {
    "own": lambda truth, answer: float(truth == answer),
    "own_error": lambda truth, answer: abs(truth - answer),
}
"""The line of an organizer's file for a row, before the mean is taken."""


def value_of(page: MetricDescription) -> float:
    """The value of the page's example."""
    metric, given = page.example.metric, dict(page.example.given)
    if metric in OWN:
        rows = zip(numbers(given["Truth"]), numbers(given["Answers"]), strict=True)
        values = [OWN[metric](*row) for row in rows]
        return sum(values) / len(values)
    if any(name.startswith("List") for name in given):
        return _of_lists(metric, given, page.item_file)
    if any(name.startswith("Truth") for name in given):
        return _of_tables(metric, given)
    return _of_pairs(metric, given)


def numbers(text: str) -> list[float]:
    """The numbers of a row of an example."""
    return [float(each) for each in text.split()]


def _of_lists(
    metric_id: str, given: Mapping[str, str], items: Mapping[str, object] | None
) -> float:
    """The metric of these lists, as a submission with a row for each would get it."""
    metric = rank_metric_of(metric_id)
    task = Task((Objective("", Decimal(1), metric_id),))
    answers = list(_ranked(given))
    rows = [
        (query, item, ALL, worth)
        for query, (_, relevant) in enumerate(answers)
        for item, worth in sorted(relevant.items())
    ]
    schema = {"query": pl.UInt32, "item": pl.Int32, "split": pl.UInt8, "relevance": pl.Float64}
    truth = GroundTruth(pl.DataFrame(rows, schema=schema, orient="row"), task, len(answers))
    ranks = [_rank(answers[query][0], item) for query, item, *_ in rows]
    predictions = None if items is None else _predictions(metric, answers, truth, _file(items))
    lengths = pl.Series([len(ranked) for ranked, _ in answers], dtype=pl.UInt32)
    hits = Hits(pl.Series(ranks, dtype=pl.UInt16), truth, predictions, lengths)
    return float(metric.compute(hits, truth)[ALL, 0])


def _ranked(given: Mapping[str, str]) -> list[Ranked]:
    answers: list[Ranked] = []
    for name, text in given.items():
        if not name.startswith("List"):
            continue
        query = name.removeprefix("List")
        if (graded := given.get(f"Relevances{query}")) is not None:
            relevant = {
                int(i): float(worth)
                for i, worth in re.findall(r"item (\d+): (\S+?)(?:,|$)", graded)
            }
        else:
            relevant = {int(item): 1.0 for item in given[f"Relevant items{query}"].split()}
        answers.append(([int(item) for item in text.split()], relevant))
    return answers


def _file(items: Mapping[str, object]) -> ItemFile:
    columns = {name: column for name, column in items.items() if name != "training_users"}
    frame = pl.DataFrame(columns).with_columns(pl.col("item").cast(pl.Int32))
    training_users = items.get("training_users")
    assert training_users is None or isinstance(training_users, int)
    return ItemFile(frame, training_users)


def _predictions(
    metric: RankMetric, answers: Sequence[Ranked], truth: GroundTruth, items: ItemFile
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


def _of_pairs(metric_id: str, given: Mapping[str, str]) -> float:
    """The metric of these pairs of a target and a number, query by query."""
    columns = [numbers(text) for text in given.values()]
    queries = [list(zip(*columns[at : at + 2], strict=True)) for at in range(0, len(columns), 2)]
    rows = [(slot, *pair) for slot, pairs in enumerate(queries) for pair in pairs]
    slots, targets, answers = zip(*rows, strict=True)
    units = {"split": [ALL] * len(queries), "pairs": [len(pairs) for pairs in queries]}
    scored = TargetRows(
        truth=pl.DataFrame({"target": targets}, schema={"target": pl.Float64}),
        answers=pl.DataFrame({"number": answers}, schema={"number": pl.Float64}),
        side=pl.Series([ALL] * len(rows), dtype=pl.UInt8),
        slots=pl.Series(slots, dtype=pl.UInt32),
        units=pl.DataFrame(units, schema={"split": pl.UInt8, "pairs": pl.UInt32}),
        splits=(ALL,),
    )
    return float(pair_metric_of(metric_id).measure(scored).values[ALL])


def _of_tables(metric_id: str, given: Mapping[str, str]) -> float:
    truth, answers = (
        pl.DataFrame(
            {
                name.partition(": ")[2] or "y": _column(text)
                for name, text in given.items()
                if name.startswith(part)
            }
        )
        for part in ("Truth", "Answers")
    )
    metric = metric_of(metric_id)
    assert isinstance(metric, RowMetric)
    return metric.example_value(truth, answers)


def _column(text: str) -> list[float] | list[str]:
    """Numbers, words, or texts: several between bars, one in quotes."""
    if text.startswith('"'):
        return [text.strip('"')]
    if " | " in text:
        return text.split(" | ")
    try:
        return numbers(text)
    except ValueError:
        return text.split()
