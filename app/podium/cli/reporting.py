"""Errors that end a command: one form on standard error, and an exit code."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any, NoReturn

from typer import Abort
from typer.exceptions import TyperException

from podium import errors
from podium.cli.advice import advised, understood
from podium.cli.outcome import Exit, complain, for_people, member_of, problem_lines
from podium.cli.streams.encoding import json_text
from podium.errors import ProblemEntry
from podium.errors.codes import CODES, ErrorCode, ForeignCode, OurCode
from podium.errors.spelling import did_you_mean

KINDS: tuple[tuple[type[errors.PodiumError], Exit], ...] = (
    (errors.NotAuthenticated, Exit.AUTH),
    (errors.NotAllowed, Exit.AUTH),
    (errors.QuotaExhausted, Exit.LIMIT),
    (errors.WrongState, Exit.LIMIT),
    (errors.TooLarge, Exit.REJECTED),
    (errors.UnsupportedContainer, Exit.REJECTED),
    (errors.InvalidInput, Exit.USAGE),
    (errors.NotFound, Exit.USAGE),
    (errors.Gone, Exit.USAGE),
    (errors.NotConfigured, Exit.USAGE),
    (errors.PreconditionFailed, Exit.USAGE),
)
"""The exit code of each error; every other one is the server's."""

LASTING = (["serve"], ["worker"])
"""Commands that run on: what breaks in them is no slip of a path that was typed."""

SYNONYMS = {"--set": "--change"}
"""Names that people give to options, and the names that these have."""

LIKENESS = 0.5
"""From here on (of 1) a choice is like another one."""

EXCEPTIONS: dict[OurCode | ForeignCode, Exit] = {
    # States that another choice mends, so that they are no limit.
    ErrorCode.NAME_TAKEN: Exit.USAGE,
    ErrorCode.NAMES_TAKEN: Exit.USAGE,
    ErrorCode.SLUG_TAKEN: Exit.USAGE,
    ErrorCode.ALREADY_IN_TEAM: Exit.USAGE,
    ErrorCode.LAUNCH_CHECKLIST: Exit.USAGE,
    # As `no-team`: the same fact, where a right is asked for.
    ErrorCode.NOT_JOINED: Exit.USAGE,
    # Not found, or not allowed, because it is too early or too late.
    ErrorCode.NOT_REVEALED: Exit.LIMIT,
    ErrorCode.REGISTRATION_CLOSED: Exit.LIMIT,
    ErrorCode.LEAK_LIMIT: Exit.LIMIT,
    ErrorCode.WAIT_TIMED_OUT: Exit.TIMEOUT,
    # The bytes were changed or lost on their way.
    ErrorCode.DIGEST_MISMATCH: Exit.SERVER,
    ErrorCode.UPLOAD_CUT: Exit.SERVER,
}
"""The exit codes of errors that do not end as others of their kind."""


def exit_code(error: errors.PodiumError) -> Exit:
    """The exit code for an error that a command ended with."""
    if (exception := EXCEPTIONS.get(error.code)) is not None:
        return exception
    if error.facts.get("is_file_rejected"):
        return Exit.REJECTED
    return next((code for kind, code in KINDS if isinstance(error, kind)), Exit.SERVER)


@contextmanager
def reported() -> Iterator[None]:
    """Turns our errors, and wrong uses, into a line on standard error and their exit code; with
    `--json`, also into a problem document on standard output."""
    try:
        yield
    except errors.PodiumError as failure:
        error = understood(failure)
        told, code = for_people(advised(error)), exit_code(error)
        for line in _lines(error, told):
            complain(line)
        _end(code, error.facts.get("problem") or _document(error, told))
    except OSError as error:
        if not error.filename or sys.argv[1:2] in LASTING:
            # Standard output, about which the end of the program says something; or a fault of a
            # process that is to be found out about.
            raise
        told = file_failure(error)
        complain(told)
        _end(Exit.USAGE, _document(errors.InvalidInput(told), told))
    except TyperException as error:
        _report_wrong_use(error)
    except Abort as abort:
        complain("Aborted.")
        # Typer ends a question so after Ctrl-C as well.
        sys.exit(Exit.STOPPED if isinstance(abort.__context__, KeyboardInterrupt) else Exit.NO)


