"""The tasks about stored hits: comparing submissions, and scores by segments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from podium.sandbox import SandboxTask
from podium.sandbox.definitions.judging import JudgingInputs


@dataclass(frozen=True, slots=True, kw_only=True)
class HitsRef(JudgingInputs):
    """Hits of judged submissions, and the ids and the truth that they were judged against."""

    hits: tuple[Path, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """Submissions compared with each other, by split, as `scoring.analysis.comparison` returns
    it."""

    STATUS: ClassVar = "compared"

    splits: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compare(SandboxTask[Compared]):
    """Compares submissions by their hits."""

    NAME: ClassVar = "compare"
    RESULT: ClassVar = Compared

    judged: HitsRef


@dataclass(frozen=True, slots=True, kw_only=True)
class TiesFound:
    """For all submissions but the first, true if it is tied with the first."""

    STATUS: ClassVar = "compared"

    ties: tuple[bool, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FindTies(SandboxTask[TiesFound]):
    """Finds the submissions whose score does not differ significantly from the first one's."""

    NAME: ClassVar = "find-ties"
    RESULT: ClassVar = TiesFound

    judged: HitsRef
    split: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorFound:
    """The standard error of the difference of two public scores; None where there is none."""

    STATUS: ClassVar = "compared"

    standard_error: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FindError(SandboxTask[ErrorFound]):
    """Computes the standard error of the difference of two submissions' public scores."""

    NAME: ClassVar = "find-error"
    RESULT: ClassVar = ErrorFound

    judged: HitsRef


@dataclass(frozen=True, slots=True, kw_only=True)
class Segmented:
    """The score by segments, as `scoring.analysis.segments` returns it."""

    STATUS: ClassVar = "segmented"

    segments: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeApart(SandboxTask[Segmented]):
    """Computes the score of the only submission by segments."""

    NAME: ClassVar = "segments"
    RESULT: ClassVar = Segmented

    judged: HitsRef
    sessions: Path | None = None
    items: Path | None = None
    items_sha256: str | None = None
