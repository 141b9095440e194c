"""The settings of a competition: one document, its texts and bounds, and which may change when."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal, Self, TypeAlias, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    StringConstraints,
    model_validator,
)

from podium.core.competition_settings.consistency import Misfit, checked_whole
from podium.core.competition_settings.registration import (
    MemberNames,
    Registration,
    RegistrationCode,
    short_code,
)
from podium.core.competition_settings.texts import IMAGE, ImageName, Rules, Summary
from podium.errors.reasons import (
    COLUMN_PATTERN,
    METRIC_ID,
    METRIC_ID_PATTERN,
    METRIC_NAME_PATTERN,
    OBJECTIVE_PATTERN,
)

DUPLICATES = (
    "An item twice in a list of the ground truth: `refuse` the ground truth, or `drop` the later"
    " one. What it means in a submission is said by `submission_duplicates`."
)

SUBMISSION_DUPLICATES = (
    "An item twice in a list of a submission: `count-once`, so that the later one takes a place and"
    " scores nothing, or `reject` the file. Only the first K items of a list are looked at. What it"
    " means in the ground truth is said by `duplicates`."
)

ObjectiveName = Annotated[str, StringConstraints(pattern=OBJECTIVE_PATTERN)]
ColumnName = Annotated[str, StringConstraints(pattern=COLUMN_PATTERN)]
Weight = Annotated[Decimal, Field(gt=0, le=1_000_000, max_digits=16)]


def _or_its_id(schema: dict[str, Any]) -> None:
    members = dict(schema)
    schema.clear()
    schema["anyOf"] = [{"type": "string", "examples": ["ndcg@10"]}, members]


class MetricChoice(BaseModel):
    """Which metric scores: its name, its K where it has one, and how queries are averaged.

    Also read from its id: `ndcg@10`, `recall_capped@20:micro`, `rmse`. Whether there is such a
    metric is for `scoring` to say.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_extra=_or_its_id)

    name: Annotated[str, StringConstraints(pattern=METRIC_NAME_PATTERN)]
    k: int | None = Field(default=None, ge=1, le=1000)
    average: Literal["macro", "micro"] = "macro"

    @model_validator(mode="before")
    @classmethod
    def _accept_an_id(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        found = METRIC_ID.fullmatch(value)
        if found is None:
            raise ValueError("write a metric as name@K, name@K:micro, or rmse or mae")
        name, k, average = found.groups()
        return {"name": name, "k": int(k) if k else None, "average": average or "macro"}

    @property
    def title(self) -> str:
        """The name with K, as people read it: `ndcg@10`."""
        return self.name if self.k is None else f"{self.name}@{self.k}"

    @property
    def id(self) -> str:
        """The title, and the average where it is not `macro`: `recall_capped@20:micro`."""
        return self.title if self.average == "macro" else f"{self.title}:{self.average}"


WEIGHT_AND_METRIC: dict[str, Any] = {
    "additionalProperties": {
        "anyOf": [
            {"type": "number", "exclusiveMinimum": 0, "maximum": 1_000_000},
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

MetricId = Annotated[
    str,
    StringConstraints(pattern=METRIC_ID_PATTERN),
    AfterValidator(lambda given: given.removesuffix(":macro")),
]
"""The id of a metric as text, in its one canonical spelling."""


class SplitChoice(BaseModel):
    """How sessions are divided: a share that is public, or the organizer's `Usage` column."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    public_fraction: Decimal | None = Field(default=None, gt=0, lt=1, max_digits=12)
    usage: bool = False

    @model_validator(mode="before")
    @classmethod
    def _accept_the_word_usage(cls, value: object) -> object:
        return {"usage": True} if value == "usage" else value

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        if self.usage == (self.public_fraction is not None):
            raise ValueError("give either public_fraction or the word 'usage'")
        return self


class Change(Enum):
    """The time in a launched competition at which a setting may change; all others never do."""

    FREELY = "freely"
    BY_REJUDGING = "by rejudging"


Setting = TypeVar("Setting")

Free: TypeAlias = Annotated[Setting, Change.FREELY]
"""A setting that changes freely once people compete."""

ByRejudging: TypeAlias = Annotated[Setting, Change.BY_REJUDGING]
"""A setting whose change needs every submission judged anew."""


class CompetitionSettings(BaseModel):
    """Everything but slug, texts, dates and visibility. Defaults are those of OTTO on Kaggle.

    An objective may be given as `{"weight", "metric"}`; its metric then goes to
    `objective_metrics`, which holds those that differ from `metric`.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    task: Literal["ranking", "rating"] = "ranking"
    objectives: ByRejudging[dict[ObjectiveName, Weight]] = Field(
        default_factory=lambda: {
            "clicks": Decimal("0.1"),
            "carts": Decimal("0.3"),
            "orders": Decimal("0.6"),
        },
        min_length=1,
        max_length=16,
        json_schema_extra=WEIGHT_AND_METRIC,
    )
    objective_metrics: ByRejudging[dict[ObjectiveName, MetricChoice]] = Field(default_factory=dict)
    metric: ByRejudging[MetricChoice] = MetricChoice(name="recall_capped", k=20, average="micro")
    diagnostics: ByRejudging[tuple[MetricId, ...]] = Field(default=(), max_length=32)
    id_column: ColumnName = "session_type"
    item_column: ColumnName = "item"
    labels_column: ColumnName = "labels"
    query_ids: Literal["integer", "string"] = "integer"
    item_ids: Literal["integer", "string"] = "integer"
    missing_rows: ByRejudging[Literal["reject", "zero"]] = "reject"
    duplicates: Literal["refuse", "drop"] = Field(default="refuse", description=DUPLICATES)
    submission_duplicates: ByRejudging[Literal["count-once", "reject"]] = Field(
        default="count-once", description=SUBMISSION_DUPLICATES
    )
    split: SplitChoice = SplitChoice(public_fraction=Decimal("0.33"))
    daily_limit: Free[int] = Field(default=5, ge=1, le=10_000)
    total_limit: Free[int | None] = Field(default=None, ge=1)
    final_selections: Free[int] = Field(default=2, ge=1, le=100)
    team_size: Free[int] = Field(default=5, ge=1, le=100)
    max_upload_bytes: Free[int] = Field(default=2 << 30, ge=1, le=1 << 40)
    max_expanded_bytes: Free[int] = Field(default=4 << 30, ge=1, le=1 << 40)
    decimals: Free[int] = Field(default=5, ge=0, le=12)
    board: Free[Literal["exact", "ladder"]] = "exact"
    objective_scores: Free[Literal["organizers", "after_reveal", "always"]] = "after_reveal"
    registration: Free[Registration] = "open"
    registration_code: Free[RegistrationCode] = Field(default="", exclude_if=lambda kept: not kept)
    member_names: Free[MemberNames | None] = Field(default=None, exclude_if=lambda it: it is None)
    late_submissions: Free[bool] = False
    accept_uploads: Free[bool] = True
    judge_uploads: Free[bool] = True
    concurrent_uploads: Free[int] = Field(default=16, ge=1, le=10_000)
    rules: Free[Rules] = ""
    summary: Free[Summary] = ""
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
        if self.task == "rating":
            yield from self._misfits_of_ratings()

    def further_misfits(self) -> Iterator[Misfit]:
        """Those that have a refusal of their own where nothing else is wrong."""
        return iter(())

    def _misfits_of_columns(self) -> Iterator[Misfit]:
        names = ["id_column", "labels_column"]
        names += ["item_column"] if self.task == "rating" else []
        seen: dict[str, str] = {}
        for name in names:
            column = getattr(self, name)
            if column in seen:
                others = frozenset({seen[column], "task"})
                yield Misfit((name,), "two columns have the same name", others)
            seen.setdefault(column, name)

    def _misfits_of_ratings(self) -> Iterator[Misfit]:
        task = frozenset({"task"})
        if len(self.objectives) > 1:
            yield Misfit(("objectives",), "a rating task has one objective", task)
        if self.missing_rows != "reject":
            words = "a rating task rejects missing rows: no number stands for none"
            yield Misfit(("missing_rows",), words, task)
        if self.duplicates != "refuse":
            words = "a rating task refuses duplicates: a pair has one rating"
            yield Misfit(("duplicates",), words, task)
        if self.submission_duplicates != "count-once":
            words = "a rating task has no lists in which items could occur twice"
            yield Misfit(("submission_duplicates",), words, task)

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
