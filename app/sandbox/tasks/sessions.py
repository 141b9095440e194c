"""Whole sessions that come as a ground truth: cut inside the walls, before labels are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from podium.otto.preparation import Columns, RawFileRefused, keyed_cuts, looks_raw, prepare
from podium.scoring.task import Task


class Unprepared(Exception):
    """The sessions cannot be prepared; `problem` has the shape of a submission's problem."""

    def __init__(self, refused: RawFileRefused) -> None:
        super().__init__(refused.detail)
        self.problem = {
            "code": refused.code,
            "detail": refused.detail,
            "line": refused.problems[0]["line"],
            "errors": refused.problems,
            "error_count": refused.problem_count,
        }


@dataclass(frozen=True, slots=True)
class Labels:
    """A file of labels; if it was made of sessions, what else was made, and what it was made of."""

    file: Path
    names: list[str] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)


def prepared(file: Path, task: Task, cutting: Mapping[str, Any] | None, to: Path) -> Labels:
    """The labels of an upload: the file itself, or what a preparation made of it.

    `cutting` holds the `key` of the cuts (hex), `days` to split off as the test set (None: all of
    it is the test set, if the file holds sessions at all), and `columns`: the names of the columns
    of user, item, time and type, the unit of time, and whether ids are texts, of a clickstream.
    Raises `Unprepared`.
    """
    if cutting is None:
        return Labels(file)
    try:
        if cutting["days"] is None and not looks_raw(file):
            return Labels(file)
        columns = cutting["columns"]
        made = prepare(
            [file],
            to,
            cuts=keyed_cuts(bytes.fromhex(cutting["key"])),
            days=cutting["days"],
            clickstream=None if columns is None else Columns(*columns),
            most_bytes=task.max_expanded_bytes,
        )
    except RawFileRefused as refused:
        raise Unprepared(refused) from None
    # What users are called is nobody's business.
    shown = (made.train, made.test, *made.names[:1])
    written = [path.name for path in shown if path is not None]
    return Labels(made.labels, written, {"preparation": made.counts.to_dict()})
