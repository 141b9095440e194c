"""The item file of an offline command: reads it and checks that the metrics have what they need."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from podium.cli.offline.truths import unusable
from podium.cli.parameters.files import file_option
from podium.errors import NotConfigured
from podium.scoring.items import lacks
from podium.scoring.items_reading import read_item_file
from podium.scoring.metrics import metric_of
from podium.scoring.problems import FileRejected

if TYPE_CHECKING:
    from podium.scoring.items import ItemFile
    from podium.scoring.task import Task

Items = Annotated[
    Path | None,
    file_option(
        "Item file, for diagnostics beyond accuracy, such as coverage, novelty and gini: CSV"
        " or Parquet with item, perhaps users (how many had it), and any numeric features."
    ),
]
TrainingUsers = Annotated[
    int | None,
    typer.Option(
        "--training-users",
        min=1,
        max=2**31 - 1,
        help="How many users the training data have; with --items that have a column users.",
    ),
]

_WANTED = {
    "items": "--items FILE",
    "users": "--items FILE with a column users, and --training-users N",
    "features": "--items FILE with features: columns of numbers",
}


def item_file(file: Path | None, training_users: int | None, task: Task) -> ItemFile | None:
    """Returns the item file, if there is one. Raises `NotConfigured` if a metric needs more, and
    `InvalidInput` with its problems by line."""
    if file is None and training_users is not None:
        raise NotConfigured("--training-users goes with --items.")
    items = None if file is None else _read(file, training_users, task)
    for metric in map(metric_of, task.metrics):
        if missing := lacks(metric.needs, items):
            raise NotConfigured(f"{metric.name} needs {_WANTED[missing[0]]}.")
    return items


def _read(file: Path, training_users: int | None, task: Task) -> ItemFile:

    try:
        return read_item_file(file, task=task, training_users=training_users)
    except FileRejected as refusal:
        raise unusable(file, refusal, task) from None
