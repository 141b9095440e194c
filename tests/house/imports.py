"""Rules about libraries: what is imported is asked for in `pyproject.toml`, what is asked for is
imported, and what only an extra brings is imported where it is used."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from typing import Any

from tests.house.project import (
    FOLDERS,
    PACKAGE,
    PRODUCT,
    Problem,
    Project,
    Source,
    names_in,
)

PYPROJECT = "pyproject.toml"

TOOLS = {"benchmarks": {"bench", "dev"}, "tests": {"dev"}}
"""Extras that are not part of the product, and who may import them."""

EAGER: Mapping[str, frozenset[str]] = {
    "app/podium/cli": frozenset(),
    "app/podium/cli/offline": frozenset({"score"}),
    "app/podium/cli/offline/experimenting": frozenset({"ab"}),
    "app/podium/cli/operator": frozenset({"server"}),
    "app/podium/cli/organizer/guessing": frozenset({"score"}),
    "app/podium/cli/preparation": frozenset({"score"}),
    "app/podium/client": frozenset(),
    "app/podium/errors": frozenset(),
    "app/podium/scoring": frozenset({"score"}),
    "app/podium/otto": frozenset({"score"}),
    "app/podium/experiments": frozenset({"ab"}),
    "app/podium/baselines": frozenset({"score"}),
    "app/podium/baselines/matrix": frozenset({"baselines"}),
    "app/podium/custom_metric_runner": frozenset({"metrics"}),
    "app/podium/preparation": frozenset({"score"}),
    "app/podium/sandbox/tasks/custom_metrics": frozenset({"server", "metrics"}),
    "app": frozenset({"server"}),
    "migrations": frozenset({"server"}),
}
"""Extras whose libraries a file, or the files of a folder, may load when they are imported, by the
longest path; most commands and the client are there without any."""

OURS = {PACKAGE, "benchmarks", "docs", "tests"}
ELSEWHERE = {"backports" if sys.version_info >= (3, 14) else "compression"}
"""Modules that only other versions of Python have: zstd came to the standard library with 3.14."""

NOT_IMPORTED = {"jinja2", "scikit-learn", "uvloop"}
"""Libraries that others import for us: templates are rendered through Starlette, the HTTP server
makes its event loop, and custom metrics import what they need."""

PROVIDED = {"kaggle_metric_utilities", "podium_metric"}
"""Modules of ours that only custom metrics import by these names."""

COMPARED = {"ranx", "rectools"}
"""Libraries that a benchmark compares with where they are installed."""


@dataclass(frozen=True)
class Import:
    """A module that a file imports from elsewhere, and whether importing the file needs it."""

    source: Source
    line: int
    module: str
    is_eager: bool

    def problem(self, text: str) -> Problem:
        """A problem with this import."""
        return self.source.problem(self.line, f"{self.module}: {text}")


@dataclass(frozen=True)
class Requirements:
    """The distributions that `pyproject.toml` asks for, by the name that indexes compare."""

    project: Mapping[str, Any]

    @cached_property
    def runs(self) -> set[str]:
        """Distributions that are installed with the product."""
        return _names(self.project["dependencies"])

    @cached_property
    def extends(self) -> set[str]:
        """Distributions that extras of the product add."""
        tools = set[str]().union(*TOOLS.values())
        return self._extras(self.project["optional-dependencies"].keys() - tools)

    def allowed(self, folder: str) -> set[str]:
        """Distributions that files of a folder may import."""
        if folder == "migrations":
            return self.eager(f"{folder}/")
        return self.runs | self.extends | self._extras(TOOLS.get(folder, set()))

    def eager(self, path: str) -> set[str]:
        """Distributions that a file may load when it is imported."""
        around = (each for each in EAGER if path.startswith((f"{each}/", f"{each}.py")))
        return self.runs | self._extras(EAGER[max(around, key=len)])

    def _extras(self, extras: Iterable[str]) -> set[str]:
        """Distributions of extras; one may name the project itself, with others of its extras."""
        known, ours = self.project["optional-dependencies"], _normal(self.project["name"])
        named: set[str] = set()
        for requirement in (each for extra in extras for each in known.get(extra, ())):
            if _names([requirement]) == {ours}:
                named |= self._extras(re.findall(r"[\w-]+", requirement.partition("[")[2]))
            else:
                named |= _names([requirement])
        return named

    @cached_property
    def missing(self) -> set[str]:
        """Distributions that the product needs and that are not installed here, so that nothing can
        be said of them."""
        missing = {name for name in self.runs | self.extends if not files_of(name)}
        return missing - ({"backports-zstd"} if sys.version_info >= (3, 14) else set())


def come_from_requirements(project: Project) -> Iterator[Problem]:
    """Every import is of a library that the project asks for."""
    requirements = read_requirements(project)
    allowed = {folder: requirements.allowed(folder) for folder in FOLDERS}
    for found in imports(project.sources):
        if found.module.partition(".")[0] in COMPARED | PROVIDED:
            continue
        if not providers(found.module) & allowed[found.source.path.partition("/")[0]]:
            yield found.problem(f"ask for it in {PYPROJECT}, or do without it")


def of_extras_are_late(project: Project) -> Iterator[Problem]:
    """A distribution that only an extra brings is imported inside the function that needs it,
    unless nothing of the folder works without that extra."""
    requirements = read_requirements(project)
    for found in imports(_product(project)):
        known = providers(found.module)
        if found.is_eager and known and not known & requirements.eager(found.source.path):
            yield found.problem("comes with an extra: import it in the function that needs it")


def use_all_requirements(project: Project) -> Iterator[Problem]:
    """The project asks for nothing that it does not import."""
    requirements = read_requirements(project)
    used = {name for found in imports(_product(project)) for name in providers(found.module)}
    for name in sorted((requirements.runs | requirements.extends) - used - NOT_IMPORTED):
        yield Problem(PYPROJECT, 1, f"{name} is asked for and never imported: leave it out")


def are_installed(project: Project) -> Iterator[Problem]:
    """The rules about libraries are checked where all of them are installed."""
    for name in sorted(read_requirements(project).missing):
        yield Problem(PYPROJECT, 1, f"{name} is not installed here: install requirements.lock")


def read_requirements(project: Project) -> Requirements:
    """The requirements of the project's `pyproject.toml`."""
    return Requirements(tomllib.loads((project.root / PYPROJECT).read_text())["project"])


