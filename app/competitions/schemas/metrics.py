"""Documents about metrics: the one of a competition, and what there is to choose from."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from decimal import Decimal
from typing import Annotated, Any, Self

from pydantic import BaseModel, Field

from podium.core.competition_settings import CompetitionSettings, MetricChoice
from podium.core.competition_settings.presets import PRESETS
from podium.core.configuration import definition_of, formula_of, task_of
from podium.scoring.metrics import REGISTRY, Kind
from podium.scoring.task import k_of


class MetricOut(BaseModel):
    """A metric, its formula in words, and where the definition comes from. `full_id` is how it is
    written in settings, in options and among diagnostics; `k` is null for metrics without one."""

    id: Annotated[str, Field(examples=["recall_capped@20"])]
    full_id: Annotated[str, Field(examples=["recall_capped@20:micro"])]
    name: str
    k: int | None
    average: str
    formula: str
    source: str
    higher_is_better: bool

    @classmethod
    def of(cls, metric: MetricChoice) -> Self:
        """The document of a metric that there is."""
        definition = definition_of(metric)
        return cls(
            id=metric.title,
            full_id=metric.id,
            name=metric.name,
            k=metric.k,
            average=metric.average,
            formula=formula_of(metric),
            source=definition.source,
            higher_is_better=definition.higher_is_better,
        )


class MetricDefinitionOut(BaseModel):
    """A metric that there is. `id` is how it is written, with `K` for a number from 1 to 1000;
    `:micro` behind it where `averages` has it. `ranks`: teams may be ranked by it; all others are
    diagnostics only. `needs` names what of an item file it is computed from."""

    name: Annotated[str, Field(examples=["ndcg"])]
    id: Annotated[str, Field(examples=["ndcg@K"])]
    kind: Kind
    averages: tuple[str, ...]
    higher_is_better: bool
    is_bounded: bool
    ranks: bool
    formula: str
    source: str
    needs: tuple[str, ...]
    presets: tuple[str, ...]
    definition: str

    @classmethod
    def of(cls, kind: Kind, metric: type[Any], presets: tuple[str, ...]) -> Self:
        """The document of a registered metric that these presets use."""
        needs = tuple(getattr(metric, "needs", ()))
        return cls(
            name=metric.key,
            id=f"{metric.key}@K" if "k" in metric.__dataclass_fields__ else metric.key,
            kind=kind,
            averages=metric.averages,
            higher_is_better=metric.higher_is_better,
            is_bounded=metric.is_bounded,
            ranks=kind != "prediction" and not needs,
            formula=metric.formula.format(k="K"),
            source=metric.source,
            needs=needs,
            presets=presets,
            definition=inspect.getdoc(metric) or "",
        )


def metric_definitions() -> list[MetricDefinitionOut]:
    """Every metric there is, in the order of the registry."""
    users = {name: list(_names_of(name)) for name in PRESETS}
    return [
        MetricDefinitionOut.of(
            kind, metric, tuple(preset for preset, used in users.items() if key in used)
        )
        for kind, known in REGISTRY.items()
        for key, metric in known.items()
    ]


class PresetOut(BaseModel):
    """A starting point: its whole settings, and how they differ from the defaults."""

    name: Annotated[str, Field(examples=["otto"])]
    metric: MetricOut
    diagnostics: list[MetricOut]
    differs_in: list[str]
    settings: dict[str, Any]

    @classmethod
    def of(cls, name: str) -> Self:
        """The document of a preset that there is."""
        settings = preset_settings(name)
        return cls(
            name=name,
            metric=MetricOut.of(settings.common_metric),
            diagnostics=[
                MetricOut.of(MetricChoice.model_validate(each)) for each in settings.diagnostics
            ],
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


def _names_of(preset: str) -> Iterator[str]:
    for metric in task_of(preset_settings(preset)).metrics:
        yield metric.partition("@" if k_of(metric) else ":")[0]
