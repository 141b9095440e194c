"""The task of a competition: columns, objectives with weights and metrics, the rules for rows.

A `Task` is a frozen value that travels as JSON (`to_dict`, `from_dict`) between the server, the
judging child and the command line. It knows nothing of people, dates or quotas, and names metrics
without knowing what they mean; `metrics` does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Literal

MAX_SESSION = 2**31 - 1
"""Largest id in the id column where ids are integers: canonical ASCII, no sign, no leading zero."""

MAX_ITEM = 2**31 - 1
"""Largest item id when `item_ids` is `integer`: 1 to 10 digits and no more than this."""

MAX_K = 1000
"""Largest K of a metric, the depth of the runs of information retrieval."""

MAX_OBJECTIVES = 100
"""A task has no more objectives than this."""

MAX_SURPLUS_ROWS = 1000
"""A file may have this many rows more than there are published ids before reading stops."""

_LEAST_LINE_BYTES = 4096
_BYTES_BESIDE_ITEMS = 1024
_ITEM_BYTES = {"integer": 11, "string": 65}

IdKind = Literal["integer", "string"]


@dataclass(frozen=True, slots=True)
class Objective:
    """One of the things a query is asked for, and the id of the metric that scores it.

    An empty `name` is the only one of a single-objective competition, whose ids are bare sessions
    (`42`, not `42_clicks`). `key` is what label JSONL calls it, if not by its name.
    """

    name: str
    weight: Decimal
    metric: str = "recall_capped@20:micro"
    key: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    """The form of a submission, and the metrics that score it.

    `kind` is `ranking` (items in order for each query) or `rating` (a number for each pair of
    user and item). `diagnostics` are ids of metrics that are computed and never ranked. `query_ids`
    says how the sessions of the id column are compared, `item_ids` the items. `duplicates` says
    what a label that occurs twice in the ground truth means: a mistake, or nothing; and
    `submission_duplicates` what an item means that occurs twice in a list, as far as lists count.
    """

    objectives: tuple[Objective, ...]
    kind: Literal["ranking", "rating"] = "ranking"
    diagnostics: tuple[str, ...] = ()
    id_column: str = "session_type"
    item_column: str = "item"
    labels_column: str = "labels"
    query_ids: IdKind = "integer"
    item_ids: IdKind = "integer"
    missing_rows: Literal["reject", "zero"] = "reject"
    duplicates: Literal["refuse", "drop"] = "refuse"
    submission_duplicates: Literal["count-once", "reject"] = "count-once"
    max_expanded_bytes: int = 4 << 30

    def __post_init__(self) -> None:
        """Refuses names that would make an id, `<session>_<name>`, ambiguous, more objectives than
        a byte can number, and rules for rows that mean nothing where pairs are rated."""
        if not 1 <= len(self.objectives) <= MAX_OBJECTIVES:
            raise ValueError(f"1 to {MAX_OBJECTIVES} objectives")
        for objective in self.objectives:
            if not re.fullmatch(r"[!-~]*", objective.name) or set(objective.name) & set('_,"'):
                raise ValueError(f"{objective.name!r} cannot be the name of an objective")
        if self.kind == "rating":
            self._check_rating()

    def _check_rating(self) -> None:
        if self.names != ("",):
            raise ValueError("a rating task has one objective, without a name")
        if self.missing_rows != "reject":
            raise ValueError("a rating task rejects missing rows: no number stands for none")
        if self.duplicates != "refuse":
            raise ValueError("a rating task refuses duplicates: a pair has one rating")
        if self.submission_duplicates != "count-once":
            raise ValueError("a rating task has no lists in which items could occur twice")

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of a submission: ids and labels, or users, items and ratings."""
        if self.kind == "rating":
            return (self.id_column, self.item_column, self.labels_column)
        return (self.id_column, self.labels_column)

    @property
    def names(self) -> tuple[str, ...]:
        """Names in order; a query's number is session index × len(names) + position of the name."""
        return tuple(objective.name for objective in self.objectives)

    @property
    def metrics(self) -> tuple[str, ...]:
        """Every metric that is computed, by its id, once: those of the objectives first."""
        scored = (objective.metric for objective in self.objectives)
        return tuple(dict.fromkeys((*scored, *self.diagnostics)))

    @property
    def depth(self) -> int:
        """The number of items of a list that count: the largest K of all metrics."""
        return max(k_of(metric) or 1 for metric in self.metrics)

    @property
    def max_line_bytes(self) -> int:
        """Longest line of a submission, in bytes without its line end: `line-too-long` beyond."""
        deepest = _BYTES_BESIDE_ITEMS + self.depth * _ITEM_BYTES[self.item_ids]
        return max(_LEAST_LINE_BYTES, deepest)

    def scored_by(self, metric: str) -> Task:
        """The same task with this metric for every objective."""
        return replace(
            self, objectives=tuple(replace(each, metric=metric) for each in self.objectives)
        )

    def to_dict(self) -> dict[str, Any]:
        """The task as JSON-ready values; weights as decimal text, so that no digit is lost."""
        values = {name: getattr(self, name) for name in _PLAIN_FIELDS}
        return {
            "objectives": [
                {"name": o.name, "weight": str(o.weight), "metric": o.metric, "key": o.key}
                for o in self.objectives
            ],
            "diagnostics": list(self.diagnostics),
            **values,
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Task:
        """Inverse of `to_dict`."""
        objectives = tuple(
            Objective(o["name"], Decimal(o["weight"]), o["metric"], o["key"])
            for o in values["objectives"]
        )
        plain = {name: values[name] for name in _PLAIN_FIELDS}
        return cls(objectives=objectives, diagnostics=tuple(values["diagnostics"]), **plain)


def k_of(metric: str) -> int | None:
    """The K in the id of a metric; None for metrics without one.

    >>> k_of("recall_capped@20:micro"), k_of("rmse")
    (20, None)
    """
    found = re.search(r"@(\d+)", metric)
    return int(found[1]) if found else None


_PLAIN_FIELDS = (
    "kind",
    "id_column",
    "item_column",
    "labels_column",
    "query_ids",
    "item_ids",
    "missing_rows",
    "duplicates",
    "submission_duplicates",
    "max_expanded_bytes",
)

OTTO = Task(
    objectives=(
        Objective("clicks", Decimal("0.10")),
        Objective("carts", Decimal("0.30")),
        Objective("orders", Decimal("0.60")),
    )
)
"""The flagship: micro recall capped at 20, weighted 0.1 / 0.3 / 0.6 (OTTO's KAGGLE.md)."""


QUERY_WORDS = {
    "session": "sessions",
    "user": "users",
    "customer": "customers",
    "visitor": "visitors",
    "member": "members",
    "playlist": "playlists",
    "basket": "baskets",
    "topic": "topics",
    "query": "queries",
    "impression": "impressions",
}
"""Words for the things that ids stand for, by how columns of ids begin."""


def query_words(id_column: str) -> tuple[str, str]:
    """A competition's own word for one of the things that its ids stand for, and for several.

    >>> query_words("session_type"), query_words("customer_id"), query_words("uid")
    (('session', 'sessions'), ('customer', 'customers'), ('id', 'ids'))
    """
    name = id_column.lower()
    for one, many in QUERY_WORDS.items():
        if name.startswith(one):
            return one, many
    return "id", "ids"
