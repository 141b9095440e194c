"""Compares submissions that a custom metric has scored, in the format of `comparison`.

Terms of rows are paired row by row, and summed within clusters; terms of resamples are paired draw
by draw. Without terms there are values and differences, but no standard errors.
"""

from __future__ import annotations

import array
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import polars as pl

from podium.scoring.metrics import are_errors
from podium.scoring.parquet.files import read_parquet
from podium.scoring.splits import IGNORED, PRIVATE, PUBLIC
from podium.scoring.task import USAGE, Task
from podium.scoring.uncertainty import LEVEL, Estimate, tested
from podium.scoring.uncertainty.bootstrap import estimate_of
from podium.scoring.uncertainty.custom_terms import TermsCorrupt, TermsHead, stored_terms

Document = dict[str, Any]


@dataclass(frozen=True)
class CustomScore:
    """The score of a submission on a split, and its terms; None where there are none. `clusters`
    has the cluster of each row; None where rows are independent."""

    head: TermsHead
    value: Fraction
    terms: pl.Series | None
    clusters: pl.Series | None = None

    @property
    def units(self) -> int:
        """The number of sampling units: clusters, or rows."""
        return self.head.rows if self.clusters is None else self.clusters.n_unique()


CustomScores = dict[str, CustomScore]
"""Scores by the name of the split."""


def read_custom(path: Path, task: Task, *, solution: Path | None = None) -> CustomScores:
    """Reads the stored scores of a submission, weighted as in the task. The canonical `solution`
    has the clusters of rows, where the task has any. Raises `TermsCorrupt` where it has other
    rows."""
    weight = sum((Fraction(objective.weight) for objective in task.objectives), Fraction(0))
    found = {}
    for split, stored in stored_terms(path).items():
        terms = None
        if stored.head.count:
            with path.open("rb") as source:
                source.seek(stored.start)
                raw = source.read(8 * stored.head.count)
            numbers = array.array("d", raw)
            if sys.byteorder == "big":
                numbers.byteswap()
            terms = pl.Series(numbers, dtype=pl.Float64) * float(weight)
        clusters = None
        if solution is not None and task.cluster_column:
            # All rows except ignored ones and those of the other split alone.
            others = {"public": [IGNORED, PRIVATE], "private": [IGNORED, PUBLIC]}[split]
            frame = read_parquet(solution, [USAGE, task.cluster_column])
            clusters = frame.filter(pl.col(USAGE).is_in(others).not_())[task.cluster_column]
            if len(clusters) != stored.head.rows:
                raise TermsCorrupt(f"{len(clusters)} rows of {split}, not {stored.head.rows}")
        found[split] = CustomScore(stored.head, stored.head.exact * weight, terms, clusters)
    return found


def compare_custom(submissions: Sequence[CustomScores], task: Task) -> Document:
    """Compares by split, for the splits that all submissions have."""
    common = [name for name in submissions[0] if all(name in each for each in submissions)]
    return {split: _of_split([each[split] for each in submissions], task) for split in common}


def custom_ties(first: CustomScores, others: Sequence[CustomScores], *, split: str) -> list[bool]:
    """True for each other submission whose score is a statistical tie with the first one's. Without
    a standard error, only an equal score is a tie."""
    return [_is_tied(first[split], other[split]) for other in others]


def custom_error(first: CustomScores, second: CustomScores, *, split: str) -> float | None:
    """Computes the standard error of the difference of two scores; None where it is unknown."""
    return _difference(first[split], second[split]).standard_error


def _is_tied(first: CustomScore, other: CustomScore) -> bool:
    difference = _difference(first, other)
    return first.value == other.value if difference.p is None else difference.p >= LEVEL


def _of_split(scores: Sequence[CustomScore], task: Task) -> Document:
    kinds = {score.head.terms for score in scores}
    is_drawn = kinds == {"resamples"}
    pairs = list(combinations(range(len(scores)), 2))
    differences = [_difference(scores[a], scores[b]) for a, b in pairs]
    is_error = are_errors(objective.metric for objective in task.objectives)
    described = tested(differences, higher_is_better=not is_error)
    return {
        "sessions": scores[0].units,
        "method": "bootstrap" if is_drawn else "closed-form",
        "replicates": scores[0].head.count if is_drawn else None,
        "submissions": [
            {"score": _estimated(float(score.value), score.terms, score).to_dict()}
            for score in scores
        ],
        "pairs": [
            {"first": first, "second": second, "score": described}
            for (first, second), described in zip(pairs, described, strict=True)
        ],
    }


def _difference(first: CustomScore, second: CustomScore) -> Estimate:
    value = float(first.value - second.value)
    one, other = first.terms, second.terms
    is_paired = first.head.terms == second.head.terms and first.head.count == second.head.count
    paired = one - other if is_paired and one is not None and other is not None else None
    return _estimated(value, paired, first)


def _estimated(value: float, terms: pl.Series | None, score: CustomScore) -> Estimate:
    units = score.units
    if terms is None or units < 2 or len(terms) < 2:
        return Estimate(value, None, None, units)
    if score.head.terms == "resamples":
        return estimate_of(value, terms, units)
    if not terms.is_finite().all():
        return Estimate(value, None, None, units)
    moves = (terms - terms.mean()) / len(terms)
    if score.clusters is not None:
        table = pl.DataFrame({"cluster": score.clusters, "moves": moves})
        moves = table.group_by("cluster").agg(pl.col("moves").sum())["moves"]
    error = (units / (units - 1) * float((moves**2).sum())) ** 0.5
    return Estimate.closed_form(value, error, units)
