"""The rules about libraries, against the distributions that are installed here."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house import imports
from tests.house.project import PACKAGE, Project, Source

PYPROJECT = """
[project]
name = "podium-scorer"
dependencies = ["rich>=15"]

[project.optional-dependencies]
score = ["polars>=2"]
server = ["podium-scorer[score]", "SQLAlchemy[asyncio]>=2", "jinja2"]
telemetry = ["podium-scorer[server]", "opentelemetry-api>=1"]
dev = ["pytest"]
bench = ["psutil"]
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    return tmp_path


def importing(root: Path, path: str, *lines: str) -> Project:
    return Project(root, (Source(path, "\n".join(lines)),))


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("app/podium/teams.py", "import pytest"),
        ("app/podium/teams.py", "from psutil import Process"),
        ("app/podium/teams.py", "import no_such_library"),
        ("migrations/env.py", "from opentelemetry import trace"),
        ("tests/test_teams.py", "import psutil"),
    ],
)
def test_an_import_that_the_project_does_not_ask_for_is_found(
    root: Path, path: str, line: str
) -> None:
    (problem,) = imports.come_from_requirements(importing(root, path, "import os", line))
    assert problem.line == 2


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("app/podium/teams.py", "import sqlalchemy as sa"),
        ("app/podium/teams.py", "from opentelemetry import trace"),
        ("app/podium/teams.py", f"from {PACKAGE} import errors"),
        ("app/podium/teams.py", "from . import rules"),
        ("tests/test_teams.py", "import pytest"),
        ("benchmarks/boards.py", "import psutil"),
        ("benchmarks/boards.py", "import ranx"),
    ],
)
def test_an_import_that_the_project_asks_for_is_not_found(root: Path, path: str, line: str) -> None:
    assert list(imports.come_from_requirements(importing(root, path, line))) == []


@pytest.mark.parametrize(
    ("path", "library"),
    [
        ("app/podium/teams.py", "opentelemetry"),
        ("migrations/env.py", "opentelemetry"),
        ("app/podium/scoring/hits.py", "sqlalchemy"),
        ("app/podium/cli/score.py", "polars"),
        ("app/podium/cli/offline/scoring.py", "sqlalchemy"),
        ("app/podium/cli/organizer/creating.py", "polars"),
        ("app/podium/client/podium.py", "sqlalchemy"),
    ],
)
def test_what_an_extra_brings_is_found_outside_of_functions(
    root: Path, path: str, library: str
) -> None:
    (problem,) = imports.of_extras_are_late(importing(root, path, f"import {library}"))
    assert library in problem.text
    late = importing(
        root,
        path,
        "if TYPE_CHECKING:",
        f"    import {library}",
        "def told() -> None:",
        f"    import {library}",
    )
    assert list(imports.of_extras_are_late(late)) == []


@pytest.mark.parametrize(
    ("path", "library"),
    [
        ("app/podium/teams.py", "sqlalchemy"),
        ("app/podium/teams.py", "polars"),
        ("migrations/env.py", "sqlalchemy"),
        ("app/podium/scoring/hits.py", "polars"),
        ("app/podium/cli/score.py", "rich"),
        ("app/podium/cli/offline/inference/file_heads.py", "polars"),
        ("app/podium/cli/organizer/guessing.py", "polars"),
    ],
)
def test_without_its_extra_a_folder_does_nothing_so_it_may_be_imported_anywhere(
    root: Path, path: str, library: str
) -> None:
    found = importing(root, path, f"import {library}")
    assert list(imports.of_extras_are_late(found)) == []


def test_a_requirement_that_is_never_imported_is_found(root: Path) -> None:
    project = importing(root, "app/podium/teams.py", "import sqlalchemy, polars, rich")
    (problem,) = imports.use_all_requirements(project)
    assert problem.text.startswith("opentelemetry-api is asked for")


def test_a_requirement_that_is_not_installed_is_found(root: Path) -> None:
    given = PYPROJECT.replace('"jinja2"', '"jinja2", "no-such-library"')
    (root / "pyproject.toml").write_text(given)
    (problem,) = imports.are_installed(Project(root, ()))
    assert problem.text.startswith("no-such-library is not installed")
