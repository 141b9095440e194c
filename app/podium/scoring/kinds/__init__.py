"""Defines the kinds of task as values: code that depends on the kind uses its properties.

The keys occur in settings, documents and stored tasks; other code names no kind. The contents of
its files, and their reading and scoring, are in `scoring.engine` and the modules that it imports.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from podium.add_ons import Later, contributed, lack_of, require
from podium.scoring.kinds.kind import Kind, TaskKind, WithIds
from podium.scoring.kinds.label_sets import LABEL_SETS
from podium.scoring.kinds.lists import LISTS
from podium.scoring.kinds.pairs import CANDIDATES, RATINGS, SCORES
from podium.scoring.kinds.tables import TABLES

_OURS = {kind.key: kind for kind in (LISTS, RATINGS, SCORES, CANDIDATES, TABLES, LABEL_SETS)}


def _all() -> Mapping[str, Kind]:
    for key, kind in contributed("kinds").items():
        require(
            "kinds", key, isinstance(kind, Kind) and kind.key == key, "is not a kind of this key"
        )
        require("kinds", key, not kind.has_lists, "has lists: kinds of add-ons have rows")
    return {**_OURS, **contributed("kinds")}


KINDS: Mapping[str, Kind] = Later(_all)
"""Every kind by its key, in the order in which users choose: built-in ones, then those of
add-ons."""


RECOGNIZED = (TABLES, LISTS, CANDIDATES, SCORES, RATINGS)
"""The built-in kinds in the order in which they try to recognize a file: those with weaker criteria
come later."""


DEFAULT = LISTS.key
"""The kind where none is given."""


TABLE = TABLES.key
"""The kind whose columns are inferred from a file."""


def kind_of(key: str) -> Kind:
    """Finds the kind with this key. For an add-on that is missing it is one that reads and judges
    nothing. Raises KeyError for any other."""
    if lack_of("kinds", key) is None:
        # Built-in kinds are available while the module of an add-on is imported.
        return _OURS[key] if key in _OURS else KINDS[key]
    return replace(TABLES, key=key, engine="", title=key, rules=())


def kind_named(name: str) -> Kind:
    """Finds the kind by its name in a form or another version of Podium; the default one where the
    name is unknown."""
    try:
        return kind_of(name)
    except KeyError:
        return LISTS


__all__ = [
    "DEFAULT",
    "KINDS",
    "RECOGNIZED",
    "TABLE",
    "Kind",
    "TaskKind",
    "WithIds",
    "kind_named",
    "kind_of",
]
