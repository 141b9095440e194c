"""Interprets a child's result about an organizer's upload: an answer, a fault of the file, or
ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from podium.errors import (
    InvalidInput,
    PodiumError,
    TooLarge,
    Unavailable,
    UnsupportedContainer,
    lone_problem,
)
from podium.errors.codes import ErrorCode, ForeignCode
from podium.logs import get_logger
from podium.sandbox import Answer, FailureReason, Rejected, Result
from podium.sandbox.serialization import encoded
from podium.scoring.problems import Code

OURS = frozenset(
    {
        FailureReason.STOPPED,
        FailureReason.NOT_STARTED,
        FailureReason.NOT_ALLOWED,
        FailureReason.OUR_ERROR,
        FailureReason.LACK_OF_MEMORY,
    }
)
"""Failures that say nothing about the file."""

_log = get_logger("sandbox")


@dataclass(frozen=True, slots=True)
class Refused:
    """The file is at fault; `problem` has the shape of a submission's problem."""

    problem: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Failed:
    """We are at fault; the report is in the log."""

    problem: dict[str, Any]


NOT_ISOLATED = ErrorCode.SANDBOX_MISSING
"""The code of refusals on a machine that cannot isolate the process that would read the file."""

USED_UP = dict.fromkeys((FailureReason.WALL_TIME, FailureReason.CPU_TIME), "PODIUM_JUDGING_SECONDS")
USED_UP[FailureReason.MEMORY] = (
    "PODIUM_JUDGING_MEMORY_BYTES and, for a second try, PODIUM_JUDGING_RETRY_MEMORY_BYTES"
)
"""The settings that limit what a file used up."""


OUR_FAULT = Failed(
    lone_problem(
        ErrorCode.READING_FAILED,
        "This is our fault, not the file's. Try again; the log says what happened.",
    )
)


def outcome_of(result: Result[Answer | Rejected]) -> Answer | Refused | Failed:
    """Returns the child's answer for a good file, or whose fault its failure is."""
    if isinstance(result.answer, Rejected):
        return Refused(encoded(result.answer.problem))
    if result.answer is not None:
        return result.answer
    if result.failure is FailureReason.NOT_ISOLATED:
        return not_isolated()
    _log.error("child.died", failure=result.failure, report=result.report[:2000])
    if result.failure in OURS:
        return OUR_FAULT
    detail = f"Reading this file used up the memory or the time that it may use ({result.failure})."
    if result.failure in USED_UP:
        detail += f" The operator sets {USED_UP[result.failure]}; the guide on sizing says how much"
        detail += " a row takes."
    return Refused(lone_problem(Code.RESOURCE_LIMIT, detail))


class NoAnswer(PodiumError):
    """A child ended without a good answer to its task; `answer` says whose fault that is."""

    def __init__(self, answer: Refused | Failed) -> None:
        super().__init__(answer.problem["detail"], code=answer.problem["code"])
        self.answer = answer


def good_answer(result: Result[Answer | Rejected]) -> Answer:
    """Returns the child's answer for a good file. Raises `NoAnswer`."""
    answer = outcome_of(result)
    if isinstance(answer, Refused | Failed):
        raise NoAnswer(answer)
    return answer


def left(result: Result[Any], name: str) -> Path:
    """Returns an output file of a child. Raises `NoAnswer` if the file is missing although the
    child reported success, which is our fault."""
    if name not in result.files:
        _log.error("child.left-no-file", name=name)
        raise NoAnswer(OUR_FAULT)
    return result.files[name]


def not_isolated() -> Failed:
    """Returns the failure of reading a file on a machine that lacks isolation."""
    detail = (
        "This server cannot isolate the process that reads files, so files cannot be processed. The"
        " operator can run `podium doctor` to see why."
    )
    return Failed(lone_problem(NOT_ISOLATED, detail))


def error_for(problem: Mapping[str, Any]) -> PodiumError:
    """Returns the error that a problem document describes."""
    code, detail = problem["code"], problem["detail"]
    if code in (OUR_FAULT.problem["code"], NOT_ISOLATED):
        return Unavailable(detail, code=ForeignCode(code))
    facts = {"problems": problem["errors"], "problem_count": problem["error_count"]}
    if problem.get("line") is not None:
        facts["line"] = problem["line"]
    kinds: dict[str, type[PodiumError]] = {
        Code.EXPANDED_TOO_LARGE: TooLarge,
        Code.UNSUPPORTED_MEDIA_TYPE: UnsupportedContainer,
    }
    return kinds.get(code, InvalidInput)(detail, code=ForeignCode(code), **facts)
