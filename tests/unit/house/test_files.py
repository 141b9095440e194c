"""The rules about one file: each finds what is planted for it, and nothing in a good file."""

from __future__ import annotations

import ast

import pytest

from tests.house import files
from tests.house.project import Source

GOOD = '''"""Names of teams, as boards compare them."""

from __future__ import annotations


def key_of(name: str) -> str:
    """The name without its case."""
    return name.casefold()
'''
LONG_BODY = "    pass\n" * 36
LONG_FUNCTION = f'"""Functions that are far too long."""\n\n\ndef long() -> None:\n{LONG_BODY}'


def found(text: str, path: str = "app/podium/teams.py") -> list[tuple[str, int]]:
    """The rules that a file breaks, with the lines."""
    source = Source(path, text)
    return [(rule.__name__, problem.line) for rule in files.RULES for problem in rule(source)]


def test_a_good_file_breaks_no_rule() -> None:
    assert found(GOOD) == []


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        (GOOD + "\n" * 393, ("is_short", 400)),
        (LONG_FUNCTION, ("has_short_functions", 4)),
        ("import os\n", ("has_a_docstring", 1)),
        (GOOD + 'X = re.compile(rb"(a[b]++)*+")\n', ("has_no_possessive_group", 9)),
        (GOOD + 'X = re.compile(r"(?:ab?+){1,2}+")\n', ("has_no_possessive_group", 9)),
        (GOOD + 'X = re.compile(rf"(?>a)")\n', ("has_no_possessive_group", 9)),
        ('"""Too short."""\n', ("has_a_docstring", 1)),
        (GOOD + "# TO" + "DO: later\n", ("leaves_nothing_for_later", 9)),
        (GOOD + "raise NotImplemented" + "Error\n", ("leaves_nothing_for_later", 9)),
        (GOOD + "x = 1  # no" + "qa\n", ("gives_reasons_for_exemptions", 9)),
        (GOOD + "x = 1  # no" + "qa: E741\n", ("gives_reasons_for_exemptions", 9)),
    ],
)
def test_what_breaks_a_rule_is_found(text: str, broken: tuple[str, int]) -> None:
    assert found(text) == [broken]


@pytest.mark.parametrize(
    "text",
    [
        GOOD + "\n" * 392,
        LONG_FUNCTION.replace("    pass\n", '    """Says so."""\n', 1),
        GOOD + "x = 1  # no" + "qa: E741, S105 - the library's own name\n",
    ],
)
def test_what_just_keeps_a_rule_is_not_found(text: str) -> None:
    assert found(text) == []


def test_functions_of_tests_may_be_long() -> None:
    assert found(LONG_FUNCTION, "tests/unit/test_teams.py") == []


@pytest.mark.parametrize("path", ["app/podium/utils/teams.py", "tests/helpers.py"])
def test_a_name_that_says_nothing_is_found_in_folders_and_files(path: str) -> None:
    assert found(GOOD, path) == [("has_a_telling_name", 1)]


def test_an_empty_package_needs_no_docstring() -> None:
    assert found("", "app/podium/teams/__init__.py") == []


def test_a_problem_reads_as_a_place_and_what_to_do() -> None:
    (problem,) = files.has_a_docstring(Source("migrations/env.py", "import os\n"))
    told = "open the module by saying what lives in it, and what must not"
    assert str(problem) == f"migrations/env.py:1: {told}"


def test_a_file_is_parsed_once() -> None:
    source = Source("app/podium/teams.py", GOOD)
    assert source.tree is source.tree
    assert isinstance(source.nodes[0], ast.Module)