def _lines(error: errors.PodiumError, told: str) -> list[str]:
    """The sentence of an error and its problems, one a line, and none twice: often the sentence is
    the first of the problems."""
    problems: Sequence[ProblemEntry] = getattr(error, "problems", ())
    lines = problem_lines(error.facts.get("file", ""), problems)
    if not problems or not _is_told_by(problems[0], told):
        return [told, *lines]
    more = getattr(error, "problem_count", 0) - len(problems)
    return [*lines, *([f"And {more:,} more."] if more > 0 else [])]


def _is_told_by(problem: ProblemEntry, told: str) -> bool:
    """True if a sentence says of a problem what it is, perhaps with its member or line before
    it."""
    detail = str(problem["detail"]).rstrip(".")
    places = (member_of(problem), f"Line {problem.get('line')}")
    return told.rstrip(".") in (detail, *(f"{place}: {detail}" for place in places))


def file_failure(error: OSError) -> str:
    """A sentence about a file or folder of this computer that cannot be read or written."""
    path = Path(os.fsdecode(error.filename))
    if isinstance(error, FileNotFoundError) and not path.parent.exists():
        return f"There is no folder {path.parent}. Make it first, or name another one."
    if isinstance(error, PermissionError):
        return f"You may not read or write {path}. Change its permissions, or name another place."
    return f"{path}: {error.strerror or error}. Name another place."


def _report_wrong_use(error: TyperException) -> NoReturn:
    _suggest_synonym(error)
    message = error.format_message()
    context: Any = getattr(error, "ctx", None)
    if not message and context is not None:
        # A group of commands without one of them: Typer has printed its help.
        sys.exit(Exit.USAGE)
    command = context.command_path if context is not None else "podium"
    meant = (
        _choice_meant(message)
        or _file_meant(error)
        or _file_needed(message)
        or _competition_meant(error)
        or _competition_option_meant(error)
        or _profile_meant(error)
        or _one_file_meant(error)
        or _option_to_repeat(error)
    )
    told = f"{_sentence(message)}{meant} See `{command} --help`."
    complain(told)
    _end(Exit.USAGE, _document(errors.BadRequest(told), told))


def _suggest_synonym(error: Any) -> None:  # noqa: ANN401 - a class of Typer's own
    """Suggests the option that means what an unknown one is called elsewhere."""
    meant = SYNONYMS.get(getattr(error, "option_name", None) or "")
    if meant is not None and any(meant in each.opts for each in error.ctx.command.params):
        error.possibilities = [meant]


def _sentence(message: str) -> str:
    message = message.replace("Value error, ", "")
    return message if message.endswith("?") else f"{message.rstrip('.')}."


def _choice_meant(message: str) -> str:
    """A question about the choice that a misspelt one is like."""
    found = re.search(r"'([^']*)' is not one of (.*)", message)
    if found is None:
        return ""
    known = re.findall(r"'([^']*)'", found[2])
    meant = did_you_mean(found[1], known, likeness=LIKENESS)
    return f" {meant}" if meant else ""


def _file_meant(error: TyperException) -> str:
    """A question about a file that stands where no file is expected, and an option lacks one."""
    lacking: Any = getattr(error, "param", None)
    if "-f" not in getattr(lacking, "opts", ()) or not error.format_message().startswith("Missing"):
        return ""
    given = sys.argv[1:]
    for before, value in zip(["", *given], given, strict=False):
        if not before.startswith("-") and not value.startswith("-") and Path(value).is_file():
            return f" Did you mean -f {value}?"
    return ""


