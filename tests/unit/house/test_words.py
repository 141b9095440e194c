"""The rules about words: each finds what is planted for it, and nothing in good text."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house import words
from tests.house.project import Project, Source


def found(text: str, path: str = "app/podium/teams.py") -> list[tuple[int, str]]:
    """The lines with an old word, and the first word of each complaint."""
    source = Source(path, text)
    problems = [problem for rule in words.RULES for problem in rule(source)]
    return [(problem.line, problem.text.split(" in ")[0].strip("“”")) for problem in problems]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"""Leases.\n\nFor whoever waits."""\n', [(3, "whoever")]),
        ("x = 1  # nobody reads it\n", [(1, "nobody")]),
        ('x = "nobody reads it"\n', []),
        ("class SignsOfLife:\n    pass\n", [(1, "signs of life")]),
        ("def test_nobody_reads_it() -> None:\n    ...\n", [(1, "nobody")]),
        ("def f(last_sight: int) -> None:\n    ...\n", [(1, "sight")]),
        ("insight = 1\n", []),
        ("class Wanted:\n    pass\n", [(1, "wanted")]),
        ("class WantedRows:\n    pass\n", []),
        ("_hold = 1\n", [(1, "hold")]),
        ("holds_nothing = beats_all = 1\n", []),
        ("state = State.RUNNING\n", []),
    ],
)
def test_an_old_word_is_found_where_it_is_one(text: str, expected: list[tuple[int, str]]) -> None:
    assert found(text) == expected


def test_an_old_member_is_found() -> None:
    source = Source("app/podium/teams.py", "state = State.JUDGING\n")
    [problem] = words.uses_the_words_of_the_trade(source)
    assert problem.text == "State.JUDGING: write State.RUNNING"


def test_a_complaint_names_the_place_and_the_word_to_write() -> None:
    source = Source("app/podium/teams.py", "\n# " + "A long line before it. " * 4 + "Nobody.\n")
    [problem] = words.uses_the_words_of_the_trade(source)
    assert (problem.path, problem.line) == ("app/podium/teams.py", 2)
    assert problem.text.endswith("…: write no user, none, anonymous")
    assert len(problem.text) < 120


def test_words_of_one_part_of_the_product_are_looked_for_there_alone() -> None:
    assert found("order = 1\n", "app/podium/sandbox/child.py") == [(1, "order")]
    assert found("order = 1\n", "app/podium/boards/queries.py") == []


def test_folders_and_files_have_names_too() -> None:
    assert found("", "app/podium/web/edge/head.py") == [(1, "edge")]
    assert found("", "app/podium/web/edges.py") == []


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('def f() -> None:\n    """How it is."""\n', [2]),
        ('def f() -> None:\n    """However it is."""\n', []),
        ('x = 1\n"""What it is."""\n', [2]),
        ('"""What, and why."""\n', [1]),
        ('"""Of one process."""\n', [1]),
    ],
)
def test_a_docstring_that_opens_with_a_noun_clause_is_found(text: str, lines: list[int]) -> None:
    source = Source("app/podium/teams.py", text)
    assert [p.line for p in words.opens_docstrings_with_a_statement(source)] == lines


ROUTE = '@router.get("/x")\ndef f() -> None:\n    """What somebody sees."""\n'
MODEL = 'class LinkKind(StrEnum):\n    """What nobody sees."""\n'


@pytest.mark.parametrize(
    ("path", "text", "is_published"),
    [
        ("app/podium/teams/routes/links.py", ROUTE, True),
        ("app/podium/teams/pages/links.py", ROUTE, False),
        ("app/podium/teams/routes/links.py", ROUTE.replace("@router", "@cached"), False),
        ("app/podium/teams/schemas.py", MODEL, True),
        ("app/podium/teams/rules.py", MODEL, True),
        ("app/podium/teams/rules.py", MODEL.replace("LinkKind", "LinkSort"), False),
        ("tests/teams/schemas.py", MODEL, False),
    ],
)
def test_texts_of_the_contract_are_no_words_of_the_code(
    path: str, text: str, is_published: bool
) -> None:
    assert (found(text, path) == []) is is_published


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('_log.warning(\n    "child died")\n', [1]),
        ('get_logger("x").error("child-died")\n', [1]),
        ('self._log.info("died")\n', [1]),
        ('log.log(10, "child-died")\n', [1]),
        ('log.log(10, "child.died")\n', []),
        ('_log.error("child.died", failure=1)\n', []),
        ('cursor.error("child died")\n', []),
    ],
)
def test_an_event_that_is_not_noun_and_verb_is_found(text: str, lines: list[int]) -> None:
    source = Source("app/podium/teams.py", text)
    assert [problem.line for problem in words.names_events_by_noun_and_verb(source)] == lines


def test_classes_of_the_product_with_the_same_name_are_found() -> None:
    sources = (
        Source("app/podium/teams.py", "class Team: ...\nclass Member: ...\n"),
        Source("app/podium/boards.py", "class Team: ...\n"),
        Source("tests/test_teams.py", "class Member: ...\n"),
    )
    problems = words.has_unique_classes(Project(Path("/nowhere"), sources))
    assert [str(problem).split(" is ")[0] for problem in problems] == [
        "app/podium/teams.py:1: Team",
        "app/podium/boards.py:1: Team",
    ]
