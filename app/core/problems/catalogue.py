"""The catalogue behind `/problems`: every code that an answer may carry, and what it means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from podium.core.problems.files import FILES
from podium.errors.codes import ErrorCode
from podium.scoring.problems import Code

FILE_STATUS = 422
FILE_STATUSES: Mapping[str, int] = {Code.EXPANDED_TOO_LARGE: 413, Code.UNSUPPORTED_MEDIA_TYPE: 415}
"""The statuses of a file's problems that are not those of wrong input."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """The meaning of a code in one place: for a request, or in a file. `statuses` are the HTTP
    statuses of answers that carry it."""

    code: str
    place: Literal["request", "file"]
    statuses: tuple[int, ...]
    title: str
    reason: str
    remedy: str


def meanings(code: str | None = None) -> Iterator[Meaning]:
    """All of them, or those of one code: a code may mean one thing in a request and another in a
    file."""
    for error in sorted(ErrorCode):
        if code in (None, error):
            yield Meaning(str(error), "request", error.statuses, *error.explanation)
    for problem, explanation in sorted(FILES.items()):
        if code in (None, problem):
            statuses = (FILE_STATUSES.get(problem, FILE_STATUS),)
            yield Meaning(str(problem), "file", statuses, *explanation)
