"""Defines the properties in which kinds of task differ, each in one place.

Importing this does not import Polars, so that a client without the scorer may use it, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from podium.scoring.forms import ENCODINGS, FORMS, Form
from podium.scoring.kinds.first_rows import Recognizer
from podium.scoring.kinds.words import query_words

TaskKind: TypeAlias = str
"""The key of a kind. `ranking`: a list of items for each query. `table`: named columns for each
published id. `label-sets`: any number of labels for each. The others want a number for each pair:
`rating` a prediction of it, `scores` a probability or any number by which pairs are ordered, and
`rerank` an order of each query's candidates. Add-ons may provide others."""


class WithIds(Protocol):
    """The columns of ids of a task, or of a competition's settings or document."""

    @property
    def id_column(self) -> str:
        """The column of the ids, or of the first ids of pairs."""

    @property
    def item_column(self) -> str:
        """The column of items; empty where there is none."""

    @property
    def context_column(self) -> str:
        """The column that distinguishes pairs of the same two ids; empty where there is none."""

    @property
    def unit(self) -> str:
        """The sampling unit of pairs: `user`, or `context`."""


class WithColumns(WithIds, Protocol):
    """The columns of ids together with those of predictions."""

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
    """A rule that a setting applies only to some kinds of task, or only in some forms."""

    field: str
    reason: str
    is_broken: Callable[[Any], bool]


def only(field: str, value: object, reason: str) -> Rule:
    """Builds the rule that a setting must have one value, which is its default in tasks."""
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
    """One kind of task. By default, it has a list of items for each id and objective."""

    key: TaskKind
    """The name in settings, documents and stored tasks."""
    engine: str
    """The module with the engine that reads and judges it."""
    title: str
    """The predicted quantity, as a heading."""
    choice: str
    """The label with which organizers choose the kind."""
    plural: str
    """The word for the contents of a submission, in the plural."""
    first_metric: str
    """The metric of a competition whose files do not suggest another."""
    usual_metrics: tuple[str, ...]
    """The metrics among which organizers choose, with a usual K."""
    form_metric: str
    """A metric that accepts all valid values of a file, where only the format of files matters."""
    difference: tuple[str, str]
    """The words for one row, and for several, in which two ground truths differ."""
    rules: tuple[Rule, ...]
    """The rules for its settings."""
    row_hint: str
    """The name of the hint about the format of a row."""
    missing_hint: str
    """The name of the hint about missing rows."""
    recognizer: Recognizer
    """The ways in which files of the kind are recognized."""
    published: str
    """The word for one of the published ids."""
    truth_rows: str
    """The words for the rows of a ground truth."""
    short_lines: str
    """The advice for lines that are too long, with the depth of the task."""
    has_lists: bool = False
    """True where each objective of an id has a row of its own, with a list of items."""
    has_numbers: bool = False
    """True where a row has a number for each objective."""
    takes_several_numbers: bool = False
    """True where a row may have several numbers."""
    has_table: bool = False
    """True where settings describe the columns of a submission."""
    column_type: str = ""
    """The type of the only column where settings describe none; empty where they have to."""
    has_candidates: bool = False
    """True where numbers only order the candidates of a query."""
    had_usage: bool = False
    """True where old settings may use the name of the column of splits for another column."""
    has_relevances: bool = False
    """True where the truth of a number is a relevance, of at least 0."""
    takes_probabilities: bool = False
    """True where numbers may be probabilities, of at most 1."""
    example_numbers: tuple[float, ...] = (0.8, 0.15, 0.4)
    """Example numbers of a submission."""
    sample_number: str = "0"
    """The number that a sample submission has everywhere."""
    telltale_column: str = ""
    """The column by which a file of the kind is recognized, where there is one."""
    number_words: str = ""
    """The meaning of a number that is not a probability."""
    untold_by_samples: tuple[str, ...] = ()
    """The rules whose settings a sample submission does not reveal."""
    depth: int | None = None
    """The number of items that count where a metric has no K; None for no limit."""
    max_line_bytes: int | None = None
    """The most bytes of a line; None where the limit follows from the items that count."""
    measured: str = ""
    """The words for the data of its metrics, where `plural` are not."""
    family: str = ""
    """The family under which its metrics are listed; those of lists have their own."""
    metrics_of: TaskKind = ""
    """The kind whose metrics it shares; empty where it has its own."""

    def unit(self, described: WithIds) -> tuple[str, str]:
        """Returns the singular and plural words for the objects that are scored."""
        return query_words(described.id_column)

    def split_unit(self, described: WithIds) -> tuple[str, str]:
        """Returns the singular and plural words for the units of splits and of paired comparisons:
        never pairs, but for example the users of pairs."""
        return query_words(described.id_column)

    def key_columns(self, described: WithIds) -> tuple[str, ...]:
        """Lists the columns of ids."""
        return (described.id_column,)

    def value_columns(self, described: WithColumns) -> tuple[str, ...]:
        """Lists the columns of predictions."""
        return (described.labels_column,)

    def columns(self, described: WithColumns) -> tuple[str, ...]:
        """Lists the columns of a submission."""
        return (*self.key_columns(described), *self.value_columns(described))

    def named_columns(self) -> tuple[str, ...]:
        """Lists the settings that contain names of columns of a submission or a ground truth,
        except those of weights and clusters."""
        return ("id_column", "labels_column")

    def row_words(self, described: WithColumns) -> tuple[str, ...]:
        """Returns the words for the parts of a row, for the hint about its format."""
        del described
        return ()

    def takes_form(self, form: Form) -> bool:
        """True if submissions may have this form, where a competition names it."""
        return form.suits(has_lists=self.has_lists, has_candidates=self.has_candidates)

    def recognized_forms(self, query_ids: str) -> list[Form]:
        """Lists the forms that the start of a file distinguishes from that of the sample, by the
        kind of the ids."""
        taken = [form for form in FORMS.values() if self.takes_form(form)]
        return [form for form in taken if form.is_recognized(query_ids)]

    def misfits(self, given: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - task or settings
        """Finds settings of a task or competition that do not apply to this kind, each with the
        reason. Of the objectives only their number matters."""
        for rule in self.rules:
            if rule.is_broken(given):
                yield rule.field, rule.reason.format(kind=self.key)
        for form in given.forms:
            if form not in FORMS:
                yield "forms", f"“{form}” is not a form of submissions"
            elif not self.takes_form(FORMS[form]):
                yield "forms", f"a {self.key} task has no submissions of the form {form}"
        named = [form for form in given.forms if form in ENCODINGS]
        if len(named) > 1:
            yield "forms", f"text is in one encoding, not in {' or '.join(named)}"
