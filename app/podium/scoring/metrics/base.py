"""Defines the form of every metric: a frozen value with a key, a direction, bounds, and supported
tasks.

The data it is computed from depends on the form of its family: ranked lists (`ranked`), or rows
(`rows.base`).
"""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass
from typing import ClassVar, Literal

from podium.scoring.items import Need

Average = Literal["macro", "micro"]

TakesK = Literal["always", "perhaps", "never"]
"""`perhaps` where the id of a metric may omit K."""


@dataclass(frozen=True)
class Metric(ABC):
    """A measure of the quality of a submission's predictions."""

    key: ClassVar[str]
    """The name without parameter."""
    formula: ClassVar[str]
    """The computation as a sentence; `{k}` stands for K."""
    source: ClassVar[str]
    """The publication of the definition."""
    averages: ClassVar[tuple[Average, ...]] = ()
    """The averages to choose from; empty where the metric itself defines the average over
    queries."""
    takes_k: ClassVar[TakesK] = "never"
    is_bounded: ClassVar[bool] = False
    """True where a perfect answer reaches exactly 1, the maximum."""
    upper_bound: ClassVar[int | None] = None
    """The upper bound of values, reached or not; None where there is none. A class that states
    `is_bounded` has 1 by that."""
    lower_bound: ClassVar[int | None] = 0
    """The lower bound of values; None where there is none."""
    higher_is_better: ClassVar[bool] = True
    ranks: ClassVar[bool] = True
    """False where the metric never ranks teams."""
    unranked_reason: ClassVar[str] = "is best for who says nothing"
    """The reason why it never ranks teams."""
    needs: ClassVar[tuple[Need, ...]] = ()
    """Facts that the organizer's item file must contain."""
    needs_probabilities: ClassVar[bool] = False
    """True where numbers below 0 or above 1 are invalid."""

    def __init_subclass__(cls) -> None:
        """Bounds the values of a class that states that its perfect answers reach 1."""
        super().__init_subclass__()
        if vars(cls).get("is_bounded"):
            cls.upper_bound = 1

    @property
    def k(self) -> int | None:
        """The number of items or candidates that count; None where all do."""
        return None

    @property
    def name(self) -> str:
        """The name, with its parameter where it has one."""
        return self.key

    @property
    def id(self) -> str:
        """The id, which is the name unless an average is chosen."""
        return self.name

    @property
    def formula_in_full(self) -> str:
        """The formula with the parameters of this metric, and the average over queries."""
        return self.formula.format(k=self.k)
