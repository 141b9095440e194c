"""Defines the task of a competition: columns, objectives with weights and metrics, the rules for
rows.

A `Task` is a frozen value that travels as JSON (`to_dict`, `from_dict`) between the server, the
judging child and the command line. It has no people, dates or quotas, and refers to metrics by
their ids alone, which `metrics` defines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from functools import cached_property
from typing import Any, Literal

from podium.scoring.columns import TableColumn
from podium.scoring.kinds import DEFAULT, TaskKind, kind_of
from podium.scoring.names import fits_ids, header_of, is_pattern

MAX_SESSION = 2**31 - 1
"""The largest id in the id column where ids are integers: canonical ASCII, no sign, no leading
zero."""

MAX_ITEM = 2**31 - 1
"""The largest item id when `item_ids` is `integer`, which has 1 to 10 digits."""

MAX_K = 1000
"""The largest K of a metric, the depth of the runs of information retrieval."""

MAX_OBJECTIVES = 100
"""The most objectives of a task."""

ORDER_COLUMN = "items"
"""The column of ranked candidates, which may be submitted instead of numbers."""

USAGE = "Usage"
"""The column of a ground truth with the split of a session, or of a unit of pairs."""

MAX_SURPLUS_ROWS = 1000
"""The rows of a file beyond the number of published ids at which reading stops."""

_MIN_LINE_BYTES = 4096
_BYTES_BESIDE_ITEMS = 1024
_ITEM_BYTES = {"integer": 11, "string": 65}

IdKind = Literal["integer", "string"]

Unit = Literal["user", "context"]
"""The id of a pair that identifies its query, which is sampled, split and averaged as a whole."""


@dataclass(frozen=True, slots=True)
class Objective:
    """One prediction target of each query, and the id of the metric that scores it.

    An empty `name` is the only one of a single-objective competition, whose ids are bare sessions
    (`42`, not `42_clicks`). `key` is its key in label JSONL, if not its name. For a table,
    `columns` are the columns of a submission that its metric scores; empty for the column with the
    objective's name, or for all where the only objective has no name.
    """

    name: str
    weight: Decimal
    metric: str = "recall_capped@20:micro"
    key: str = ""
    columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class Task:
    """The format of a submission, and the metrics that score it.

    `diagnostics` are ids of metrics that are computed and never ranked. `query_ids` is the kind of
    the sessions of the id column, `item_ids` that of items. `duplicates` defines whether a repeated
    label in the ground truth is refused or dropped, and `submission_duplicates` whether a repeated
    item in a list, as far as lists count, counts once or is rejected.

    For pairs only: without an `item_column` each row has a single id, which is the "user";
    `context_column`, if there is one, distinguishes pairs of the same user and item; `unit` is the
    id whose pairs form one query; `group_column` is a column of the ground truth, by whose groups
    every metric is averaged.

    For tables only: `table` describes the columns of a submission beside the id; `weight_column` is
    a column of the ground truth with weights of rows, `cluster_column` one with clusters of rows:
    they are split and sampled as a whole.

    `forms` are keys of the `FORMS` that a submission may have beside `podium`.
    """

    objectives: tuple[Objective, ...]
    kind: TaskKind = DEFAULT
    diagnostics: tuple[str, ...] = ()
    id_column: str = "session_type"
    item_column: str = "item"
    labels_column: str = "labels"
    query_ids: IdKind = "integer"
    item_ids: IdKind = "integer"
    missing_rows: Literal["reject", "zero"] = "reject"
    duplicates: Literal["refuse", "drop"] = "refuse"
    submission_duplicates: Literal["count-once", "reject"] = "count-once"
    context_column: str = ""
    context_ids: IdKind = "integer"
    unit: Unit = "user"
    group_column: str = ""
    table: tuple[TableColumn, ...] = ()
    weight_column: str = ""
    cluster_column: str = ""
    max_expanded_bytes: int = 4 << 30
    forms: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuses names that would make an id, `<session>_<name>`, ambiguous, too many objectives,
        and fields that do not apply to the kind of task."""
        if not 1 <= len(self.objectives) <= MAX_OBJECTIVES:
            raise ValueError(f"1 to {MAX_OBJECTIVES} objectives")
        its_kind = kind_of(self.kind)
        for name in (*self.columns, self.group_column, self.weight_column, self.cluster_column):
            if is_pattern(name) and name not in self.described_columns:
                raise ValueError(f"{name!r} cannot be the name of a column")
        for name in filter(None, self.names if its_kind.has_lists else ()):
            if not fits_ids(name):
                raise ValueError(f"{name!r} cannot be the name of an objective")
        for _, reason in its_kind.misfits(self):
            raise ValueError(reason)
        if its_kind.has_numbers and not its_kind.takes_several_numbers and self.names != ("",):
            raise ValueError(f"the only objective of a {self.kind} task has no name")

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The columns of a submission: ids, and predictions."""
        return kind_of(self.kind).columns(self)

    @property
    def pair_columns(self) -> tuple[str, ...]:
        """The columns of ids: for pairs those of users, and of items and contexts where there are
        any."""
        return kind_of(self.kind).key_columns(self)

    @property
    def described_columns(self) -> tuple[str, ...]:
        """The names of the columns of a table beside the id."""
        return tuple(column.name for column in self.table)

    @property
    def order_columns(self) -> tuple[str, ...]:
        """The columns of a submission that has a row for each query, with all its candidates
        ranked; empty where submissions may not have this form."""
        if not kind_of(self.kind).has_candidates or self.context_column:
            return ()
        return (self.id_column, ORDER_COLUMN)

    @property
    def number_columns(self) -> tuple[str, ...]:
        """The columns of numbers, one for each objective: its name, or that of the labels where
        the only objective has none."""
        return (self.labels_column,) if self.names == ("",) else self.names

    @property
    def names(self) -> tuple[str, ...]:
        """Names in order; a query's number is session index × len(names) + position of the name."""
        return tuple(objective.name for objective in self.objectives)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The ids of all metrics that are computed, without repetition: those of the objectives
        first."""
        scored = (objective.metric for objective in self.objectives)
        return tuple(dict.fromkeys((*scored, *self.diagnostics)))

    @property
    def depth(self) -> int:
        """The number of items of a list that count: the largest K of all metrics."""
        return max(map(self.depth_of, self.metrics))

    def depth_of(self, metric: str) -> int:
        """Returns the number of items of a list that count for a metric: its K, or, without one,
        that of the kind of task, or `MAX_K`."""
        return k_of(metric) or kind_of(self.kind).depth or MAX_K

    @cached_property
    def max_line_bytes(self) -> int:
        """The longest line of a submission, in bytes without its line end: `line-too-long`
        beyond."""
        if longest := kind_of(self.kind).max_line_bytes:
            return longest
        deepest = _BYTES_BESIDE_ITEMS + self.depth * _ITEM_BYTES[self.item_ids]
        header = len(header_of(self.columns).encode()) + 2 * len(self.columns)
        return max(_MIN_LINE_BYTES, deepest, header)

    def scored_by(self, metric: str) -> Task:
        """Derives a task with this metric for every objective."""
        return replace(
            self, objectives=tuple(replace(each, metric=metric) for each in self.objectives)
        )

    def to_dict(self) -> dict[str, Any]:
        """Converts the task to JSON-ready values; weights are decimal text, without any loss."""
        values = {name: getattr(self, name) for name in PLAIN_FIELDS}
        return {
            "objectives": [
                {
                    "name": o.name,
                    "weight": str(o.weight),
                    "metric": o.metric,
                    "key": o.key,
                    "columns": list(o.columns),
                }
                for o in self.objectives
            ],
            "diagnostics": list(self.diagnostics),
            "table": [column.to_dict() for column in self.table],
            **values,
            "forms": list(self.forms),
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Task:
        """Creates a task from the values of `to_dict`."""
        objectives = tuple(
            Objective(o["name"], Decimal(o["weight"]), o["metric"], o["key"], tuple(o["columns"]))
            for o in values["objectives"]
        )
        return cls(
            objectives=objectives,
            diagnostics=tuple(values["diagnostics"]),
            table=tuple(map(TableColumn.from_dict, values["table"])),
            **{name: values[name] for name in PLAIN_FIELDS if name != "forms"},
            forms=tuple(values["forms"]),
        )


def k_of(metric: str) -> int | None:
    """Parses the K in the id of a metric; None for metrics without one.

    >>> k_of("recall_capped@20:micro"), k_of("rmse")
    (20, None)
    """
    found = re.search(r"@(\d+)", metric)
    return int(found[1]) if found else None


PLAIN_FIELDS = tuple(
    each.name for each in fields(Task) if each.name not in ("objectives", "diagnostics", "table")
)
"""The fields whose values are unchanged in JSON; settings of a competition have all of them except
the kind, under the same names."""


OTTO = Task(
    objectives=(
        Objective("clicks", Decimal("0.10")),
        Objective("carts", Decimal("0.30")),
        Objective("orders", Decimal("0.60")),
    )
)
"""The task of OTTO: micro recall capped at 20, weighted 0.1 / 0.3 / 0.6 (OTTO's KAGGLE.md)."""
