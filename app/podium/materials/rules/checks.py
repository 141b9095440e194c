"""A line of the launch checklist."""

from __future__ import annotations

from dataclasses import dataclass

from podium.errors import ProblemEntry, problem_entry


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the checklist: what holds where it has `passed`, and otherwise what is wrong and
    how to mend it. `is_must` lines stop the launch, the others only warn."""

    code: str
    good: str
    bad: str
    passed: bool
    is_must: bool = True

    @property
    def detail(self) -> str:
        """The sentence that is true."""
        return self.good if self.passed else self.bad

    def to_problem(self) -> ProblemEntry:
        """The line as it stands in `errors` of a refusal."""
        return problem_entry(self.code, self.detail)
