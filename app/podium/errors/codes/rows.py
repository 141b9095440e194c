"""The shape of a row: everything that is said of a code."""

from __future__ import annotations

from typing import Any, NamedTuple, Self


class Explanation(NamedTuple):
    """The meaning of a code, in words for people: a title, why it happens, and what to do about
    it."""

    title: str
    reason: str
    remedy: str


class OurCode(str):
    """A code of the list, as programs read it. It knows its meaning, and the HTTP statuses of its
    answers: several where one fact means different things to different requests, none where no
    server says it."""

    explanation: Explanation
    statuses: tuple[int, ...]

    def __new__(cls, code: str, title: str, *statuses: int) -> Self:
        """The beginning of a row."""
        row = super().__new__(cls, code)
        row.explanation = Explanation(title, "", "")
        row.statuses = statuses
        return row

    def __getnewargs__(self) -> tuple[Any, ...]:
        """Makes copies possible, which the framework wants of what routes answer."""
        return str(self), self.explanation.title, *self.statuses

    def means(self, reason: str, remedy: str) -> Self:
        """Ends the row: why it happens, and what to do about it."""
        self.explanation = self.explanation._replace(reason=reason, remedy=remedy)
        return self
