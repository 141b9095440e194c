"""Restricts the packages that a metric may import: import statements are checked before it runs,
other imports while it runs.

A metric may import only what the page *Metric* lists with versions, so that it scores the same on
every machine. Security is the matter of the sandbox.
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
"""Names of the modules of packages that are installed under another name."""

LISTED = frozenset(
    {*(NAMED_OTHERWISE.get(name, name) for name in PACKAGES), *PROVIDED, *sys.stdlib_module_names}
)

THE_LIST = ", ".join(("the standard library", *PACKAGES, *PROVIDED))

LACKS = ("ImportError", "ModuleNotFoundError", "Exception", "BaseException")
"""Exceptions that a handler catches when its code can do without a module."""


def unlisted(name: str) -> str:
    """Explains that a module is not on the list of packages."""
    return f"{name} is not on the list of packages. A metric may import {THE_LIST}"


def require_listed(package: Package) -> None:
    """Raises `MetricRefused` with the lines of all imports, anywhere in a metric's files, of
    modules that are not on the list, except those that its code can do without."""
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
    """Makes imports of unlisted modules fail within the block, while the metric runs. Where it
    `is_lenient` they succeed, and the list of them is yielded."""
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
            # Called by its name, it knows only its caller.
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
    """Lists the names of the metric's own modules."""
    return frozenset({package.module, *(path.stem for path in package.folder.iterdir())})


def _imports(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yields the modules that statements of a file import, each with its line."""
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
    """Yields the parts of a node, except code for type checkers, and code whose import errors are
    caught."""
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        yield from node.orelse
    elif isinstance(node, ast.Try) and any(map(_takes_lack, node.handlers)):
        yield from (*node.handlers, *node.orelse, *node.finalbody)
    else:
        yield from ast.iter_child_nodes(node)


def _takes_lack(handler: ast.ExceptHandler) -> bool:
    """True if a handler catches the error of a missing module."""
    return handler.type is None or any(name in ast.unparse(handler.type) for name in LACKS)
