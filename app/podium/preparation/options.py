"""The choices of a preparation: where the columns are, what is kept, what is hidden."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any, Literal

from podium.errors import InvalidInput
from podium.otto.jsonl import Scope
from podium.otto.shape import TYPES
from podium.preparation.clickstreams import Columns
from podium.preparation.files.text import Container

Protocol = Literal["leave-one-out", "leave-k-out", "share", "time", "k-fold"]
Pick = Literal["last", "random"]
Duplicates = Literal["last", "first", "max", "sum", "refuse"]
TimeUnit = Literal["auto", "s", "ms", "us", "ns", "iso"]
Format = Literal["parquet", "csv"]

UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
"""A second in each unit of time."""

NONE = "-"
"""The name of a column that shall not be read."""

MOST = 2**31 - 1
"""The largest of all counts."""

DECIMALS = 9
"""The decimals of a share: a count times so many digits is a number of 64 bits."""

ROLES = ("user", "item", "rating", "timestamp", "type")


@dataclass(frozen=True, slots=True)
class ColumnChoice:
    """Columns by name or by position (from 1); "" for a guess by name, `-` for none."""

    user: str = ""
    item: str = ""
    rating: str = ""
    timestamp: str = ""
    type: str = NONE
    separator: str | None = None
    header: bool | None = None
    time_unit: TimeUnit = "auto"


@dataclass(frozen=True, slots=True)
class Options:
    """The rules by which one file becomes a dataset.

    `share` is of a user's interactions with the protocol `share`, and of all with `time`, unless
    `days` or `at` say where test time begins. `objectives` map types to the labels that count.
    """

    source: ColumnChoice = field(default_factory=ColumnChoice)
    threshold: float | None = None
    relevance: bool = False
    duplicates: Duplicates = "last"
    min_user: int = 1
    min_item: int = 1
    protocol: Protocol = "leave-one-out"
    pick: Pick = "last"
    count: int = 1
    share: float = 0.2
    days: float | None = None
    at: str | None = None
    folds: int = 5
    min_train: int = 1
    test_users: int | None = None
    cold_items: Literal["keep", "drop"] = "keep"
    objectives: Mapping[str, Scope] = field(default_factory=dict)
    format: Format = "parquet"

    def __post_init__(self) -> None:
        for wrong, detail in self._rules():
            if wrong:
                raise InvalidInput(detail)

    def _rules(self) -> Iterator[tuple[bool, str]]:
        """True for each rule that is broken, with a sentence about it."""
        for name in ("min_user", "min_item", "min_train", "count", "test_users"):
            number = getattr(self, name)
            told = f"{name.replace('_', '-')}: 1 or more, and at most {MOST:,}."
            yield number is not None and not 1 <= number <= MOST, told
        yield not 0 < self.share < 1, "share: more than 0 and less than 1, such as 0.2."
        digits = self.exact_share.denominator > 10**DECIMALS
        yield digits, f"share: at most {DECIMALS} decimals."
        yield not 2 <= self.folds <= MOST, f"folds: 2 or more, and at most {MOST:,}."
        yield not math.isfinite(self.threshold or 0), "threshold: a finite number."
        days, at = self.days is not None, self.at is not None
        yield days and not 0 < (self.days or 0) < math.inf, "days: more than 0."
        yield days and at, "Test time begins where days or at say: give one of them."
        by_time = self.protocol == "time"
        yield (days or at) and not by_time, "days and at go with the protocol time."
        single = self.protocol == "leave-one-out" and self.count != 1
        yield single, "leave-one-out hides one interaction; leave-k-out hides more."
        fitting = not self.objectives or (self.source.type == NONE) == (
            set(self.objectives) == {""}
        )
        yield not fitting, "Objectives are types of interactions: say which column has them."

    @property
    def exact_share(self) -> Fraction:
        """The share as it was written, without the error of a binary fraction."""
        return Fraction(str(self.share))

    @property
    def needs_times(self) -> bool:
        """True where the protocol or an objective asks what came last, or next."""
        by_time = self.protocol == "time" or (self.protocol != "k-fold" and self.pick == "last")
        return by_time or "next" in self.objectives.values()

    def told(self) -> dict[str, Any]:
        """JSON-ready: everything but the key."""
        return asdict(self) | {"objectives": dict(self.objectives)}


@dataclass(frozen=True, slots=True)
class CutOptions:
    """The rules of the protocol `otto`, by which whole sessions become a dataset: those of the last
    `days` are cut, each at a place of its own.

    Files have OTTO's form, with events of these `types`, or are clickstreams with such `columns`.
    `scopes` say of types whether the next event counts or all later ones.
    """

    days: float | None = 7
    columns: Columns | None = None
    types: tuple[str, ...] = TYPES
    scopes: Mapping[str, Scope] = field(default_factory=dict)
    container: Container = "plain"
