"""A person with an empty home."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.functional.cli.commands import Person


@pytest.fixture
def person(tmp_path: Path) -> Person:
    home = tmp_path / "home"
    home.mkdir()
    return Person(home)
