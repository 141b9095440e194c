"""The task of trying a launch, as in `judging`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from podium.sandbox.definitions.launches import Probe, Probed, ProbedSplit
from podium.sandbox.registry import Progress, registered
from podium.sandbox.tasks.loading import loaded
from podium.sandbox.tasks.pair_launches import TriedPairs
from podium.sandbox.tasks.table_launches import TriedTables
from podium.scoring import engine
from podium.scoring.analysis.extremes import (
    errors_by_chance,
    guessed_shares,
    ideal_lists,
    is_optimal,
)
from podium.scoring.kinds import Published, Truth, pairs_of
from podium.scoring.pairs.judging import random_pairs
from podium.scoring.pairs.truth import TruePairs
from podium.scoring.problems import FileRejected
from podium.scoring.result import ScoreResult
from podium.scoring.split_scores import split_scores
from podium.scoring.tables.checks import undefined
from podium.scoring.tables.perfect import shuffled_columns
from podium.scoring.tables.samples import lines_of
from podium.scoring.tables.truth import TrueTable
from podium.scoring.task import Task
from podium.scoring.truth.canonical import GroundTruth


def probe(progress: Progress, task: Probe) -> Probed:
    """Tries a launch with the perfect file and the sample file. What ranks is probed: some
    diagnostics need more than a ground truth."""
    asked = replace(task.task, diagnostics=())
    ids, hidden = loaded(replace(task, task=asked))
    if isinstance(hidden, TrueTable) and (lack := next(undefined(hidden), None)):
        return _refused(lack.detail, undefined=lack.detail)
    try:
        perfect = _scored(engine.perfect_submission(hidden, ids, asked), asked, ids, hidden)
        progress(0.4)
        empty = _scored(engine.sample_submission(ids, asked), asked, ids, hidden)
        progress(0.8)
    except FileRejected as rejected:
        return _refused(rejected.rejection.problems[0].detail)
    if isinstance(hidden, TrueTable):
        others = lines_of(pairs_of(ids), shuffled_columns(hidden), asked)
        chance = _scored(others, asked, ids, hidden)
        return TriedTables(perfect, empty, chance).compared(hidden, task.task)
    if isinstance(hidden, TruePairs):
        chance, reversed_ = (
            _scored(random_pairs(pairs_of(ids), asked, backwards=each), asked, ids, hidden)
            for each in (False, True)
        )
        tried = TriedPairs(perfect, empty, chance, reversed_)
        return tried.compared(replace(hidden, task=task.task), asked)
    return _compared(perfect, empty, asked, hidden)


def _refused(refusal: str, *, undefined: str = "") -> Probed:
    return Probed(
        perfect_is_optimal=False,
        empty_is_worst=False,
        sample_is_accepted=False,
        refusal=refusal,
        splits={},
        undefined=undefined,
    )


TASKS = dict([registered(Probe, probe)])


def _compared(perfect: ScoreResult, empty: ScoreResult, task: Task, truth: GroundTruth) -> Probed:
    best = split_scores(ideal_lists(truth), truth)
    guessed, errors = guessed_shares(truth), errors_by_chance(truth)
    return Probed(
        perfect_is_optimal=perfect.splits.keys() == best.keys()
        and all(is_optimal(perfect.splits[name], best[name], truth) for name in best),
        empty_is_worst=all(
            not any(split.hits.values()) and not any(split.values.values())
            for split in empty.splits.values()
        ),
        sample_is_accepted=True,
        refusal="",
        splits={
            name: ProbedSplit(
                perfect=str(perfect.splits[name].score(task)),
                optimum=str(split.score(task)),
                empty=str(empty.splits[name].score(task)),
                random=str(guessed[name] * split.score(task)),
                standard_error=errors[name],
            )
            for name, split in best.items()
        },
    )


def _scored(lines: Iterator[bytes], task: Task, published: Published, truth: Truth) -> ScoreResult:
    path = Path.cwd() / "probe.csv"
    with path.open("wb") as stream:
        stream.writelines(lines)
    try:
        return engine.judge(path, task=task, published=published, truth=truth, scratch=Path.cwd())
    finally:
        path.unlink()
