"""Files and functions stay small enough to be read at once, and say what they are for."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.architecture.source import ROOT, functions, name_of, python_files

LONGEST_FILE = 300
LONGEST_FUNCTION = 35
"""Lines of a function's body, its docstring left out."""

EVERYWHERE = python_files("app", "benchmarks", "tests", "migrations")
PRODUCT = python_files("app", "migrations")

FORBIDDEN_NAMES = {"utils", "util", "helpers", "helper", "manager", "managers", "common", "misc"}


@pytest.mark.parametrize("path", EVERYWHERE, ids=name_of)
def test_a_file_is_at_most_three_hundred_lines_long(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= LONGEST_FILE


@pytest.mark.parametrize("path", PRODUCT, ids=name_of)
def test_a_function_has_at_most_thirty_five_lines(path: Path) -> None:
    too_long = {f.name: _lines(f) for f in functions(path) if _lines(f) > LONGEST_FUNCTION}
    assert too_long == {}


@pytest.mark.parametrize("path", [p for p in PRODUCT if p.read_text().strip()], ids=name_of)
def test_a_module_opens_by_saying_what_lives_in_it(path: Path) -> None:
    opening = ast.get_docstring(ast.parse(path.read_text())) or ""
    assert len(opening) >= 20, "the module's docstring says what lives in it, and what must not"


@pytest.mark.parametrize("path", python_files("app"), ids=name_of)
def test_every_public_class_and_function_has_a_docstring(path: Path) -> None:
    tree = ast.parse(path.read_text())
    nameless = [
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
    ]
    assert nameless == []


@pytest.mark.parametrize("path", EVERYWHERE, ids=name_of)
def test_nothing_is_left_for_later(path: Path) -> None:
    if path == Path(__file__):
        pytest.skip("this file names the words it looks for")
    assert re.findall(r"\b(TODO|FIXME|XXX|NotImplementedError)\b", path.read_text()) == []


def test_no_module_has_a_name_that_says_nothing() -> None:
    parts = {part for path in EVERYWHERE for part in path.relative_to(ROOT).with_suffix("").parts}
    assert parts & FORBIDDEN_NAMES == set()


def test_every_package_of_the_product_is_a_package() -> None:
    folders = {path.parent for path in python_files("app")}
    assert [name_of(f) for f in sorted(folders) if not (f / "__init__.py").exists()] == []


def _lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    body = function.body
    if ast.get_docstring(function) and len(body) > 1:
        body = body[1:]
    assert function.end_lineno is not None
    return function.end_lineno - body[0].lineno + 1