def _file_needed(message: str) -> str:
    """The word that files are read more than once, where `-` stands for standard input."""
    is_dash = "'-' does not exist" in message
    return " Standard input is not read: save it to a file, and name that." if is_dash else ""


def _competition_meant(error: TyperException) -> str:
    """The word that a command takes its competition without an option, where one is given."""
    context: Any = getattr(error, "ctx", None)
    takes = [] if context is None else [each.name for each in context.command.params]
    if getattr(error, "option_name", None) not in ("-c", "--competition") or "slug" not in takes:
        return ""
    return f" It takes the competition as it is: `{context.command_path} SLUG`."


def _competition_option_meant(error: TyperException) -> str:
    """The word that a command takes its competition as an option, where it stands without one."""
    context: Any = getattr(error, "ctx", None)
    found = re.fullmatch(r"Got unexpected extra .*\((\S+)\)\.?", error.format_message())
    takes = (
        [] if context is None else [name for each in context.command.params for name in each.opts]
    )
    if found is None or "-c" not in takes or _is_competition_given():
        return ""
    return f" It takes the competition as an option: `{context.command_path} -c {found[1]}`."


def _is_competition_given() -> bool:
    return any(word.startswith(("-c", "--competition")) for word in sys.argv[1:])


def _profile_meant(error: TyperException) -> str:
    """The word that a profile stands before the command."""
    context: Any = getattr(error, "ctx", None)
    if getattr(error, "option_name", None) != "--profile" or context is None:
        return ""
    command = context.command_path.removeprefix("podium ")
    return f" It stands before the command: `podium --profile NAME {command}`."


def _option_to_repeat(error: TyperException) -> str:
    """The word that an option takes one value, where more stand behind one that may be repeated."""
    context: Any = getattr(error, "ctx", None)
    if context is None or not error.format_message().startswith("Got unexpected extra"):
        return ""
    params = [each for each in context.command.params if getattr(each, "multiple", False)]
    known = {name for each in params for name in each.opts}
    extra = _extra_words(error)
    # The option, its value, and the first of the words that stand behind it.
    options = [
        word for word, behind in zip(sys.argv, sys.argv[2:], strict=False) if behind in extra
    ]
    given = [word for word in options if word in known]
    return f" Repeat {given[-1]} before each of them." if given else ""


def _one_file_meant(error: TyperException) -> str:
    """The word that a command takes one submission, where more are given."""
    context: Any = getattr(error, "ctx", None)
    takes = [] if context is None else [each.name for each in context.command.params]
    if "file" not in takes or not any(Path(word).is_file() for word in _extra_words(error)):
        return ""
    return " It takes one file at a time; `podium compare` scores several side by side."


def _extra_words(error: TyperException) -> list[str]:
    """The words for which a command has no place."""
    found = re.fullmatch(r"Got unexpected extra .*\((.+)\)\.?", error.format_message())
    return [] if found is None else found[1].split()


def _end(code: int, document: dict[str, Any]) -> NoReturn:
    if "--json" in sys.argv[1:]:
        print(json_text(document | {"exit_code": int(code)}))
    sys.exit(code)


def _document(error: errors.PodiumError, told: str) -> dict[str, Any]:
    """The members of a problem document for what no server has said."""
    problems = list(getattr(error, "problems", ()))
    return {
        **_kind_of(error),
        "detail": told,
        "code": str(error.code),
        "errors": problems,
        "error_count": max(len(problems), getattr(error, "problem_count", 0)),
    }


def _kind_of(error: errors.PodiumError) -> dict[str, Any]:
    """The type and the title of what went wrong; of a proxy's answer nothing but its status is
    known."""
    status = error.facts.get("status")
    if status is None:
        known = CODES.get(error.code)
        return {
            "type": f"/problems/{error.code}",
            "title": known.explanation.title if known else "",
        }
    named = [each.phrase for each in HTTPStatus if each == status]
    return {"type": "about:blank", "title": named[0] if named else "Error", "status": status}
