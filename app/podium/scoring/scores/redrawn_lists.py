"""Bootstraps scores of ranked lists over sessions.

Splits with fewer than `SMALL_SESSIONS` sessions, or with an objective that has fewer than
`SMALL_DENOMINATOR` labels to find, are bootstrapped instead of using the closed form.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import polars as pl

from podium.scoring.repeating import repeat
from podium.scoring.scores.list_scores import ListMeasurements
from podium.scoring.truth.canonical import GroundTruth
from podium.scoring.uncertainty.bootstrap import Ratio, patterns_of, replicates

SMALL_SESSIONS = 2000
SMALL_DENOMINATOR = 200


def redrawn_lists(
    submissions: Sequence[ListMeasurements],
    metrics: Sequence[str],
    weights: Sequence[Fraction],
    split: int,
) -> list[pl.Series] | None:
    """Computes bootstrap replicates of the weighted sum of each submission; None where the split is
    not small, or has too many patterns."""
    truth = submissions[0].truth
    # A single session, resampled, is always the same: that gives no variance between sessions.
    if not _is_small(split, truth) or truth.unit_count(split) < 2:
        return None
    columns = dict(_columns(submissions, metrics, weights))
    table = pl.DataFrame(columns).filter(truth.sessions["split"] == split)
    patterns = patterns_of(table)
    if patterns is None:
        return None
    taking_part = [position for position, weight in enumerate(weights) if weight]
    scores: list[list[Ratio]] = [
        [(f"above{n}-{t}", f"below{t}", float(weights[t])) for t in taking_part]
        for n in range(len(submissions))
    ]
    return replicates(patterns, scores)


def _is_small(split: int, truth: GroundTruth) -> bool:
    """True for a split that is too small for the closed form, and is bootstrapped where its
    sessions have few enough patterns."""
    least = min(totals.denominator for (of, _), totals in truth.totals.items() if of == split)
    return truth.unit_count(split) < SMALL_SESSIONS or least < SMALL_DENOMINATOR


def _columns(
    submissions: Sequence[ListMeasurements], metrics: Sequence[str], weights: Sequence[Fraction]
) -> Iterator[tuple[str, pl.Series]]:
    """Yields numerators of every submission and denominators by session, for each objective with a
    weight."""
    truth = submissions[0].truth
    query = truth.queries["query"]
    session = (query // len(weights)).rle_id()
    for position, weight in enumerate(weights):
        if weight:
            its_own = query % len(weights) == position
            rows = session.filter(its_own)
            terms = [each.found[metrics[position]].terms for each in submissions]
            named = {f"below{position}": terms[0].below}
            named |= {f"above{number}-{position}": each.above for number, each in enumerate(terms)}
            for name, values in named.items():
                by_session = repeat(0, truth.sessions.height, pl.Float64)
                its_values = values.filter(its_own).cast(pl.Float64)
                yield name, by_session.scatter(rows, its_values)
