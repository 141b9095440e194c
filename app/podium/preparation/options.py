"""Options of a preparation: the columns, the filters, and the protocol that hides interactions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal, TypeVar

import polars as pl

from podium.errors import InvalidInput
from podium.otto.jsonl import Scope
from podium.otto.shape import TYPES
from podium.preparation.clickstreams import Columns
from podium.preparation.described import About, DescribedOption, described_options
from podium.preparation.files.text import Container

Protocol = Literal["leave-one-out", "leave-k-out", "share", "time", "k-fold"]
Pick = Literal["last", "random"]
Rounding = Literal["down", "up"]
Duplicates = Literal["last", "first", "max", "sum", "refuse"]
TimeUnit = Literal["auto", "s", "ms", "us", "ns", "iso"]
Format = Literal["parquet", "csv"]

Counts = TypeVar("Counts", int, pl.Series)
"""A count, or a series of counts."""

UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
"""Units in a second, by the name of the unit."""

NONE = "-"
"""The column name that means: do not read this role."""

MOST = 2**31 - 1
"""The upper limit of all counts."""

DECIMALS = 9
"""The decimals of a share: a count times so many digits fits in 64 bits."""

ROLES = ("user", "item", "rating", "timestamp", "type")


_BY_NAME, _NONE = "; else known by its name", "; - for none"


def _column(of: str, more: str, name: str = "") -> About:
    meaning = f"Column of the {of}: its name or, from 1, its position{more}."
    return About(meaning, name=name, metavar="COLUMN")


@dataclass(frozen=True)
class ColumnChoice:
    """Columns by name or by position (from 1); "" to infer one by its name, `-` for none. Raises
    `InvalidInput` for a separator of several signs."""

    panel: ClassVar = "Columns"

    user: Annotated[str, _column("users", f"{_BY_NAME}, as userId")] = ""
    item: Annotated[str, _column("items", f"{_BY_NAME}, as movieId")] = ""
    rating: Annotated[str, _column("ratings", _BY_NAME + _NONE)] = ""
    timestamp: Annotated[str, _column("times", _BY_NAME + _NONE, "time")] = ""
    type: Annotated[str, _column("types, such as view and order", _NONE)] = NONE
    separator: Annotated[
        str | None, About("Between fields, as ; or tab; else the first line tells.")
    ] = None
    header: Annotated[
        bool | None,
        About("The first line names the columns; else told by whether it has numbers."),
    ] = None
    time_unit: Annotated[
        TimeUnit,
        About("Times in seconds or finer units since 1970, or as dates; else told by their size."),
    ] = "auto"

    def __post_init__(self) -> None:
        sign = {"tab": "\t", "\\t": "\t"}.get(self.separator or "", self.separator)
        if sign not in (None, "::") and len(sign.encode()) != 1:
            raise InvalidInput("separator is one character, tab, or ::.")
        object.__setattr__(self, "separator", sign)


@dataclass(frozen=True)
class HidingRules:
    """The interactions that are hidden.

    `share` is of a user's interactions with the protocol `share`, and of all with `time`, unless
    `days` or `at` set the start of the test period.
    """

    panel: ClassVar = "What is hidden"

    protocol: Annotated[
        Protocol,
        About(
            "Hide one interaction of each user, a count or a share of them; all after a moment;"
            " or, at home, each interaction in one of several folds."
        ),
    ] = "leave-one-out"
    pick: Annotated[Pick, About("Which interactions of a user are hidden.")] = "last"
    count: Annotated[
        int, About("With leave-k-out: how many of each user.", least=1, letter="k")
    ] = 1
    share: Annotated[
        float,
        About(
            "With share: of each user's interactions, but one at least. With time: the latest share"
            " of all."
        ),
    ] = 0.2
    rounding: Annotated[Rounding, About("Of shares that are not a whole number.")] = "down"
    days: Annotated[float | None, About("With time: hide the last days.")] = None
    at: Annotated[
        str | None,
        About("With time: hide all from this moment on, a date or a number as in the file."),
    ] = None
    folds: Annotated[int, About("With k-fold: how many.")] = 5
    min_train: Annotated[
        int,
        About("Nothing is hidden of users who would keep fewer interactions than this.", least=1),
    ] = 1
    test_users: Annotated[
        int | None, About("Hide interactions of this many users only.", least=1)
    ] = None
    cold_items: Annotated[
        Literal["keep", "drop"], About("Labels of items that the training set lacks.")
    ] = "keep"


@dataclass(frozen=True)
class KeepingRules:
    """The interactions that are kept."""

    panel: ClassVar = "What is kept"

    threshold: Annotated[float | None, About("Drop interactions rated lower, as 4.")] = None
    relevance: Annotated[bool, About("Labels keep the rating as their relevance.")] = False
    duplicates: Annotated[
        Duplicates,
        About(
            "Of a user's interactions with the same item: keep the last or first, the best rated,"
            " or one with the sum of ratings (without ratings, their count)."
        ),
    ] = "last"
    min_user: Annotated[
        int,
        About(
            "Drop users with fewer interactions, and again until none is left (k-core).", least=1
        ),
    ] = 1
    min_item: Annotated[int, About("The same for items.", least=1)] = 1


TrainingFormat = Annotated[Format, About("The form of the training set.")]


@dataclass(frozen=True)
class Options(KeepingRules, HidingRules):
    """The rules by which one file becomes a dataset. `objectives` map types to the labels that
    count. Raises `InvalidInput` for what does not fit together."""

    objectives: Annotated[
        Mapping[str, Scope],
        About(
            "Types to predict, as view=next,order=all: the next one, or all later ones; else all"
            " types, all later ones."
        ),
    ] = field(default_factory=dict)
    source: ColumnChoice = field(default_factory=ColumnChoice)
    format: TrainingFormat = "parquet"

    def __post_init__(self) -> None:
        for wrong, detail in self._rules():
            if wrong:
                raise InvalidInput(detail)

    def _rules(self) -> Iterator[tuple[bool, str]]:
        """Yields for each rule whether it is broken, with a sentence about it."""
        for name, option in OPTIONS.items():
            number, least = getattr(self, name, None), option.about.least
            if number is not None and least is not None:
                detail = f"{name.replace('_', '-')}: {least} or more, and at most {MOST:,}."
                yield not least <= number <= MOST, detail
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

    def shared(self, count: Counts) -> Counts:
        """Computes the share of so many interactions, rounded to a whole number."""
        share = self.exact_share
        more = share.denominator - 1 if self.rounding == "up" else 0
        return (count * share.numerator + more) // share.denominator

    @property
    def needs_times(self) -> bool:
        """True where the protocol or an objective depends on the order of interactions in time."""
        by_time = self.protocol == "time" or (self.protocol != "k-fold" and self.pick == "last")
        return by_time or "next" in self.objectives.values()

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; the key is not part of it, nor is rounding where it is the usual one, so that
        files are the same bytes as those of versions without the option."""
        document = asdict(self) | {"objectives": dict(self.objectives)}
        if self.rounding == "down":
            del document["rounding"]
        return document


