"""Interactions as an organizer's upload: the sandbox hides some of them as labels and makes of the
others what participants get. Here is what may be asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, get_args

from podium.core.competition_settings import CompetitionSettings
from podium.errors import InvalidInput
from podium.errors.codes import ErrorCode
from podium.otto.jsonl import Scope
from podium.preparation.options import (
    ROLES,
    ColumnChoice,
    Duplicates,
    Format,
    Options,
    Pick,
    Protocol,
    TimeUnit,
)

RECIPE = "interactions"

PROTOCOLS = tuple(name for name in get_args(Protocol) if name != "k-fold")
"""Those that make one division: a competition has one training set."""

CHOICES: Mapping[str, tuple[str, ...]] = {
    "protocol": PROTOCOLS,
    "pick": get_args(Pick),
    "duplicates": get_args(Duplicates),
    "cold_items": ("keep", "drop"),
    "time_unit": get_args(TimeUnit),
    "format": get_args(Format),
}
"""The words that an option may be."""

LONGEST_NAME = 128
"""Characters of the name of a column."""

_OF_SOURCE = ("separator", "header", "time_unit")


@dataclass(frozen=True, slots=True)
class InteractionRecipe:
    """The rules by which interactions are prepared."""

    options: Options

    def stored(self) -> dict[str, Any]:
        """The rules as a version keeps them."""
        return {"recipe": RECIPE, **self.options.told()}

    @classmethod
    def from_stored(cls, stored: Mapping[str, Any]) -> InteractionRecipe:
        """Inverse of `stored`."""
        kept = {each.name: stored[each.name] for each in fields(Options)}
        return cls(Options(**kept | {"source": ColumnChoice(**stored["source"])}))


def recipe_of(given: Mapping[str, Any]) -> InteractionRecipe:
    """The rules that a request names, by the names of the API. Raises `InvalidInput`
    (`bad-preparation`)."""
    for name, known in CHOICES.items():
        if given[name] not in known:
            raise _bad(f"{name} is {', '.join(known[:-1])} or {known[-1]}.")
    columns = {"timestamp" if name == "time" else name: given[name] for name in COLUMNS}
    for name, value in columns.items():
        if len(value) > LONGEST_NAME:
            raise _bad(f"{name} names a column in at most {LONGEST_NAME} characters.")
    separator = _separator(given["separator"])
    source = {name: given[name] for name in _OF_SOURCE} | columns | {"separator": separator}
    members = {each.name: given[each.name] for each in fields(Options) if each.name in given}
    members |= {
        "source": ColumnChoice(**source),
        "objectives": _objectives(given["objectives"]),
    }
    try:
        return InteractionRecipe(Options(**members))
    except InvalidInput as wrong:
        raise _bad(wrong.detail) from None


COLUMNS = tuple("time" if role == "timestamp" else role for role in ROLES)
"""The parameters that name columns."""


def may_fit(settings: CompetitionSettings, earlier: Sequence[Mapping[str, Any]]) -> bool:
    """True where objectives and the id column are those that a draft begins with, or that an
    `earlier` preparation has set: they may become those that a file asks for."""
    if settings.objective_metrics:
        return False
    untouched = CompetitionSettings()
    known = [(untouched.objectives, untouched.id_column)]
    for summary in earlier:
        fitted = (summary.get("preparation") or {}).get("settings") or {}
        if "objectives" in fitted:
            known.append((fitted["objectives"], fitted["id_column"]))
    return (settings.objectives, settings.id_column) in known


def _separator(told: str | None) -> str | None:
    """The sign between fields: tab, `::`, or another one of ASCII. None: the file tells."""
    separator = {"tab": "\t", "\\t": "\t"}.get(told or "", told or None)
    if separator in (None, "\t", "::"):
        return separator
    if len(separator) != 1 or not separator.isascii() or not separator.isprintable():
        raise _bad("separator is one character, tab, or ::.")
    if separator.isalnum() or separator in "\"'.-":
        raise _bad("separator is no letter, digit, quote, dot or hyphen.")
    return separator


def _objectives(told: str) -> dict[str, Scope]:
    """Types and the labels that count, as `view=next,order=all`."""
    found: dict[str, Scope] = {}
    for each in filter(None, map(str.strip, told.split(","))):
        name, _, scope = each.rpartition("=")
        if scope not in ("next", "all") or name in found:
            raise _bad("objectives is TYPE=next or TYPE=all, with commas between, each type once.")
        found[name] = "next" if scope == "next" else "all"
    return found


def _bad(detail: str) -> InvalidInput:
    return InvalidInput(detail, code=ErrorCode.BAD_PREPARATION)
