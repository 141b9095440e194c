"""Runs of a custom metric: their input, and the outcome that their answer stands for.

The child's answer comes from the organizer's code. It arrives cleaned, and is still trusted only as
far as it is checked here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from podium.custom_metrics.service.runs import MetricUse
from podium.sandbox import Rejected, Result
from podium.sandbox.definitions.custom_metrics import TERMS, MetricRun
from podium.sandbox.metric_answers import run_of
from podium.scoring.uncertainty.custom_terms import TermsHead, bytes_of

NO_REASON = "The metric gave no reason."


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomRun(MetricUse):
    """The metric of a judging. `splits` are those to score before there is a verdict, or the
    private one that is due after a public verdict; `seed` is that of resamples."""

    seed: int
    splits: tuple[str, ...]
    terms_sha256: str | None
    """The stored terms of the public split, to which a private run adds its own."""

    @property
    def is_only_private(self) -> bool:
        """True if only the private score of a judging with a verdict is missing."""
        return self.splits == ("private",)


@dataclass(frozen=True, slots=True)
class MeasuredRun:
    """The exact numbers of a split. `note` is shown to organizers only, like that of the other
    outcomes."""

    head: TermsHead
    numbers: Mapping[str, Fraction]
    standard_error: float | None
    terms: Path | None
    note: dict[str, Any]


@dataclass(frozen=True, slots=True)
class RefusedRun:
    """The metric refused the file; `text` tells the participant why."""

    text: str
    note: dict[str, Any]


@dataclass(frozen=True, slots=True)
class FailedRun:
    """The metric failed; the participant does not learn why."""

    note: dict[str, Any]


Outcome = MeasuredRun | RefusedRun | FailedRun
"""The outcome of a run that the metric itself ended."""


def outcome_of(
    result: Result[MetricRun | Rejected], custom: CustomRun, *, published: int, seconds: float
) -> Outcome:
    """Returns the outcome of a run that the metric itself ended, over at most `published` rows."""
    run = run_of(result, custom.board)
    note = {
        "outcome": run.outcome,
        "report": run.report,
        "output": run.output,
        "seconds": seconds,
        "processor": run.processor,
    }
    if run.warnings:
        note["warnings"] = list(run.warnings)
    if run.outcome == "refused":
        return RefusedRun(run.text or NO_REASON, note)
    if run.outcome == "failed":
        return FailedRun(note)
    try:
        return _measured(run, custom, result.files.get(TERMS), published=published, note=note)
    except _Unusable as error:
        return FailedRun(note | {"outcome": "failed", "report": str(error)})


class _Unusable(Exception):
    """The metric's numbers are unusable; the text says why."""


def _measured(
    run: MetricRun,
    custom: CustomRun,
    terms: Path | None,
    *,
    published: int,
    note: dict[str, Any],
) -> MeasuredRun:
    assert run.score is not None, "a cleaned run that measured has a score"
    reported = run.numbers or {}
    numbers = {name: _exact(reported[name]) for name in custom.numbers}
    if not 1 <= run.rows <= published:
        raise _Unusable(f"The metric told of {run.rows} rows; {published} are published.")
    count = {"rows": run.rows, "resamples": custom.resamples, "none": 0}[run.terms]
    if run.terms != "none" and (terms is None or terms.stat().st_size != bytes_of(count)):
        raise _Unusable(f"The terms of the {run.terms} are missing, or not {count}.")
    head = TermsHead(str(_exact(run.score)), run.rows, run.terms, count)
    return MeasuredRun(head, numbers, run.standard_error, terms if count else None, note)


def _exact(text: str) -> Fraction:
    return Fraction(float.fromhex(text))
