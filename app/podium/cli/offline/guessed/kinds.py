"""The kind of task that a ground truth and a metric mean, where no settings name it: one answer for
`podium score`, `validate` and `create`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from podium.errors import NotConfigured

if TYPE_CHECKING:
    from podium.scoring.task import TaskKind

NUMBER_BY_ID = 2
"""The columns of a truth that has one number, or one label, for each id."""


def task_kind(
    metric: str, columns: Sequence[str], settings: Mapping[str, object], average: str | None = None
) -> TaskKind:
    """The kind of task of a truth with these columns, whose first rows ask for these `settings`:
    that of the settings where the metric suits it; else, where a row has one id and one value, a
    table; else the first that the metric suits, lists before pairs, and these before tables."""
    from podium.scoring.metrics import kinds_of_task
    from podium.scoring.task import USAGE

    suited = kinds_of_task(metric) or ("ranking",)
    if average is not None:
        if "ranking" not in suited:
            raise NotConfigured(f"--average: {metric} has none to choose.")
        return "ranking"
    told = settings.get("task", "ranking")
    for kind in suited:
        if kind == told:
            return kind
    own = [name for name in columns if name != USAGE]
    return "table" if "table" in suited and len(own) == NUMBER_BY_ID else suited[0]
