"""A rule about names in docstrings and comments: what they point at is there."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator

from tests.house.project import Problem, Project, Source

DOTTED = r"[a-z_]+(?:\.[A-Za-z_]+)+"
"""A module or a member of one: `quota.reserve`."""

SINGLE = r"[a-z]+(?:_[a-z]+)+"
"""A name of several words, which can hardly be anything but ours: `read_part`."""

QUOTED = re.compile(rf"`({DOTTED}|{SINGLE})(?:\(\))?`")
FILE = re.compile(r"`((?:[a-z_]+/)*[a-z_]+\.py)`")
SUFFIXES = (".h", ".js", ".py")
NAME = re.compile(r"[A-Za-z_]+")


def point_at_what_is_there(project: Project) -> Iterator[Problem]:
    """A name in backquotes is one that the code uses, and a Python file one that exists."""
    known = set(sys.stdlib_module_names)
    for source in project.sources:
        known |= {*source.parts, *_used(source)}
    paths = [f"/{source.path}" for source in project.sources]
    for source in project.sources:
        for line, text in _told(source):
            names = [name for name in QUOTED.findall(text) if not name.endswith(SUFFIXES)]
            missing = [name for name in names if not known.issuperset(name.split("."))]
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


def _told(source: Source) -> Iterator[tuple[int, str]]:
    """Docstrings and comments by the lines on which they begin."""
    yield from ((constant.lineno, str(constant.value)) for constant in source.docstrings)
    yield from source.comments


RULES = (point_at_what_is_there,)
