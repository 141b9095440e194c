"""Rules about what is not everybody's: the queries of a subject, and private scores."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from tests.house.project import PACKAGE, Problem, Project, Source

MAY_NAME_PRIVATE_SCORES = {
    "app/core/models/": "the table itself",
    "app/standings/queries.py": "the private board is made from them",
    "app/boards/queries/ties.py": "who is tied is found out once a board is final",
    "app/submissions/queries/submissions.py": "one function, for those who may see them",
    "app/submissions/service/views.py": "decides who may see them",
    "app/submissions/service/receipts.py": "opened from the reveal on",
    "app/judging/service/scores.py": "writes them with a verdict",
    "app/rejudging/queries/results.py": "organizers compare them before they apply a rejudging",
    "app/archives/queries.py": "an archive holds a whole competition",
    "app/archives/service/tables.py": "the same",
}
"""Files that may name the table of private scores, and why. Nothing else can select them."""


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
    """Only listed files name the table of private scores."""
    for source in project.sources:
        if not source.is_in("app") or source.path.startswith(tuple(MAY_NAME_PRIVATE_SCORES)):
            continue
        for node in source.nodes:
            named = getattr(node, "id", None) or getattr(node, "attr", None)
            if isinstance(node, ast.Name | ast.Attribute) and named == "PrivateScore":
                yield source.problem(
                    node.lineno, "private scores are named by few files: see tests/house/privacy.py"
                )


def _modules(source: Source) -> Iterator[tuple[int, str]]:
    for node in source.nodes:
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield node.lineno, f"{node.module}.{alias.name}"
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name


RULES: tuple[Callable[[Project], Iterator[Problem]], ...] = (
    keep_their_queries,
    name_private_scores_where_they_may,
)
