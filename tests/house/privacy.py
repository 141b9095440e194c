"""Rules about what is not everybody's: the queries of a subject, and private scores."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from tests.house.project import PACKAGE, Problem, Project, Source, names_in

MAY_NAME_PRIVATE_SCORES = {
    "app/podium/submissions/queries/submissions.py:private_scores_of": "the only one for people",
    "app/podium/standings/queries.py:private_scores": "the private board is made of them",
    "app/podium/standings/queries.py:standard_errors": "those of the private board",
    "app/podium/boards/queries/ties.py:_SCORES": "who is tied is found out once a board is final",
    "app/podium/judging/service/scores.py:HALVES": "they are written with a verdict",
    "app/podium/rejudging/queries/results.py:_SCORES": "which halves a rejudging must have",
    "app/podium/rejudging/queries/results.py:pairs": "organizers compare before they apply it",
    "app/podium/archives/queries.py:private_scores": "for the archive of a revealed competition",
    "app/podium/archives/service/tables.py:TABLES": "a full archive holds a whole competition",
}
"""The definitions that may name the table of private scores, and why. Nothing else can select them;
an annotation selects nothing."""

MODELS = "app/podium/core/models/"


def keep_their_queries(project: Project) -> Iterator[Problem]:
    """The queries of a subject are imported by that subject only."""
    for source in project.sources:
        if not source.is_in("app"):
            continue
        own = f"{PACKAGE}.{source.parts[1]}."
        for line, module in _modules(source):
            parts = module.split(".")
            if parts[0] == PACKAGE and parts[2:3] == ["queries"] and not module.startswith(own):
                subject = parts[1]
                yield source.problem(
                    line, f"queries of {subject} are its own: ask a function of its service"
                )


def name_private_scores_where_they_may(project: Project) -> Iterator[Problem]:
    """Only listed definitions name the table of private scores."""
    for source in project.sources:
        if not source.is_in("app") or source.path.startswith(MODELS):
            continue
        for name, node in naming_private_scores(source):
            if f"{source.path}:{name}" not in MAY_NAME_PRIVATE_SCORES:
                yield source.problem(
                    node.lineno, "private scores are named in few places: tests/house/privacy.py"
                )


def naming_private_scores(source: Source) -> Iterator[tuple[str, ast.expr]]:
    """Yields the places outside annotations and imports that name the table of private scores, each
    under the name of the definition at the top of the file in which it stands."""
    if "PrivateScore" not in source.text:
        return
    annotated = {id(node) for each in source.nodes for node in _annotations(each)}
    for statement in source.tree.body:
        for node in ast.walk(statement):
            if not isinstance(node, ast.Name | ast.Attribute) or id(node) in annotated:
                continue
            if "PrivateScore" in (getattr(node, "id", None), getattr(node, "attr", None)):
                yield _defined(statement), node


def _annotations(node: ast.AST) -> Iterator[ast.AST]:
    for written in ("annotation", "returns"):
        annotation = getattr(node, written, None)
        if annotation is not None:
            yield from ast.walk(annotation)


def _defined(statement: ast.stmt) -> str:
    if isinstance(statement, ast.AnnAssign):
        return ast.unparse(statement.target)
    if isinstance(statement, ast.Assign):
        return ast.unparse(statement.targets[0])
    return str(getattr(statement, "name", ""))


def _modules(source: Source) -> Iterator[tuple[int, str]]:
    for node in source.nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            for name in names_in(node):
                yield node.lineno, name


RULES: tuple[Callable[[Project], Iterator[Problem]], ...] = (
    keep_their_queries,
    name_private_scores_where_they_may,
)
