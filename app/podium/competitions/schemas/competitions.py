"""Documents about competitions: what organizers send, what everybody and what organizers see."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    WithJsonSchema,
    create_model,
    model_validator,
)
from pydantic.fields import FieldInfo

from podium.competitions.rules import END_BEFORE_START, closed_to_strangers, dates_are_ordered
from podium.competitions.schemas.metrics import (
    MetricOut,
    metrics_named,
    settings_document,
    weights_of,
)
from podium.competitions.schemas.versions import etag_of
from podium.competitions.service.competitions import CompetitionView
from podium.core.competition_settings import CompetitionSettings
from podium.core.competition_settings.choices import MetricChoice
from podium.core.competition_settings.consistency import Misfit
from podium.core.competition_settings.fields import setting, words_of
from podium.core.competition_settings.presets import PRESETS, PresetName
from podium.core.competition_settings.registration import MemberNames
from podium.core.competition_settings.tables import TableColumnChoice
from podium.core.competition_settings.task import WEIGHT_AND_METRIC
from podium.core.competition_settings.texts import Texts, Visibility
from podium.core.configuration import metric_problems
from podium.errors.reasons import sentence
from podium.http import examples
from podium.http.members import Id
from podium.http.schemas import Document, GivenTime, Input, Output, PersonOut, ShownTime, example
from podium.scoring.forms import plain_forms
from podium.scoring.kinds import kind_of
from podium.scoring.metrics.rows import pair_metric_of


def _as_kept(model: type[BaseModel], name: str) -> FieldInfo:
    """The words of a member, from the document where it is kept."""
    described: FieldInfo = Field(json_schema_extra=words_of(model.model_fields[name]))
    return described


def _describe_new(schema: dict[str, Any]) -> None:
    schema["examples"] = [{"slug": "otto", "title": "OTTO", "preset": "otto"}]
    # Clients that are generated send defaults, and would undo a preset with them.
    for name in {name for preset in PRESETS.values() for name in preset}:
        schema["properties"][name].pop("default", None)
        schema["properties"][name]["description"] += " By default as the preset says."


class NewCompetition(Texts, CompetitionSettings):
    """A competition to make: `slug` and `title` are enough, every setting can be given."""

    model_config = ConfigDict(json_schema_extra=_describe_new)

    preset: PresetName = setting(
        "Preset", "The settings to start from; those that are given replace them.", default="otto"
    )
    member_names: Annotated[MemberNames, _as_kept(CompetitionSettings, "member_names")] = (
        "participants"
    )
    starts_at: Annotated[GivenTime | None, _as_kept(Texts, "starts_at")] = None
    ends_at: Annotated[GivenTime | None, _as_kept(Texts, "ends_at")] = None

    @model_validator(mode="before")
    @classmethod
    def _start_from_the_preset(cls, values: object) -> object:
        if not isinstance(values, dict):
            return values
        preset = values.get("preset", "otto")
        if not isinstance(preset, str) or preset not in PRESETS:
            return values
        metric = values.get("metric")
        if isinstance(metric, dict) and "name" not in metric:
            start = CompetitionSettings.model_validate(PRESETS[preset]).metric
            values = {**values, "metric": {**start.model_dump(), **metric}}
        given = {**PRESETS[preset], **closed_to_strangers(values), **values}
        return {"forms": plain_forms(given.get("query_ids")), **given}

    def further_misfits(self) -> Iterator[Misfit]:
        """Dates in the wrong order, and metrics that there are not."""
        if not dates_are_ordered(self.starts_at, self.ends_at):
            yield Misfit(("ends_at",), END_BEFORE_START, frozenset({"starts_at"}))
        for found in metric_problems(self):
            words = " ".join(filter(None, (sentence(found["detail"]), found["hint"])))
            yield Misfit(tuple(str(found["column"]).split(".")), words, frozenset({"task"}))

    def texts(self) -> Texts:
        """The columns that do not belong to the settings document."""
        return Texts.model_validate(self.model_dump(include=set(Texts.model_fields)))

    def settings(self) -> CompetitionSettings:
        """The preset, with what was given on top of it."""
        return CompetitionSettings.model_validate(
            self.model_dump(include=set(CompetitionSettings.model_fields))
        )


def _may_be_left_out(name: str) -> tuple[Any, Any]:
    field = copy(NewCompetition.model_fields[name])
    field.default, field.default_factory = None, None
    return field.annotation, field


_CHANGEABLE: dict[str, Any] = {
    name: _may_be_left_out(name)
    for name in NewCompetition.model_fields
    if name not in ("preset", "objectives", "metric")
}
_CHANGEABLE |= {
    # What these mean depends on the settings so far, with which they are checked.
    "objectives": (
        Annotated[
            dict[str, Any],
            WithJsonSchema(WEIGHT_AND_METRIC),
            _as_kept(CompetitionSettings, "objectives"),
        ],
        None,
    ),
    "metric": (
        Annotated[
            dict[str, Any] | str,
            WithJsonSchema(MetricChoice.model_json_schema()),
            _as_kept(CompetitionSettings, "metric"),
        ],
        None,
    ),
}


class _Changes(Input):
    model_config = example(ends_at="2026-12-31T23:59:59Z", daily_limit=5)


CompetitionChanges = create_model(
    "CompetitionChanges",
    __base__=_Changes,
    __doc__="Keys you include are changed; the rest stay as they are.",
    **_CHANGEABLE,
)


def given_changes(body: BaseModel) -> dict[str, Any]:
    """The members that the client sent, validated."""
    return {name: getattr(body, name) for name in body.model_fields_set}


class CompetitionDeletion(Input):
    """A confirmation, so that no launched competition is deleted by mistake."""

    confirm: Annotated[str, Field(max_length=1000, examples=["otto"])]
    """The slug of the competition, once more."""


class CompetitionCountsOut(Output):
    """How large a competition is; never a count of labels."""

    sessions: int
    """Sessions (or users) of the test set; 0 until there are published ids."""
    published_ids: int
    """Rows that a submission needs: sessions × objectives."""
    teams: Annotated[int, Field(examples=[2600])]
    """Teams that have entered, without baselines, hidden, organizers' and disqualified ones."""
    submissions: Annotated[int, Field(examples=[14_210])]
    """Files that were submitted."""


