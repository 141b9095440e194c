"""Rules about errors: what a docstring says a function raises is there to be raised."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Iterator
from functools import cache

from tests.house.project import Problem, Project

SENTENCE = re.compile(r"\bRaises\b(?:[^.`]|`[^`]*`)*")
QUOTED = re.compile(r"`([^`\s]+)`")
CLASS = re.compile(r"[A-Z][A-Za-z]+")
CODE = re.compile(r"[a-z]+(?:-[a-z]+)+")

CODES = (
    "app/podium/errors/codes/",
    "app/podium/scoring/problems.py",
    "app/podium/preparation/files/findings.py",
)
"""The files and folders that list the codes of errors and of problems."""

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def are_there(project: Project) -> Iterator[Problem]:
    """Classes and codes that stand behind “Raises” exist."""
    classes, codes = _classes(project), _codes(project)
    for source in project.sources:
        if not source.is_in("app") or "Raises" not in source.text:
            continue
        for node in source.nodes:
            if not isinstance(node, Documented):
                continue
            for sentence in SENTENCE.findall(ast.get_docstring(node) or ""):
                for name in QUOTED.findall(sentence):
                    line = getattr(node, "lineno", 1)
                    if CLASS.fullmatch(name) and name not in classes:
                        yield source.problem(line, f"Raises `{name}`: no class has this name")
                    if CODE.fullmatch(name) and name not in codes:
                        yield source.problem(line, f"Raises `{name}`: no error has this code")


def _classes(project: Project) -> set[str]:
    ours = {
        node.name
        for source in project.sources
        for node in source.nodes
        if isinstance(node, ast.ClassDef)
    }
    imported = {
        alias.asname or alias.name
        for source in project.sources
        for node in source.nodes
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    return ours | imported | _built_in()


@cache
def _built_in() -> frozenset[str]:
    return frozenset(name for name in dir(builtins) if name[0].isupper())


def _codes(project: Project) -> set[str]:
    return {
        node.value
        for source in project.sources
        if source.path.startswith(CODES)
        for node in source.nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


RULES: tuple[Callable[[Project], Iterator[Problem]], ...] = (are_there,)
