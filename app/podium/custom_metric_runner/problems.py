"""Describes problems of a custom metric, with the line of it that an exception comes from."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from podium.custom_metric_runner.values import CodeProblem

CODE = "code"
"""The folder, below a child's working directory, that a metric is unpacked to."""


UNTOLD = "an exception that tells nothing of itself"


class MetricRefused(Exception):
    """A custom metric cannot be used; `problems` are the reasons."""

    def __init__(self, problems: Iterable[CodeProblem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(problem.detail for problem in self.problems))

    @classmethod
    def because(
        cls, code: str, detail: str, *, line: int | None = None, file: str | None = None
    ) -> MetricRefused:
        """Builds the error for a single problem."""
        return cls([CodeProblem(code=code, detail=detail, line=line, file=file)])


def place_of(error: BaseException, folder: Path) -> tuple[str | None, int | None]:
    """Finds the file below the folder, and its line, that an exception passed last; for a syntax
    error, that of the error itself."""
    if isinstance(error, SyntaxError) and _inside(error.filename or "", folder):
        return _inside(error.filename or "", folder), error.lineno
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        if name := _inside(frame.f_code.co_filename, folder):
            return name, line
    return None, None


def _inside(path: str, folder: Path) -> str | None:
    """Returns the name of a file relative to the folder, if it lies below."""
    start = f"{folder}/"
    return path.removeprefix(start) if path.startswith(start) else None


def said_by(error: BaseException) -> str:
    """Formats the class and the text of an exception, whatever its `__str__` does."""
    with _despite_odd_classes() as text:
        trace = traceback.TracebackException(type(error), error, None)
        text[0] = "".join(trace.format_exception_only()).strip().rpartition("\n")[2]
    return text[0]


def report_of(error: BaseException, folder: Path) -> str:
    """Formats the traceback of an exception for the organizer: from the first frame of the metric
    on, with paths relative to its folder."""
    with _despite_odd_classes() as text:
        trace = traceback.TracebackException(type(error), error, error.__traceback__, limit=None)
        _without_harness(trace, folder)
        text[0] = "".join(trace.format()).replace(f"{folder}/", "")
    return text[0]


@contextmanager
def _despite_odd_classes() -> Iterator[list[str]]:
    """Yields a list with a default text, to be replaced by that of an exception; the default stays
    where the exception's class, or its metaclass, makes formatting fail."""
    text = [UNTOLD]
    try:
        yield text
    except MemoryError:
        raise
    except BaseException:  # noqa: BLE001, S110 - such a class may raise anything
        pass


def _without_harness(trace: traceback.TracebackException, folder: Path) -> None:
    inside = [at for at, frame in enumerate(trace.stack) if _inside(frame.filename, folder)]
    if inside:
        del trace.stack[: inside[0]]


def in_lines(problems: Iterable[CodeProblem]) -> str:
    """Formats problems as lines of text, each with its file and line where these are known."""
    return "\n".join(map(_line, problems))


def _line(problem: CodeProblem) -> str:
    line = None if problem.line is None else f"line {problem.line}"
    place = ", ".join(part for part in (problem.file, line) if part)
    return f"{place}: {problem.detail}" if place else problem.detail
