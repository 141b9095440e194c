"""Reports errors that end a command: one form on standard error, and an exit code."""

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
"""The exit code of each error; all others are the server's."""

LASTING = (["serve"], ["worker"])
"""Commands that run permanently: a file error in them is not a mistyped path."""

SYNONYMS = {"--set": "--change"}
"""Names that people try for options, with the right ones."""

LIKENESS = 0.5
"""The similarity (0 to 1) from which on another choice is suggested."""

EXCEPTIONS: dict[OurCode | ForeignCode, Exit] = {
    # Another choice helps, so these are not limits.
    ErrorCode.NAME_TAKEN: Exit.USAGE,
    ErrorCode.NAMES_TAKEN: Exit.USAGE,
    ErrorCode.SLUG_TAKEN: Exit.USAGE,
    ErrorCode.ALREADY_IN_TEAM: Exit.USAGE,
    ErrorCode.LAUNCH_CHECKLIST: Exit.USAGE,
    # The same fact as `no-team`, where a permission is missing.
    ErrorCode.NOT_JOINED: Exit.USAGE,
    # Not found or not allowed, because it is too early or too late.
    ErrorCode.NOT_REVEALED: Exit.LIMIT,
    ErrorCode.REGISTRATION_CLOSED: Exit.LIMIT,
    ErrorCode.LEAK_LIMIT: Exit.LIMIT,
    ErrorCode.WAIT_TIMED_OUT: Exit.TIMEOUT,
    # The bytes were changed or lost in transit.
    ErrorCode.DIGEST_MISMATCH: Exit.SERVER,
    ErrorCode.UPLOAD_CUT: Exit.SERVER,
}
"""Exit codes of errors that differ from others of their class."""


def exit_code(error: errors.PodiumError) -> Exit:
    """Returns the exit code of an error that ended a command."""
    if (exception := EXCEPTIONS.get(error.code)) is not None:
        return exception
    if error.facts.get("is_file_rejected"):
        return Exit.REJECTED
    return next((code for kind, code in KINDS if isinstance(error, kind)), Exit.SERVER)


@contextmanager
def reported() -> Iterator[None]:
    """Turns our errors, and wrong usage, into a line on standard error and their exit code; with
    `--json`, also into a problem document on standard output."""
    try:
        yield
    except errors.PodiumError as failure:
        error = understood(failure)
        sentence, code = for_people(advised(error)), exit_code(error)
        for line in _lines(error, sentence):
            complain(line)
        _end(code, error.facts.get("problem") or _document(error, sentence))
    except OSError as error:
        if not error.filename or sys.argv[1:2] in LASTING:
            # It is either about standard output, which the end of the program handles, or a bug of
            # a permanent process, whose traceback is needed.
            raise
        sentence = file_failure(error)
        complain(sentence)
        _end(Exit.USAGE, _document(errors.InvalidInput(sentence), sentence))
    except TyperException as error:
        _report_wrong_use(error)
    except Abort as abort:
        complain("Aborted.")
        # Typer raises this after Ctrl-C at a prompt as well.
        sys.exit(Exit.STOPPED if isinstance(abort.__context__, KeyboardInterrupt) else Exit.NO)


def _lines(error: errors.PodiumError, sentence: str) -> list[str]:
    """Returns the sentence of an error and its problems, one per line, without duplicates: often
    the sentence is the first of the problems."""
    problems: Sequence[ProblemEntry] = getattr(error, "problems", ())
    lines = problem_lines(error.facts.get("file", ""), problems)
    if not problems or not _is_said_in(problems[0], sentence):
        return [sentence, *lines]
    more = getattr(error, "problem_count", 0) - len(problems)
    return [*lines, *([f"And {more:,} more."] if more > 0 else [])]


def _is_said_in(problem: ProblemEntry, sentence: str) -> bool:
    """True if a sentence is about this problem, perhaps with its member or line in front."""
    detail = str(problem["detail"]).rstrip(".")
    places = (member_of(problem), f"Line {problem.get('line')}")
    return sentence.rstrip(".") in (detail, *(f"{place}: {detail}" for place in places))


def file_failure(error: OSError) -> str:
    """Returns a sentence about a file or folder of this computer that cannot be read or written."""
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
        # A group of commands without a command: Typer has printed its help.
        sys.exit(Exit.USAGE)
    meant = (
        _choice_meant(message)
        or _file_meant(error)
        or _file_needed(message)
        or _competition_meant(error)
        or _competition_option_meant(error)
        or _profile_meant(error)
        or _one_file_meant(error)
        or _option_to_repeat(error)
        or _value_meant(error)
    )
    sentence = f"{_sentence(message)}{meant} See `{_command(error)} --help`."
    complain(sentence)
    _end(Exit.USAGE, _document(errors.BadRequest(sentence), sentence))


def _suggest_synonym(error: Any) -> None:  # noqa: ANN401 - a class of Typer's own
    """Suggests the right option for an unknown one with another name for it."""
    meant = SYNONYMS.get(getattr(error, "option_name", None) or "")
    if meant is not None and any(meant in each.opts for each in error.ctx.command.params):
        error.possibilities = [meant]


def _sentence(message: str) -> str:
    message = message.replace("Value error, ", "")
    return message if message.endswith("?") else f"{message.rstrip('.')}."


