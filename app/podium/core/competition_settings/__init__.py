"""The settings of a competition: one document, its texts and bounds, and which may change when."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    StringConstraints,
    model_validator,
)

from podium.core.competition_settings.changing import ByRejudging, Change, Free
from podium.core.competition_settings.choices import MetricChoice, SplitChoice
from podium.core.competition_settings.consistency import Misfit, checked_whole
from podium.core.competition_settings.registration import (
    MemberNames,
    Registration,
    RegistrationCode,
    short_code,
)
from podium.core.competition_settings.tables import TableSettings
from podium.core.competition_settings.texts import IMAGE, ImageName, Rules, Summary
from podium.errors.reasons import (
    COLUMN_PATTERN,
    METRIC_ID_PATTERN,
    OBJECTIVE_PATTERN,
)
from podium.scoring.task import USAGE, TaskKind, Unit, misfits

ObjectiveName = Annotated[str, StringConstraints(pattern=OBJECTIVE_PATTERN)]
ColumnName = Annotated[str, StringConstraints(pattern=COLUMN_PATTERN)]
Weight = Annotated[Decimal, Field(gt=0, le=1_000_000, max_digits=16)]


WEIGHT_AND_METRIC: dict[str, Any] = {
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
    "propertyNames": {"pattern": OBJECTIVE_PATTERN},
}
"""The JSON schema of objectives in the HTTP contract."""


def _describe_objectives(schema: dict[str, Any]) -> None:
    # A pattern of its own for weights alone would refuse objectives that have metrics.
    schema.pop("patternProperties", None)
    schema.update(WEIGHT_AND_METRIC)


MetricId = Annotated[
    str,
    StringConstraints(pattern=METRIC_ID_PATTERN),
    AfterValidator(lambda given: given.removesuffix(":macro")),
]
"""The id of a metric as text, in its one canonical spelling."""


def _is_empty(value: str) -> bool:
    return not value


def _is_integer(value: str) -> bool:
    return value == "integer"


def _is_user(value: str) -> bool:
    return value == "user"


class CompetitionSettings(TableSettings):
    """Everything but slug, texts, dates and visibility. Defaults are those of OTTO on Kaggle.

    An objective may be given as `{"weight", "metric"}`; its metric then goes to
    `objective_metrics`, which holds those that differ from `metric`.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    task: TaskKind = Field(
        default="ranking",
        description="`ranking`: lists of items. `table`: named columns for each published id. The"
        " others want a number for each published pair: `rating` a prediction of it, `scores` a"
        " probability, or any number by which pairs are ordered, `rerank` an order of each query's"
        " candidates.",
    )
    objectives: ByRejudging[dict[ObjectiveName, Weight]] = Field(
        default_factory=lambda: {
            "clicks": Decimal("0.1"),
            "carts": Decimal("0.3"),
            "orders": Decimal("0.6"),
        },
        min_length=1,
        max_length=16,
        json_schema_extra=_describe_objectives,
        description="The weight of each objective in the score, or its weight and its own metric.",
    )
    objective_metrics: ByRejudging[dict[ObjectiveName, MetricChoice]] = Field(
        default_factory=dict, description="Metrics of objectives that differ from `metric`."
    )
    metric: ByRejudging[MetricChoice] = Field(
        default=MetricChoice(name="recall_capped", k=20, average="micro"),
        description="The metric of the score, as an object or as its id, such as `ndcg@10`.",
    )
    diagnostics: ByRejudging[tuple[MetricId, ...]] = Field(
        default=(),
        max_length=32,
        description="Ids of further metrics to compute; teams are not ranked by them.",
    )
    id_column: ColumnName = Field(
        default="session_type", description="The column of files that names the query."
    )
    item_column: ColumnName | Literal[""] = Field(
        default="item",
        description="The column that names the item: of pairs, and of a ground truth of lists with"
        " a row for each item. Empty, for ratings and scores: rows have one id, that of"
        " `id_column`.",
    )
    context_column: ColumnName | Literal[""] = Field(
        default="",
        exclude_if=_is_empty,
        description="For pairs: a third column that tells pairs of the same user and item apart,"
        " such as an impression. Empty: there is none.",
    )
    context_ids: Literal["integer", "string"] = Field(
        default="integer",
        exclude_if=_is_integer,
        description="Whether contexts are numbers or text.",
    )
    unit: Unit = Field(
        default="user",
        exclude_if=_is_user,
        description="For pairs: whose pairs are one query, `user` or `context`. Splits, standard"
        " errors and averages by group go by it.",
    )
    group_column: ColumnName | Literal[""] = Field(
        default="",
        exclude_if=_is_empty,
        description="For pairs: a column of the ground truth, by whose groups every metric is"
        " averaged. Empty: there is none.",
    )
    labels_column: ColumnName = Field(
        default="labels", description="The column that holds the predictions."
    )
    query_ids: Literal["integer", "string"] = Field(
        default="integer", description="Whether sessions or users are numbers or text."
    )
    item_ids: Literal["integer", "string"] = Field(
        default="integer", description="Whether items are numbers or text."
    )
    missing_rows: ByRejudging[Literal["reject", "zero"]] = Field(
        default="reject",
        description="A file without a row for every published id: `reject` it, or count `zero`"
        " for them.",
    )
    duplicates: Literal["refuse", "drop"] = Field(
        default="refuse",
        description="An item twice for an id in the ground truth: `refuse` the ground truth, or"
        " `drop` all but the one of the highest relevance. For submissions see"
        " `submission_duplicates`.",
    )
    submission_duplicates: ByRejudging[Literal["count-once", "reject"]] = Field(
        default="count-once",
        description="An item twice in a list of a submission: `count-once`, so that the later one"
        " takes a place and scores nothing, or `reject` the file. Only the first K items of a list"
        " are looked at. For the ground truth see `duplicates`.",
    )
    split: SplitChoice = Field(
        default=SplitChoice(public_fraction=Decimal("0.33")),
        json_schema_extra={"default": {"public_fraction": 0.33}},
        description="How sessions are divided into public and private: a share, or the word"
        " `usage`.",
    )
    daily_limit: Free[int] = Field(
        default=5, ge=1, le=10_000, description="Submissions per team and day; resets at 00:00 UTC."
    )
    total_limit: Free[int | None] = Field(
        default=None, ge=1, description="Submissions per team in all. Null: no limit."
    )
    final_selections: Free[int] = Field(
        default=2,
        ge=1,
        le=100,
        description="How many submissions of a team count in the final ranking.",
    )
    team_size: Free[int] = Field(
        default=5, ge=1, le=100, description="The largest number of members of a team."
    )
    max_upload_bytes: Free[int] = Field(
        default=2 << 30, ge=1, le=1 << 40, description="The largest file as it is sent, in bytes."
    )
    max_expanded_bytes: Free[int] = Field(
        default=4 << 30,
        ge=1,
        le=1 << 40,
        description="The largest file after decompression, in bytes.",
    )
    decimals: Free[int] = Field(
        default=5, ge=0, le=12, description="Decimals with which scores are shown."
    )
    board: Free[Literal["exact", "ladder"]] = Field(
        default="exact",
        description="`exact` shows every score; `ladder` only those that beat the team's best"
        " significantly.",
    )
    objective_scores: Free[Literal["organizers", "after_reveal", "always"]] = Field(
        default="after_reveal",
        description="Who sees the scores of objectives: `organizers` only, all `after_reveal`,"
        " or `always`.",
    )
    leak_limit: Free[int | None] = Field(
        default=None,
        ge=1,
        le=1_000_000_000,
        exclude_if=lambda it: it is None,
        description="The bits of the public split after which a team may submit no more before the"
        " close. Null: no limit.",
    )
    registration: Free[Registration] = Field(
        default="open",
        description="Who may enter: every account (`open`), by invitation (`invite`), with a"
        " `code`, or with an organizer's `approval`.",
    )
    registration_code: Free[RegistrationCode] = Field(
        default="",
        exclude_if=lambda kept: not kept,
        description="The class code that people need to enter where `registration` is `code`.",
    )
    member_names: Free[MemberNames | None] = Field(
        default=None,
        exclude_if=lambda it: it is None,
        description="Who sees the account names of members on boards. Null, in old"
        " competitions: everyone.",
    )
    late_submissions: Free[bool] = Field(
        default=False,
        description="True accepts submissions after the close: scored, but never ranked.",
    )
    accept_uploads: Free[bool] = Field(
        default=True, description="False refuses submissions for the moment."
    )
    judge_uploads: Free[bool] = Field(
        default=True, description="False lets submissions wait unjudged for the moment."
    )
    concurrent_uploads: Free[int] = Field(
        default=16,
        ge=1,
        le=10_000,
        description="How many files of a team are received at the same time.",
    )
    rules: Free[Rules] = Field(
        default="", description="The rules as Markdown, which participants accept. Empty: none."
    )
    summary: Free[Summary] = Field(
        default="", description="One or two sentences for the list of competitions."
    )
    image: Free[ImageName] = Field(default="", description=IMAGE)

    @model_validator(mode="before")
    @classmethod
    def _take_metrics_out_of_objectives(cls, values: object) -> object:
        if not isinstance(values, dict):
            return values
        given = values.get("objectives")
        if not isinstance(given, dict) or not any(isinstance(one, dict) for one in given.values()):
            return values
        weights, metrics = {}, dict(values.get("objective_metrics") or {})
        for name, one in given.items():
            if not isinstance(one, dict):
                weights[name] = one
                continue
            if surplus := set(one) - {"weight", "metric"}:
                raise ValueError(f"an objective has a weight and a metric, not {min(surplus)}")
            weights[name] = one.get("weight")
            if one.get("metric") is not None:
                metrics[name] = one["metric"]
        return {**values, "objectives": weights, "objective_metrics": metrics}

    @model_validator(mode="wrap")
    @classmethod
    def _name_all_problems(cls, values: object, handler: ModelWrapValidatorHandler[Self]) -> Self:
        return checked_whole(cls, values, handler)

    def misfits(self) -> Iterator[Misfit]:
        """Settings that do not fit together."""
        for name in sorted(set(self.objective_metrics) - set(self.objectives))[:1]:
            words = f"“{name}” is not one of the objectives"
            yield Misfit(("objective_metrics",), words, frozenset({"objectives"}))
        if len(set(self.diagnostics)) < len(self.diagnostics):
            yield Misfit(("diagnostics",), "the same diagnostic twice")
        if refusal := short_code(self.registration, self.registration_code):
            yield Misfit(("registration_code",), refusal, frozenset({"registration"}))
        yield from self._misfits_of_columns()
        yield from self._misfits_of_tables(self.task, tuple(self.objectives))
        for field, words in misfits(self.task, self):
            yield Misfit((field,), words, frozenset({"task"}))

    def further_misfits(self) -> Iterator[Misfit]:
        """Those that have a refusal of their own where nothing else is wrong."""
        return iter(())

    def _misfits_of_columns(self) -> Iterator[Misfit]:
        names = ["id_column"] if self.task == "table" else ["id_column", "labels_column"]
        if self.task not in ("ranking", "table"):
            names += ["item_column", "context_column", "group_column"]
        seen: dict[str, str] = {}
        for name in names:
            column = getattr(self, name)
            if column and column in seen:
                others = frozenset({seen[column], "task"})
                yield Misfit((name,), "two columns have the same name", others)
            seen.setdefault(column, name)
        yield from self._misfits_of_scores(seen)

    def _misfits_of_scores(self, columns: Mapping[str, str]) -> Iterator[Misfit]:
        """Names of `columns`, and of targets, that would stand twice in a ground truth of pairs."""
        # Old drafts of ratings may have such a name, and are read as they were.
        is_old = self.task == "rating" and USAGE not in (self.context_column, self.group_column)
        if USAGE in columns and self.task != "ranking" and not is_old:
            words = f"“{USAGE}” is the column of a ground truth that says who is public"
            yield Misfit((columns[USAGE],), words, frozenset({"task"}))
        if self.task != "scores" or len(self.objectives) < 2:
            return
        of_pairs = {column: name for column, name in columns.items() if name != "labels_column"}
        for name in [each for each in self.objectives if each in of_pairs][:1]:
            words = f"“{name}” is the name of another column: call the objective otherwise"
            yield Misfit(("objectives",), words, frozenset({of_pairs[name], "task"}))

    def rows_of(self, published: int) -> int:
        """The rows of a complete submission: a pair has one, a session one for each objective."""
        return published * (len(self.objectives) if self.task == "ranking" else 1)

    def metric_of(self, objective: str) -> MetricChoice:
        """The metric that scores an objective."""
        return self.objective_metrics.get(objective, self.metric)

    @property
    def common_metric(self) -> MetricChoice:
        """The metric that all objectives share; `metric` where they differ."""
        used = {self.metric_of(name).id: self.metric_of(name) for name in self.objectives}
        return next(iter(used.values())) if len(used) == 1 else self.metric

    @property
    def metric_line(self) -> str:
        """The metric in a few words; competitions may have several."""
        metrics = {self.metric_of(name).id for name in self.objectives}
        if len(metrics) > 1:
            return f"{len(metrics)} metrics"
        metric = self.common_metric
        return f"{metric.title}, {metric.average}" if metric.k else metric.title


def _changing(change: Change) -> frozenset[str]:
    fields = CompetitionSettings.model_fields
    return frozenset(name for name, field in fields.items() if change in field.metadata)


FREE_AFTER_LAUNCH = _changing(Change.FREELY)

ONLY_BY_REJUDGING = _changing(Change.BY_REJUDGING)


def with_changes(before: CompetitionSettings, changes: Mapping[str, Any]) -> CompetitionSettings:
    """The settings with these members in place of the old ones.

    Members of `metric` without its name change the metric there is; an objective that is gone takes
    its own metric with it. Raises pydantic's `ValidationError`.
    """
    given, kept = dict(changes), before.model_dump()
    metric = given.get("metric")
    if isinstance(metric, Mapping) and "name" not in metric:
        given["metric"] = {**kept["metric"], **metric}
    if "objectives" in given and "objective_metrics" not in given:
        metrics = kept["objective_metrics"]
        kept["objective_metrics"] = {
            name: metrics[name] for name in given["objectives"] if name in metrics
        }
    return CompetitionSettings.model_validate({**kept, **given})
