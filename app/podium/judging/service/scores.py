"""The figures of a verdict: checks a child's answer for contradictions, and stores it as a public
and a private row."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from fractions import Fraction

from podium.core import lookups
from podium.core.competition_settings import CompetitionSettings
from podium.core.configuration import by_objective_name, settings_of
from podium.core.database.engine import WriteSession
from podium.core.database.types import JsonObject
from podium.core.models import Competition, Fingerprint, Judging, PrivateScore, PublicScore
from podium.core.models.judgings import DiagnosticFigures, ObjectiveFigures
from podium.sandbox.definitions.judging import (
    Counts,
    FingerprintFigures,
    Judged,
    ListFigures,
    SplitFigures,
)
from podium.scoring.kinds import TaskKind, kind_of
from podium.scoring.metrics import metric_of

HALVES: tuple[tuple[str, type[PublicScore | PrivateScore]], ...] = (
    ("public", PublicScore),
    ("private", PrivateScore),
)

SPLITS = ("public", "private")
"""The splits of a whole verdict."""


def keep(session: WriteSession, judging: Judging, judged: Judged, *, splits: Sequence[str]) -> None:
    """Stores the figures of these splits; with the public split also the counts of the file. Raises
    `ValueError` where figures contradict each other, and `KeyError` where one is missing."""
    settings = settings_of(session.get_one(Competition, judging.competition_id))
    published = lookups.published_ids(session, competition_id=judging.competition_id).sessions
    _refuse_contradictions(judged, settings.task, published, splits=splits)
    session.add_all(_rows_of(judging, settings, judged))
    if "public" in splits:
        judging.counts = _counts_of(settings, judged)
        judging.scorer_version = judged.scorer_version


def _rows_of(
    judging: Judging, settings: CompetitionSettings, judged: Judged
) -> list[PublicScore | PrivateScore]:
    """Returns the rows of a child's answer: one for each split that it has figures of."""
    return [
        table(
            judging_id=judging.id,
            score=Fraction(judged.scores[split]),
            objectives=by_objective_name(settings, _objectives(judged.splits[split])),
            standard_error=judged.splits[split].standard_error,
            diagnostics=_diagnostics(settings, judged, split),
            diagnostic_errors=dict(judged.splits[split].diagnostic_errors),
        )
        for split, table in HALVES
        if split in judged.splits
    ]


def _counts_of(settings: CompetitionSettings, judged: Judged) -> JsonObject:
    """Returns the counts of the file as a judging stores them; under `lists` the statistics of its
    lists by objective, if there are any, and under `form` its form, unless it is the usual one."""
    counts: JsonObject = asdict(judged.counts)
    if judged.form:
        counts["form"] = judged.form
    if judged.lists is not None:
        lists = asdict(judged.lists)
        lists["objectives"] = by_objective_name(settings, lists["objectives"])
        counts["lists"] = lists
    return counts


def _refuse_contradictions(
    judged: Judged, kind: TaskKind, published: int, *, splits: Sequence[str]
) -> None:
    # With lists, a query has one list for each objective.
    width = len(judged.metrics) if judged.lists is not None else 1
    _refuse_rows(judged.counts, published * width)
    if judged.lists is not None:
        _refuse_lists(judged.counts, judged.lists)
    labelled = dict.fromkeys(judged.metrics, 0)
    for split in splits:
        _refuse_figures(judged, split, kind)
        for name in judged.metrics:
            queries = judged.splits[split].queries[name]
            # A row of a table may count in both splits.
            labelled[name] = queries + (0 if kind_of(kind).has_table else labelled[name])
        if max(labelled.values()) > published:
            raise ValueError(f"{labelled} labelled queries of {published} published sessions")


def _refuse_figures(judged: Judged, split: str, kind: TaskKind) -> None:
    part = judged.splits[split]
    for name, metric in judged.metrics.items():
        _refuse_counts(part, name, f"{split} {name}")
        _refuse_value(metric, part.values[name], split, kind)
    for metric, values in part.diagnostics.items():
        for value in values.values():
            _refuse_value(metric, value, split, kind)
    for error in (part.standard_error, *part.diagnostic_errors.values()):
        if error is not None and not (math.isfinite(error) and error >= 0):
            raise ValueError(f"a standard error of {error} in {split}")


def _refuse_rows(counts: Counts, queries: int) -> None:
    if counts.rows + counts.missing != queries:
        raise ValueError(f"{counts} do not add up to {queries} queries")
    if not 0 <= counts.empty <= counts.rows:
        raise ValueError(f"{counts.empty} empty rows of {counts.rows}")


def _refuse_lists(counts: Counts, lists: ListFigures) -> None:
    each = lists.objectives.values()
    if sum(one.lists for one in each) != counts.rows:
        raise ValueError(f"the lists of {lists} do not add up to {counts.rows}")
    for one in each:
        if not (0 <= one.empty + one.full <= one.lists and 0 <= one.items <= one.k * one.lists):
            raise ValueError(f"lengths do not add up: {one}")
    use = lists.catalogue
    if use is not None and not (
        0 <= use.predicted <= use.items
        and use.predicted + use.unknown == lists.distinct
        and 0 <= use.without_zeros + use.as_floats <= use.unknown
    ):
        raise ValueError(f"{use} does not add up to {lists.distinct} different items")


def _refuse_counts(part: SplitFigures, name: str, where: str) -> None:
    hits, most, queries_ = part.hits[name], part.denominators[name], part.queries[name]
    if not 0 <= hits <= most:
        raise ValueError(f"{hits} hits of {most} in {where}")
    # A labeled query has at least one label; the labels of a rating are its pairs.
    if queries_ < 1 or 0 < most < queries_:
        raise ValueError(f"{queries_} labelled queries with {most} labels in {where}")


def _refuse_value(metric_id: str, value: str, where: str, kind: TaskKind) -> None:
    metric = metric_of(metric_id, kind)
    least = metric.lower_bound
    is_too_low = least is not None and Fraction(value) < least
    if is_too_low or (metric.is_bounded and Fraction(value) > 1):
        raise ValueError(f"{metric_id} of {value} in {where}")


def _objectives(part: SplitFigures) -> dict[str, ObjectiveFigures]:
    return {
        name: {
            "hits": part.hits[name],
            "denominator": part.denominators[name],
            "queries": part.queries[name],
            "value": value,
        }
        for name, value in part.values.items()
    }


def _diagnostics(
    settings: CompetitionSettings, judged: Judged, split: str
) -> dict[str, DiagnosticFigures]:
    return {
        metric: {
            "score": judged.diagnostic_scores[split][metric],
            "objectives": by_objective_name(settings, values),
            "notes": {
                note: by_objective_name(settings, counts)
                for note, counts in judged.splits[split].notes.get(metric, {}).items()
            },
        }
        for metric, values in judged.splits[split].diagnostics.items()
    }


def keep_fingerprint(
    session: WriteSession, *, judging: Judging, figures: FingerprintFigures | None
) -> None:
    """Stores the fingerprint that a child has computed; it replaces an earlier one of the same
    file."""
    if figures is None:
        return
    row = session.get(Fingerprint, judging.submission_id)
    if row is None:
        row = Fingerprint(
            submission_id=judging.submission_id, competition_id=judging.competition_id
        )
        session.add(row)
    row.scheme, row.content = figures.scheme, figures.content
    row.sketch = bytes.fromhex(figures.sketch)
    session.flush()
