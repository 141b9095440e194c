"""The rules about how files stand together."""

from __future__ import annotations

from pathlib import Path

from tests.house import folders
from tests.house.project import Project, Source


def folder_of(root: Path, name: str, count: int) -> Project:
    (root / name).mkdir(parents=True)
    for number in range(count):
        (root / name / f"file_{number}.html").touch()
    return Project(root, ())


def of(*sources: Source) -> Project:
    return Project(Path("/nowhere"), sources)


def test_a_folder_with_seventeen_files_is_found_and_one_with_sixteen_is_not(
    tmp_path: Path,
) -> None:
    folder_of(tmp_path, "app/podium/boards/templates", 16)
    project = folder_of(tmp_path, "app/podium/teams", 17)
    (problem,) = folders.are_small(project)
    assert problem.path == "app/podium/teams"
    assert "17 files" in problem.text


def test_steps_of_migrations_may_be_many(tmp_path: Path) -> None:
    assert list(folders.are_small(folder_of(tmp_path, "migrations/versions", 30))) == []


def test_a_folder_without_an_init_file_is_found() -> None:
    there = Source("app/podium/teams/__init__.py", "")
    rules = Source("app/podium/teams/rules.py", "")
    lost = Source("app/podium/boards/rules.py", "")
    problems = folders.are_packages(of(there, rules, lost))
    assert [problem.path for problem in problems] == ["app/podium/boards"]


def test_an_import_from_a_test_is_found() -> None:
    text = "from tests.unit.test_teams import TEAM\nfrom tests.unit.builders import a_team\n"
    project = of(Source("tests/unit/test_boards.py", text))
    assert [problem.line for problem in folders.import_no_test(project)] == [1]


def test_a_group_that_is_not_named_in_the_mark_of_the_module_is_found() -> None:
    named = 'import pytest\n\npytestmark = pytest.mark.xdist_group("cluster")\n'
    lost = '@pytest.mark.xdist_group("cluster")\ndef test_nothing() -> None: ...\n'
    sources = (Source("tests/test_named.py", named), Source("tests/test_lost.py", lost))
    problems = folders.name_their_group(of(*sources))
    assert [problem.path for problem in problems] == ["tests/test_lost.py"]
