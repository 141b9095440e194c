"""The task of a competition: columns, objectives with weights and metrics, the rules for rows.

A `Task` is a frozen value that travels as JSON (`to_dict`, `from_dict`) between the server, the
judging child and the command line. It knows nothing of people, dates or quotas, and names metrics
without knowing what they mean; `metrics` does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Literal, get_args

from podium.scoring.tables.columns import TableColumn

MAX_SESSION = 2**31 - 1
"""Largest id in the id column where ids are integers: canonical ASCII, no sign, no leading zero."""

MAX_ITEM = 2**31 - 1
"""Largest item id when `item_ids` is `integer`: 1 to 10 digits and no more than this."""

MAX_K = 1000
"""Largest K of a metric, the depth of the runs of information retrieval."""

MAX_OBJECTIVES = 100
"""A task has no more objectives than this."""

MAX_TARGETS = 16
"""A pair has no more numbers than this."""

ORDER_COLUMN = "items"
"""The column of orders, where candidates may be sent in their order instead of with numbers."""

USAGE = "Usage"
"""The column of a ground truth that says on which side a session, or a unit of pairs, is."""

MAX_SURPLUS_ROWS = 1000
"""A file may have this many rows more than there are published ids before reading stops."""

MAX_TABLE_LINE_BYTES = 128_000
"""Longest line of a table as CSV, in bytes; longer texts come in Parquet."""

_LEAST_LINE_BYTES = 4096
_BYTES_BESIDE_ITEMS = 1024
_ITEM_BYTES = {"integer": 11, "string": 65}

IdKind = Literal["integer", "string"]

TaskKind = Literal["ranking", "rating", "scores", "rerank", "table"]
"""`ranking`: a list of items for each query. `table`: named columns for each published id. The
others want a number for each published pair: `rating` a prediction of it, `scores` a probability or
any number by which pairs are ordered, and `rerank` an order of each query's candidates."""

TASK_KINDS: tuple[TaskKind, ...] = get_args(TaskKind)

Unit = Literal["user", "context"]
"""The id of a pair that stands for its query, which is drawn, split and averaged as a whole."""


