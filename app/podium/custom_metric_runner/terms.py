"""Computes the terms of a score's standard error and comparisons: a number for each row, or the
score of each resample."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from podium.custom_metric_runner.frames import Rows, Tables
from podium.custom_metric_runner.numbers import NoNumber

Floats = npt.NDArray[np.float64]

TOLERANCE = 1e-9
"""The relative tolerance between the mean of rows and the score."""

MAX_MISSING = 10
"""At most one resample in this many may lack a score."""


def check_mean(terms: Floats, score: float) -> None:
    """Raises `NoNumber` where the mean of the rows differs from the score."""
    mean = float(terms.mean()) if len(terms) else math.nan
    size = max(abs(score), float(np.abs(terms).mean()) if len(terms) else 0.0)
    if not abs(mean - score) <= TOLERANCE * size:
        raise NoNumber(f"the mean of per_row is {mean!r}, and the score is {score!r}")


def error_of_rows(terms: Floats, clusters: pl.Series | None) -> float | None:
    """Computes the standard error of a mean: of rows sd/√n; of clusters from the sums of their
    rows' deviations from the mean. None for fewer than two."""
    moves = (terms - terms.mean()) / len(terms)
    if clusters is not None:
        moves = np.bincount(_numbers(clusters), weights=moves)
    count = len(moves)
    if count < 2:
        return None
    return math.sqrt(count / (count - 1) * float(np.square(moves).sum()))


def error_of_resamples(scores: Floats) -> float | None:
    """Computes the standard deviation of the resamples that have a score, NaN being those that lack
    one; None where too many lack one."""
    found = scores[~np.isnan(scores)]
    if len(found) < 2 or (len(scores) - len(found)) * MAX_MISSING > len(scores):
        return None
    return float(found.std(ddof=1))


def resampled(
    tables: Tables,
    score: Callable[[Tables], float],
    *,
    count: int,
    seed: int,
    cluster_column: str,
) -> Floats:
    """Scores resamples of rows, or of whole clusters; NaN where the metric returns no score.

    The draws depend on the seed and on the solution alone, so that those of two submissions are
    paired.
    """
    clusters = tables.solution[cluster_column] if cluster_column else None
    numbers = np.arange(tables.count) if clusters is None else _numbers(clusters)
    units = int(numbers.max()) + 1 if len(numbers) else 0
    bits = np.random.PCG64(seed)
    scores = np.full(count, np.nan)
    for at in range(count):
        times = np.bincount(_draws(bits, units), minlength=units)[numbers]
        try:
            scores[at] = score(_repeated(tables, times, cluster_column))
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001, S112 - whatever the metric raises: it counts as missing
            continue
    return scores


def shuffled(tables: Tables, seed: int) -> Tables:
    """Shuffles the rows in an order that depends on the seed alone."""
    keys = np.random.PCG64(seed).random_raw(tables.count)
    return tables.taken(np.argsort(keys, kind="stable"))


def _numbers(clusters: pl.Series) -> Rows:
    """Numbers the clusters in the order of their names, and returns each row's; rows without one
    form one cluster."""
    ranks = clusters.rank("dense").fill_null(0).to_numpy()
    return np.unique(ranks, return_inverse=True)[1].astype(np.int64)


def _draws(bits: Any, units: int) -> Rows:  # noqa: ANN401 - NumPy's bit generator
    """Draws as many numbers below `units` as there are units. NumPy promises only that raw bits
    never change between versions."""
    raw: npt.NDArray[np.uint64] = bits.random_raw(units) >> np.uint64(32)
    return ((raw * np.uint64(units)) >> np.uint64(32)).astype(np.int64)


def _repeated(tables: Tables, times: Rows, cluster_column: str) -> Tables:
    """Repeats each row the given number of times, in the order of the rows. A row drawn twice
    counts as two: further copies of ids, and of clusters, get names of their own."""
    rows = np.repeat(np.arange(tables.count), times)
    starts = np.cumsum(times) - times
    copies = pl.Series("copy", np.arange(len(rows)) - np.repeat(starts, times))
    drawn = tables.taken(rows)
    renamed = [_renamed(drawn.solution[tables.id_column], copies)]
    if cluster_column:
        renamed.append(_renamed(drawn.solution[cluster_column], copies))
    return Tables(
        drawn.solution.with_columns(renamed),
        drawn.submission.with_columns(renamed[0]),
        tables.id_column,
    )


def _renamed(names: pl.Series, copies: pl.Series) -> pl.Series:
    """Renames each further copy of a name."""
    frame = pl.DataFrame({"name": names, "copy": copies})
    if names.dtype == pl.String:
        other = pl.format("{}~{}", "name", "copy")
    elif names.dtype.is_integer():
        lowest, highest = (int(each or 0) for each in (names.min(), names.max()))  # type: ignore[arg-type] # they are numbers
        other = pl.col("name") + pl.col("copy") * min(highest - lowest + 1, 1 << 62)
    else:
        return names
    return frame.select(
        pl.when(pl.col("copy") > 0).then(other).otherwise("name").alias(names.name)
    ).to_series()
