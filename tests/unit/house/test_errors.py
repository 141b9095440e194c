"""The rule about what docstrings say is raised."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house import errors
from tests.house.project import Project, Source

CODES = Source(
    "app/podium/errors/codes/competitions.py",
    'class OfCompetitions:\n    SLUG_TAKEN = "slug-taken"\n',
)


def of(docstring: str) -> Project:
    text = f'class NotFound(Exception):\n    """{docstring}"""\n'
    return Project(Path("/nowhere"), (Source("app/podium/boards/rules.py", text), CODES))


@pytest.mark.parametrize(
    "docstring", ["Raises `NotThere`.", "Text.\n\n    Raises `NotFound` (`not-a-code`)."]
)
def test_names_that_do_not_exist_are_found(docstring: str) -> None:
    (problem,) = errors.are_there(of(docstring))
    assert problem.line == 1


def test_classes_of_ours_and_of_python_and_codes_are_there() -> None:
    found = of("Raises `NotFound` (`slug-taken`) and `ValueError`. See `Elsewhere`.")
    assert list(errors.are_there(found)) == []
