"""The exit codes of commands, and their output that is not a result."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum
from typing import Any

from podium.cli.legible import legible
from podium.errors import ProblemEntry
from podium.scoring.forms import are_convertible


class Exit(IntEnum):
    """The exit codes of `podium`."""

    OK = 0
    NO = 1
    USAGE = 2
    REJECTED = 3
    SERVER = 4
    AUTH = 5
    LIMIT = 6
    TIMEOUT = 7
    STOPPED = 130
    """As in shells, and as Typer ends after Ctrl-C."""


MEANINGS = {
    Exit.OK: "done",
    Exit.NO: "not done: a question was answered with no",
    Exit.USAGE: "wrong use, or nothing of that name",
    Exit.REJECTED: "the file was rejected",
    Exit.SERVER: "network or server failed, or no space left for the output",
    Exit.AUTH: "not signed in, or not allowed",
    Exit.LIMIT: (
        "limit reached, or not now: the competition is not open, is over, or is not revealed yet"
    ),
    Exit.TIMEOUT: "the wait was longer than --timeout; the work goes on",
    Exit.STOPPED: "stopped with Ctrl-C",
}
"""The table of exit codes in `podium --help` and in the guide for participants."""


@contextmanager
def print_if_interrupted(words: str) -> Iterator[None]:
    """Prints these words if Ctrl-C ends the block: the state of the work, and how to continue; the
    command ends all the same."""
    try:
        yield
    except KeyboardInterrupt:
        complain(words)
        raise


def for_people(text: str) -> str:
    """Returns a refusal of the API without the part of the request that contains the member."""
    return re.sub(r"^(body|query)\.", "", text)


def member_of(problem: ProblemEntry) -> str:
    """Returns the member of a request that a problem is about; empty if there is none."""
    return for_people(str(problem.get("column") or ""))


def complain(text: str) -> None:
    """Prints something that is not a result, on standard error."""
    print(legible(text), file=sys.stderr)


def problem_lines(file: str, problems: Sequence[ProblemEntry]) -> list[str]:
    """Formats one line per problem: `file:line: what. hint`; for a row of Parquet `file:row 7`."""
    return [_problem_line(file, problem) for problem in problems]


def _problem_line(file: str, problem: ProblemEntry) -> str:
    place = [file] if file else []
    if problem.get("line") is not None:
        place.append(str(problem["line"]))
    elif problem.get("row") is not None:
        place.append(f"row {problem['row']}")
    parts = [":".join(place) + ":"] if place else []
    member = member_of(problem)
    if not place and member and not str(problem["detail"]).lower().startswith(member):
        # A problem of a request, not of a file: names the member.
        parts.append(f"{member}:")
    parts.append(str(problem["detail"]).rstrip(".") + ".")
    if problem.get("hint"):
        parts.append(str(problem["hint"]))
    return " ".join(parts)


def _reading(readable_as: dict[str, Any]) -> str:
    """Returns what can be done with a file of another form."""
    forms = readable_as["forms"]
    converted = (
        " `podium convert FILE -c SLUG --out NEW` writes it as the competition takes it."
        if are_convertible(forms)
        else ""
    )
    setting = f"the setting forms: {', '.join(forms)}"
    return f"It can be read as {readable_as['form']}.{converted} Organizers allow it by {setting}."


def report_rejection(file: str, problem: dict[str, Any]) -> None:
    """Prints all listed problems of a rejected file, and how many more there are."""
    shown = problem.get("errors") or [problem]
    for line in problem_lines(file, shown):
        complain(line)
    if (other := problem.get("readable_as")) is not None:
        complain(f"{file}: {_reading(other)}")
    more = problem.get("error_count", len(shown)) - len(shown)
    if problem.get("reading_stopped"):
        complain(f"{file}: and {more:,} or more others; the rest of the file was not read.")
    elif more > 0:
        complain(f"{file}: and {more:,} more problems.")
