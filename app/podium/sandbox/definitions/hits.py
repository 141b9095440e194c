"""The tasks about stored hits: comparing submissions, and taking scores apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from podium.sandbox import SandboxTask
from podium.scoring.task import Task


@dataclass(frozen=True, slots=True, kw_only=True)
class HitsRef:
    """Hits of judged submissions, and what they were judged against."""

    hits: tuple[Path, ...]
    task: Task
    published: Path
    truth: Path
    truth_sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """Submissions beside each other, by split, as `scoring.analysis.comparison` makes it."""

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
    """Ties of all submissions but the first: true where the score could as well be the first
    one's."""

    STATUS: ClassVar = "compared"

    ties: tuple[bool, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FindTies(SandboxTask[TiesFound]):
    """Finds the submissions that do not differ from the first."""

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
    """Finds how uncertain the difference of the public scores of two submissions is."""

    NAME: ClassVar = "find-error"
    RESULT: ClassVar = ErrorFound

    judged: HitsRef


@dataclass(frozen=True, slots=True, kw_only=True)
class Segmented:
    """The score by segments, as `scoring.analysis.segments` makes it."""

    STATUS: ClassVar = "segmented"

    segments: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeApart(SandboxTask[Segmented]):
    """Takes the score of the only submission apart."""

    NAME: ClassVar = "segments"
    RESULT: ClassVar = Segmented

    judged: HitsRef
    sessions: Path | None = None
    items: Path | None = None
    items_sha256: str | None = None