@dataclass(frozen=True, slots=True)
class Objective:
    """One of the things a query is asked for, and the id of the metric that scores it.

    An empty `name` is the only one of a single-objective competition, whose ids are bare sessions
    (`42`, not `42_clicks`). `key` is what label JSONL calls it, if not by its name. Of a table,
    `columns` are the columns of a submission that its metric looks at; none stands for the column
    with the objective's name, or for all where the only objective has none.
    """

    name: str
    weight: Decimal
    metric: str = "recall_capped@20:micro"
    key: str = ""
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Task:
    """The form of a submission, and the metrics that score it.

    `diagnostics` are ids of metrics that are computed and never ranked. `query_ids` says how the
    sessions of the id column are compared, `item_ids` the items. `duplicates` says what a label
    that occurs twice in the ground truth means: a mistake, or nothing; and `submission_duplicates`
    what an item means that occurs twice in a list, as far as lists count.

    Of pairs alone: without an `item_column` each row has a single id, and "user" means that;
    `context_column`, if there is one, tells pairs of the same user and item apart;
    `unit` says whose pairs are one query; `group_column` is a column of the ground truth, by whose
    groups every metric is averaged.

    Of tables alone: `table` describes the columns of a submission beside the id; `weight_column` is
    a column of the ground truth that weighs rows, `cluster_column` one whose values say which rows
    belong together: they are split and drawn as a whole.
    """

    objectives: tuple[Objective, ...]
    kind: TaskKind = "ranking"
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

    def __post_init__(self) -> None:
        """Refuses names that would make an id, `<session>_<name>`, ambiguous, more objectives than
        a byte can number, and rules for rows that mean nothing where pairs are rated."""
        if not 1 <= len(self.objectives) <= MAX_OBJECTIVES:
            raise ValueError(f"1 to {MAX_OBJECTIVES} objectives")
        for objective in self.objectives:
            if not re.fullmatch(r"[!-~]*", objective.name) or set(objective.name) & set('_,"'):
                raise ValueError(f"{objective.name!r} cannot be the name of an objective")
        for _, reason in misfits(self.kind, self):
            raise ValueError(reason)
        if self.kind in ONE_NUMBER and self.names != ("",):
            raise ValueError(f"the only objective of a {self.kind} task has no name")

    @property
    def is_of_pairs(self) -> bool:
        """True where a submission has a number for each published pair."""
        return self.kind not in ("ranking", "table")

    @property
    def is_of_tables(self) -> bool:
        """True where a submission has named columns for each published id."""
        return self.kind == "table"

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of a submission: ids and labels, the ids of pairs and their numbers, or the
        id and the columns of a table."""
        if self.is_of_tables:
            return (self.id_column, *(column.name for column in self.table))
        if self.is_of_pairs:
            return (*self.pair_columns, *self.number_columns)
        return (self.id_column, self.labels_column)

    @property
    def pair_columns(self) -> tuple[str, ...]:
        """The columns that name a pair: of users, and of items and contexts where there are any. A
        row of a table has one id."""
        if self.is_of_tables:
            return (self.id_column,)
        return tuple(filter(None, (self.id_column, self.item_column, self.context_column)))

    @property
    def order_columns(self) -> tuple[str, ...]:
        """The columns of a submission that has a row for each query, with all its candidates in
        their order; none where no submission may have this form."""
        if self.kind != "rerank" or self.context_column:
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
        """Every metric that is computed, by its id, once: those of the objectives first."""
        scored = (objective.metric for objective in self.objectives)
        return tuple(dict.fromkeys((*scored, *self.diagnostics)))

    @property
    def depth(self) -> int:
        """The number of items of a list that count: the largest K of all metrics."""
        return max(map(self.depth_of, self.metrics))

    def depth_of(self, metric: str) -> int:
        """The number of items of a list that count for a metric: its K, or `MAX_K` without one. Of
        ratings there is one."""
        return k_of(metric) or (1 if self.kind == "rating" else MAX_K)

    @property
    def max_line_bytes(self) -> int:
        """Longest line of a submission, in bytes without its line end: `line-too-long` beyond."""
        if self.is_of_tables:
            return MAX_TABLE_LINE_BYTES
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
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Task:
        """Inverse of `to_dict`."""
        objectives = tuple(
            Objective(o["name"], Decimal(o["weight"]), o["metric"], o["key"], tuple(o["columns"]))
            for o in values["objectives"]
        )
        return cls(
            objectives=objectives,
            diagnostics=tuple(values["diagnostics"]),
            table=tuple(map(TableColumn.from_dict, values["table"])),
            **{name: values[name] for name in _PLAIN_FIELDS},
        )


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
    "context_column",
    "context_ids",
    "unit",
    "group_column",
    "weight_column",
    "cluster_column",
    "max_expanded_bytes",
)


def misfits(kind: TaskKind, given: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - either of two
    """Fields of a task, or of a competition's settings, that mean nothing under this kind of task,
    each with the reason. Of the objectives only their number is looked at."""
    rules = {"ranking": _OF_LISTS, "table": _OF_TABLES}.get(kind, _OF_PAIRS)
    for field, is_misfit, reason in rules:
        if is_misfit(given, kind):
            yield field, reason.format(kind=kind)


ONE_NUMBER = ("rating", "rerank")
"""Tasks of pairs with a single number for each."""

_Rule = tuple[str, Callable[[Any, TaskKind], bool], str]

_NO_TABLE: tuple[_Rule, ...] = (
    ("weight_column", lambda it, _: bool(it.weight_column), "only tables weigh rows"),
    ("cluster_column", lambda it, _: bool(it.cluster_column), "only tables have clusters"),
)

_OF_LISTS: tuple[_Rule, ...] = (
    ("item_column", lambda it, _: not it.item_column, "a {kind} task names the column of items"),
    ("context_column", lambda it, _: bool(it.context_column), "only pairs have contexts"),
    ("group_column", lambda it, _: bool(it.group_column), "only pairs have groups"),
    *_NO_TABLE,
)

_OF_TABLES: tuple[_Rule, ...] = (
    ("context_column", lambda it, _: bool(it.context_column), "only pairs have contexts"),
    ("group_column", lambda it, _: bool(it.group_column), "only pairs have groups"),
    ("unit", lambda it, _: it.unit != "user", "only pairs have a unit"),
    (
        "missing_rows",
        lambda it, _: it.missing_rows != "reject",
        "a {kind} task rejects missing rows: no value stands for none",
    ),
    (
        "duplicates",
        lambda it, _: it.duplicates != "refuse",
        "a {kind} task refuses duplicates: an id has one row",
    ),
    (
        "submission_duplicates",
        lambda it, _: it.submission_duplicates != "count-once",
        "a {kind} task has no lists in which items could occur twice",
    ),
)

_OF_PAIRS: tuple[_Rule, ...] = (
    (
        "objectives",
        lambda it, kind: kind in ONE_NUMBER and len(it.objectives) > 1,
        "a {kind} task has one objective",
    ),
    (
        "objectives",
        lambda it, _: len(it.objectives) > MAX_TARGETS,
        f"a {{kind}} task has at most {MAX_TARGETS} objectives, a column each",
    ),
    (
        "missing_rows",
        lambda it, _: it.missing_rows != "reject",
        "a {kind} task rejects missing rows: no number stands for none",
    ),
    (
        "duplicates",
        lambda it, _: it.duplicates != "refuse",
        "a {kind} task refuses duplicates: a pair has one number",
    ),
    (
        "submission_duplicates",
        lambda it, _: it.submission_duplicates != "count-once",
        "a {kind} task has no lists in which items could occur twice",
    ),
    (
        "item_column",
        lambda it, kind: kind == "rerank" and not it.item_column,
        "a {kind} task names the column of items",
    ),
    (
        "context_column",
        lambda it, _: bool(it.context_column) and not it.item_column,
        "a context stands beside a user and an item: name both",
    ),
    (
        "unit",
        lambda it, _: it.unit == "context" and not it.context_column,
        "the unit is the context, and there is no context_column",
    ),
    *_NO_TABLE,
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
