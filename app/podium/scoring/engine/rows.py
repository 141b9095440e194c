"""Judges submissions row by row, for rows of pairs and of tables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from podium.scoring.engine.base import Engine, Judged, Kept, Probing, Submitted
from podium.scoring.fingerprint import FileFingerprint, FingerprintReader
from podium.scoring.rows.keys import PublishedRows
from podium.scoring.rows.truth import TrueRows
from podium.scoring.scores.extremes import Extremes, SplitExtremes
from podium.scoring.scores.measurements import Measurements
from podium.scoring.scores.result import ScoreResult, SplitScore


def row_engine(
    *,
    read: Callable[..., Any],
    marked: Callable[[Any, FingerprintReader], FileFingerprint | None],
    kept: Callable[[Any, Any], Any],
    measured: Callable[[Any], Measurements],
    **others: Callable[..., Any],
) -> Engine:
    """Builds the engine of a kind of rows: `read` checks a file and returns its values, whose
    fingerprint `marked` computes; `kept` combines them with the truth into the stored part, from
    which `measured` computes the metrics. `others` are the members of `Engine` in which kinds of
    rows differ."""

    def judged(asked: Submitted) -> Judged:
        task, published = asked.truth.task, asked.published
        values = read(asked.file, task=task, published=published, progress=asked.progress)
        fingerprint = None if asked.marks is None else marked(values, asked.marks)
        found = kept(values, asked.truth)
        del values
        if asked.kept_to is not None:
            found.write(asked.kept_to)
        return published.counts, measured(found).scores(), fingerprint

    def keep(file: Path, truth: TrueRows, *, published: PublishedRows, scratch: Path) -> Kept:
        del scratch
        found: Kept = kept(read(file, task=truth.task, published=published, progress=None), truth)
        return found

    def validated(
        file: Path, *, published: PublishedRows, scratch: Path, **known: Any
    ) -> dict[str, int]:
        del scratch
        read(file, published=published, **known)
        return published.counts

    return Engine(
        published=PublishedRows,
        load_published=lambda path, _: PublishedRows.read(path),
        judge=judged,
        validate=validated,
        keep=keep,
        **others,
    )


def counted(score: SplitScore, _: TrueRows, name: str) -> dict[str, int | None]:
    """Counts rows, which have no labels that could be found."""
    return {"hits": None, "denominator": None, "queries": score.queries[name]}


def row_extremes(tried: Probing, chance: ScoreResult, *, is_optimal: bool, **more: Any) -> Extremes:
    """Estimates the range of scores of rows, where `chance` is the score of random answers; no file
    is better than the truth."""
    best, constant, random = (
        {name: split.score(tried.task) for name, split in result.splits.items()}
        for result in (tried.perfect, tried.sample, chance)
    )
    is_best = all(best[name] >= max(constant[name], random[name]) for name in best)
    return Extremes(
        perfect_is_optimal=is_optimal and is_best,
        empty_is_worst=all(constant[name] < best[name] for name in best),
        splits={
            name: SplitExtremes(
                perfect=str(best[name]),
                optimum=str(best[name]),
                empty=str(constant[name]),
                random=str(random[name]),
                standard_error=chance.splits[name].standard_error,
            )
            for name in best
        },
        **more,
    )
