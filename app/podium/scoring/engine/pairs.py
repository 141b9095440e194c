"""Judges numbers of pairs: read → check → answers → splits → metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from podium.scoring.engine.base import Probing
from podium.scoring.engine.rows import counted, row_engine, row_extremes
from podium.scoring.kinds import kind_of
from podium.scoring.metrics.rows import pair_metric_of
from podium.scoring.metrics.rows.targets import TargetRows
from podium.scoring.pairs.truth import TruePairs
from podium.scoring.problems import Problem
from podium.scoring.rows.keys import PublishedRows
from podium.scoring.scores.extremes import Extremes
from podium.scoring.scores.pair_answers import Answers, PairMeasurements, keys_of
from podium.scoring.scores.pairs import perfect_pairs, random_pairs, sample_pairs, submitted_numbers
from podium.scoring.scores.result import SplitScore


def _read_published(path: Path, **known: Any) -> PublishedRows:
    from podium.scoring.solutions.pairs import read_pairs

    return read_pairs(path, **known)


def _read_truth(path: Path, **known: Any) -> tuple[TruePairs, PublishedRows]:
    from podium.scoring.solutions.pairs import read_true_pairs

    return read_true_pairs(path, **known)


def _undefined(truth: TruePairs) -> list[Problem]:
    from podium.scoring.solutions.pairs import undefined

    return list(undefined(truth))


def _sides(truth: TruePairs) -> pl.DataFrame:
    """Returns the splits of units."""
    return truth.frame.select(pl.col("unit").alias("whose"), "split").unique("whose")


def _counted(score: SplitScore, truth: TruePairs, name: str) -> dict[str, int | None]:
    """Counts as for all rows, but for reranking a query has all candidates that are ranked."""
    found = counted(score, truth, name)
    if kind_of(truth.task.kind).has_candidates:
        found["queries"] = truth.units.height
    return found


def _measure(metrics: Sequence[str], answers: Answers) -> PairMeasurements:
    return PairMeasurements.of([(metric, place) for place, metric in enumerate(metrics)], answers)


def _extremes(tried: Probing) -> Extremes:
    """Estimates the range of scores; ratings have no error where they are the truth."""
    chance, backwards = (
        tried.score(random_pairs(tried.published, tried.task, backwards=each))
        for each in (False, True)
    )
    has_relevances = kind_of(tried.task.kind).has_relevances
    errors = [split.score(tried.task) for split in tried.perfect.splits.values()]
    return row_extremes(
        tried,
        chance,
        is_optimal=has_relevances or not any(errors),
        place_matters=chance.splits != backwards.splits,
        auc_by_place=_auc_by_place(tried.truth) if has_relevances else None,
    )


def _auc_by_place(truth: TruePairs) -> float | None:
    """Computes the AUC of the order in which pairs are published, the first the highest: over all
    pairs, and within each query, which is all that counts in reranking. Returns the farthest from
    0.5 of all targets and splits that have both classes; None without any."""
    places = -pl.int_range(truth.row_count, eager=True).cast(pl.Float64)
    answers = Answers.of([places] * len(truth.task.objectives), truth)
    values: list[float] = []
    for position in range(len(truth.task.objectives)):
        scored = answers.of_objective(position)
        parts = {"gauc": scored.slots} | (
            {} if kind_of(truth.task.kind).has_candidates else {"auc": scored.side}
        )
        for metric, within in parts.items():
            splits = _with_both_classes(scored, within=within)
            if splits:
                found = pair_metric_of(metric).measure(replace(scored, splits=splits))
                values += map(float, found.values.values())
    return max(values, key=lambda value: abs(value - 0.5), default=None)


def _with_both_classes(scored: TargetRows, *, within: pl.Series) -> tuple[int, ...]:
    """Finds the splits of which some part, by the values of `within`, has both classes."""
    positive = scored.targets > 0
    pairs = pl.DataFrame({"split": scored.side, "part": within, "positive": positive})
    both = pl.col("positive").any() & ~pl.col("positive").all()
    found = pairs.group_by("split", "part").agg(both=both).filter("both")["split"].unique()
    return tuple(split for split in scored.splits if split in found)


ENGINE = row_engine(
    load_truth=TruePairs.load,
    read=submitted_numbers,
    marked=lambda numbers, marks: marks.read_values(numbers),
    kept=Answers.of,
    measured=lambda answers: PairMeasurements.of(keys_of(answers.truth.task), answers),
    read_published=_read_published,
    read_truth=_read_truth,
    undefined=_undefined,
    sides=_sides,
    sample=sample_pairs,
    perfect=perfect_pairs,
    extremes=_extremes,
    counted=_counted,
    read_kept=Answers.read,
    keeps=lambda *_: True,
    measure=_measure,
)
