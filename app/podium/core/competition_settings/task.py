"""Settings of the task: what is predicted, how it is scored, and what the files look like."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints, WithJsonSchema, WrapValidator

from podium.add_ons import lack_of
from podium.core.competition_settings.changing import ByRejudging
from podium.core.competition_settings.choices import MetricChoice, SplitChoice
from podium.core.competition_settings.fields import setting
from podium.core.competition_settings.strict_numbers import StrictNumbers
from podium.errors.reasons import METRIC_ID_PATTERN, NAME_PATTERN
from podium.scoring.forms import FORMS
from podium.scoring.kinds import KINDS, TaskKind
from podium.scoring.names import lack_of_name
from podium.scoring.task import OTTO, IdKind, Unit


def _whole_name(name: str) -> str:
    if lack := lack_of_name(name):
        raise ValueError(lack)
    return name


ColumnName = Annotated[str, StringConstraints(pattern=NAME_PATTERN), AfterValidator(_whole_name)]
ObjectiveName = ColumnName
Weight = Annotated[Decimal, Field(gt=0, le=1_000_000, max_digits=16)]

MAX_SET_OBJECTIVES = 16
"""The most objectives of a competition; at home a task may have more."""

WEIGHT_AND_METRIC: dict[str, Any] = {
    "type": "object",
    "additionalProperties": {
        "anyOf": [
            {"type": "number", "exclusiveMinimum": 0, "maximum": 1_000_000},
            {"type": "string", "description": "The same as text, for more digits."},
            {
                "type": "object",
                "properties": {
                    "weight": {"type": "number", "exclusiveMinimum": 0},
                    "metric": {"type": "string", "examples": ["ndcg@10"]},
                },
                "required": ["weight"],
            },
        ]
    },
    "propertyNames": {"pattern": NAME_PATTERN},
}
"""The JSON schema of objectives: pydantic's own, for weights alone, would refuse metrics."""

Objectives = Annotated[
    dict[ObjectiveName, Weight],
    WithJsonSchema({**WEIGHT_AND_METRIC, "minProperties": 1, "maxProperties": MAX_SET_OBJECTIVES}),
]

MetricId = Annotated[
    str,
    StringConstraints(pattern=METRIC_ID_PATTERN),
    AfterValidator(lambda given: given.removesuffix(":macro")),
]
"""The id of a metric as text, in its one canonical spelling."""

if TYPE_CHECKING:
    TaskName = TaskKind
    FormName = str
else:
    FormName = Literal[tuple(FORMS)]
    # What is stored is read, too, where the add-on of its kind is missing.
    TaskName = Annotated[
        Literal[tuple(KINDS)],
        WrapValidator(lambda given, check: given if _is_missing(given) else check(given)),
    ]

_IDS = {"integer": "Whole numbers", "string": "Text"}


def _is_missing(kind: object) -> bool:
    return isinstance(kind, str) and lack_of("kinds", kind) is not None


