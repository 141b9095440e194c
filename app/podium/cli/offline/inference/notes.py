"""Sentences about inferred settings: columns of a submission, and items that a program has
changed."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from podium.cli.offline.described import dataset_settings
from podium.cli.offline.inference.file_heads import head_of, is_long, table_head
from podium.cli.offline.inference.tables import task_of_table
from podium.errors import NotConfigured
from podium.scoring.hints.changed_ids import KnownIds
from podium.scoring.inference.heads import has_leading_zeros, names_in
from podium.scoring.kinds import DEFAULT, kind_of
from podium.scoring.names import header_of
from podium.scoring.task import OTTO, USAGE

if TYPE_CHECKING:
    from decimal import Decimal

    from podium.scoring.engine import Truth
    from podium.scoring.task import Task

NO_NAMES = ("", "index", "Unnamed: 0")
"""Names of columns that programs add."""

MAX_ITEMS = 20
"""Different items that are checked; a program changes all of them alike."""

_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?([eE]\+?[0-9]+)?")


def columns_noted(submission: Path, truth: Path, task: Task) -> str | None:
    """Returns a sentence if a submission was accepted with columns that a competition would refuse
    whose settings are guessed from the ground truth; None if it would accept them."""
    asked_of = _asked_of_table if kind_of(task.kind).has_table else _asked_of_lists
    asked = asked_of(truth, task)
    # A TREC run has no header.
    names = names_in(head_of(submission, task.forms))
    if asked in (None, task.columns) or set(names) != set(task.columns):
        return None
    return (
        f"Columns were taken as {header_of(task.columns)}; a competition made from {truth} asks for"
        f" {header_of(asked or ())}."
    )


def _asked_of_lists(truth: Path, task: Task) -> tuple[str, ...] | None:
    if task.names != ("",) or not kind_of(task.kind).has_lists:
        return None
    head = table_head(truth, task.forms)
    # Only if each row has one item are the columns those of the submission.
    if not is_long(head) or _is_of_ratings(head.settings):
        return None
    id_column = head.settings.get("id_column", head.columns[0])
    return (str(id_column), str(head.settings.get("labels_column", "labels")))


def _is_of_ratings(settings: Mapping[str, object]) -> bool:
    kind = kind_of(str(settings.get("task", DEFAULT)))
    return kind.has_numbers and not kind.has_relevances


def _asked_of_table(truth: Path, task: Task) -> tuple[str, ...] | None:

    if set(names_in(head_of(truth, task.forms))) - {USAGE} == set(task.columns):
        return None
    return task_of_table(truth, None, task.metrics, kind=task.kind, forms=task.forms).columns


def hint_at_columns(submission: Path, problem: dict[str, Any], task: Task) -> str | None:
    """Returns a sentence about the option by which a table would be accepted that was refused for
    its columns; None if no option can change them."""
    if "header-mismatch" not in {each["code"] for each in problem["errors"]}:
        return None
    try:
        names = names_in(head_of(submission, task.forms))
    except NotConfigured:
        return None
    is_choice = task.id_column in names and len(set(names)) == len(names) > 1
    if not is_choice or any(name in NO_NAMES for name in names):
        return None
    option = quote(header_of(names))
    return f"If its columns are meant, --columns {option} takes them."


def changed_item(submission: Path, task: Task, truth: Truth) -> str | None:
    """Returns a sentence about the first item that the ground truth spells differently; None if
    there is none, or if other kinds of items are refused anyway."""
    if not kind_of(task.kind).has_lists or task.item_ids != "string":
        return None
    known = KnownIds(truth.frame["item"])
    for item in islice(dict.fromkeys(_numbers(submission, task)), MAX_ITEMS):
        if (change := known.change_of(item)) is not None:
            return f"The item {item} is not in the ground truth. {change}"
    return None


def _numbers(submission: Path, task: Task) -> Iterator[str]:
    """Yields the items of the first lists that look like numbers."""
    rows: list[list[str]] = []
    with suppress(NotConfigured):
        rows = list(
            csv.reader(head_of(submission, task.forms).decode("utf-8", "replace").splitlines())
        )
    if rows and task.labels_column in rows[0]:
        at = rows[0].index(task.labels_column)
        for row in rows[1:]:
            yield from filter(_NUMBER.fullmatch, row[at].split() if len(row) > at else ())


def zeros_noted(submission: Path, known: Path, task: Task) -> str | None:
    """Returns a sentence if items of a submission have leading zeros that are ignored because the
    ground truth seems to have whole numbers; None if they count, or nothing was guessed."""
    if _weights(task) == _weights(OTTO):
        # The contest defines its items.
        return None
    if task.item_ids != "integer" or kind_of(task.kind).has_table or dataset_settings(known):
        return None
    if not has_leading_zeros(submission):
        return None
    return (
        f"Items were read as the whole numbers of {known}, so that 007 is 7: with --item-ids string"
        " they are two."
    )


def _weights(task: Task) -> dict[str, Decimal]:
    return {objective.name: objective.weight for objective in task.objectives}
