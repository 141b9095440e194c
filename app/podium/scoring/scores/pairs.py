"""Reads and writes submissions of numbers for pairs: a participant's, the sample, the truth, and
random numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl

from podium.scoring.kinds import kind_of
from podium.scoring.metrics.rows import wants_probabilities
from podium.scoring.pairs.reading import read_numbers
from podium.scoring.pairs.truth import TruePairs
from podium.scoring.repeating import repeat
from podium.scoring.rows.keys import PublishedRows
from podium.scoring.rows.writing import lines_of
from podium.scoring.scores.extremes import SEED
from podium.scoring.task import Task


def submitted_numbers(
    file: Path, *, task: Task, published: PublishedRows, progress: Callable[[float], None] | None
) -> list[pl.Series]:
    """Reads the numbers of a submission, and checks that the task's metrics accept them. Raises
    FileRejected."""
    probabilities = wants_probabilities(task)
    return read_numbers(
        file, task=task, published=published, probabilities=probabilities, progress=progress
    )


def sample_pairs(published: PublishedRows, task: Task) -> Iterator[bytes]:
    """Writes a complete submission with the same number for every published pair."""
    sample = repeat(kind_of(task.kind).sample_number, published.count, pl.String)
    numbers = dict.fromkeys(task.number_columns, sample)
    yield from lines_of(published, pl.DataFrame(numbers), task)


def random_pairs(published: PublishedRows, task: Task, *, backwards: bool) -> Iterator[bytes]:
    """Writes a complete submission of pseudorandom numbers between 0 and 1, which depend on the
    pair and a fixed seed, its rows in published order or `backwards`."""
    places = pl.int_range(published.count, dtype=pl.UInt32, eager=True)
    numbers = {
        name: (places.hash(seed) // (1 << 11)).cast(pl.Float64) * 2.0**-53
        for seed, name in enumerate(task.number_columns, start=SEED)
    }
    if backwards:
        published = PublishedRows(published.frame.reverse())
        numbers = {name: column.reverse() for name, column in numbers.items()}
    yield from lines_of(published, pl.DataFrame(numbers), task)


def perfect_pairs(truth: TruePairs, published: PublishedRows, task: Task) -> Iterator[bytes]:
    """Writes a complete submission whose numbers are the truth. As secret as the ground truth."""
    nothing = repeat(0, published.count, pl.Float64)
    numbers = {
        name: nothing.clone().scatter(truth.pairs, _perfect(truth.targets(place), task))
        for place, name in enumerate(task.number_columns)
    }
    yield from lines_of(published, pl.DataFrame(numbers), task)


def _perfect(targets: pl.Series, task: Task) -> pl.Series:
    """Converts targets to perfect numbers. Counts and weights are not probabilities, but order
    pairs as 1 and 0 do."""
    if kind_of(task.kind).takes_probabilities:
        targets = targets > 0
    return targets.cast(pl.Float64)
