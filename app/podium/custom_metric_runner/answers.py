"""Cleans the results of a child that has run an organizer's code.

The child does it, so that its result is never too long for its parent, and the parent once more,
because the code may have forged it.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import replace

from podium.custom_metric_runner.values import (
    MAX_DETAIL_CHARACTERS,
    MAX_OUTPUT_BYTES,
    MAX_PROBLEMS,
    MAX_REPORT_CHARACTERS,
    MAX_VISIBLE_CHARACTERS,
    CodeProblem,
    CustomArgument,
    MetricChecked,
    MetricRun,
)

MAX_NUMBERS = 64
"""The most further numbers of a run, and the most arguments of a function; the rest is dropped."""

MAX_NAME_CHARACTERS = 200

MAX_DESCRIPTION_CHARACTERS = 4_000

OUTPUT_NOTE = 80
"""Characters of the line that states how much output was cut."""

LINES = "\n\t"
"""Control characters that are allowed in texts for organizers."""

BLANKS = "Zs"
"""The Unicode category of spaces of all widths, which become plain ones."""

NUMBER = re.compile(r"-?0x[01]\.[0-9a-f]{1,13}p[+-][0-9]{1,4}")
"""The pattern of a float64 in hexadecimal."""


def cleaned(run: MetricRun) -> MetricRun:
    """Cleans a run: every text is bounded and printable, and every number finite. One that claims
    to have measured a score that is not a finite number has failed."""
    score = _number(run.score)
    bounded = replace(
        run,
        text=visible(run.text),
        report=_text(run.report, MAX_REPORT_CHARACTERS, keeps_end=True),
        output=_text(run.output, MAX_OUTPUT_BYTES + OUTPUT_NOTE, keeps_end=True),
        warnings=tuple(_line(each, MAX_DETAIL_CHARACTERS) for each in run.warnings[:MAX_PROBLEMS]),
        processor=_line(run.processor, 4 * MAX_NAME_CHARACTERS),
        rows=max(run.rows, 0),
    )
    bare = bounded.without_score()
    if run.outcome == "measured" and score is not None:
        numbers = _numbers(run.numbers or {})
        is_error = run.standard_error is None or _is_error(run.standard_error)
        measured = replace(bounded, score=score, numbers=numbers, text="", report="")
        return measured if is_error else replace(measured, standard_error=None, terms="none")
    if run.outcome == "refused":
        return replace(bare, report="")
    if run.outcome == "measured":
        return replace(bare, outcome="failed", text="", report="The score is not a finite number.")
    return replace(bare, text="")


def cleaned_check(checked: MetricChecked) -> MetricChecked:
    """Cleans the result of checking a custom metric in the same way."""
    return replace(
        checked,
        problems=tuple(map(_problem, checked.problems[:MAX_PROBLEMS])),
        arguments=tuple(map(_argument, checked.arguments[:MAX_NUMBERS])),
        doctests=max(checked.doctests, 0),
        description=_text(checked.description, MAX_DESCRIPTION_CHARACTERS),
        packages={
            _line(name, MAX_NAME_CHARACTERS): _line(version, MAX_NAME_CHARACTERS)
            for name, version in list(checked.packages.items())[:MAX_NUMBERS]
        },
        output=_text(checked.output, MAX_OUTPUT_BYTES + OUTPUT_NOTE, keeps_end=True),
    )


def visible(text: str) -> str:
    r"""Cleans the text that is shown to a participant: one line of bounded length, without
    invisible characters.

    >>> visible("Column\n\u202ex  is\x00 empty")
    'Column x is empty'
    """
    return _line(text, MAX_VISIBLE_CHARACTERS)


def _line(text: str, most: int) -> str:
    # More than the limit is cleaned, because blanks are joined; not all, because it may be long.
    return " ".join(_text(text[: 8 * most], 8 * most).split())[:most]


def _text(text: str, most: int, *, keeps_end: bool = False) -> str:
    text = text[-most:] if keeps_end else text[:most]
    return "".join(map(_shown, text))


def _shown(character: str) -> str:
    """Returns the character, unless it is invisible or changes how others are displayed: control
    characters, bidirectional overrides, lone surrogates, line separators."""
    if character in LINES or character.isprintable():
        return character
    return " " if unicodedata.category(character) == BLANKS else ""


def _number(text: str | None) -> str | None:
    """Validates a finite number in hexadecimal; None for anything else."""
    if text is None or not NUMBER.fullmatch(text):
        return None
    try:
        number = float.fromhex(text)
    except OverflowError:
        return None
    return number.hex() if math.isfinite(number) else None


def _numbers(numbers: Mapping[str, str]) -> dict[str, str]:
    found = {name: _number(text) for name, text in list(numbers.items())[:MAX_NUMBERS]}
    return {
        name: number
        for name, number in found.items()
        if number is not None and name.isidentifier() and len(name) <= MAX_NAME_CHARACTERS
    }


def _is_error(error: float) -> bool:
    return math.isfinite(error) and error >= 0


def _problem(problem: CodeProblem) -> CodeProblem:
    return CodeProblem(
        code=_line(problem.code, MAX_NAME_CHARACTERS),
        detail=_text(problem.detail, MAX_DETAIL_CHARACTERS),
        line=problem.line if problem.line is not None and 0 < problem.line < 1 << 31 else None,
        file=None if problem.file is None else _line(problem.file, MAX_NAME_CHARACTERS),
    )


def _argument(argument: CustomArgument) -> CustomArgument:
    default = argument.default
    return CustomArgument(
        name=_line(argument.name, MAX_NAME_CHARACTERS),
        type=_line(argument.type, MAX_NAME_CHARACTERS),
        is_required=argument.is_required,
        default=None if default is None else _line(default, MAX_NAME_CHARACTERS),
    )
