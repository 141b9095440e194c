"""Predictions − ratings: everything that a metric of ratings is made from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from podium.scoring.ratings.truth import TrueRatings


@dataclass(frozen=True)
class Errors:
    """`values`: the prediction minus the rating, Float64, for each row of the true ratings. Each is
    the float64 difference of two float64 numbers, and depends on nothing else."""

    values: pl.Series
    truth: TrueRatings

    @classmethod
    def of(cls, predictions: pl.Series, truth: TrueRatings) -> Errors:
        """The errors of predictions for all published pairs, in their order."""
        return cls(predictions.gather(truth.frame["pair"]) - truth.frame["rating"], truth)

    def write(self, path: Path) -> None:
        """Stores `query` (the pair's number) and `error` as Parquet. As secret as the ground truth:
        who knows a prediction and its error knows the rating."""
        frame = pl.DataFrame({"query": self.truth.frame["pair"], "error": self.values})
        frame.write_parquet(path, compression="zstd", statistics=False)

    @classmethod
    def read(cls, path: Path, truth: TrueRatings) -> Errors:
        """Inverse of `write`, under the same version of the ground truth. Raises ValueError for
        another one, as its ratings are not known to the file."""
        stored = pl.read_parquet(path)
        if not stored["query"].equals(truth.frame["pair"]):
            raise ValueError("these errors belong to another version of the ratings")
        return cls(stored["error"], truth)
