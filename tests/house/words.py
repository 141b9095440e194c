"""Counts the old words that are left in names, docstrings, comments and log events."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from tests.house.project import PRODUCT, Function, Problem, Project, Source
from tests.house.vocabulary import (
    CLASSES,
    NAMES,
    OLD_ATTRIBUTES,
    OPENINGS,
    PATHS,
    TEXTS,
    WORDS,
    Word,
)

Places = Mapping[str, Sequence[Problem]]
"""By the old word, with what stands for it, every place where it is left."""

EVENT = re.compile(r"[a-z][a-z0-9-]*\.[a-z][a-z0-9-]*")
LEVELS = {"debug", "info", "warning", "error", "exception"}

WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


def report(project: Project, asked: Sequence[str]) -> Iterator[str]:
    """Lines for people: each word with its count, or every place of the words that are asked."""
    places = left(project)
    if asked:
        for word, found in places.items():
            if any(each in re.split(r"\W+", word.partition(" → ")[0]) for each in asked):
                yield from map(str, found)
        return
    yield "  left  product  elsewhere"
    for word, found in sorted(places.items(), key=lambda entry: -len(entry[1])):
        ours = sum(problem.path.startswith("app/") for problem in found)
        yield f"{len(found):6}  {ours:7}  {len(found) - ours:9}  {word}"
    yield f"{sum(map(len, places.values())):6}  in all; `--words WORD` names the places of one"


def left(project: Project) -> Places:
    """The old words that are left, without those that are not."""
    places: dict[str, list[Problem]] = defaultdict(list)
    for source in project.sources:
        if source.is_in("tests/house", "tests/unit/house"):
            continue
        for word, problem in _in_file(source):
            places[word].append(problem)
    for word, problem in _shared_classes(project):
        places[word].append(problem)
    return places


def _in_file(source: Source) -> Iterator[tuple[str, Problem]]:
    texts = list(_texts(source))
    found = {
        PATHS: [(1, part) for part in source.parts],
        NAMES: list(_names(source)),
        CLASSES: [(n.lineno, n.name) for n in source.nodes if isinstance(n, ast.ClassDef)],
        TEXTS: texts,
    }
    for kind, places in found.items():
        words = [word for word in WORDS if kind in word.where and word.within in source.path]
        for line, text in places:
            plain = f"_{'_'.join(map(str.lower, WORD.findall(text)))}_"
            for word in words:
                if any(
                    _has(plain, old, whole=word.is_whole or kind == CLASSES) for old in word.old
                ):
                    yield _title(word), source.problem(line, text.strip())
    yield from _openings(source)
    yield from _events(source)
    for node in source.nodes:
        if isinstance(node, ast.Attribute) and node.attr in OLD_ATTRIBUTES:
            title = f"State.{node.attr} → {OLD_ATTRIBUTES[node.attr]}"
            yield title, source.problem(node.lineno, f"State.{node.attr}")


def _has(plain: str, old: str, *, whole: bool) -> bool:
    return plain == f"_{old}_" if whole else f"_{old}_" in plain


def _title(word: Word) -> str:
    return f"{', '.join(word.old)} → {word.instead}"


def _names(source: Source) -> Iterator[tuple[int, str]]:
    """The names that a file defines: functions, classes, parameters, variables, attributes."""
    for node in source.nodes:
        if isinstance(node, Function | ast.ClassDef):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.attr


def _texts(source: Source) -> Iterator[tuple[int, str]]:
    """The lines of docstrings and comments."""
    for node in _docstrings(source):
        for number, line in enumerate(str(node.value).splitlines()):
            yield node.lineno + number, line
    if "#" in source.text:
        for token in tokenize.generate_tokens(io.StringIO(source.text).readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string


def _docstrings(source: Source) -> Iterator[ast.Constant]:
    """Texts that stand as statements: of modules, classes, functions, and below constants."""
    for node in source.nodes:
        value = node.value if isinstance(node, ast.Expr) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value


def _openings(source: Source) -> Iterator[tuple[str, Problem]]:
    for node in _docstrings(source):
        opening = str(node.value).lstrip().partition(" ")[0].rstrip(",.:")
        if opening in OPENINGS:
            first = str(node.value).strip().partition("\n")[0]
            title = f"docstring opens with {opening} → what the thing is or does"
            yield title, source.problem(node.lineno, first)


def _events(source: Source) -> Iterator[tuple[str, Problem]]:
    for node in source.nodes:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if node.func.attr not in LEVELS or not _is_logger(node.func.value) or not node.args:
            continue
        event = node.args[0]
        if isinstance(event, ast.Constant) and not EVENT.fullmatch(str(event.value)):
            yield "log event → noun.verb", source.problem(node.lineno, repr(event.value))


def _is_logger(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "get_logger"
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return name in ("_log", "log", "logger")


def _shared_classes(project: Project) -> Iterator[tuple[str, Problem]]:
    """Classes of the product that share their name with another one of it."""
    classes = [
        (source, node)
        for source in project.sources
        if source.is_in(*PRODUCT)
        for node in source.nodes
        if isinstance(node, ast.ClassDef)
    ]
    counts = Counter(node.name for _, node in classes)
    for source, node in classes:
        if counts[node.name] > 1:
            yield "class of a shared name → a unique name", source.problem(node.lineno, node.name)
