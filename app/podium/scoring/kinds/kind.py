"""The facts in which kinds of task differ, each in one place.

Importing this loads no Polars, so that a client without the scorer may ask, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from podium.scoring.kinds.first_rows import Recognizer
from podium.scoring.kinds.words import query_words

TaskKind: TypeAlias = str
"""The key of a kind. `ranking`: a list of items for each query. `table`: named columns for each
published id. `label-sets`: any number of labels for each. The others want a number for each pair:
`rating` a prediction of it, `scores` a probability or any number by which pairs are ordered, and
`rerank` an order of each query's candidates. Add-ons may bring others."""


class WithIds(Protocol):
    """A task, or a competition's settings or document, as far as its columns of ids go."""

    @property
    def id_column(self) -> str:
        """The column of the ids, or of the first ids of pairs."""

    @property
    def item_column(self) -> str:
        """The column of items; empty where there is none."""

    @property
    def context_column(self) -> str:
        """The column that tells pairs of the same two apart; empty where there is none."""

    @property
    def unit(self) -> str:
        """`user`, or `context`."""


class WithColumns(WithIds, Protocol):
    """The same with the columns of what is predicted."""

    @property
    def labels_column(self) -> str:
        """The column of labels, or of the only number."""

    @property
    def number_columns(self) -> tuple[str, ...]:
        """The columns of numbers, one for each objective."""

    @property
    def described_columns(self) -> tuple[str, ...]:
        """The names of the columns that are described one by one."""


@dataclass(frozen=True)
class Rule:
    """A setting that means something only under some kinds of task, or only in some forms."""

    field: str
    reason: str
    is_broken: Callable[[Any], bool]


def only(field: str, value: object, reason: str) -> Rule:
    """The rule that a setting has one value, which is that of tasks that say nothing of it."""
    return Rule(field, reason, lambda given: getattr(given, field) != value)


ONLY_TABLES = (
    only("weight_column", "", "only tables weigh rows"),
    only("cluster_column", "", "only tables have clusters"),
)
ONLY_PAIRS = (
    only("context_column", "", "only pairs have contexts"),
    only("group_column", "", "only pairs have groups"),
)
WITH_ITEMS = Rule(
    "item_column", "a {kind} task names the column of items", lambda given: not given.item_column
)
NO_LISTS = only(
    "submission_duplicates",
    "count-once",
    "a {kind} task has no lists in which items could occur twice",
)


@dataclass(frozen=True)
class Kind:
    """One kind of task. It has a list of items for each id and objective, unless told otherwise."""

    key: TaskKind
    """Its name in settings, documents and stored tasks."""
    engine: str
    """The module that reads and judges it."""
    title: str
    """The thing that is predicted, as a heading."""
    choice: str
    """The kind as organizers choose it."""
    plural: str
    """The word for what a submission is made of."""
    first_metric: str
    """The metric of a competition whose files name no other."""
    usual_metrics: tuple[str, ...]
    """The metrics among which organizers choose, with a usual K."""
    form_metric: str
    """A metric that takes whatever a file may hold, where only the form of files matters."""
    difference: tuple[str, str]
    """The words for one row, and for several, in which two ground truths differ."""
    rules: tuple[Rule, ...]
    """The rules for its settings."""
    row_hint: str
    """The name of the hint at how a row looks."""
    missing_hint: str
    """The name of the hint at rows that are missing."""
    recognizer: Recognizer
    """The ways in which files of the kind are recognized."""
    published: str
    """The word for one of the things that are published."""
    truth_rows: str
    """The words for the rows of a ground truth."""
    short_lines: str
    """The advice for lines that are too long, with the depth of the task."""
    has_lists: bool = False
    """True where each objective of an id has a row of its own, with a list of items."""
    has_numbers: bool = False
    """True where a row holds a number for each objective."""
    takes_several_numbers: bool = False
    """True where a row may hold more numbers than one."""
    has_table: bool = False
    """True where settings describe the columns of a submission."""
    column_type: str = ""
    """The type of the only column where settings describe none; empty where they have to."""
    has_candidates: bool = False
    """True where numbers only order the candidates of a query."""
    had_usage: bool = False
    """True where old settings may call a column as that of the sides."""
    has_relevances: bool = False
    """True where the truth of a number is a relevance, which is at worst 0."""
    takes_probabilities: bool = False
    """True where numbers may be probabilities, so that no number says more than 1."""
    example_numbers: tuple[float, ...] = (0.8, 0.15, 0.4)
    """Numbers of a submission, as they may look."""
    sample_number: str = "0"
    """The number that a sample submission has everywhere."""
    told_by: str = ""
    """The column by which a file of the kind is known, where there is one."""
    number_words: str = ""
    """The meaning of a number that is no probability."""
    untold_by_samples: tuple[str, ...] = ()
    """The rules that a sample submission does not tell."""
    depth: int | None = None
    """The number of items that count where a metric has no K; as many as may be where none."""
    max_line_bytes: int | None = None
    """The longest line; where none, it follows from the items that count."""
    metrics_of: TaskKind = ""
    """The kind whose metrics suit it as well; empty where it has metrics of its own."""

    def unit(self, described: WithIds) -> tuple[str, str]:
        """The word for one of the things that are scored, and for several."""
        return query_words(described.id_column)

    def split_unit(self, described: WithIds) -> tuple[str, str]:
        """The same for the things that splits divide and comparisons are paired by: never pairs,
        but whose pairs they are."""
        return query_words(described.id_column)

    def key_columns(self, described: WithIds) -> tuple[str, ...]:
        """The columns of ids."""
        return (described.id_column,)

    def value_columns(self, described: WithColumns) -> tuple[str, ...]:
        """The columns of what is predicted."""
        return (described.labels_column,)

    def columns(self, described: WithColumns) -> tuple[str, ...]:
        """The columns of a submission."""
        return (*self.key_columns(described), *self.value_columns(described))

    def named_columns(self) -> tuple[str, ...]:
        """The settings that name columns of a submission or a ground truth, beside those that
        weigh rows or keep them together."""
        return ("id_column", "labels_column")

    def row_words(self, described: WithColumns) -> tuple[str, ...]:
        """The parts of a row, for the hint at how it looks."""
        del described
        return ()

    def misfits(self, given: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - task or settings
        """Fields of a task, or of a competition's settings, that mean nothing under this kind,
        each with the reason. Of the objectives only their number is looked at."""
        for rule in self.rules:
            if rule.is_broken(given):
                yield rule.field, rule.reason.format(kind=self.key)
