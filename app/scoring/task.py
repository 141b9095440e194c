"""What a competition asks for: columns, objectives with weights, the metric, the rules for rows.

A `Task` is a frozen value that travels as JSON (`to_dict`, `from_dict`) between the server, the
judging child and the command line. It knows nothing of people, dates or quotas.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

MAX_SESSION = 2**31 - 1
"""Largest id in the id column. Ids are canonical ASCII integers: no sign, no leading zero."""

MAX_ITEM = 2**31 - 1
"""Largest item id when `item_ids` is `integer`: 1 to 10 digits and no more than this."""

MAX_LINE_BYTES = 4096
"""Longest line of a submission, in bytes without its line end; longer is `line-too-long`."""

MAX_OBJECTIVES = 100
"""A task has no more objectives than this."""

MAX_SURPLUS_ROWS = 1000
"""A file may have this many rows more than there are published ids before reading stops."""


@dataclass(frozen=True, slots=True)
class Objective:
    """One of the things a query is asked for. An empty `name` is the only one of a single-objective
    competition, whose ids are bare sessions (`42`, not `42_clicks`)."""

    name: str
    weight: Decimal


@dataclass(frozen=True, slots=True)
class Task:
    """How a submission looks and what it is scored by."""

    objectives: tuple[Objective, ...]
    metric: str = "recall_capped"
    k: int = 20
    average: Literal["micro", "macro"] = "micro"
    id_column: str = "session_type"
    labels_column: str = "labels"
    item_ids: Literal["integer", "string"] = "integer"
    missing_rows: Literal["reject", "zero"] = "reject"
    max_expanded_bytes: int = 4 << 30

    def __post_init__(self) -> None:
        """Refuses names that would make an id, `<session>_<name>`, ambiguous, and more objectives
        than a byte can number."""
        if len(self.objectives) > MAX_OBJECTIVES:
            raise ValueError(f"at most {MAX_OBJECTIVES} objectives")
        for objective in self.objectives:
            if not re.fullmatch(r"[!-~]*", objective.name) or set(objective.name) & set('_,"'):
                raise ValueError(f"{objective.name!r} cannot be the name of an objective")

    @property
    def names(self) -> tuple[str, ...]:
        """Names in order; a query's number is session index × len(names) + position of the name."""
        return tuple(objective.name for objective in self.objectives)

    def to_dict(self) -> dict[str, Any]:
        """The task as JSON-ready values; weights as decimal text, so that no digit is lost."""
        return {
            "objectives": {o.name: str(o.weight) for o in self.objectives},
            "metric": self.metric,
            "k": self.k,
            "average": self.average,
            "id_column": self.id_column,
            "labels_column": self.labels_column,
            "item_ids": self.item_ids,
            "missing_rows": self.missing_rows,
            "max_expanded_bytes": self.max_expanded_bytes,
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Task:
        """Inverse of `to_dict`."""
        objectives = tuple(Objective(n, Decimal(w)) for n, w in values["objectives"].items())
        return cls(objectives=objectives, **{k: v for k, v in values.items() if k != "objectives"})


OTTO = Task(
    objectives=(
        Objective("clicks", Decimal("0.10")),
        Objective("carts", Decimal("0.30")),
        Objective("orders", Decimal("0.60")),
    )
)
"""The flagship: micro recall capped at 20, weighted 0.1 / 0.3 / 0.6 (OTTO's KAGGLE.md)."""
