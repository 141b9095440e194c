"""The module `podium_metric` of custom metrics.

>>> Result(0.5, numbers={"coverage": 0.9}).score
0.5
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


class ParticipantVisibleError(Exception):
    """Refuses a submission; its text is shown to the participant."""


@dataclass(frozen=True)
class Result:
    """The answer of a function `score`: the `score` that ranks, further `numbers` by name, and
    perhaps one number for each row of the solution, in its order, whose mean is the score."""

    score: float
    numbers: Mapping[str, float] = field(default_factory=dict)
    per_row: Any = None
