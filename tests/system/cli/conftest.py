"""A person with an empty home."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.processes.commands import Person


@pytest.fixture
def person(tmp_path: Path) -> Person:
    home = tmp_path / "home"
    home.mkdir()
    return Person(home)
