"""Comparisons of submissions that an organizer's metric has scored, in the form of `comparison`.

Terms of rows are paired row by row, those of resamples draw by draw. Without terms there are values
and differences, and nothing says how sure they are.
"""

from __future__ import annotations

import array
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import polars as pl

from podium.scoring.metrics import are_errors, metric_of
from podium.scoring.metrics.tables import OwnMetricValue
from podium.scoring.tables.own_terms import TermsHead, stored_terms
from podium.scoring.task import Task
from podium.scoring.uncertainty import LEVEL, Estimate, holm
from podium.scoring.uncertainty.bootstrap import estimate_of

Document = dict[str, Any]


@dataclass(frozen=True)
class OwnScore:
    """The score of a submission on a split, and its terms; None where there are none."""

    head: TermsHead
    value: Fraction
    terms: pl.Series | None


OwnScores = dict[str, OwnScore]
"""By split."""


def is_own(task: Task) -> bool:
    """True where an organizer's metric scores."""
    return task.is_of_tables and any(
        isinstance(metric_of(objective.metric, "table"), OwnMetricValue)
        for objective in task.objectives
    )


def read_own(path: Path, task: Task) -> OwnScores:
    """The stored scores of a submission, weighted as the task says."""
    weight = sum((Fraction(objective.weight) for objective in task.objectives), Fraction(0))
    found = {}
    for split, stored in stored_terms(path).items():
        terms = None
        if stored.head.count:
            with path.open("rb") as source:
                source.seek(stored.start)
                raw = source.read(8 * stored.head.count)
            terms = _numbers(raw) * float(weight)
        found[split] = OwnScore(stored.head, stored.head.exact * weight, terms)
    return found


def compare_own(submissions: Sequence[OwnScores], task: Task) -> Document:
    """The comparison by split, of those that all submissions have."""
    common = [name for name in submissions[0] if all(name in each for each in submissions)]
    return {split: _of_split([each[split] for each in submissions], task) for split in common}


def own_ties(first: OwnScores, others: Sequence[OwnScores], *, split: str) -> list[bool]:
    """True for each other submission whose score could as well be the first one's. Where nothing
    is known of that, only an equal score is tied."""
    return [_is_tied(first[split], other[split]) for other in others]


def own_error(first: OwnScores, second: OwnScores, *, split: str) -> float | None:
    """The standard error of the difference of two scores; None where nothing is known of it."""
    return _difference(first[split], second[split]).standard_error


def _is_tied(first: OwnScore, other: OwnScore) -> bool:
    difference = _difference(first, other)
    return first.value == other.value if difference.p is None else difference.p >= LEVEL


def _of_split(scores: Sequence[OwnScore], task: Task) -> Document:
    kinds = {score.head.terms for score in scores}
    is_drawn = kinds == {"resamples"}
    pairs = list(combinations(range(len(scores)), 2))
    differences = [_difference(scores[a], scores[b]) for a, b in pairs]
    is_error = are_errors(objective.metric for objective in task.objectives)
    return {
        "sessions": max(score.head.rows for score in scores),
        "method": "bootstrap" if is_drawn else "closed-form",
        "replicates": scores[0].head.count if is_drawn else None,
        "submissions": [{"score": _described(_estimate(score))} for score in scores],
        "pairs": list(_pairs(pairs, differences, is_error=is_error)),
    }


def _pairs(
    pairs: Sequence[tuple[int, int]], differences: Sequence[Estimate], *, is_error: bool
) -> Iterator[Document]:
    corrected = holm([1.0 if each.p is None else each.p for each in differences])
    for (first, second), difference, p_holm in zip(pairs, differences, corrected, strict=True):
        ahead = "first" if (difference.value > 0) != is_error else "second"
        better = ahead if p_holm < LEVEL else None
        tested = {"p": difference.p, "p_holm": p_holm, "better": better}
        yield {"first": first, "second": second, "score": _described(difference) | tested}


def _described(estimate: Estimate) -> Document:
    return {
        "value": estimate.value,
        "standard_error": estimate.standard_error,
        "interval": list(estimate.interval) if estimate.interval else None,
    }


def _estimate(score: OwnScore) -> Estimate:
    return _estimated(float(score.value), score.terms, score.head)


def _difference(first: OwnScore, second: OwnScore) -> Estimate:
    value = float(first.value - second.value)
    one, other = first.terms, second.terms
    is_paired = first.head.terms == second.head.terms and first.head.count == second.head.count
    paired = one - other if is_paired and one is not None and other is not None else None
    return _estimated(value, paired, first.head)


def _estimated(value: float, terms: pl.Series | None, head: TermsHead) -> Estimate:
    if terms is None or len(terms) < 2:
        return Estimate(value, None, None, head.rows)
    if head.terms == "resamples":
        return estimate_of(value, terms, head.rows)
    if not terms.is_finite().all():
        return Estimate(value, None, None, head.rows)
    spread = float(terms.std())  # type: ignore[arg-type]
    return Estimate.closed_form(value, spread / len(terms) ** 0.5, len(terms))


def _numbers(raw: bytes) -> pl.Series:
    numbers = array.array("d", raw)
    if sys.byteorder == "big":
        numbers.byteswap()
    return pl.Series(numbers, dtype=pl.Float64)
