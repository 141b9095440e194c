"""The task of trying a launch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from podium.sandbox import SandboxTask
from podium.scoring.task import Task


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbedSplit:
    """Scores as texts `p/q`: `random` is what guesses among all labelled items would score, and
    `standard_error` that of a file with every other label."""

    perfect: str
    optimum: str
    empty: str
    random: str
    standard_error: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Probed:
    """The outcome of a launch's probes; `refusal` says why the sample file was not accepted.

    For pairs `random` is what random numbers have scored, `standard_error` that of it, and
    `told_by_place` how well the order of the published pairs alone tells those that are relevant,
    as an AUC: of all pairs of a split, or of those of each query.
    """

    STATUS: ClassVar = "probed"

    perfect_is_optimal: bool
    empty_is_worst: bool
    sample_is_accepted: bool
    refusal: str
    splits: Mapping[str, ProbedSplit]
    place_matters: bool = False
    """True where the same rows in another order have another score."""
    told_by_place: float | None = None
    undefined: str = ""
    """The metric, diagnostics included, that has no value on a split of these pairs, and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe(SandboxTask[Probed]):
    """Tries a launch: the perfect file must reach the optimum, the empty sample file the worst."""

    NAME: ClassVar = "probe"
    RESULT: ClassVar = Probed

    task: Task
    published: Path
    truth: Path
    truth_sha256: str
