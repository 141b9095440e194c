"""Signs of probing: patterns among a team's successive files that honest work hardly produces.

An alert is a reason to look, never more: nothing happens by itself. The thresholds were chosen so
that the attacks of the literature (group testing, reading labels by thresholds, wacky boosting) are
detected within `WINDOW` files, and seasons of people who improve models raise no alert.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

WINDOW = 12
"""Successive files of a team that are examined together."""

FEW_LISTS, FEW_SHARE, MAX_SHARE, FEW_TIMES = 20, 0.001, 0.02, 6
"""The number of lists, with a minimum and a maximum share of all, up to which a file counts as
hardly different from the one before; the number of such files that raise the alert."""

EMPTY_SHARE, EMPTY_TIMES = 0.9, 3
"""The minimum share of empty lists in a file, and how many such files raise the alert."""

NESTED_SHARE, NESTED_TIMES = 0.9, 5
"""A file counts if at least this share of its changes fills empty lists of the file before; the
number of such files that raise the alert."""

HEAD_SHARE, TAIL_CHANGED, TAIL_TIMES = 0.995, 0.01, 8
"""A file counts if at least the first share of its lists begin as before, while at least the second
share differ; the number of such files that raise the alert."""

TINY_UNITS, TINY_TIMES = 3, 10
"""A file counts if it differs and its score moves by at most so many units of the last shown digit;
the number of such files that raise the alert."""


@dataclass(frozen=True, slots=True)
class FileStep:
    """A file compared with the team's previous one: the differences, and the change of the public
    score in units of the last shown digit. `changed` and `empty` are shares of all lists; see
    `scoring.fingerprint.Likeness`."""

    submission_id: str
    lists: int
    changed: float
    heads: float
    added: float
    empty: float
    score_units: int
    is_other_file: bool


@dataclass(frozen=True, slots=True)
class Alert:
    """A pattern: its code, the reason in words, and the files that show it."""

    code: str
    reason: str
    submission_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AlertLook:
    """An organizer's review of an alert, with a note and the number of files that the alert had
    then."""

    at: datetime
    by_id: str
    by_name: str
    note: str
    submissions: int

    def settles(self, alert: Alert) -> bool:
        """True while the alert has no more files than when it was reviewed."""
        return len(alert.submission_ids) <= self.submissions


def alerts(steps: Sequence[FileStep]) -> list[Alert]:
    """Returns the alerts about a team's files, given in order; each pattern once, with all files
    that show it. The first file has no predecessor: its `changed` is 1."""
    found = []
    for code, reason, belongs, times in _PATTERNS:
        matching = [belongs(step) for step in steps]
        if not any(sum(matching[start : start + WINDOW]) >= times for start in range(len(steps))):
            continue
        files = tuple(s.submission_id for s, does in zip(steps, matching, strict=True) if does)
        found.append(Alert(code, reason.format(count=len(files), window=WINDOW), files))
    return found


def shown_steps(scores: Sequence[Fraction], decimals: int) -> list[int]:
    """Returns each score's distance from the one before, in units of the last shown digit; the
    first score's distance from zero."""
    unit = 10**decimals
    before = [Fraction(0), *scores]
    return [abs(round((b - a) * unit)) for a, b in zip(before, scores, strict=False)]


def _differs_in_few(step: FileStep) -> bool:
    few = max(FEW_SHARE, min(MAX_SHARE, FEW_LISTS / max(step.lists, 1)))
    # Different bytes with no difference in the sample: the few lists that differ were not sampled.
    return step.is_other_file and step.changed <= few


def _is_mostly_empty(step: FileStep) -> bool:
    return step.empty >= EMPTY_SHARE


def _fills_empty_lists(step: FileStep) -> bool:
    return 0 < step.changed < 1 and step.added >= NESTED_SHARE


def _edits_tails(step: FileStep) -> bool:
    return TAIL_CHANGED <= step.changed < 1 and step.heads >= HEAD_SHARE


def _moves_by_units(step: FileStep) -> bool:
    return step.is_other_file and step.changed < 1 and step.score_units <= TINY_UNITS


_PATTERNS: tuple[tuple[str, str, Callable[[FileStep], bool], int], ...] = (
    (
        "few-lists",
        "{count} files differ from the file before in a handful of lists: single labels can be read"
        " from such differences.",
        _differs_in_few,
        FEW_TIMES,
    ),
    (
        "mostly-empty",
        "{count} files are almost empty: their scores tell about the few lists that are not.",
        _is_mostly_empty,
        EMPTY_TIMES,
    ),
    (
        "nested",
        "{count} files fill empty lists of the file before and leave all others alone.",
        _fills_empty_lists,
        NESTED_TIMES,
    ),
    (
        "tail-edits",
        "{count} files differ from the file before in last places only: noise that is kept where"
        " the score rises fits the public split and nothing else.",
        _edits_tails,
        TAIL_TIMES,
    ),
    (
        "tiny-steps",
        "{count} files move the score by a few units of its last digit.",
        _moves_by_units,
        TINY_TIMES,
    ),
)

ALIKE_TEAMS = "alike-teams"
"""The code of alerts about two teams; all others are about one."""

TOLD_BITS = "told-bits"
"""The code of alerts about the bits that scores may have revealed to a team."""

CODES = frozenset(code for code, *_ in _PATTERNS) | {ALIKE_TEAMS, TOLD_BITS}
"""The codes of all alerts."""


def bits_alert(revealed: Sequence[tuple[str, float]], rows: int) -> Alert | None:
    """Returns the alert about a team to which scores have revealed at least one bit per public row:
    enough, in principle, for every yes and no. `revealed` lists its files in order, with the bits
    of each.

    The alert names the files up to the one at which the bits reached the rows, or last doubled from
    there: an alert that was set aside comes back when the bits have doubled.
    """
    step, sum_, last, in_all = rows, 0.0, 0, sum(bits for _, bits in revealed)
    if in_all < rows:
        return None
    for place, (_, bits) in enumerate(revealed, start=1):
        sum_ += bits
        while sum_ >= step:
            step, last = 2 * step, place
    reason = (
        f"Its scores may have told the team {math.ceil(in_all):,} bits, and the public split has"
        f" {rows:,} labeled rows: its public score may be fitted to them. Fewer decimals, a ladder"
        " board or fewer files tell less."
    )
    return Alert(TOLD_BITS, reason, tuple(submission_id for submission_id, _ in revealed[:last]))
