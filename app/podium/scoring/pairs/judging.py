"""Judging pairs as pure computation: read → check → answers → splits → metric."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import polars as pl

from podium.scoring.analysis.fingerprint import FileFingerprint, FingerprintReader
from podium.scoring.pairs.answers import Answers
from podium.scoring.pairs.pairs import PublishedPairs
from podium.scoring.pairs.reading import read_numbers
from podium.scoring.pairs.split_scores import pair_scores
from podium.scoring.pairs.truth import TruePairs
from podium.scoring.result import SplitScore
from podium.scoring.task import Task

_ROWS_WRITTEN = 100_000

_RANDOM_SEED = 20
"""Fixed, so that the same ground truth always gives the same checklist."""

_SAMPLE = {"rating": "0", "scores": "0.5", "rerank": "0"}
"""The number that a sample submission has for every pair."""


def judge_pairs(
    file: Path,
    task: Task,
    published: PublishedPairs,
    truth: TruePairs,
    *,
    answers_to: Path | None,
    progress: Callable[[float], None] | None,
    marks: FingerprintReader | None = None,
) -> tuple[dict[str, int], dict[str, SplitScore], FileFingerprint | None]:
    """Counts, the score on every split, and what `marks` makes of the numbers. Raises FileRejected.

    `answers_to` gets the numbers as Parquet.
    """
    numbers = read_numbers(file, task=task, published=published, progress=progress)
    fingerprint = None if marks is None else marks.read_values(numbers)
    answers = Answers.of(numbers, truth)
    del numbers
    if answers_to is not None:
        answers.write(answers_to)
    return counts_of(published), pair_scores(answers), fingerprint


def counts_of(published: PublishedPairs) -> dict[str, int]:
    """The counts of a good file: a number for every pair, as none may be missing or empty."""
    return {"rows": published.count, "missing": 0, "empty": 0}


def sample_pairs(published: PublishedPairs, task: Task) -> Iterator[bytes]:
    """A complete submission with the same number for every published pair."""
    numbers = {name: pl.lit(_SAMPLE[task.kind]) for name in task.number_columns}
    yield from _lines(published, numbers, task)


def random_pairs(published: PublishedPairs, task: Task, *, backwards: bool) -> Iterator[bytes]:
    """A complete submission of numbers between 0 and 1 that a fixed seed gives each pair, its rows
    in published order or `backwards`."""
    places = pl.int_range(published.count, dtype=pl.UInt32, eager=True)
    numbers = {
        name: (places.hash(seed) // (1 << 11)).cast(pl.Float64) * 2.0**-53
        for seed, name in enumerate(task.number_columns, start=_RANDOM_SEED)
    }
    if backwards:
        published = PublishedPairs(published.frame.reverse())
        numbers = {name: column.reverse() for name, column in numbers.items()}
    yield from _lines(published, numbers, task)


def perfect_pairs(truth: TruePairs, published: PublishedPairs, task: Task) -> Iterator[bytes]:
    """A complete submission whose numbers are the truth. As secret as the ground truth."""
    nothing = pl.zeros(published.count, dtype=pl.Float64, eager=True)
    numbers = {
        name: nothing.clone().scatter(truth.pairs, _perfect(truth.targets(place), task))
        for place, name in enumerate(task.number_columns)
    }
    yield from _lines(published, numbers, task)


def _perfect(targets: pl.Series, task: Task) -> pl.Series:
    """Counts and weights are no probabilities, but order pairs as 1 and 0 do."""
    if task.kind == "scores":
        targets = targets > 0
    return targets.cast(pl.Float64)


def _lines(
    published: PublishedPairs, numbers: Mapping[str, pl.Series | pl.Expr], task: Task
) -> Iterator[bytes]:
    yield f"{','.join(task.columns)}\n".encode()
    named = [value.alias(f"number {name}") for name, value in numbers.items()]
    # The shortest decimal text of a float64 reads as the same float64 again.
    for part in published.frame.with_columns(named).iter_slices(_ROWS_WRITTEN):
        yield part.write_csv(include_header=False, quote_style="never").encode()
