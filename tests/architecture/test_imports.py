"""What is imported is asked for in `pyproject.toml`, and what is asked for is imported."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from pathlib import Path

import pytest

from tests.architecture.source import ROOT, name_of, python_files

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
PRODUCT = ("als", "oidc", "telemetry")
OURS = {"podium", "tests", "benchmarks"}
ELSEWHERE = "backports" if sys.version_info >= (3, 14) else "compression"
"""What only other versions of Python import: zstd came to the standard library with 3.14."""

NOT_IMPORTED = {"jinja2": "renders templates, through starlette"}
"""What other libraries import for us."""

COMPARED = {"ranx", "rectools"}
"""Libraries that a benchmark compares with where somebody has installed them."""


def named(requirements: list[str]) -> set[str]:
    """Names of distributions in a list of requirements, in one form."""
    return {normal(re.split(r"[\[<>=;~! ]", requirement)[0]) for requirement in requirements}


def normal(name: str) -> str:
    """A distribution's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def imported(path: Path) -> Iterator[tuple[str, bool]]:
    """What a file imports from elsewhere, `a.b.c`, and whether the file itself needs it to be
    imported: not inside a function, nor for types alone."""
    tree = ast.parse(path.read_text())
    later = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or for_types(node)
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            if name.partition(".")[0] not in {*OURS, ELSEWHERE, *sys.stdlib_module_names}:
                yield name, id(node) not in later


def for_types(node: ast.AST) -> bool:
    """Whether this is `if TYPE_CHECKING:`."""
    test = node.test if isinstance(node, ast.If) else None
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


@cache
def providers(module: str) -> frozenset[str]:
    """The distributions that a module comes from: of several that share its first name, those that
    hold the longest part of it; none where nothing of that name is installed."""
    known = TOP.get(module.partition(".")[0], [])
    shared = sorted({normal(name) for name in known})
    if len(shared) < 2:
        return frozenset(shared)
    parts = module.split(".")
    for length in range(len(parts), 0, -1):
        stem = "/".join(parts[:length])
        places = {f"{stem}.py", f"{stem}/__init__.py"}
        found = {name for name in shared if places & files_of(name)}
        if found:
            return frozenset(found)
    return frozenset(shared)


@cache
def files_of(name: str) -> set[str]:
    """Paths of a distribution's files."""
    try:
        return {str(path) for path in distribution(name).files or []}
    except PackageNotFoundError:
        return set()


TOP = packages_distributions()
RUNS = named(PROJECT["dependencies"])
EXTENDS = {name for extra in PRODUCT for name in named(EXTRAS[extra])}
ALLOWED = {
    "app": RUNS | EXTENDS,
    "migrations": RUNS,
    "tests": RUNS | EXTENDS | named(EXTRAS["dev"]),
    "benchmarks": RUNS | EXTENDS | named(EXTRAS["dev"]) | named(EXTRAS["bench"]),
}


def missing_installations() -> set[str]:
    """What is asked for and not installed here, so that nothing can be said of it."""
    missing = {name for name in RUNS | EXTENDS if not files_of(name)}
    return missing - ({"backports-zstd"} if sys.version_info >= (3, 14) else set())


@pytest.mark.parametrize("folder", ALLOWED)
def test_every_import_is_of_a_library_that_the_project_asks_for(folder: str) -> None:
    if missing := missing_installations():
        pytest.skip(f"not installed here: {', '.join(sorted(missing))}")
    surprising = {
        (name_of(path), module)
        for path in python_files(folder)
        for module, _ in imported(path)
        if not providers(module) & ALLOWED[folder] and module.partition(".")[0] not in COMPARED
    }
    assert surprising == set()


def test_whatever_only_an_extra_brings_is_imported_where_it_is_used() -> None:
    eager = {
        (name_of(path), module)
        for path in python_files("app", "migrations")
        for module, is_eager in imported(path)
        if is_eager and providers(module) and not providers(module) & RUNS
    }
    assert eager == set()


def test_the_project_asks_for_nothing_that_it_does_not_import() -> None:
    if missing := missing_installations():
        pytest.skip(f"not installed here: {', '.join(sorted(missing))}")
    used = {
        provider
        for path in python_files("app", "migrations")
        for module, _ in imported(path)
        for provider in providers(module)
    }
    assert (RUNS | EXTENDS) - used == set(NOT_IMPORTED)