OPTIONS: Mapping[str, DescribedOption] = {each.name: each for each in described_options(Options)}
"""All options by their names for users."""

_GOES_WITH: Mapping[str, tuple[Protocol, ...]] = {
    "count": ("leave-k-out", "leave-one-out"),
    "share": ("share", "time"),
    "rounding": ("share", "time"),
    "folds": ("k-fold",),
}
"""The protocols that look at an option."""


def require_used(protocol: str, given: Iterable[str]) -> None:
    """Raises `InvalidInput` for the first of the `given` options, by their names for users, that
    the protocol would ignore."""
    for name in given:
        meant = _GOES_WITH.get(name, (protocol,))
        if protocol not in meant:
            raise InvalidInput(
                f"{name} goes with the protocol {' or '.join(meant)}, and not with {protocol}."
            )


MOST_DAYS = 1_000_000
"""The upper limit of days: so many milliseconds fit in 64 bits."""

TestDays = Annotated[
    float, About("Sessions that start in the last days are the test set.", least=0.0)
]


@dataclass(frozen=True)
class CutOptions:
    """Options of the protocol `otto`, which turns whole sessions into a dataset: those of the last
    `days` are cut, each at a position of its own.

    Files have OTTO's format, with events of these `types`, or are clickstreams with such `columns`.
    `scopes` define for types whether the next event counts or all later ones. Raises `InvalidInput`
    for days that are too many.
    """

    days: TestDays = 7
    columns: Columns | None = None
    types: tuple[str, ...] = TYPES
    scopes: Mapping[str, Scope] = field(default_factory=dict)
    container: Container = "plain"

    def __post_init__(self) -> None:
        if not 0 <= self.days <= MOST_DAYS:
            raise InvalidInput(f"days: 0 or more, and at most {MOST_DAYS:,}.")


def scopes_named(given: Iterable[str]) -> dict[str, Scope]:
    """Parses objectives, each as TYPE=next or TYPE=all. Raises `InvalidInput`."""
    found: dict[str, Scope] = {}
    for each in given:
        name, _, scope = each.rpartition("=")
        if scope not in ("next", "all") or name in found:
            raise InvalidInput(
                f"Objectives are TYPE=next or TYPE=all, each type once, and not {each}."
            )
        found[name] = "next" if scope == "next" else "all"
    return found
