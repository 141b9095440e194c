"""Sentences about columns of a submission that no option and no settings have named."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from podium.cli.offline.beginnings import head_of, names_in, table_head
from podium.cli.offline.guessed.tables import task_of_table
from podium.errors import NotConfigured

if TYPE_CHECKING:
    from podium.scoring.task import Task

NO_NAMES = ("", "index", "Unnamed: 0")
"""Names of columns that a program has added."""


def columns_noted(submission: Path, truth: Path, task: Task) -> str | None:
    """A sentence where a submission was taken with columns that a competition made from its ground
    truth, with the settings guessed from that, would refuse; None where it would take them."""
    asked = _asked_of_table(truth, task) if task.is_of_tables else _asked_of_lists(truth, task)
    # A TREC run has no header.
    if asked in (None, task.columns) or set(names_in(head_of(submission))) != set(task.columns):
        return None
    return (
        f"Columns were taken as {','.join(task.columns)}; a competition made from {truth} asks for"
        f" {','.join(asked or ())}."
    )


def _asked_of_lists(truth: Path, task: Task) -> tuple[str, ...] | None:
    if task.names != ("",) or task.kind != "ranking":
        return None
    head = table_head(truth)
    # Only where a row holds one item are the columns those of the submission.
    if not head.is_long or head.settings.get("task") == "rating":
        return None
    id_column = head.settings.get("id_column", head.columns[0])
    return (str(id_column), str(head.settings.get("labels_column", "labels")))


def _asked_of_table(truth: Path, task: Task) -> tuple[str, ...] | None:
    from podium.scoring.task import USAGE

    if set(names_in(head_of(truth))) - {USAGE} == set(task.columns):
        return None
    return task_of_table(truth, list(task.metrics)).columns


def hint_at_columns(submission: Path, problem: dict[str, Any], task: Task) -> str | None:
    """A sentence about the option by which the columns of a table would be taken that was refused
    for these; None where they are no choice of anybody's."""
    if "header-mismatch" not in {each["code"] for each in problem["errors"]}:
        return None
    try:
        names = names_in(head_of(submission))
    except NotConfigured:
        return None
    is_choice = task.id_column in names and len(set(names)) == len(names) > 1
    if not is_choice or any(name in NO_NAMES for name in names):
        return None
    return f"If its columns are meant, --columns {','.join(names)} takes them."
