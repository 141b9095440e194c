"""Detects lists whose items are joined by other characters than spaces: one may be intended, nearly
all are not."""

from __future__ import annotations

from dataclasses import dataclass, field

import polars as pl

from podium.scoring.problems import QUOTED_BYTES, SHOWN_PROBLEMS, Code, Problem, printable, quoted
from podium.scoring.task import Task
from podium.scoring.text.findings import Findings

USUAL_SHARE = 0.95
"""The share of all lists from which on the joined form is not accidental."""

_PART = 1 << 16


@dataclass
class JoinedLists:
    """Lists of one item that looks like several, joined by other characters: none of them would
    ever be a hit. A single one may be an unusual id; if nearly all are, it is a mistake.

    Only the form of the lists is checked, so that a refusal reveals nothing of the labels.
    """

    first: list[Problem] = field(default_factory=list)
    count: int = 0

    def add(self, line: int, row_id: bytes, labels: bytes, column: str) -> None:
        """Counts a list of joined items; the first ones become problems with a hint."""
        self.count += 1
        if len(self.first) < SHOWN_PROBLEMS:
            sign = next((each for each in "|;" if each.encode() in labels), "[ ]")
            detail = f"{quoted(labels)} is one item: nothing but spaces separates items"
            hint = f"Nearly all lists of the file hold “{sign}”. Write them as: a b c."
            shown = printable(row_id[:QUOTED_BYTES])
            self.first.append(Problem(Code.BAD_LABEL, detail, line, None, shown, column, hint))

    def refuse(self, findings: Findings, *, lists: int) -> None:
        """Adds problems for them if nearly all `lists` that are not empty look so."""
        if are_usual(self.count, lists=lists):
            findings.first += self.first
            findings.count += self.count


def count_usual(texts: pl.Series, pattern: str) -> int:
    """Counts the texts that a pattern matches; 0 as soon as they are too few to be usual."""
    most_others = (1 - USUAL_SHARE) * len(texts)
    found = read = 0
    for part in texts.to_frame().iter_slices(_PART):
        matches = part.to_series().cast(pl.String).str.contains(pattern)
        found, read = found + int(matches.sum()), read + len(matches)
        if read - found > most_others + 1:
            return 0
    return found


def may_join(task: Task) -> bool:
    """True if a list of one item with separators can be a mistake: items are texts, and a list may
    have more than one."""
    return task.item_ids == "string" and task.depth > 1


def are_usual(joined: int, *, lists: int) -> bool:
    """True if so many joined lists, of all `lists` that are not empty, are not accidental.

    >>> are_usual(95, lists=100), are_usual(94, lists=100), are_usual(0, lists=0)
    (True, False, False)
    """
    return joined > 0 and joined >= USUAL_SHARE * lists
