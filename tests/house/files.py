"""Rules about one file at a time: its size, its name, and what every file says about itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from tests.house.project import PRODUCT, Function, Problem, Source

LONGEST_FILE = 400
LONGEST_FUNCTION = 35
"""Lines of a function's body, its docstring left out."""

SHORTEST_DOCSTRING = 20

FORBIDDEN_NAMES = {"utils", "util", "helpers", "helper", "manager", "managers", "common", "misc"}

LATER = re.compile(r"\b(TO[D]O|FIX[M]E|X[X]X|NotImplemented[E]rror)\b")
"""Words for what is left for later; the brackets keep this line from being one."""

EXEMPTION = re.compile(r"#\s*noqa(?P<codes>:\s*[A-Z]+\d+(?:,\s*[A-Z]+\d+)*)?(?P<reason>.*)", re.I)

RAW_TEXT = re.compile(r"""\b(?:r[bf]?|[bf]r)["']""")

POSSESSIVE_GROUP = re.compile(r"\)(?:[*+?]|\{[0-9,]+\})\+|\(\?>")
"""A repetition that no pattern of the product holds."""


def is_short(source: Source) -> Iterator[Problem]:
    """A file has at most 400 lines."""
    if (count := len(source.lines)) > LONGEST_FILE:
        text = f"the file has {count} lines; split it: {LONGEST_FILE} are the most"
        yield source.problem(LONGEST_FILE, text)


def has_short_functions(source: Source) -> Iterator[Problem]:
    """A function of the product or of a benchmark has at most 35 lines."""
    if not source.is_in(*PRODUCT, "benchmarks"):
        return
    for function in source.functions:
        if (count := _body_lines(function)) > LONGEST_FUNCTION:
            yield source.problem(
                function.lineno,
                f"{function.name} has {count} lines; split it: {LONGEST_FUNCTION} are the most",
            )


def has_a_docstring(source: Source) -> Iterator[Problem]:
    """A module of the product opens by saying what lives in it. Ruff asks for the docstrings of
    classes and functions."""
    if not source.is_in(*PRODUCT) or not source.text.strip():
        return
    if len(ast.get_docstring(source.tree) or "") < SHORTEST_DOCSTRING:
        yield source.problem(1, "open the module by saying what lives in it, and what must not")


def leaves_nothing_for_later(source: Source) -> Iterator[Problem]:
    """Work that is not done is an issue, not a comment."""
    for number, line in enumerate(source.lines, 1):
        if found := LATER.search(line):
            yield source.problem(number, f"{found[0]}: do it now, or write an issue")


def has_a_telling_name(source: Source) -> Iterator[Problem]:
    """Folders and files are named by what they hold."""
    for part in FORBIDDEN_NAMES.intersection(source.parts):
        yield source.problem(1, f"“{part}” says nothing: name it by what it holds")


def gives_reasons_for_exemptions(source: Source) -> Iterator[Problem]:
    """An exemption from a rule of ruff names the rule and the reason."""
    for number, line in enumerate(source.lines, 1):
        if "noqa" not in line.lower() or not (found := EXEMPTION.search(line)):
            continue
        if not found["codes"] or not found["reason"].strip(" -,"):
            yield source.problem(number, "write the rule and the reason: “noqa: S105 - a label”")


def has_no_possessive_group(source: Source) -> Iterator[Problem]:
    """No pattern repeats a group possessively: Python before 3.11.5, which is that of Debian 12,
    finds no match where there is one. Sets of characters may be repeated so."""
    if not source.is_in(*PRODUCT):
        return
    for number, line in enumerate(source.lines, 1):
        if RAW_TEXT.search(line) and POSSESSIVE_GROUP.search(line):
            yield source.problem(number, "no group is repeated possessively: Python 3.11.2 errs")


def _body_lines(function: Function) -> int:
    body = function.body
    if ast.get_docstring(function) and len(body) > 1:
        body = body[1:]
    return (function.end_lineno or function.lineno) - body[0].lineno + 1


RULES: tuple[Callable[[Source], Iterator[Problem]], ...] = (
    is_short,
    has_short_functions,
    has_a_docstring,
    leaves_nothing_for_later,
    has_a_telling_name,
    gives_reasons_for_exemptions,
    has_no_possessive_group,
)
