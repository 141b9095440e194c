"""Documents about metrics: the one of a competition, and what there is to choose from."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from decimal import Decimal
from functools import cache
from typing import Annotated, Any, Self

from pydantic import Field

from podium.competitions.schemas.metric_pages import AboutMetricOut, about_metric
from podium.core.competition_settings import CompetitionSettings
from podium.core.competition_settings.choices import MetricChoice
from podium.core.competition_settings.presets import PRESETS
from podium.core.configuration import definition_of, formula_of, task_of
from podium.http.schemas import Document
from podium.scoring.kinds import TaskKind
from podium.scoring.metrics import REGISTRY, Metric, MetricFamily, metric_of
from podium.scoring.metrics.rows.custom import OWN

MetricName = Annotated[
    str,
    Field(description=MetricChoice.model_fields["name"].description, examples=["recall_capped"]),
]
Formula = Annotated[str, Field(description="The formula in one line.")]
Source = Annotated[str, Field(description="Where the definition comes from.")]
HigherIsBetter = Annotated[bool, Field(description="False for errors: the lowest score leads.")]


class MetricOut(Document):
    """A metric."""

    id: Annotated[str, Field(examples=["recall_capped@20"])]
    """The name with K, as people read it."""
    full_id: Annotated[str, Field(examples=["recall_capped@20:micro"])]
    """The id in full, as settings, options and diagnostics have it."""
    name: MetricName
    k: Annotated[int | None, Field(description=MetricChoice.model_fields["k"].description)]
    average: Annotated[
        str, Field(description=MetricChoice.model_fields["average"].description, examples=["micro"])
    ]
    formula: Formula
    source: Source
    higher_is_better: HigherIsBetter

    @property
    def is_custom(self) -> bool:
        """True if organizers have written it."""
        return OWN.fullmatch(self.full_id) is not None

    @classmethod
    def of(cls, metric: MetricChoice, task: TaskKind) -> Self:
        """The document of a metric that there is for a task of this kind."""
        definition = definition_of(metric, task)
        return cls(
            id=metric.title,
            full_id=metric.id,
            name=metric.name,
            k=metric.k,
            average=metric.average,
            formula=formula_of(metric, task),
            source=definition.source,
            higher_is_better=definition.higher_is_better,
        )


def metrics_named(ids: Sequence[str], task: TaskKind) -> list[MetricOut]:
    """The documents of metrics by their ids, in order."""
    return [MetricOut.of(MetricChoice.model_validate(each), task) for each in ids]


class MetricDefinitionOut(Document):
    """A metric that Podium can compute."""

    name: MetricName
    id: Annotated[str, Field(examples=["recall_capped@K"])]
    """The id: `K` stands for a number from 1 to 1000, and `:micro` may follow where `averages` has
    it."""
    kind: MetricFamily
    """The kind of files that it is computed from."""
    averages: Annotated[tuple[str, ...], Field(examples=[["macro", "micro"]])]
    """The averages that it can be computed with."""
    higher_is_better: HigherIsBetter
    is_bounded: Annotated[bool, Field(examples=[True])]
    """True if it lies between 0 and 1."""
    ranks: Annotated[bool, Field(examples=[True])]
    """True if teams can be ranked by it; all others are diagnostics only."""
    formula: Formula
    source: Source
    needs: Annotated[tuple[str, ...], Field(examples=[[]])]
    """The parts of an item file that it needs; empty if it needs none."""
    presets: Annotated[tuple[str, ...], Field(examples=[["otto"]])]
    """The presets that use it."""
    definition: str
    """The definition in full, as text."""
    about: AboutMetricOut
    """All that its page shows."""

    @classmethod
    def of(cls, kind: MetricFamily, metric: type[Metric], presets: tuple[str, ...]) -> Self:
        """The document of a registered metric that these presets use."""
        return cls(
            name=metric.key,
            id=metric.key if metric.takes_k == "never" else f"{metric.key}@K",
            kind=kind,
            averages=metric.averages,
            higher_is_better=metric.higher_is_better,
            is_bounded=metric.is_bounded,
            ranks=metric.ranks and not metric.needs,
            formula=metric.formula.format(k="K"),
            source=metric.source,
            needs=metric.needs,
            presets=presets,
            definition=inspect.getdoc(metric) or "",
            about=about_metric(metric.key),
        )


@cache
def metric_definitions() -> tuple[MetricDefinitionOut, ...]:
    """Every metric there is, in the order of the registry, which a process never changes."""
    users = {
        name: [metric_of(metric).key for metric in task_of(preset_settings(name)).metrics]
        for name in PRESETS
    }
    return tuple(
        MetricDefinitionOut.of(
            kind, metric, tuple(preset for preset, used in users.items() if key in used)
        )
        for kind, known in REGISTRY.items()
        for key, metric in known.items()
    )


class PresetOut(Document):
    """A starting point for a competition."""

    name: Annotated[str, Field(examples=["otto"])]
    """The word for it in `preset`."""
    metric: MetricOut
    """The metric that it ranks by."""
    diagnostics: list[MetricOut]
    """The further metrics that it computes."""
    differs_in: Annotated[list[str], Field(examples=[["objectives"]])]
    """The settings in which it differs from the defaults."""
    settings: dict[str, Any]
    """All its settings."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of a submission."""
        return task_of(preset_settings(self.name)).columns

    @classmethod
    def of(cls, name: str) -> Self:
        """The document of a preset that there is."""
        settings = preset_settings(name)
        return cls(
            name=name,
            metric=MetricOut.of(settings.common_metric, settings.task),
            diagnostics=metrics_named(settings.diagnostics, settings.task),
            differs_in=sorted(PRESETS[name]),
            settings=settings_document(settings),
        )


def preset_settings(name: str) -> CompetitionSettings:
    """The settings of a competition that is made with this preset and nothing else."""
    return CompetitionSettings.model_validate(PRESETS[name])


def settings_document(settings: CompetitionSettings) -> dict[str, Any]:
    """The settings as an organizer may send them back: numbers as numbers."""
    document = settings.model_dump()
    document["objectives"] = weights_of(settings)
    fraction = settings.split.public_fraction
    document["split"] = "usage" if fraction is None else {"public_fraction": float(fraction)}
    return document


def weights_of(settings: CompetitionSettings) -> dict[str, float]:
    """The weight of each objective."""
    return {name: float(Decimal(weight)) for name, weight in settings.objectives.items()}