class TaskSettings(StrictNumbers):
    """The task, its metrics, and its files. Defaults are those of OTTO on Kaggle."""

    task: TaskName = setting(
        "Task",
        "What participants predict.",
        values={kind.key: kind.choice for kind in KINDS.values()},
        default=OTTO.kind,
    )
    objectives: ByRejudging[Objectives] = setting(
        "Objectives",
        "The weight of each objective in the score, or its weight and a metric of its own.",
        default={each.name: each.weight.normalize() for each in OTTO.objectives},
        min_length=1,
        max_length=MAX_SET_OBJECTIVES,
    )
    objective_metrics: ByRejudging[dict[ObjectiveName, MetricChoice]] = setting(
        "Metrics of objectives",
        "Metrics of objectives that differ from `metric`.",
        default_factory=dict,
    )
    metric: ByRejudging[MetricChoice] = setting(
        "Metric",
        "The metric of all objectives without one of their own, such as `ndcg@20`,"
        " `recall_capped@20:micro` or `rmse`. Of a table also `own`, or `own_error` where lower is"
        " better: the custom metric.",
        default=MetricChoice(name="recall_capped", k=20, average="micro"),
    )
    diagnostics: ByRejudging[tuple[MetricId, ...]] = setting(
        "Diagnostics",
        "Further metrics to compute; teams are not ranked by them.",
        none="there are none",
        example=["mrr@20"],
        default=OTTO.diagnostics,
        max_length=32,
    )
    id_column: ColumnName = setting(
        "Id column",
        "The column of ids: those of queries, of users where rows are pairs, of the rows of a"
        " table.",
        default=OTTO.id_column,
    )
    item_column: ColumnName | Literal[""] = setting(
        "Item column",
        "The column of items: of pairs, and of a ground truth of lists with a row for each item.",
        none="rows of ratings or scored pairs have one id, that of the id column",
        default=OTTO.item_column,
    )
    context_column: ColumnName | Literal[""] = setting(
        "Context column",
        "For pairs: a third column of ids that tells pairs of the same user and item apart, such as"
        " an impression.",
        none="there is none",
        example="impression",
        is_sparse=True,
        default=OTTO.context_column,
    )
    context_ids: IdKind = setting(
        "Contexts are",
        "For pairs: what the ids of contexts are.",
        values=_IDS,
        is_sparse=True,
        default=OTTO.context_ids,
    )
    unit: Unit = setting(
        "A query is",
        "For pairs: what is drawn and divided as a whole. Standard errors and averages over queries"
        " go by it.",
        values={"user": "A user", "context": "A context"},
        is_sparse=True,
        default=OTTO.unit,
    )
    group_column: ColumnName | Literal[""] = setting(
        "Group column",
        "For pairs: a column of the ground truth, over whose groups every metric is averaged.",
        none="there is none",
        example="popularity",
        is_sparse=True,
        default=OTTO.group_column,
    )
    labels_column: ColumnName = setting(
        "Prediction column",
        "The column of predictions. Tables have others, and so have pairs with several objectives:"
        " one of the name of each.",
        default=OTTO.labels_column,
    )
    query_ids: IdKind = setting(
        "Ids are",
        "What the ids of the id column are; in text, zeros in front count.",
        values=_IDS,
        default=OTTO.query_ids,
    )
    item_ids: IdKind = setting(
        "Item ids are", "For all but tables: what items are.", values=_IDS, default=OTTO.item_ids
    )
    missing_rows: ByRejudging[Literal["reject", "zero"]] = setting(
        "Missing rows",
        "A submission of lists that lacks an id; files of other tasks are rejected then.",
        values={"reject": "Reject the file", "zero": "Score 0 for it"},
        default=OTTO.missing_rows,
    )
    duplicates: Literal["refuse", "drop"] = setting(
        "The same item twice in the ground truth",
        "An item twice within one list of the ground truth, not of a submission.",
        values={"refuse": "Reject the ground truth", "drop": "Keep the more relevant one"},
        default=OTTO.duplicates,
    )
    submission_duplicates: ByRejudging[Literal["count-once", "reject"]] = setting(
        "The same item twice in a submission",
        "An item twice within the first K items of one list of a submission, not of the ground"
        " truth; K is the largest of all metrics.",
        values={
            "count-once": "Count it once: the later one takes a place and scores nothing",
            "reject": "Reject the file",
        },
        default=OTTO.submission_duplicates,
    )
    forms: ByRejudging[tuple[FormName, ...]] = setting(
        "Forms of submissions",
        "Forms that a submission may have beside that of the sample.",
        values={form.key: form.choice for form in FORMS.values()},
        none="there are no others. A competition that is created without this takes "
        + ", ".join(
            f"`{form.key}`{' where ids are integers' if form.needs_numbers else ''}"
            for form in FORMS.values()
            if form.is_plain
        ),
        example=["separators"],
        is_sparse=True,
        default=OTTO.forms,
        max_length=len(FORMS),
    )
    split: SplitChoice = setting(
        "Public share",
        "The share of queries that the public board is made from, or `usage`: the column `Usage` of"
        " the ground truth says which.",
        default=SplitChoice(public_fraction=Decimal("0.33")),
    )
