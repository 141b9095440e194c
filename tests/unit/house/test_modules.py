"""The rules about modules of the product that import each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house import modules
from tests.house.project import Project, Source

TYPES = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    "


def of(**texts: str) -> Project:
    """The project of these modules; in a name `__` divides a folder from a file."""
    return Project(
        Path("/nowhere"),
        tuple(
            Source(f"app/podium/{name.replace('__', '/', 1)}.py", text)
            for name, text in texts.items()
        ),
    )


def circles(project: Project) -> list[str]:
    return [problem.text for problem in modules.have_no_circles(project)]


def test_a_circle_of_two_files_is_found_and_named_from_end_to_end() -> None:
    (found,) = circles(of(teams="import podium.boards", boards="from podium import teams"))
    assert "podium.teams → podium.boards → podium.teams" in found or (
        "podium.boards → podium.teams → podium.boards" in found
    )


@pytest.mark.parametrize(
    "back",
    [
        "def show():\n    from podium.teams import Team",
        "class Board:\n    from podium import teams",
        "try:\n    import podium.teams\nexcept ImportError: ...",
    ],
    ids=["in a function", "in a class", "tried"],
)
def test_no_place_of_an_import_hides_a_circle(back: str) -> None:
    project = of(teams="from podium.rules import FEW", rules="import podium.boards", boards=back)
    assert len(circles(project)) == 1


def test_a_circle_through_a_package_is_found() -> None:
    # The package's own file imports what imports the package's other file.
    project = of(
        teams____init__="from podium.boards import Board",
        teams__rules="",
        boards="from podium.teams.rules import FEW",
    )
    assert len(circles(project)) == 1


def test_two_circles_are_two_problems() -> None:
    project = of(
        teams="import podium.boards",
        boards="import podium.teams",
        a="import podium.b",
        b="import podium.a",
    )
    assert len(circles(project)) == 2


def test_types_a_package_of_its_own_files_and_libraries_are_no_circle() -> None:
    project = of(
        teams="from podium.boards import Board\nimport polars",
        boards=f"{TYPES}from podium.teams import Team",
        client____init__="from podium.client.calls import Calls",
        client__calls="from podium.client.connection import Connection",
        client__connection="",
    )
    assert circles(project) == []


def deferred(project: Project) -> list[int]:
    return [problem.line for problem in modules.wait_only_for_libraries(project)]


def test_an_import_that_brings_no_library_may_not_wait() -> None:
    later = "import polars\ndef read():\n    from podium.rules import FEW\n"
    assert deferred(of(teams=later, rules="import json, polars")) == [3]


def test_an_import_may_wait_for_a_library_that_comes_through_others() -> None:
    later = "import polars\ndef read():\n    from podium.rules import FEW\n"
    project = of(teams=later, rules="from podium.boards import Board", boards="import sqlalchemy")
    assert deferred(project) == []


def test_a_library_of_the_package_around_is_loaded_already() -> None:
    project = of(
        teams____init__="import sqlalchemy",
        teams__queries="def read():\n    import podium.boards",
        boards="from sqlalchemy import select",
    )
    assert deferred(project) == [2]


def test_the_table_allows_what_waits_without_a_library_and_names_nothing_else() -> None:
    waiting = of(custom_metric_runner__running="def score():\n    import podium.rules", rules="")
    assert deferred(waiting) == []
    (found,) = modules.wait_only_for_libraries(
        of(custom_metric_runner__running="import podium.rules", rules="")
    )
    assert (found.path, "WAITING" in found.text) == (
        "app/podium/custom_metric_runner/running.py",
        True,
    )


def test_what_a_file_loads_through_others_without_its_extra_is_found(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[project]\nname = "x"\ndependencies = ["rich"]\n'
        '[project.optional-dependencies]\nscore = ["polars"]\n'
    )
    sources = of(
        cli__printing="import rich\nfrom podium.scoring import metrics",
        cli__advice="def advise():\n    from podium.scoring import metrics",
        scoring__metrics="import polars",
        scoring__engine="import podium.scoring.metrics",
    ).sources
    (found,) = modules.load_what_their_extras_bring(Project(tmp_path, sources))
    assert (found.path, "loads polars" in found.text) == ("app/podium/cli/printing.py", True)
