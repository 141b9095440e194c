"""The examples in docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import re

import pytest

from tests.architecture.source import name_of, python_files

MODULES = [
    re.sub("^app", "podium", name_of(path).removesuffix(".py").removesuffix("/__init__")).replace(
        "/", "."
    )
    for path in python_files("app")
    if ">>> " in path.read_text()
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_print_what_they_say(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0
    assert result.failed == 0


def test_examples_are_found_at_all() -> None:
    assert "podium.scoring.metrics.recall" in MODULES
