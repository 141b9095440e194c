"""Hides a part of uploaded interactions inside the sandbox, before the labels are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl

from podium.errors import InvalidInput, lone_problem
from podium.errors.codes import ErrorCode
from podium.preparation.dataset import Dataset, Prepared
from podium.preparation.files.findings import RawFileRefused
from podium.preparation.preparing import prepare
from podium.preparation.report import PUBLIC_REPORT, write_public_report
from podium.sandbox.definitions.materials import CATALOGUE, Hiding
from podium.sandbox.registry import FileAtFault
from podium.sandbox.tasks.labels import Labels, file_at_fault
from podium.scoring.task import Objective, Task

TRUTH, LISTED = "truth.csv", "listed.csv"

SAMPLE = "sample_submission.csv"
"""The download that lists the users to answer for, with the columns of the competition."""

_OF_THE_SERVER = frozenset({"file", "drawn_by"})


def hidden(file: Path, task: Task, hiding: Hiding, to: Path) -> Labels:
    """Returns the labels of an upload, and writes the files for participants. Raises
    `FileAtFault`."""
    try:
        prepared = prepare(
            [file],
            to,
            options=hiding.options,
            key=bytes.fromhex(hiding.key),
            most_bytes=task.max_expanded_bytes,
        )
    except RawFileRefused as refused:
        raise file_at_fault(refused) from None
    except InvalidInput as wrong:
        raise _unfit(wrong.detail) from None
    data = prepared.datasets[0]
    settings = settings_for(task, data, may_fit=hiding.may_fit)
    task = _with(task, settings)
    # Replaces the written report, which is for organizers.
    write_public_report(to, prepared.report["train"])
    replace(data, labels="", published=SAMPLE).write(to)
    return Labels(
        file=_truth_of(data, task),
        task=task,
        names=[data.train, CATALOGUE, PUBLIC_REPORT, "dataset.json"],
        facts={
            "preparation": _report(prepared, hiding, settings),
            "statistics": prepared.report["train"],
        },
        listed=_listed(data),
        settings=settings or None,
        catalogue=to / CATALOGUE,
        training_users=data.settings["training_users"],
    )


def settings_for(task: Task, data: Dataset, *, may_fit: bool) -> dict[str, Any]:
    """Returns the settings that must change for these files; ids that are texts are always allowed.
    Raises `FileAtFault` (`bad-preparation`) for objectives that do not fit."""
    changes: dict[str, Any] = {}
    for setting, role in (("query_ids", "user"), ("item_ids", "item")):
        if data.kinds[role] == "string" and getattr(task, setting) == "integer":
            changes[setting] = "string"
    types, expected = list(data.objectives), [each.key or each.name for each in task.objectives]
    if len(types) == len(expected) == 1 or set(types) == set(expected):
        return changes
    if not may_fit:
        raise _unfit(_other_objectives(types, expected))
    if len(types) == 1:
        return changes | {"objectives": {types[0] or "items": 1}, "id_column": "user"}
    return changes | {"objectives": dict.fromkeys(types, 1), "id_column": "session_type"}


def _other_objectives(types: list[str], expected: list[str]) -> str:
    named = f"The setting objectives has {', '.join(expected)}"
    if types == [""]:
        return (
            f"{named}, and these interactions have no types. Set one objective, or say in which"
            " column (type) the types are."
        )
    return (
        f"{named}, and the types to predict are {', '.join(types)}. Change the setting to these, or"
        " say which types to predict (objectives)."
    )


def _with(task: Task, settings: Mapping[str, Any]) -> Task:
    """Returns the task with these settings."""
    members = dict(settings)
    if named := members.pop("objectives", None):
        first = task.objectives[0]
        is_single = len(named) == 1
        members["objectives"] = tuple(
            Objective("" if is_single else name, Decimal(weight), first.metric, name)
            for name, weight in named.items()
        )
    return replace(task, **members)


def _truth_of(data: Dataset, task: Task) -> Path:
    """Writes the labels in the long form of this task; returns the file."""
    labels = pl.read_csv(data.folder / data.labels, infer_schema=False)
    if task.names == ("",):
        # A form whose two columns are those of a submission would be mistaken for one.
        named = ("session", "aid"), ("session", "item")
        names = next(each for each in named if {*each} != {task.id_column, task.labels_column})
        user, item = ("session", "aid") if "aid" in labels.columns else ("user", "item")
        graded = [name for name in labels.columns if name == "relevance"]
        columns = {names[0]: user, names[1]: item} | {name: name for name in graded}
        labels = labels.select(pl.col(old).alias(new) for new, old in columns.items())
    file = data.folder / TRUTH
    labels.write_csv(file)
    return file


def _listed(data: Dataset) -> Path:
    """Writes the published users under the only column name that every task reads; returns the
    file."""
    users = pl.read_csv(data.folder / data.published, infer_schema=False)
    file = data.folder / LISTED
    users.select(pl.first().alias("session")).write_csv(file)
    return file


def _report(prepared: Prepared, hiding: Hiding, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the whole report, for organizers."""
    report = {name: each for name, each in prepared.report.items() if name not in _OF_THE_SERVER}
    return {
        "recipe": "interactions",
        "options": hiding.options.to_dict(),
        "settings": dict(settings),
        **report,
    }


def _unfit(detail: str) -> FileAtFault:
    return FileAtFault(lone_problem(str(ErrorCode.BAD_PREPARATION), detail) | {"line": None})
