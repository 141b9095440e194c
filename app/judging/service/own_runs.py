"""A run of an organizer's metric: what it is given, and what its answer is worth.

Whatever the child says comes from the organizer's code: it is checked and cleaned here, and nothing
of it is believed beyond that.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from podium.core.competition_settings.tables import Argument
from podium.sandbox import FailureReason, Rejected, Result
from podium.sandbox.definitions.own_metrics import (
    MOST_OUTPUT_BYTES,
    MOST_VISIBLE_CHARACTERS,
    TERMS,
    MetricRun,
)
from podium.scoring.uncertainty.own_terms import TermsHead, bytes_of

OF_THE_MACHINE = frozenset(
    {
        FailureReason.STOPPED,
        FailureReason.NOT_STARTED,
        FailureReason.NOT_ISOLATED,
        FailureReason.LACK_OF_MEMORY,
    }
)
"""Ends of a run that say nothing about the metric. All others are its own: a process that runs an
organizer's code may say whatever it likes, also that the fault was ours."""

REPORT_CHARACTERS = 4000

PROCESSOR_CHARACTERS = 500

NO_REASON = "The metric gave no reason."

SHOWN_BITS = 62
"""A score has at most so many bits when it is counted in its last shown digit."""

_FLOAT = re.compile(r"-?0x[01]\.[0-9a-f]{1,13}p[+-]\d{1,4}")


@dataclass(frozen=True, slots=True)
class OwnRun:
    """The metric of a judging: its file by hash, and how it is run. `splits` are those that are
    scored before there is a verdict, or, after a public one, the private one that is still due;
    `parts` are the hashes of the solution's files by split."""

    version: int
    sha256: str
    arguments: Mapping[str, Argument]
    seconds: float
    memory_bytes: int
    numbers: tuple[str, ...]
    resamples: int
    seed: int
    parts: Mapping[str, str]
    splits: tuple[str, ...]
    decimals: int

    @property
    def is_only_private(self) -> bool:
        """True where the verdict is there, and the private score is not."""
        return self.splits == ("private",)


@dataclass(frozen=True, slots=True)
class MeasuredRun:
    """The numbers of a split, exact. `note` is for organizers, as that of the others."""

    head: TermsHead
    numbers: Mapping[str, Fraction]
    standard_error: float | None
    terms: Path | None
    note: dict[str, Any]


@dataclass(frozen=True, slots=True)
class RefusedRun:
    """The metric does not like the file, and says so to the participant."""

    text: str
    note: dict[str, Any]


@dataclass(frozen=True, slots=True)
class FailedRun:
    """The metric failed; the participant is not told why."""

    note: dict[str, Any]


def outcome_of(
    result: Result[MetricRun | Rejected], own: OwnRun, *, published: int, seconds: float
) -> MeasuredRun | RefusedRun | FailedRun:
    """The outcome of a run that ended by the metric's doing, over at most `published` rows."""
    answer = result.answer
    if not isinstance(answer, MetricRun):
        ended = result.failure or "an answer to another task"
        report = cleaned_lines(f"{ended}: {result.report}")[:REPORT_CHARACTERS]
        return FailedRun({"outcome": "failed", "report": report, "output": "", "seconds": seconds})
    note = {
        "outcome": answer.outcome,
        "report": cleaned_lines(answer.report)[-REPORT_CHARACTERS:],
        "output": cleaned_lines(answer.output)[-MOST_OUTPUT_BYTES:],
        "seconds": seconds,
        "processor": cleaned(answer.processor)[:PROCESSOR_CHARACTERS],
    }
    if answer.outcome == "refused":
        return RefusedRun(cleaned(answer.text)[:MOST_VISIBLE_CHARACTERS] or NO_REASON, note)
    if answer.outcome == "failed":
        return FailedRun(note)
    try:
        return _measured(answer, own, result.files.get(TERMS), published=published, note=note)
    except _Unusable as error:
        return FailedRun(note | {"outcome": "failed", "report": str(error)})


class _Unusable(Exception):
    """The metric's numbers are none; the text says why."""


def _measured(
    answer: MetricRun,
    own: OwnRun,
    terms: Path | None,
    *,
    published: int,
    note: dict[str, Any],
) -> MeasuredRun:
    score = _number("the score", answer.score, own)
    told = answer.numbers or {}
    if missing := [name for name in own.numbers if name not in told]:
        raise _Unusable(f"The metric told no {missing[0]}, which is one of the diagnostics.")
    numbers = {name: _number(name, told[name], own) for name in own.numbers}
    if not 1 <= answer.rows <= published:
        raise _Unusable(f"The metric told of {answer.rows} rows; {published} are published.")
    error = answer.standard_error
    if error is not None and not (math.isfinite(error) and error >= 0):
        raise _Unusable(f"The standard error is {error}.")
    count = {"rows": answer.rows, "resamples": own.resamples, "none": 0}[answer.terms]
    if answer.terms != "none" and (terms is None or terms.stat().st_size != bytes_of(count)):
        raise _Unusable(f"The terms of the {answer.terms} are missing, or not {count}.")
    head = TermsHead(str(score), answer.rows, answer.terms, count)
    return MeasuredRun(head, numbers, error, terms if count else None, note)


def _number(name: str, text: str | None, own: OwnRun) -> Fraction:
    try:
        value = float.fromhex(text) if text is not None and _FLOAT.fullmatch(text) else math.nan
    except OverflowError:
        value = math.inf
    if not math.isfinite(value):
        raise _Unusable(f"{name.capitalize()} is no finite number: {cleaned(str(text))[:100]}")
    exact = Fraction(value)
    if abs(exact) * 10**own.decimals >= 1 << SHOWN_BITS:
        raise _Unusable(f"{name.capitalize()} is {value}: too large for {own.decimals} decimals.")
    return exact


def cleaned(text: str) -> str:
    r"""Text on one line, without characters that control or hide anything.

    >>> cleaned("wrong\n\x1b[31m  column\u202e!")
    'wrong [31m column !'
    """
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def cleaned_lines(text: str) -> str:
    r"""Text in lines, without characters that control anything else.

    >>> cleaned_lines("a\tb\r\nc\x00d")
    'a\tb \nc d'
    """
    return "".join(c if c.isprintable() or c in "\n\t" else " " for c in text)