def _sparse(name: str) -> FieldInfo:
    """Left out of the document where the settings leave it out."""
    left_out: FieldInfo = Field(exclude_if=CompetitionSettings.model_fields[name].exclude_if)
    return left_out


def _described_as_sent(schema: dict[str, Any]) -> None:
    """Settings are described once, where organizers send them."""
    for name, member in schema["properties"].items():
        if name in NewCompetition.model_fields and "description" not in member:
            member["description"] = words_of(NewCompetition.model_fields[name]).description


class CompetitionOut(Output):
    """A competition as everybody sees it."""

    model_config = ConfigDict(json_schema_extra=_described_as_sent)

    id: Annotated[Id, Field(examples=[examples.COMPETITION])]
    slug: str
    title: str
    description: str
    visibility: Visibility
    phase: Annotated[
        Literal["draft", "upcoming", "open", "frozen", "closed", "revealed"],
        Field(examples=["open"]),
    ]
    """`draft` before the launch, `upcoming` until `starts_at`, then `open`; `frozen`: the public
    board stands still; `closed` until the private board is `revealed`."""
    task: str
    objectives: dict[str, float]
    metric: MetricOut
    """The metric of the score, if all objectives share it."""
    objective_metrics: dict[str, MetricOut]
    """The metric of each objective."""
    diagnostics: list[MetricOut]
    """Further metrics that are computed, but not ranked by."""
    public_share: float | None
    """The share of the queries that the public board is made from. Null: organizers chose each."""
    starts_at: ShownTime | None
    ends_at: ShownTime | None
    launched_at: ShownTime | None
    """The time at which it was launched. Null: it is a draft."""
    frozen_at: ShownTime | None
    """The time at which the public board was frozen. Null: it is not."""
    closed_at: ShownTime | None
    """The time at which submissions ended. Null: they have not, or the competition was reopened."""
    revealed_at: ShownTime | None
    """The time at which the private board was shown. Null: not yet."""
    id_column: str
    item_column: str
    labels_column: str
    query_ids: str
    item_ids: str
    missing_rows: str
    duplicates: str
    submission_duplicates: str
    daily_limit: int
    total_limit: int | None
    final_selections: int
    team_size: int
    max_upload_bytes: int
    max_expanded_bytes: int
    decimals: int
    board: str
    objective_scores: str
    leak_limit: Annotated[int | None, _sparse("leak_limit")] = None
    registration: str
    member_names: Annotated[str | None, _sparse("member_names")] = None
    context_column: Annotated[str, _sparse("context_column")] = ""
    context_ids: Annotated[str, _sparse("context_ids")] = "integer"
    unit: Annotated[str, _sparse("unit")] = "user"
    group_column: Annotated[str, _sparse("group_column")] = ""
    forms: Annotated[tuple[str, ...], _sparse("forms")] = ()
    table_columns: Annotated[tuple[TableColumnChoice, ...], _sparse("table_columns")] = ()
    objective_columns: Annotated[
        dict[str, tuple[str, ...]],
        Field(
            default_factory=dict,
            exclude_if=lambda kept: not kept,
            examples=[{"price": ["price"]}],
        ),
    ]
    """For tables: the columns that an objective's metric looks at, where these have other names."""
    is_reproducible: Annotated[bool, Field(exclude_if=lambda kept: kept)] = True
    """False where the same file may score differently each time, as the organizers declare."""
    late_submissions: bool
    accept_uploads: bool
    judge_uploads: bool
    concurrent_uploads: int
    rules: str
    summary: str
    image: str
    counts: CompetitionCountsOut
    """The size of the competition."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of a submission."""
        return kind_of(self.task).columns(self)

    @property
    def is_of_errors(self) -> bool:
        """True where less is better: in every objective."""
        return not any(metric.higher_is_better for metric in self.objective_metrics.values())

    @property
    def wants_probabilities(self) -> bool:
        """True for pairs whose numbers must lie from 0 to 1."""
        chosen = (*self.objective_metrics.values(), *self.diagnostics)
        return kind_of(self.task).has_numbers and any(
            pair_metric_of(metric.full_id).needs_probabilities for metric in chosen
        )

    @property
    def number_columns(self) -> tuple[str, ...]:
        """For pairs: the columns that hold numbers."""
        return tuple(self.objectives) if len(self.objectives) > 1 else (self.labels_column,)

    @property
    def described_columns(self) -> tuple[str, ...]:
        """For tables: the columns beside the id."""
        return tuple(column.name for column in self.table_columns)


