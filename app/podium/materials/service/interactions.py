"""Interactions as an organizer's upload: the sandbox hides some of them as labels and makes of the
others what participants get. Here is what may be asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from podium.core.competition_settings import CompetitionSettings
from podium.errors import InvalidInput
from podium.errors.codes import ErrorCode
from podium.preparation.options import (
    OPTIONS,
    ROLES,
    ColumnChoice,
    Options,
    require_used,
    scopes_named,
)

RECIPE = "interactions"

PARAMETERS = {name: option for name, option in OPTIONS.items() if name != "folds"}
"""The options that a request has."""

CHOICES = {name: option.choices for name, option in PARAMETERS.items() if option.choices}
"""The words that an option may be."""

# A competition has one training set, and folds make several.
CHOICES["protocol"] = tuple(name for name in CHOICES["protocol"] if name != "k-fold")

LONGEST_NAME = 128
"""Characters of the name of a column."""


@dataclass(frozen=True, slots=True)
class InteractionRecipe:
    """The rules by which interactions are prepared."""

    options: Options

    def stored(self) -> dict[str, Any]:
        """The rules as a version keeps them."""
        return {"recipe": RECIPE, **self.options.to_dict()}

    @classmethod
    def from_stored(cls, stored: Mapping[str, Any]) -> InteractionRecipe:
        """Restores the recipe from the document that `stored` returned."""
        kept = {each.name: stored[each.name] for each in fields(Options) if each.name in stored}
        return cls(Options(**kept | {"source": ColumnChoice(**stored["source"])}))


def recipe_of(given: Mapping[str, Any]) -> InteractionRecipe:
    """The rules that a request names, by the names of the API. Raises `InvalidInput`
    (`bad-preparation`)."""
    for name, known in CHOICES.items():
        if given[name] not in known:
            raise _bad(f"{name} is {', '.join(known[:-1])} or {known[-1]}.")
    for name in COLUMNS:
        if len(given[name]) > LONGEST_NAME:
            raise _bad(f"{name} names a column in at most {LONGEST_NAME} characters.")
    changed = [name for name, option in PARAMETERS.items() if given[name] != option.default]
    members = {PARAMETERS[name].field: value for name, value in given.items()}
    members["separator"] = given["separator"] or None
    columns = {each.name: members.pop(each.name) for each in fields(ColumnChoice)}
    objectives = filter(None, map(str.strip, given["objectives"].split(",")))
    try:
        source = ColumnChoice(**columns)
        _check_separator(source.separator)
        members |= {"source": source, "objectives": scopes_named(objectives)}
        recipe = InteractionRecipe(Options(**members))
        require_used(given["protocol"], changed)
    except InvalidInput as wrong:
        raise _bad(wrong.detail) from None
    return recipe


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


def _check_separator(sign: str | None) -> None:
    """Refuses a sign that may be a part of a field."""
    if sign in (None, "\t", "::"):
        return
    if not sign.isprintable():
        raise _bad("separator is one character, tab, or ::.")
    if sign.isalnum() or sign in "\"'.-":
        raise _bad("separator is not a letter, digit, quote, dot or hyphen.")


def _bad(detail: str) -> InvalidInput:
    return InvalidInput(detail, code=ErrorCode.BAD_PREPARATION)
