"""Maps the names of tasks to the functions that run them in the child."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from podium.sandbox import FileProblem, Rejected, SandboxTask
from podium.sandbox.serialization import decoded, document_of
from podium.scoring.problems import FileRejected

Progress = Callable[[float], None]
Given = TypeVar("Given", bound=SandboxTask[Any])

TaskFunction = Callable[[Progress, Mapping[str, Any]], dict[str, Any]]
"""A function that a child calls: arguments and the returned document are JSON values."""


class FileAtFault(Exception):
    """Raised by a function of a task; `problem` has the shape of a submission's problem."""

    def __init__(self, problem: Mapping[str, Any]) -> None:
        super().__init__(problem["detail"])
        self.problem = problem


@contextmanager
def blaming_the_file() -> Iterator[None]:
    """Converts rejections by `scoring` into the answer for a file that is at fault."""
    try:
        yield
    except FileRejected as rejected:
        raise FileAtFault(rejected.rejection.to_dict()) from rejected


def registered(
    kind: type[Given], run: Callable[[Progress, Given], Any]
) -> tuple[str, TaskFunction]:
    """Returns a task's name and a function that runs it on JSON values; a file at fault is an
    answer, too."""

    def from_json(progress: Progress, arguments: Mapping[str, Any]) -> dict[str, Any]:
        try:
            answer = run(progress, decoded(kind, arguments))
        except FileAtFault as fault:
            answer = Rejected(problem=decoded(FileProblem, fault.problem))
        return document_of(answer)

    return kind.NAME, from_json
