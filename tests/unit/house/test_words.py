"""The report of old words, and the command."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house.__main__ import main
from tests.house.project import Project, Source
from tests.house.words import left, report


def places(text: str, path: str = "app/teams.py") -> dict[str, list[int]]:
    """The lines of each old word in a file, by what starts its title."""
    found = left(Project(Path("/nowhere"), (Source(path, text),)))
    return {title.partition(" → ")[0]: [p.line for p in each] for title, each in found.items()}


@pytest.mark.parametrize(
    ("text", "word", "lines"),
    [
        ('"""Leases.\n\nFor whoever waits."""\n', "whoever", [3]),
        ("x = 1  # nobody reads it\n", "nobody", [1]),
        ('x = "nobody reads it"\n', "nobody", None),
        (
            "class SignsOfLife:\n    pass\n",
            "signs_of_life, sign_of_life, beat, beats, beating",
            [1],
        ),
        ("def f(last_sight: int) -> None:\n    ...\n", "sight, sight_of", [1]),
        ("insight = 1\n", "sight, sight_of", None),
        ("class Wanted:\n    pass\n", "wanted", [1]),
        ("class WantedRows:\n    pass\n", "wanted", None),
        ('def f() -> None:\n    """How it is."""\n', "docstring opens with How", [2]),
        ('def f() -> None:\n    """However it is."""\n', "docstring opens with How", None),
        ('x = 1\n"""What it is."""\n', "docstring opens with What", [2]),
        ('_log.warning(\n    "child died")\n', "log event", [1]),
        ('get_logger("x").error("child-died")\n', "log event", [1]),
        ('_log.error("child.died", death=1)\n', "log event", None),
        ("state = State.JUDGING\n", "State.JUDGING", [1]),
        ("class A: ...\nclass A: ...\n", "class of a shared name", [1, 2]),
    ],
)
def test_an_old_word_is_found_where_it_is_one(
    text: str, word: str, lines: list[int] | None
) -> None:
    assert places(text).get(word) == lines


def test_words_of_one_part_of_the_product_are_looked_for_there_alone() -> None:
    words = "order, orders, act, acts"
    assert places("order = 1\n", "app/sandbox/child.py") == {words: [1]}
    assert places("order = 1\n", "app/boards/queries.py") == {}


def test_folders_and_files_have_names_too() -> None:
    assert places("", "app/web/edge/head.py") == {"edge": [1]}
    assert places("", "app/web/edges.py") == {}


def test_the_report_counts_and_names_the_places_of_a_word() -> None:
    sources = (
        Source("app/teams.py", "# nobody, whoever\n"),
        Source("tests/test_teams.py", "# nobody\n"),
    )
    project = Project(Path("/nowhere"), sources)
    _, first, second, total = report(project, ())
    assert first.split()[:4] == ["2", "1", "1", "nobody"]
    assert second.split()[:4] == ["1", "1", "0", "whoever"]
    assert total.split()[0] == "3"
    assert list(report(project, ["whoever"])) == ["app/teams.py:1: # nobody, whoever"]


def test_the_command_prints_every_problem_and_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[project]\nname = "x"\ndependencies = []\n[project.optional-dependencies]\n'
    )
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "teams.py").write_text("import no_such_library\n")
    assert main([], tmp_path) == 1
    printed = capsys.readouterr().out
    assert "app/teams.py:1: open the module by saying" in printed
    assert "app/teams.py:1: no_such_library: ask for it" in printed
    assert main(["--words"], tmp_path) == 0