class GroundTruthState(Document):
    """The state of the ground truth."""

    active_version: Annotated[int | None, Field(examples=[1])]
    """The version that judges use. Null: there is none."""
    latest_version: Annotated[int | None, Field(examples=[1])]
    """The newest stored version. Null: there is none."""
    published_ids: Annotated[str | None, Field(examples=["ground-truth"])]
    """`list` if organizers uploaded the ids, `ground-truth` if the first version implied them.
    Null: there are none."""


class PauseOut(Output):
    """A ground truth that cannot be read: whatever is judged against it waits."""

    ground_truth_version: int
    """The version that cannot be read."""
    because: Annotated[str, Field(examples=["its stored file is corrupt"])]
    """The reason, for organizers."""
    since: ShownTime
    """The time at which judging stopped."""
    retry_at: Annotated[ShownTime, Field(examples=["2026-11-24T12:15:00Z"])]
    """The time at which it is tried again."""


class ManagedCompetitionOut(CompetitionOut):
    """A competition as its organizers see it."""

    version: int
    """Grows with every change of the settings; the `ETag`, for `If-Match`, is made of it."""
    settings: dict[str, Any]
    """All settings, as they can be sent back."""
    organizers: list[PersonOut]
    """The accounts that organize it."""
    ground_truth: GroundTruthState
    """The versions that there are."""
    judging_paused: list[PauseOut]
    """Ground truths that cannot be judged with now; empty if all can."""
    private_scores_missing: Annotated[int, Field(examples=[0])]
    """Scored submissions for which your custom metric failed on the private split: without a
    rejudging they are not ranked in the end."""
    metric_warnings: Annotated[list[str], Field(examples=[[]])]
    """Rules of this version of Podium that your custom metric in force breaks: it goes on, and a
    new version like it would be refused."""
    waiting_teams: list[PersonOut]
    """Teams whose files wait in the queue, because your custom metric failed with the last three:
    give a slot back, or judge one of these anew."""

    @property
    def etag(self) -> str:
        """The `ETag` that this document comes with."""
        return etag_of(self)


def present(described: CompetitionView) -> CompetitionOut | ManagedCompetitionOut:
    """The document for this reader."""
    competition, extra = described.competition, described.for_organizers
    public = _public(described)
    if extra is None:
        return public
    return ManagedCompetitionOut.of(
        public,
        competition,
        settings=settings_document(described.settings),
        organizers=extra.organizers,
        ground_truth=GroundTruthState(
            active_version=competition.active_ground_truth,
            latest_version=extra.latest_ground_truth,
            published_ids=extra.published_ids.source if extra.published_ids else None,
        ),
        judging_paused=extra.pauses,
        private_scores_missing=extra.private_scores_missing,
        metric_warnings=extra.metric_warnings,
        waiting_teams=[PersonOut.of(team) for team in extra.waiting_teams],
    )


def _public(described: CompetitionView) -> CompetitionOut:
    settings, counts = described.settings, described.counts
    return CompetitionOut.of(
        described.competition,
        settings,
        phase=described.phase.value,
        objectives=weights_of(settings),
        metric=MetricOut.of(settings.common_metric, settings.task),
        objective_metrics={
            name: MetricOut.of(settings.metric_of(name), settings.task)
            for name in settings.objectives
        },
        diagnostics=metrics_named(settings.diagnostics, settings.task),
        public_share=settings.split.public_fraction,
        counts=CompetitionCountsOut.of(counts, published_ids=settings.rows_of(counts.sessions)),
    )
