"""Judging ratings as pure computation: read → check → errors → splits → metric."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl

from podium.scoring.analysis.fingerprint import FileFingerprint, FingerprintReader
from podium.scoring.ratings.errors import Errors
from podium.scoring.ratings.pairs import PublishedPairs
from podium.scoring.ratings.reading import read_predictions
from podium.scoring.ratings.split_scores import rating_scores
from podium.scoring.ratings.truth import TrueRatings
from podium.scoring.result import SplitScore
from podium.scoring.task import Task

_ROWS_WRITTEN = 100_000


def judge_ratings(
    file: Path,
    task: Task,
    published: PublishedPairs,
    truth: TrueRatings,
    *,
    errors_to: Path | None,
    progress: Callable[[float], None] | None,
    marks: FingerprintReader | None = None,
) -> tuple[dict[str, int], dict[str, SplitScore], FileFingerprint | None]:
    """Counts, the score on every split, and what `marks` makes of the predictions. Raises
    FileRejected.

    `errors_to` gets the errors as Parquet (`query`, `error`), as secret as the ground truth.
    """
    predictions = read_predictions(file, task=task, published=published, progress=progress)
    errors = Errors.of(predictions, truth)
    if errors_to is not None:
        errors.write(errors_to)
    fingerprint = None if marks is None else marks.read_values(predictions)
    return counts_of(published), rating_scores(errors), fingerprint


def counts_of(published: PublishedPairs) -> dict[str, int]:
    """The counts of a good file: a number for every pair, as none may be missing or empty."""
    return {"rows": published.count, "missing": 0, "empty": 0}


def sample_ratings(published: PublishedPairs, task: Task) -> Iterator[bytes]:
    """A complete submission that predicts 0 for every published pair."""
    yield from _lines(published.frame.with_columns(rating=pl.lit("0")), task)


def perfect_ratings(truth: TrueRatings, published: PublishedPairs, task: Task) -> Iterator[bytes]:
    """A complete submission whose errors are all exactly 0. As secret as the ground truth."""
    ratings = pl.zeros(published.count, dtype=pl.Float64, eager=True)
    ratings = ratings.scatter(truth.frame["pair"], truth.frame["rating"])
    yield from _lines(published.frame.with_columns(rating=ratings), task)


def _lines(frame: pl.DataFrame, task: Task) -> Iterator[bytes]:
    yield f"{','.join(task.columns)}\n".encode()
    # The shortest decimal text of a float64 reads as the same float64 again.
    for part in frame.iter_slices(_ROWS_WRITTEN):
        yield part.write_csv(include_header=False, quote_style="never").encode()
