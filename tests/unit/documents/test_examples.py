"""The examples in docstrings are true."""

from __future__ import annotations

import doctest
import importlib

import pytest

from tests.house.project import PACKAGE, read

MODULES = [
    ".".join(source.parts).removesuffix(".__init__")
    for source in read(folders=["app"]).sources
    # Each process of a run collects this: only files that may have any are parsed.
    if ">>> " in source.text
    and any(">>> " in str(each.value) for each in source.docstrings)
    and source.parts[1:3] != ("custom_metric_runner", "catalogue")
]
"""Modules with examples, but custom metrics: their examples run in the sandbox."""


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_print_what_they_say(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0
    assert result.failed == 0


def test_examples_are_found_at_all() -> None:
    assert f"{PACKAGE}.scoring.metrics.recall" in MODULES
