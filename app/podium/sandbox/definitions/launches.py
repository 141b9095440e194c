"""The task of probing a launch."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import ClassVar, Self

from podium.sandbox import SandboxTask
from podium.sandbox.definitions.judging import JudgingInputs
from podium.scoring.scores.extremes import Extremes


@dataclass(frozen=True, slots=True, kw_only=True)
class Probed(Extremes):
    """The outcome of a launch's probes; `refusal` says why the sample file was not accepted."""

    STATUS: ClassVar = "probed"

    sample_is_accepted: bool
    refusal: str
    undefined: str = ""
    """The metric, diagnostics included, that is undefined on a split of this truth, and why."""

    @classmethod
    def of(cls, found: Extremes, *, undefined: str) -> Self:
        """Returns the outcome of probes whose sample file was accepted."""
        members = {each.name: getattr(found, each.name) for each in fields(found)}
        return cls(sample_is_accepted=True, refusal="", undefined=undefined, **members)

    @classmethod
    def refused(cls, refusal: str, *, undefined: str = "") -> Self:
        """Returns the outcome if the sample file was refused, or no metric is defined."""
        return cls(
            perfect_is_optimal=False,
            empty_is_worst=False,
            sample_is_accepted=False,
            refusal=refusal,
            splits={},
            undefined=undefined,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe(JudgingInputs, SandboxTask[Probed]):
    """Probes a launch: the perfect file must reach the best score, the empty sample file the
    worst."""

    NAME: ClassVar = "probe"
    RESULT: ClassVar = Probed