def imports(sources: Iterable[Source]) -> Iterator[Import]:
    """The imports of modules that are neither ours nor Python's."""
    ours = {*OURS, *ELSEWHERE, *sys.stdlib_module_names}
    for source in sources:
        for found in source.imports:
            is_eager = not (found.is_deferred or found.is_for_types)
            for module in names_in(found.node):
                if module.partition(".")[0] not in ours:
                    yield Import(source, found.node.lineno, module, is_eager)


def _product(project: Project) -> list[Source]:
    return [source for source in project.sources if source.is_in(*PRODUCT)]


def _names(requirements: Iterable[str]) -> set[str]:
    return {_normal(re.split(r"[\[<>=;~! ]", requirement)[0]) for requirement in requirements}


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@cache
def providers(module: str) -> frozenset[str]:
    """The distributions that a module comes from: of several that share its first name, those that
    hold the longest part of it; none where nothing of that name is installed."""
    shared = sorted({_normal(name) for name in _tops().get(module.partition(".")[0], [])})
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
def files_of(name: str) -> frozenset[str]:
    """Paths of a distribution's files; none where it is not installed."""
    try:
        return frozenset(str(path) for path in distribution(name).files or [])
    except PackageNotFoundError:
        return frozenset()


@cache
def _tops() -> Mapping[str, list[str]]:
    return packages_distributions()


RULES: tuple[Callable[[Project], Iterator[Problem]], ...] = (
    are_installed,
    come_from_requirements,
    of_extras_are_late,
    use_all_requirements,
)
