"""What a reader found wrong so far: the first problems in full, the rest as a number."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from app.scoring.problems import SHOWN_PROBLEMS, FileRejected, Problem, Rejection

ENOUGH_PROBLEMS = 1000
"""Once this many problems are counted, the lines that follow are no longer looked at."""

LONGEST_DETAIL = 280


@dataclass
class Findings:
    """Problems in the order of their lines; `count` goes on when no more of them are kept."""

    first: list[Problem] = field(default_factory=list)
    count: int = 0

    @property
    def enough(self) -> bool:
        """True once reading further lines would tell the sender nothing new."""
        return self.count >= ENOUGH_PROBLEMS

    def add(self, problem: Problem) -> None:
        """Counts a problem, and keeps it if it is one of those that will be shown."""
        self.count += 1
        if len(self.first) < SHOWN_PROBLEMS:
            self.first.append(replace(problem, detail=clipped(problem.detail)))

    def add_hint(self, code: str, hint: str) -> None:
        """Gives the first shown problem of this code a hint, or the first one if none has it."""
        places = [n for n, problem in enumerate(self.first) if problem.code == code]
        place = places[0] if places else 0
        self.first[place] = replace(self.first[place], hint=hint)

    def rejected(self) -> FileRejected:
        """The rejection that holds everything found."""
        return FileRejected(Rejection.of(self.first, self.count))


def clipped(detail: str) -> str:
    """A text of at most 280 characters, an ellipsis where it was cut."""
    return detail if len(detail) <= LONGEST_DETAIL else detail[: LONGEST_DETAIL - 1] + "…"
