"""Options of a preparation: the columns, the filters, and the protocol that hides interactions."""

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
"""Units in a second, by the name of the unit."""

NONE = "-"
"""The column name that means: do not read this role."""

MOST = 2**31 - 1
"""The upper limit of all counts."""

DECIMALS = 9
"""The decimals of a share: a count times so many digits fits in 64 bits."""

ROLES = ("user", "item", "rating", "timestamp", "type")


@dataclass(frozen=True, slots=True)
class ColumnChoice:
    """Columns by name or by position (from 1); "" to infer one by its name, `-` for none."""

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
    `days` or `at` set the start of the test period. `objectives` map types to the labels that
    count.
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
        """Yields for each rule whether it is broken, with a sentence about it."""
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
        """The share as the exact decimal fraction that was given, without the error of a binary
        one."""
        return Fraction(str(self.share))

    @property
    def needs_times(self) -> bool:
        """True where the protocol or an objective depends on the order of interactions in time."""
        by_time = self.protocol == "time" or (self.protocol != "k-fold" and self.pick == "last")
        return by_time or "next" in self.objectives.values()

    def told(self) -> dict[str, Any]:
        """JSON-ready; the key is not part of it."""
        return asdict(self) | {"objectives": dict(self.objectives)}


@dataclass(frozen=True, slots=True)
class CutOptions:
    """Options of the protocol `otto`, which turns whole sessions into a dataset: those of the last
    `days` are cut, each at a position of its own.

    Files have OTTO's format, with events of these `types`, or are clickstreams with such `columns`.
    `scopes` define for types whether the next event counts or all later ones.
    """

    days: float | None = 7
    columns: Columns | None = None
    types: tuple[str, ...] = TYPES
    scopes: Mapping[str, Scope] = field(default_factory=dict)
    container: Container = "plain"
