"""A rule about names in docstrings and comments: what they point at is there."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from itertools import pairwise

from tests.house.project import Problem, Project, Source

DOTTED = r"[a-z_]+(?:\.[A-Za-z_]+)+"
"""A module or a member of one: `quota.reserve`."""

SINGLE = r"[a-z]+(?:_[a-z]+)+"
"""A name of several words, which can hardly be anything but ours: `read_page`."""

QUOTED = re.compile(rf"`({DOTTED}|{SINGLE})(?:\(\))?`")
FILE = re.compile(r"`((?:[a-z_]+/)*[a-z_]+\.py)`")
SUFFIXES = (".h", ".js", ".py")
NAME = re.compile(r"[A-Za-z_]+")
TEXT = re.compile(rf"{NAME.pattern}(?:\.{NAME.pattern})+")


def point_at_what_is_there(project: Project) -> Iterator[Problem]:
    """A name in backquotes is one that the code uses, and a Python file one that exists."""
    known = set(sys.stdlib_module_names)
    members: set[tuple[str, str]] = set()
    for source in project.sources:
        known |= {*source.parts, *_used(source)}
        members |= set(_members(source))
    paths = [f"/{source.path}" for source in project.sources]
    for source in project.sources:
        for line, text in _told(source):
            names = [name for name in QUOTED.findall(text) if not name.endswith(SUFFIXES)]
            missing = [
                name
                for name in names
                if not known.issuperset(parts := name.split("."))
                or not members.issuperset(pairwise(parts))
            ]
            for file in FILE.findall(text):
                if not any(path.endswith(f"/{file}") for path in paths):
                    missing += [] if (project.root / file).exists() else [file]
            for name in missing:
                yield source.problem(line, f"`{name}` is not there: name what is meant")


def _used(source: Source) -> Iterator[str]:
    """The names in the code of a file, and the words of its texts: columns, fields, programs."""
    docstrings = {id(constant) for constant in source.docstrings}
    for node in source.nodes:
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.ClassDef(name=name) | ast.alias(name=name):
                yield from name.split(".")
            case ast.keyword(arg=str(name)):
                yield name
            case ast.Constant(value=str(text)) if id(node) not in docstrings:
                yield from NAME.findall(text)


def _members(source: Source) -> Iterator[tuple[str, str]]:
    """Pairs of names of which the second is in the first: a module in a folder, a name where it is
    defined or looked up, and whatever a text of the code joins with a dot."""
    docstrings = {id(constant) for constant in source.docstrings}
    path = [part for part in source.parts if part != "__init__"]
    yield from pairwise(path)
    for node in source.nodes:
        match node:
            case ast.Attribute(value=ast.Name(id=owner) | ast.Attribute(attr=owner), attr=name):
                yield owner, name
            case ast.Module(body=body) | ast.ClassDef(body=body):
                owner = node.name if isinstance(node, ast.ClassDef) else path[-1]
                yield from ((owner, name) for name in _defined(body))
            case ast.Constant(value=str(text)) if id(node) not in docstrings:
                for dotted in TEXT.findall(text):
                    yield from pairwise(dotted.split("."))


def _defined(body: list[ast.stmt]) -> Iterator[str]:
    for statement in body:
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case ast.Assign(targets=targets):
                yield from (each.id for each in targets if isinstance(each, ast.Name))


def _told(source: Source) -> Iterator[tuple[int, str]]:
    """Docstrings and comments by the lines on which they begin."""
    yield from ((constant.lineno, str(constant.value)) for constant in source.docstrings)
    yield from source.comments


RULES = (point_at_what_is_there,)
