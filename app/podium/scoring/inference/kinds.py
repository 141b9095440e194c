"""Infers the kind of task from a ground truth and a metric, without settings, in one way for
`podium score`, `validate` and `create`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from podium.scoring.kinds import DEFAULT, KINDS, TaskKind, kind_of
from podium.scoring.metrics import kinds_of_task
from podium.scoring.task import USAGE

NUMBER_BY_ID = 2
"""The number of columns of a truth with one number, or one label, for each id."""


def kind_seen(columns: Sequence[str], settings: Mapping[str, object]) -> str:
    """Infers the kind of a sample submission or a ground truth with these columns, whose first rows
    suggest these `settings`."""
    recognized = [
        kind.key
        for kind in KINDS.values()
        if kind.telltale_column and kind.telltale_column in columns
    ]
    return recognized[0] if recognized else str(settings.get("task", DEFAULT))


def kind_scored(metric: str, columns: Sequence[str], settings: Mapping[str, object]) -> TaskKind:
    """Infers the kind of a ground truth that is scored by a metric: that of the settings where it
    supports the metric; otherwise, where a row has one id and one value, a table; otherwise the
    first that supports the metric, lists before pairs, and these before tables."""
    suited = kinds_of_task(metric) or (DEFAULT,)
    found = [kind for kind in suited if kind == settings.get("task", DEFAULT)]
    if not found and len([name for name in columns if name != USAGE]) == NUMBER_BY_ID:
        found = [kind for kind in suited if kind_of(kind).has_table]
    return (*found, *suited)[0]
