"""Items that a program changed on their way, as the beginning of a submission shows them: lists of
texts take any item, and one that is not known only scores nothing."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from podium.cli.offline.beginnings import head_of
from podium.errors import NotConfigured

if TYPE_CHECKING:
    from podium.scoring.kinds import Truth
    from podium.scoring.task import Task

MAX_ITEMS = 20
"""Different items that are looked at; a program changes all of them alike."""


def changed_item(submission: Path, task: Task, truth: Truth) -> str | None:
    """A sentence about the first item that the ground truth has in another spelling; None where
    there is none, or another kind of item is refused anyway."""
    from podium.scoring.hints.changed_ids import KnownIds
    from podium.scoring.truth.canonical import GroundTruth

    if not isinstance(truth, GroundTruth) or task.item_ids != "string":
        return None
    known = KnownIds(truth.frame["item"])
    for item in islice(dict.fromkeys(_numbers(submission, task)), MAX_ITEMS):
        if (change := known.change_of(item)) is not None:
            return f"The item {item} is not in the ground truth. {change}"
    return None


def _numbers(submission: Path, task: Task) -> Iterator[str]:
    """The items of the first lists that look like numbers."""
    rows: list[list[str]] = []
    with suppress(NotConfigured):
        rows = list(csv.reader(head_of(submission).decode("utf-8", "replace").splitlines()))
    if rows and task.labels_column in rows[0]:
        at = rows[0].index(task.labels_column)
        for row in rows[1:]:
            yield from filter(_NUMBER.fullmatch, row[at].split() if len(row) > at else ())


_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?([eE]\+?[0-9]+)?")
