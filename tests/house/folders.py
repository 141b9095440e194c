"""Rules about how files stand together: folders, packages, and what tests may import."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator

from tests.groups import GROUP
from tests.house.project import FOLDERS, Problem, Project, Source

MAX_FILES = 16


def are_small(project: Project) -> Iterator[Problem]:
    """A folder holds at most 16 files; it grows by folders, not by prefixes."""
    counts = Counter(str(path.parent) for path in project.files(*FOLDERS))
    # Every step of a migration is a file, and stays one.
    large = {f: n for f, n in counts.items() if n > MAX_FILES and not f.endswith("/versions")}
    for folder, count in sorted(large.items()):
        text = f"the folder has {count} files; divide it: {MAX_FILES} are the most"
        yield Problem(folder, 1, text)


def are_packages(project: Project) -> Iterator[Problem]:
    """Every folder with Python files has an `__init__.py`."""
    folders = {source.folder for source in project.sources}
    there = {s.folder for s in project.sources if s.parts[-1] == "__init__"}
    for folder in sorted(folders - there):
        yield Problem(folder, 1, "the folder is not a package: add an __init__.py")


def import_no_test(project: Project) -> Iterator[Problem]:
    """A tool that two tests share stands in a module of its own, not in one of them."""
    for source in project.sources:
        for line, module in _imported_tests(source):
            text = f"imports from {module}: move what both need to a module without tests"
            yield source.problem(line, text)


def name_their_group(project: Project) -> Iterator[Problem]:
    """A group of tests is found where `tests/groups.py` looks for it."""
    for source in project.sources:
        if not source.parts[-1].startswith("test_"):
            continue
        named = (isinstance(n, ast.Attribute) and n.attr == "xdist_group" for n in source.nodes)
        if any(named) and not GROUP.search(source.text):
            yield source.problem(1, "name the group in the module's pytestmark")


def _imported_tests(source: Source) -> Iterator[tuple[int, str]]:
    for node in source.nodes:
        module = node.module if isinstance(node, ast.ImportFrom) else None
        if module and module.rpartition(".")[2].startswith("test_"):
            yield getattr(node, "lineno", 1), module


RULES: tuple[Callable[[Project], Iterator[Problem]], ...] = (
    are_small,
    are_packages,
    import_no_test,
    name_their_group,
)
