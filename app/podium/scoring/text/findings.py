"""Collects the problems that a reader has found: the first in full, the rest as a number."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import islice

from podium.scoring.hints.changed_ids import KnownIds
from podium.scoring.problems import (
    SHOWN_PROBLEMS,
    Code,
    FileRejected,
    Problem,
    Rejection,
)
from podium.scoring.task import MAX_SURPLUS_ROWS

ENOUGH_PROBLEMS = 1000
"""The number of problems after which further lines are no longer checked."""


def on_lines(
    lines: Iterable[int], code: Code, detail: str, *, column: str, hint: str | None = None
) -> list[Problem]:
    """Reports one and the same problem on each of these lines, as far as they are checked."""
    some = islice(lines, ENOUGH_PROBLEMS)
    return [Problem(code, detail, line, column=column, hint=hint) for line in some]


@dataclass
class Findings:
    """Problems in the order of their lines; `count` includes those beyond the stored ones.

    With `stopped`, lines were left unread, because enough problems were found before them; with
    `is_recognized`, an unknown id is a published one that a program changed.
    """

    first: list[Problem] = field(default_factory=list)
    count: int = 0
    stopped: bool = False
    is_recognized: bool = False

    @property
    def enough(self) -> bool:
        """True once further problems would not help the sender."""
        return self.count >= ENOUGH_PROBLEMS

    def add(self, problem: Problem) -> None:
        """Counts a problem, and stores it if it will be shown."""
        self.count += 1
        if len(self.first) < SHOWN_PROBLEMS:
            self.first.append(problem)

    def hint_for_unknown(
        self, parts: Iterable[tuple[KnownIds, str]], otherwise: str, *, before: int = 0
    ) -> str:
        """Finds the hint for an unpublished id, given in its parts: the change that a program has
        caused, if the problem will be shown and the change is detected. Of problems that are not
        added yet, so many come `before` it."""
        if self.count + before < SHOWN_PROBLEMS:
            for known, text in parts:
                if (change := known.change_of(text)) is not None:
                    self.is_recognized = True
                    return change
        return otherwise

    def add_hint(self, hint: str, code: Code | None = None) -> None:
        """Prepends text to the hint of the first shown problem, or of the first one with a code."""
        places = (n for n, problem in enumerate(self.first) if code in (None, problem.code))
        place = next(places, 0)
        problem = self.first[place]
        self.first[place] = replace(problem, hint=f"{hint} {problem.hint or ''}".rstrip())

    def conclude(self, unknown: int, *, found: int, published: int, of: str) -> None:
        """Ends the findings, and adds a hint if no row matches: `unknown` rows are for unpublished
        ids or pairs (`of`), `found` are for some of the `published` ones."""
        if unknown and not found and not self.is_recognized:
            hint = f"0 of {unknown:,} {of}s match the {published:,} published ones: is this a file"
            self.add_hint(f"{hint} for another test set?", Code.UNKNOWN_ID)
        self.stopped = self.enough

    def too_many_rows(self, line: int, *, published: int, of: str) -> FileRejected:
        """Builds the rejection for a row on this line, beyond the limit for the published ids or
        pairs (`of`). Some rows before it are problems: no more can be valid than are published."""
        most = published + MAX_SURPLUS_ROWS
        detail = f"more than {most:,} rows for {published:,} published {of}s"
        problem = self.first[0]
        hint = f"Send exactly one row for each published {of}."
        hint += f" Line {problem.line} is wrong, too: {problem.detail}."
        return FileRejected.because(Code.TOO_MANY_ROWS, detail, line=line, hint=hint)

    def rejected(self) -> FileRejected:
        """Builds the rejection with all findings."""
        return FileRejected(Rejection.of(self.first, self.count, stopped=self.stopped))
