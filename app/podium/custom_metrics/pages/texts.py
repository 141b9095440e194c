"""Sources for pages: escaped text, never rendered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from podium.http.pages.api_calls import Answer, ProblemPlace

AROUND = 2
"""Lines of context before and after a line with a problem."""

MAX_LINES = 200

FIRST_SOURCE = '''"""A metric of two columns. See “Write a metric in ten minutes” in the guides."""

import numpy as np
import pandas as pd


class ParticipantVisibleError(Exception):
    """The only text that participants read."""


def score(solution: pd.DataFrame, submission: pd.DataFrame, row_id_column_name: str) -> float:
    """The root of the mean squared error.

    >>> rows = pd.DataFrame({"id": [1, 2], "y": [1.0, 3.0]})
    >>> score(rows, rows, "id")
    0.0
    """
    difference = solution["y"] - submission["y"]
    return float(np.sqrt((difference**2).mean()))
'''
"""The text of the editor before there is a version."""


@dataclass(frozen=True, slots=True)
class CodeLine:
    """A line of a source, with its problem if it has one."""

    number: int
    text: str
    problems: tuple[str, ...]


def shown_text(answer: Answer) -> str | None:
    """Returns the text of a source; None if it is a package, or not available."""
    if not answer.is_good or not answer.headers.get("content-type", "").startswith("text/plain"):
        return None
    return answer.body.decode(errors="replace")


def lines_with_problems(source: str, problems: Sequence[ProblemPlace]) -> list[CodeLine]:
    """Returns the lines of a source that have problems, with some context; none for a package."""
    return list(_lines(source, problems))[:MAX_LINES]


def _lines(source: str, problems: Sequence[ProblemPlace]) -> Iterator[CodeLine]:
    found: dict[int, list[str]] = {}
    for problem in problems:
        if problem.line is not None:
            found.setdefault(problem.line, []).append(problem.detail)
    for number, text in enumerate(source.split("\n") if source else (), start=1):
        if any(abs(number - line) <= AROUND for line in found):
            yield CodeLine(number, text, tuple(found.get(number, ())))
