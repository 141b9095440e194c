"""The rule about names that docstrings and comments point at."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house import references
from tests.house.project import Project, Source

TEXT = '''"""{}"""

import os


def read_part(path):
    return os.path.replace(path, "public_score", "report.json")


class Rows:
    count = 1

    def page(self): ...
'''


def of(docstring: str) -> Project:
    sources = (Source("app/podium/boards/parts.py", TEXT.format(docstring)),)
    return Project(Path("/nowhere"), sources)


@pytest.mark.parametrize(
    "pointed",
    [
        *("read_parts", "boards.read_all", "gone.read_part", "parts.gone()", "charts.py"),
        *("boards.read_part", "boards.parts.replace", "parts.page", "count.Rows"),
    ],
)
def test_what_is_gone_is_found(pointed: str) -> None:
    (problem,) = references.point_at_what_is_there(of(f"See `{pointed}`."))
    assert (problem.path, problem.line) == ("app/podium/boards/parts.py", 1)
    assert pointed.removesuffix("()") in problem.text


@pytest.mark.parametrize(
    "pointed",
    [
        *("read_part", "public_score", "boards/parts.py", "word", "parts.read_part()"),
        *("boards.parts.read_part", "boards.parts.Rows.count", "Rows.page"),
        *("os.path.replace", "report.json"),
    ],
)
def test_what_is_there_may_be_pointed_at(pointed: str) -> None:
    assert list(references.point_at_what_is_there(of(f"See `{pointed}`."))) == []