def _choice_meant(message: str) -> str:
    """Returns a question about the choice that a misspelled one resembles."""
    found = re.search(r"'([^']*)' is not one of (.*)", message)
    if found is None:
        return ""
    known = re.findall(r"'([^']*)'", found[2])
    meant = did_you_mean(found[1], known, likeness=LIKENESS)
    return f" {meant}" if meant else ""


def _file_meant(error: TyperException) -> str:
    """Returns a question about a file where no file is expected, if an option for one is
    missing."""
    missing: Any = getattr(error, "param", None)
    if "-f" not in getattr(missing, "opts", ()) or not error.format_message().startswith("Missing"):
        return ""
    given = sys.argv[1:]
    for before, value in zip(["", *given], given, strict=False):
        if not before.startswith("-") and not value.startswith("-") and Path(value).is_file():
            return f" Did you mean -f {value}?"
    return ""


def _file_needed(message: str) -> str:
    """Returns the hint that files are read more than once, if `-` is given for standard input."""
    is_dash = "'-' does not exist" in message
    return " Standard input is not read: save it to a file, and name that." if is_dash else ""


def _competition_meant(error: TyperException) -> str:
    """Returns the hint that a command takes its competition as an argument, if it is given as an
    option."""
    takes = [each.name for each in _params(error)]
    if getattr(error, "option_name", None) not in ("-c", "--competition") or "slug" not in takes:
        return ""
    return f" It takes the competition as it is: `{_command(error)} SLUG`."


def _competition_option_meant(error: TyperException) -> str:
    """Returns the hint that a command takes its competition as an option, if it is given as an
    argument."""
    extra = _extra_words(error)
    takes = [name for each in _params(error) for name in each.opts]
    if len(extra) != 1 or "-c" not in takes or _is_competition_given():
        return ""
    return f" It takes the competition as an option: `{_command(error)} -c {extra[0]}`."


def _is_competition_given() -> bool:
    return any(word.startswith(("-c", "--competition")) for word in sys.argv[1:])


def _profile_meant(error: TyperException) -> str:
    """Returns the hint that `--profile` comes before the command."""
    if getattr(error, "option_name", None) != "--profile":
        return ""
    command = _command(error).removeprefix("podium ")
    return f" It stands before the command: `podium --profile NAME {command}`."


def _option_to_repeat(error: TyperException) -> str:
    """Returns the hint that an option takes one value at a time, if more follow one that may be
    repeated."""
    params = [each for each in _params(error) if getattr(each, "multiple", False)]
    known = {name for each in params for name in each.opts}
    extra = _extra_words(error)
    # The option, its value, and the first of the words after it.
    options = [
        word for word, behind in zip(sys.argv, sys.argv[2:], strict=False) if behind in extra
    ]
    given = [word for word in options if word in known]
    return f" Repeat {given[-1]} before each of them." if given else ""


def _value_meant(error: TyperException) -> str:
    """Returns the hint for an argument that begins with a dash, as a team's code may that an older
    version made."""
    takes = [each.param_type_name for each in _params(error)]
    if "argument" not in takes or not re.match("-[^-]", getattr(error, "option_name", None) or ""):
        return ""
    return f" A value that begins with a dash follows two: `{_command(error)} -- -VALUE`."


def _one_file_meant(error: TyperException) -> str:
    """Returns the hint that a command takes one submission, if more are given."""
    takes = [each.name for each in _params(error)]
    if "file" not in takes or not any(Path(word).is_file() for word in _extra_words(error)):
        return ""
    return " It takes one file at a time; `podium compare` scores several side by side."


def _params(error: TyperException) -> list[Any]:
    """Returns the parameters of the command that was used wrongly."""
    context: Any = getattr(error, "ctx", None)
    return [] if context is None else context.command.params


def _command(error: TyperException) -> str:
    """Returns the words of the command that was used wrongly."""
    context: Any = getattr(error, "ctx", None)
    return "podium" if context is None else context.command_path


def _extra_words(error: TyperException) -> list[str]:
    """Returns the superfluous arguments of a command."""
    found = re.fullmatch(r"Got unexpected extra .*\((.+)\)\.?", error.format_message())
    return [] if found is None else found[1].split()


def _end(code: int, document: dict[str, Any]) -> NoReturn:
    if "--json" in sys.argv[1:]:
        print(json_text(document | {"exit_code": int(code)}))
    sys.exit(code)


def _document(error: errors.PodiumError, sentence: str) -> dict[str, Any]:
    """Returns the members of a problem document for an error that no server has sent."""
    problems = list(getattr(error, "problems", ()))
    return {
        **_kind_of(error),
        "detail": sentence,
        "code": str(error.code),
        "errors": problems,
        "error_count": max(len(problems), getattr(error, "problem_count", 0)),
    }


def _kind_of(error: errors.PodiumError) -> dict[str, Any]:
    """Returns the type and the title of an error; for a proxy's answer only the status is known."""
    status = error.facts.get("status")
    if status is None:
        known = CODES.get(error.code)
        return {
            "type": f"/problems/{error.code}",
            "title": known.explanation.title if known else "",
        }
    named = [each.phrase for each in HTTPStatus if each == status]
    return {"type": "about:blank", "title": named[0] if named else "Error", "status": status}
