"""Documents about competitions: what organizers send, what everybody and what organizers see."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Annotated, Any, Literal

from fastapi import Request
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    WithJsonSchema,
    create_model,
    model_validator,
)

from podium.competitions.rules import END_BEFORE_START, dates_are_ordered
from podium.competitions.schemas.metrics import MetricOut, settings_document, weights_of
from podium.competitions.service.competitions import CompetitionView, Texts
from podium.core.competition_settings import (
    DUPLICATES,
    SUBMISSION_DUPLICATES,
    WEIGHT_AND_METRIC,
    CompetitionSettings,
    MetricChoice,
)
from podium.core.competition_settings.consistency import Misfit
from podium.core.competition_settings.presets import PRESETS, PresetName
from podium.core.competition_settings.registration import MemberNames
from podium.core.competition_settings.texts import IMAGE, Reason, Visibility
from podium.core.configuration import metric_problems
from podium.errors import BadRequest
from podium.errors.reasons import sentence
from podium.http.schemas import GivenTime, Input, Output, PersonOut, ShownTime, example


class NewCompetition(Texts, CompetitionSettings):
    """A competition to make: `slug` and `title` are enough, every setting can be given."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"slug": "otto", "title": "OTTO", "preset": "otto"}]}
    )

    preset: PresetName = "otto"
    member_names: MemberNames = "participants"
    starts_at: GivenTime | None = None
    ends_at: GivenTime | None = None

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
        return {**PRESETS[preset], **values}

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
    if name not in ("slug", "preset", "objectives", "metric")
}
_CHANGEABLE |= {
    # What these mean depends on the settings so far, with which they are checked.
    "objectives": (
        Annotated[dict[str, Any], WithJsonSchema({"type": "object", **WEIGHT_AND_METRIC})],
        None,
    ),
    "metric": (
        Annotated[dict[str, Any] | str, WithJsonSchema(MetricChoice.model_json_schema())],
        None,
    ),
}


class _Changes(Input):
    model_config = example(ends_at="2026-12-31T23:59:59Z", daily_limit=5)


CompetitionChanges = create_model(
    "CompetitionChanges",
    __base__=_Changes,
    __doc__="Members that are given change, all others stay; `slug` never changes.",
    **_CHANGEABLE,
)


def given_changes(body: BaseModel) -> dict[str, Any]:
    """The members that the client sent, validated."""
    return {name: getattr(body, name) for name in body.model_fields_set}


class Act(Input):
    """The optional body of an act."""

    reason: Annotated[Reason, Field(examples=["the season is over"])] = ""


PUBLIC_SHARE = (
    "The share of the queries that the public board is made from; null where the organizers chose"
    " each of them."
)


class CompetitionCountsOut(Output):
    """How large a competition is; never a count of labels."""

    sessions: int
    published_ids: int
    teams: int
    submissions: int


class CompetitionOut(Output):
    """A competition as everybody sees it. Limits are per team; sizes are in bytes."""

    id: str
    slug: str
    title: str
    description: str
    visibility: Visibility
    phase: Literal["draft", "upcoming", "open", "frozen", "closed", "revealed"]
    task: str
    objectives: dict[str, float]
    metric: MetricOut
    objective_metrics: dict[str, MetricOut]
    diagnostics: list[MetricOut]
    public_share: Annotated[float | None, Field(description=PUBLIC_SHARE)]
    starts_at: ShownTime | None
    ends_at: ShownTime | None
    launched_at: ShownTime | None
    frozen_at: ShownTime | None
    closed_at: ShownTime | None
    revealed_at: ShownTime | None
    id_column: str
    item_column: str
    labels_column: str
    query_ids: str
    item_ids: str
    missing_rows: str
    duplicates: Annotated[str, Field(description=DUPLICATES)]
    submission_duplicates: Annotated[str, Field(description=SUBMISSION_DUPLICATES)]
    daily_limit: int
    total_limit: int | None
    final_selections: int
    team_size: int
    max_upload_bytes: int
    max_expanded_bytes: int
    decimals: int
    board: str
    objective_scores: str
    registration: str
    member_names: Annotated[str | None, Field(exclude_if=lambda kept: kept is None)] = None
    late_submissions: bool
    accept_uploads: bool
    judge_uploads: bool
    concurrent_uploads: int
    rules: str
    summary: str
    image: Annotated[str, Field(description=IMAGE)]
    counts: CompetitionCountsOut


class GroundTruthState(BaseModel):
    """Which versions there are, and where the published ids come from."""

    active_version: int | None
    latest_version: int | None
    published_ids: str | None


class PauseOut(Output):
    """A ground truth that cannot be read: what is judged against it waits until it can be."""

    ground_truth_version: int
    because: str
    since: ShownTime
    retry_at: ShownTime


class ManagedCompetitionOut(CompetitionOut):
    """A competition as its organizers see it; `version` is also the `ETag`, for `If-Match`."""

    version: int
    settings: dict[str, Any]
    organizers: list[PersonOut]
    ground_truth: GroundTruthState
    judging_paused: list[PauseOut]


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
    )


def etag_of(version: int) -> str:
    """The strong `ETag` of what an organizer set."""
    return f'"{version}"'


def expected_versions(request: Request) -> frozenset[int] | None:
    """The versions that `If-Match` names; None when any will do.

    A weak tag never matches, as RFC 9110 has it. Raises `BadRequest` for what is no tag.
    """
    header = request.headers.get("if-match")
    if header is None or header.strip() == "*":
        return None
    versions = set()
    for part in header.split(","):
        tag = part.strip()
        is_tag = len(tag) >= 2 and tag.removeprefix("W/").startswith('"') and tag.endswith('"')
        if not is_tag:
            raise BadRequest("If-Match holds no ETag. Send the one of the last answer, quoted.")
        if tag[1:-1].isascii() and tag[1:-1].isdigit() and len(tag) < 18:
            versions.add(int(tag[1:-1]))
    return frozenset(versions)


def _public(described: CompetitionView) -> CompetitionOut:
    settings, counts = described.settings, described.counts
    return CompetitionOut.of(
        described.competition,
        settings,
        phase=described.phase.value,
        objectives=weights_of(settings),
        metric=MetricOut.of(settings.common_metric),
        objective_metrics={
            name: MetricOut.of(settings.metric_of(name)) for name in settings.objectives
        },
        diagnostics=[
            MetricOut.of(MetricChoice.model_validate(metric)) for metric in settings.diagnostics
        ],
        public_share=settings.split.public_fraction,
        counts=CompetitionCountsOut.of(
            counts, published_ids=counts.sessions * len(settings.objectives)
        ),
    )
