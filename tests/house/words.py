"""Rules about words: names, docstrings, comments and log events use those of the trade."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator

from tests.house.project import PRODUCT, Function, Problem, Project, Source
from tests.house.vocabulary import (
    CLASSES,
    NAMES,
    OLD_ATTRIBUTES,
    OPENINGS,
    PATHS,
    PUBLISHED,
    PUBLISHED_IN,
    TEXTS,
    WORDS,
    Word,
)

EVENT = re.compile(r"[a-z][a-z0-9-]*\.[a-z][a-z0-9-]*")
LEVELS = {"debug", "info", "warning", "error", "exception", "log"}
LOGGERS = {"_log", "log", "logger"}

PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")

Place = tuple[int, str]
"""A line, and the text or name that stands there."""


def uses_the_words_of_the_trade(source: Source) -> Iterator[Problem]:
    """No old word stands in a name, a docstring or a comment. The vocabulary itself may name it."""
    if source.is_in("tests/house", "tests/unit/house"):
        return
    possible = list(_possible(source))
    for kind, places in PLACES.items():
        words = [word for word in possible if kind in word.where]
        for line, text in places(source) if words else ():
            for word, old in _old_words(text, words, is_class=kind == CLASSES):
                yield source.problem(line, f"“{old}” in {_short(text)}: write {word.instead}")
    for node in source.nodes:
        if isinstance(node, ast.Attribute) and node.attr in OLD_ATTRIBUTES:
            text = f"State.{node.attr}: write {OLD_ATTRIBUTES[node.attr]}"
            yield source.problem(node.lineno, text)


def opens_docstrings_with_a_statement(source: Source) -> Iterator[Problem]:
    """The first sentence of a docstring says what the thing is or does: it is not a noun clause."""
    for node in _unpublished(source):
        opening = str(node.value).lstrip().partition(" ")[0].rstrip(",.:")
        if opening in OPENINGS:
            text = f"“{opening} …” opens a docstring: say what the thing is or does"
            yield source.problem(node.lineno, text)


def names_events_by_noun_and_verb(source: Source) -> Iterator[Problem]:
    """An event of the log has a name such as `child.died`, and its facts beside it."""
    for node in source.nodes:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if node.func.attr not in LEVELS or not _is_logger(node.func.value) or not node.args:
            continue
        # The level stands first in `log.log(level, event)`.
        event = node.args[-1 if node.func.attr == "log" else 0]
        if isinstance(event, ast.Constant) and not EVENT.fullmatch(str(event.value)):
            yield source.problem(node.lineno, f"event {event.value!r}: name it noun.verb")


PROVIDED = "app/podium/custom_metric_runner/modules"
"""Modules for custom metrics, whose names are given from outside."""


def has_unique_classes(project: Project) -> Iterator[Problem]:
    """No two classes of the product have the same name."""
    classes = [
        (source, node)
        for source in project.sources
        if source.is_in(*PRODUCT) and not source.is_in(PROVIDED)
        for node in source.nodes
        if isinstance(node, ast.ClassDef)
    ]
    counts = Counter(node.name for _, node in classes)
    for source, node in classes:
        if counts[node.name] > 1:
            text = f"{node.name} is the name of several classes: give each a name of its own"
            yield source.problem(node.lineno, text)


RULES = (
    uses_the_words_of_the_trade,
    opens_docstrings_with_a_statement,
    names_events_by_noun_and_verb,
)
PROJECT_RULES = (has_unique_classes,)


def _possible(source: Source) -> Iterator[Word]:
    """The words that may stand in the file: most files have none, and need no closer look."""
    text = f"{source.path} {source.text}".lower()
    for word in WORDS:
        if word.within in source.path and any(
            max(old.split("_"), key=len) in text for old in word.old
        ):
            yield word


def _old_words(text: str, words: list[Word], *, is_class: bool) -> Iterator[tuple[Word, str]]:
    plain = f"_{'_'.join(map(str.lower, PART.findall(text)))}_"
    for word in words:
        for old in word.old:
            if plain == f"_{old}_" or (f"_{old}_" in plain and not word.is_whole and not is_class):
                yield word, old.replace("_", " ")


def _short(text: str) -> str:
    return text if len(text := text.strip()) <= 60 else f"{text[:60]}…"


def _parts(source: Source) -> Iterator[Place]:
    return ((1, part) for part in source.parts)


def _classes(source: Source) -> Iterator[Place]:
    return ((node.lineno, node.name) for node in source.nodes if isinstance(node, ast.ClassDef))


def _names(source: Source) -> Iterator[Place]:
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


def _texts(source: Source) -> Iterator[Place]:
    """The lines of docstrings and comments."""
    for node in _unpublished(source):
        for number, line in enumerate(str(node.value).splitlines()):
            yield node.lineno + number, line
    yield from source.comments


def _unpublished(source: Source) -> Iterator[ast.Constant]:
    """Docstrings, but for those that the description of the API publishes."""
    published = {id(first.value) for first in _published(source) if isinstance(first, ast.Expr)}
    return (text for text in source.docstrings if id(text) not in published)


def _published(source: Source) -> Iterator[ast.stmt]:
    """The classes' and routes' first statements that are a part of the HTTP contract."""
    is_contract = source.is_in("app") and not set(PUBLISHED_IN).isdisjoint(source.parts)
    for node in source.nodes:
        if isinstance(node, ast.ClassDef):
            if is_contract or (node.name in PUBLISHED and source.is_in("app")):
                yield node.body[0]
        elif isinstance(node, Function) and is_contract and _is_route(node):
            yield node.body[0]


def _is_route(function: Function) -> bool:
    return any(
        isinstance(decorator, ast.Call)
        and isinstance(decorator.func, ast.Attribute)
        and isinstance(decorator.func.value, ast.Name)
        and decorator.func.value.id == "router"
        for decorator in function.decorator_list
    )


def _is_logger(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "get_logger"
    return (node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")) in LOGGERS


PLACES: dict[str, Callable[[Source], Iterator[Place]]] = {
    PATHS: _parts,
    NAMES: _names,
    CLASSES: _classes,
    TEXTS: _texts,
}
"""The finders of all places of a kind in a file."""
