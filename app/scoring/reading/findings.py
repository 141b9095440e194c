"""What a reader found wrong so far: the first problems in full, the rest as a number."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from app.scoring.problems import SHOWN_PROBLEMS, Code, FileRejected, Problem, Rejection

ENOUGH_PROBLEMS = 1000
"""Once this many problems are counted, the lines that follow are no longer looked at."""


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
            self.first.append(problem)

    def add_hint(self, hint: str, code: Code | None = None) -> None:
        """Says more in the hint of the first shown problem, or of the first one of a code."""
        places = (n for n, problem in enumerate(self.first) if code in (None, problem.code))
        place = next(places, 0)
        problem = self.first[place]
        self.first[place] = replace(problem, hint=f"{hint} {problem.hint or ''}".rstrip())

    def rejected(self) -> FileRejected:
        """The rejection that holds everything found."""
        return FileRejected(Rejection.of(self.first, self.count))
