"""The shape of a row: a code with its explanation and statuses."""

from __future__ import annotations

from typing import Any, NamedTuple, Self


class Explanation(NamedTuple):
    """The meaning of a code for people: a title, the reason, and the remedy."""

    title: str
    reason: str
    remedy: str


class OurCode(str):
    """A code of the list, as programs read it, with its meaning, and the HTTP statuses of its
    responses: several where one fact means different things to different requests, none where no
    server sends it."""

    explanation: Explanation
    statuses: tuple[int, ...]

    def __new__(cls, code: str, title: str, *statuses: int) -> Self:
        """Creates a row without explanation, which `means` adds."""
        row = super().__new__(cls, code)
        row.explanation = Explanation(title, "", "")
        row.statuses = statuses
        return row

    def __getnewargs__(self) -> tuple[Any, ...]:
        """Supports copies, which the framework creates of what routes return."""
        return str(self), self.explanation.title, *self.statuses

    def means(self, reason: str, remedy: str) -> Self:
        """Completes the row with the reason and the remedy."""
        self.explanation = self.explanation._replace(reason=reason, remedy=remedy)
        return self
