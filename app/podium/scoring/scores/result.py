"""Defines the result of a judging: counts, and per split the integers from which the exact score is
computed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from podium.scoring.fingerprint import FileFingerprint
from podium.scoring.lists.statistics import ListStatistics
from podium.scoring.metrics import are_errors, metric_of
from podium.scoring.task import Task


@dataclass(frozen=True)
class SplitScore:
    """The result of one split. By objective name: `hits` among the first K of its metric,
    `denominators` (Σ min(K, labels)), `queries` (labeled ones) and `values`, the exact values of
    its metric. `diagnostics` holds exact values by metric id and objective. `standard_error` is
    that of the score, `diagnostic_errors` are those of the diagnostics' weighted values by metric
    id, with the session as the sampling unit; None for a single session, and for metrics that are
    not means. `notes` are counts that help to interpret a diagnostic, by metric id, name and
    objective."""

    hits: dict[str, int]
    denominators: dict[str, int]
    queries: dict[str, int]
    values: dict[str, Fraction]
    diagnostics: dict[str, dict[str, Fraction]]
    standard_error: float | None
    diagnostic_errors: dict[str, float | None]
    notes: dict[str, dict[str, dict[str, int]]]

    def score(self, task: Task) -> Fraction:
        """Computes Σ weight · value exactly: ranks are computed from it, so higher is always
        better.

        Where lower is better, as with `rmse`, the score is the negative error; see `shown`.
        """
        better = {o.name: metric_of(o.metric).higher_is_better for o in task.objectives}
        oriented = {name: v if better[name] else -v for name, v in self.values.items()}
        return _weighted(oriented, task)

    def shown(self, task: Task) -> Fraction:
        """Computes the score for display: without the sign where lower is better in every
        objective. A score of errors and other metrics, or of a relative metric, may be below 0."""
        score = self.score(task)
        return -score if are_errors(o.metric for o in task.objectives) else score

    def diagnostic(self, metric: str, task: Task) -> Fraction:
        """Computes Σ weight · value of a diagnostic metric exactly."""
        return _weighted(self.diagnostics[metric], task)

    def to_dict(self) -> dict[str, Any]:
        """Converts the result to JSON-ready values; fractions are `numerator/denominator`, without
        any loss."""
        return {
            "hits": self.hits,
            "denominators": self.denominators,
            "queries": self.queries,
            "values": _texts(self.values),
            "diagnostics": {metric: _texts(by) for metric, by in self.diagnostics.items()},
            "standard_error": self.standard_error,
            "diagnostic_errors": self.diagnostic_errors,
            "notes": self.notes,
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> SplitScore:
        """Creates a result from the values of `to_dict`."""
        diagnostics = {metric: _exact(by) for metric, by in values["diagnostics"].items()}
        given = {**values, "values": _exact(values["values"]), "diagnostics": diagnostics}
        return cls(**given)


@dataclass(frozen=True)
class ScoreResult:
    """The verdict of a valid file. `counts`: `rows`, `missing` and `empty`, which need no ground
    truth. `splits`: by `public` and `private`, or `all` for a ground truth that is not divided.
    `lists` is None for pairs and tables."""

    counts: dict[str, int]
    splits: dict[str, SplitScore]
    scorer_version: str
    fingerprint: FileFingerprint | None = None
    """Only where it was requested; never a part of the document."""
    lists: ListStatistics | None = None
    form: str = ""
    """The form of the file in words; empty for that of the sample."""

    def to_dict(self) -> dict[str, Any]:
        """Converts the verdict to JSON-ready values."""
        return {
            "counts": self.counts,
            "splits": {name: split.to_dict() for name, split in self.splits.items()},
            "scorer_version": self.scorer_version,
            "lists": self.lists and self.lists.to_dict(),
            "form": self.form,
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> ScoreResult:
        """Creates a verdict from the values of `to_dict`."""
        splits = {name: SplitScore.from_dict(split) for name, split in values["splits"].items()}
        lists = values["lists"] and ListStatistics.from_dict(values["lists"])
        whole = {"lists": lists, "form": values["form"]}
        return cls(values["counts"], splits, values["scorer_version"], **whole)


def _weighted(values: dict[str, Fraction], task: Task) -> Fraction:
    terms = (Fraction(objective.weight) * values[objective.name] for objective in task.objectives)
    return sum(terms, start=Fraction(0))


def _texts(values: dict[str, Fraction]) -> dict[str, str]:
    return {name: str(value) for name, value in values.items()}


def _exact(texts: dict[str, str]) -> dict[str, Fraction]:
    return {name: Fraction(text) for name, text in texts.items()}
