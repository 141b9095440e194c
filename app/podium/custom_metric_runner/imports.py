"""The packages that a metric may import: what a file names is looked at before it runs, and what
its code asks for while it runs.

This keeps a metric to what the page *Metric* shows with versions, so that it scores the same on
every machine. What a metric can reach is the sandbox's matter.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import ModuleType

from podium.custom_metric_runner.package import Package
from podium.custom_metric_runner.packages import PACKAGES, PROVIDED
from podium.custom_metric_runner.problems import MetricRefused
from podium.custom_metric_runner.values import CodeProblem

NAMED_OTHERWISE = {"scikit-learn": "sklearn"}
"""Names by which packages are imported, where these are not those by which they are installed."""

LISTED = frozenset(
    {*(NAMED_OTHERWISE.get(name, name) for name in PACKAGES), *PROVIDED, *sys.stdlib_module_names}
)

THE_LIST = ", ".join(("the standard library", *PACKAGES, *PROVIDED))

LACKS = ("ImportError", "ModuleNotFoundError", "Exception", "BaseException")
"""Classes by which code says that it does without a module."""


def unlisted(name: str) -> str:
    """The problem of importing a module that is not on the list."""
    return f"{name} is not on the list of packages. A metric may import {THE_LIST}"


def require_listed(package: Package) -> None:
    """Raises `MetricRefused` with the lines of all imports, anywhere in a metric's files, of what
    is not on the list; but for those that its code can do without."""
    if problems := list(_problems(package)):
        raise MetricRefused(problems)


def _problems(package: Package) -> Iterator[CodeProblem]:
    own = _own(package)
    for path in package.sources:
        name = path.relative_to(package.folder).as_posix()
        for module, line in _imports(ast.parse(path.read_bytes())):
            top = module.partition(".")[0]
            if top not in LISTED and top not in own:
                yield CodeProblem(
                    code="import", detail=unlisted(top), line=line, file=package.named(name)
                )


@contextmanager
def only_listed(package: Package, *, is_lenient: bool = False) -> Iterator[list[str]]:
    """Has what the metric imports while it runs fail unless it is on the list, in the block. Where
    that `is_lenient` it goes on, and what is imported beside the list is told."""
    own, folder, others = _own(package), f"{package.folder}/", list[str]()
    before = builtins.__import__, importlib.import_module

    def look(name: str, asks: Mapping[str, object]) -> None:
        top = name.partition(".")[0]
        is_own_code = str(asks.get("__file__")).startswith(folder)
        if not is_own_code or top in LISTED or top in own:
            return
        if not is_lenient:
            raise ModuleNotFoundError(unlisted(top), name=top)
        if top not in others:
            others.append(top)

    def by_statement(
        name: str,
        globals: Mapping[str, object] | None = None,  # noqa: A002 - as Python names it
        locals: Mapping[str, object] | None = None,  # noqa: A002 - as Python names it
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        if level == 0:
            # Called by its name, it knows its caller alone.
            look(name, sys._getframe(1).f_globals if globals is None else globals)
        return before[0](name, globals, locals, fromlist, level)

    def by_name(name: str, package: str | None = None) -> ModuleType:
        look(name, sys._getframe(1).f_globals)
        return before[1](name, package)

    builtins.__import__, importlib.import_module = by_statement, by_name
    try:
        yield others
    finally:
        builtins.__import__, importlib.import_module = before


def _own(package: Package) -> frozenset[str]:
    """The names of the metric's own modules."""
    return frozenset({package.module, *(path.stem for path in package.folder.iterdir())})


def _imports(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """The modules that statements of a file import, each with its line."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            yield from ((name.name, node.lineno) for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module or "", node.lineno
        else:
            waiting += _run(node)


def _run(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a node, but for what only a checker of types runs, and for what may fail."""
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        yield from node.orelse
    elif isinstance(node, ast.Try) and any(map(_takes_lack, node.handlers)):
        yield from (*node.handlers, *node.orelse, *node.finalbody)
    else:
        yield from ast.iter_child_nodes(node)


def _takes_lack(handler: ast.ExceptHandler) -> bool:
    """True if a handler takes the lack of a module."""
    return handler.type is None or any(name in ast.unparse(handler.type) for name in LACKS)
