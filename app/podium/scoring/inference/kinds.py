"""The kind of task that a ground truth and a metric mean, where no settings name it: one answer for
`podium score`, `validate` and `create`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from podium.scoring.kinds import DEFAULT, KINDS, TaskKind, kind_of
from podium.scoring.metrics import kinds_of_task
from podium.scoring.task import USAGE

NUMBER_BY_ID = 2
"""The columns of a truth that has one number, or one label, for each id."""


def kind_seen(columns: Sequence[str], settings: Mapping[str, object]) -> str:
    """The kind that a sample submission or a ground truth with these columns seems to be of, whose
    first rows ask for these `settings`."""
    told = [kind.key for kind in KINDS.values() if kind.told_by and kind.told_by in columns]
    return told[0] if told else str(settings.get("task", DEFAULT))


def kind_scored(metric: str, columns: Sequence[str], settings: Mapping[str, object]) -> TaskKind:
    """The same of a ground truth that is scored by a metric: that of the settings where the metric
    suits it; else, where a row has one id and one value, a table; else the first that the metric
    suits, lists before pairs, and these before tables."""
    suited = kinds_of_task(metric) or (DEFAULT,)
    found = [kind for kind in suited if kind == settings.get("task", DEFAULT)]
    if not found and len([name for name in columns if name != USAGE]) == NUMBER_BY_ID:
        found = [kind for kind in suited if kind_of(kind).has_table]
    return (*found, *suited)[0]
