"""Kinds of task, as values: code that depends on the kind asks the kind.

The keys stand in settings, documents and stored tasks; elsewhere no kind is named. What a file of
a kind holds, and how it is read and scored, is in `loading` and the modules that it opens.
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
        require("kinds", key, isinstance(kind, Kind) and kind.key == key, "is no kind of this key")
        require("kinds", key, not kind.has_lists, "has lists: kinds of add-ons have rows")
    return {**_OURS, **contributed("kinds")}


KINDS: Mapping[str, Kind] = Later(_all)
"""Every kind by its key, in the order in which people choose: ours, then those of add-ons."""


RECOGNIZED = (TABLES, LISTS, CANDIDATES, SCORES, RATINGS)
"""The same in the order in which they are asked whether a file is theirs: what less tells comes
later."""


DEFAULT = LISTS.key
"""The kind where none is told."""


TABLE = TABLES.key
"""The kind whose columns a file tells by itself."""


def kind_of(key: str) -> Kind:
    """The kind with this key. Of an add-on that is missing it is one that reads and judges nothing.
    Raises KeyError for any other."""
    if lack_of("kinds", key) is None:
        # Ours are there while the module of an add-on is imported.
        return _OURS[key] if key in _OURS else KINDS[key]
    return replace(TABLES, key=key, engine="", title=key, rules=())


def kind_named(name: str) -> Kind:
    """The kind that a form or another version of Podium names; the usual one where none is known
    by this name."""
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
