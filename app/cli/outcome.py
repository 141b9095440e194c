"""Exit codes of commands, and errors in one form on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum
from typing import Any

from podium import errors
from podium.errors import ProblemEntry
from podium.errors.codes import ErrorCode


class Exit(IntEnum):
    """The exit codes of `podium`."""

    OK = 0
    USAGE = 2
    """The command does not make sense: a wrong option, or a thing that is not there."""
    REJECTED = 3
    """The file is at fault; standard error names the lines."""
    SERVER = 4
    """The network or the server is at fault; trying again may help."""
    AUTH = 5
    """No token, or one that may not do this."""
    LIMIT = 6
    """The quota is used up, or the competition takes nothing (any more)."""


CODES: tuple[tuple[type[errors.PodiumError], Exit], ...] = (
    (errors.NotAuthenticated, Exit.AUTH),
    (errors.NotAllowed, Exit.AUTH),
    (errors.QuotaExhausted, Exit.LIMIT),
    (errors.WrongState, Exit.LIMIT),
    (errors.TooLarge, Exit.REJECTED),
    (errors.UnsupportedContainer, Exit.REJECTED),
    (errors.InvalidInput, Exit.USAGE),
    (errors.NotFound, Exit.USAGE),
    (errors.NotConfigured, Exit.USAGE),
    (errors.PreconditionFailed, Exit.USAGE),
)
"""The exit code of each error; every other one is the server's."""


def exit_code(error: errors.PodiumError) -> Exit:
    """The exit code for an error that a command ended with."""
    if error.code == ErrorCode.DIGEST_MISMATCH:
        return Exit.SERVER
    return next((code for kind, code in CODES if isinstance(error, kind)), Exit.SERVER)


@contextmanager
def reported() -> Iterator[None]:
    """Turns our errors into a line on standard error and their exit code."""
    try:
        yield
    except errors.PodiumError as error:
        complain(error.detail)
        for line in problem_lines(error.facts.get("file", ""), getattr(error, "problems", ())):
            complain(line)
        sys.exit(exit_code(error))
    except BrokenPipeError:
        # The reader of our output has closed it, as `head` does; no reader is left.
        sys.stderr.close()
        sys.exit(Exit.OK)


def complain(text: str) -> None:
    """Says something that is not a result."""
    print(text, file=sys.stderr)


def problem_lines(file: str, problems: Sequence[ProblemEntry]) -> list[str]:
    """One line per problem: `file:line: what. hint`; a Parquet row stands as `file:row 7`."""
    return [_problem_line(file, problem) for problem in problems]


def _problem_line(file: str, problem: ProblemEntry) -> str:
    place = [file] if file else []
    if problem.get("line") is not None:
        place.append(str(problem["line"]))
    elif problem.get("row") is not None:
        place.append(f"row {problem['row']}")
    parts = [":".join(place) + ":"] if place else []
    parts.append(str(problem["detail"]).rstrip(".") + ".")
    if problem.get("hint"):
        parts.append(str(problem["hint"]))
    return " ".join(parts)


def report_rejection(file: str, problem: dict[str, Any]) -> None:
    """All shown problems of a rejected file, and how many more there are."""
    shown = problem.get("errors") or [problem]
    for line in problem_lines(file, shown):
        complain(line)
    more = problem.get("error_count", len(shown)) - len(shown)
    if more > 0:
        complain(f"{file}: and {more} more problems.")
