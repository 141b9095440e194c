"""Documents about metrics: the one of a competition, and what there is to choose from."""

from __future__ import annotations

from dataclasses import asdict
from decimal import Decimal
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, Field

from podium.competitions.service.metrics import MetricEntry, preset_settings
from podium.core.competition_settings import PRESETS, CompetitionSettings, MetricChoice
from podium.core.configuration import definition_of, formula_of


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
    kind: Literal["rank", "prediction", "rating"]
    averages: list[str]
    higher_is_better: bool
    is_bounded: bool
    ranks: bool
    formula: str
    source: str
    needs: list[str]
    presets: list[str]
    definition: str

    @classmethod
    def of(cls, entry: MetricEntry) -> Self:
        """The document of an entry of the registry."""
        return cls(**asdict(entry))


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
