"""Answers beside the rules that say who gets which."""

from __future__ import annotations

from collections.abc import Mapping

from tests.builders.access.operations import Operation
from tests.builders.access.stage import ROLES, Stage

Cells = dict[tuple[Operation, str], int]


def cells(rows: Mapping[str, tuple[int, ...]], operations: list[Operation]) -> Cells:
    """The statuses of a table of rules, in the order of its roles."""
    return {
        (operation, role): status
        for operation in operations
        for role, status in zip(ROLES, rows[operation.name], strict=True)
    }


def deviations(stage: Stage, expected: Cells) -> list[str]:
    """Answers with another status than the rule says, and refusals that write something."""
    wrong, before = [], stage.content()
    for (operation, role), rule in expected.items():
        status = stage.ask(operation, role).status_code
        if status != rule:
            wrong.append(f"{operation.name} as {role}: {status}, not {rule}")
        if stage.differs_from(before):
            stage.restore()
            if status >= 400:
                wrong.append(f"{operation.name} as {role}: refused, and something was written")
    return wrong
