"""Rules about modules of the product that import each other: no circle of files, imports stand at
the top unless they save start-up time, and no file loads what its extras do not bring."""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter

from tests.house.imports import providers, read_requirements
from tests.house.project import PACKAGE, Problem, Project, Source, names_in

WAITING: Mapping[str, str] = {
    "podium.custom_metric_runner.running": "running examples takes long, and scoring has none",
    "podium.scoring.engine.lists": "a judging reads no organizer's file, and children start often",
    "podium.scoring.engine.pairs": "as that of lists",
    "podium.scoring.engine.tables": "as that of lists",
    "podium.scoring.lists.reading": "most files are plain, and need neither of the slow readers",
}
"""Files whose imports may wait although they bring no library, and why."""

OF_UNIX = {"fcntl", "grp", "pwd", "resource", "syslog", "termios"}
"""Modules of Python that only some systems have: they count as libraries."""


@dataclass(frozen=True)
class Arrow:
    """An import of one module of the product by another, for more than types."""

    source: Source
    line: int
    imported: str
    is_deferred: bool


@dataclass(frozen=True)
class Modules:
    """The modules of the product by the names under which they are imported."""

    project: Project

    @cached_property
    def sources(self) -> dict[str, Source]:
        """The file of each module; a package is its `__init__`."""
        return {each.module: each for each in self.project.sources if each.parts[0] == PACKAGE}

    @cached_property
    def arrows(self) -> list[Arrow]:
        """All imports of modules by modules."""
        return [arrow for source in self.sources.values() for arrow in self._arrows_of(source)]

    def _arrows_of(self, source: Source) -> Iterator[Arrow]:
        for node, is_deferred in imports_of(source):
            for name in names_in(node):
                if (imported := self._nearest(name)) and imported != source.module:
                    yield Arrow(source, node.lineno, imported, is_deferred)

    def _nearest(self, name: str) -> str | None:
        """The module of a name, or the one that the name is from."""
        if name in self.sources:
            return name
        above = name.rpartition(".")[0]
        return above if above in self.sources else None

    @cached_property
    def _loaded(self) -> dict[str, set[str]]:
        """The modules that importing each one runs at once."""
        loaded: dict[str, set[str]] = defaultdict(set)
        for arrow in self.arrows:
            if not arrow.is_deferred:
                loaded[arrow.source.module].update(self.run_by(arrow))
        return loaded

    @cached_property
    def own_libraries(self) -> dict[str, set[str]]:
        """The libraries that each module itself imports at once."""
        return {
            name: {
                top
                for node, is_deferred in imports_of(source)
                for top in (each.partition(".")[0] for each in names_in(node))
                if not is_deferred and top not in {PACKAGE, *sys.stdlib_module_names} - OF_UNIX
            }
            for name, source in self.sources.items()
        }

    def libraries_of(self, module: str) -> set[str]:
        """The libraries that importing a module loads, through whatever others."""
        seen: set[str] = set()
        waiting = [module, *(each for each in _around(module) if each in self.sources)]
        while waiting:
            if (name := waiting.pop()) not in seen:
                seen.add(name)
                waiting += self._loaded[name]
        return set[str]().union(*(self.own_libraries[name] for name in seen))

    def run_by(self, arrow: Arrow) -> Iterator[str]:
        """The modules that an import runs: the imported one, and the `__init__` of each package
        around it that the importing file does not stand in."""
        yield arrow.imported
        for package in _around(arrow.imported):
            if package in self.sources and not f"{arrow.source.module}.".startswith(f"{package}."):
                yield package


def have_no_circles(project: Project) -> Iterator[Problem]:
    """No file needs itself, through whatever others; an import inside a function is one, too."""
    modules = Modules(project)
    graph: dict[str, set[str]] = defaultdict(set)
    for arrow in modules.arrows:
        graph[arrow.source.module].update(modules.run_by(arrow))
    while circle := _circle(graph):
        # The list goes from each to the one that imports it.
        importer, imported = circle[1], circle[0]
        way = " → ".join(reversed(circle))
        text = f"a circle of imports: {way}; move what both ends need below them"
        yield modules.sources[importer].problem(1, text)
        graph[importer].discard(imported)


def wait_only_for_libraries(project: Project) -> Iterator[Problem]:
    """An import waits in a function only to save time: it brings a library that the file would not
    load otherwise, or the table says what else it saves. All others stand at the top."""
    modules, used = Modules(project), set[str]()
    for arrow in modules.arrows:
        importer = arrow.source.module
        if not arrow.is_deferred:
            continue
        if modules.libraries_of(arrow.imported) - modules.libraries_of(importer):
            continue
        if importer in WAITING:
            used.add(importer)
        else:
            text = f"{arrow.imported} brings no library that this file does not load already"
            yield arrow.source.problem(arrow.line, f"{text}: import it at the top")
    for name in sorted(WAITING.keys() & modules.sources.keys() - used):
        text = "no import waits here without a library: take it out of WAITING"
        yield modules.sources[name].problem(1, text)


def load_what_their_extras_bring(project: Project) -> Iterator[Problem]:
    """A file loads nothing through others that it may not import itself."""
    modules, requirements = Modules(project), read_requirements(project)
    for name, source in modules.sources.items():
        allowed = requirements.eager(source.path)
        for library in sorted(modules.libraries_of(name) - modules.own_libraries[name]):
            known = providers(library)
            if known and not known & allowed:
                text = f"loads {library}, which comes with an extra: import what needs it later"
                yield source.problem(1, text)


def _circle(graph: dict[str, set[str]]) -> list[str]:
    """The modules of a circle, the first one again as the last; none where there is no circle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as found:
        return list(found.args[1])
    return []


def imports_of(source: Source) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    """The imports of a file but those for types alone, and whether they wait in a function."""
    return ((each.node, each.is_deferred) for each in source.imports if not each.is_for_types)


def _around(module: str) -> Iterator[str]:
    """The packages around a module, the nearest first."""
    while module := module.rpartition(".")[0]:
        yield module


RULES: tuple[Callable[[Project], Iterator[Problem]], ...] = (
    have_no_circles,
    wait_only_for_libraries,
    load_what_their_extras_bring,
)
