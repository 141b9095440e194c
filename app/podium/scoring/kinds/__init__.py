"""Kinds of task, as values: code that depends on the kind asks the kind.

The keys stand in settings, documents and stored tasks; elsewhere no kind is named. What a file of
a kind holds, and how it is read and scored, is in `loading` and the modules that it opens.
"""

from __future__ import annotations

from collections.abc import Mapping

from podium.scoring.kinds.kind import TASK_KINDS, Kind, TaskKind, WithIds
from podium.scoring.kinds.label_sets import LABEL_SETS
from podium.scoring.kinds.lists import LISTS
from podium.scoring.kinds.pairs import CANDIDATES, RATINGS, SCORES
from podium.scoring.kinds.tables import TABLES

KINDS: Mapping[str, Kind] = {
    kind.key: kind for kind in (LISTS, RATINGS, SCORES, CANDIDATES, TABLES, LABEL_SETS)
}
"""Every kind by its key, in the order in which people choose."""


RECOGNIZED = (TABLES, LISTS, CANDIDATES, SCORES, RATINGS)
"""The same in the order in which they are asked whether a file is theirs: what less tells comes
later."""


DEFAULT = LISTS.key
"""The kind where none is told."""


TABLE = TABLES.key
"""The kind whose columns a file tells by itself."""


def kind_of(key: str) -> Kind:
    """The kind with this key. Raises KeyError for any other."""
    return KINDS[key]


def kind_named(name: str) -> Kind:
    """The kind that a form or another version of Podium names; the usual one where none is known
    by this name."""
    return KINDS.get(name, LISTS)


__all__ = [
    "DEFAULT",
    "KINDS",
    "RECOGNIZED",
    "TABLE",
    "TASK_KINDS",
    "Kind",
    "TaskKind",
    "WithIds",
    "kind_named",
    "kind_of",
]
