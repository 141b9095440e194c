"""The catalogue of metrics: every registered one with its meaning, and the presets."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from podium.core.competition_settings import PRESETS, CompetitionSettings
from podium.core.configuration import task_of
from podium.scoring.metrics import REGISTRY, Kind
from podium.scoring.task import k_of


@dataclass(frozen=True, slots=True)
class MetricEntry:
    """A metric as the registry knows it.

    `id` is how it is written, with `K` for a number: `ndcg@K`. `averages` are those that have a
    meaning, `macro` by itself, `micro` as `ndcg@K:micro`. `ranks` says whether teams may be ranked
    by it; `needs` names what of an item file it is computed from. `definition` is its whole
    specification.
    """

    name: str
    id: str
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


def entries() -> list[MetricEntry]:
    """Every metric there is, in the order of the registry."""
    users = {name: list(_names_of(name)) for name in PRESETS}
    return [
        _entry(kind, metric, tuple(preset for preset, used in users.items() if key in used))
        for kind, known in REGISTRY.items()
        for key, metric in known.items()
    ]


def preset_settings(name: str) -> CompetitionSettings:
    """The settings of a competition that is made with this preset and nothing else."""
    return CompetitionSettings.model_validate(PRESETS[name])


def _entry(kind: Kind, metric: type[Any], presets: tuple[str, ...]) -> MetricEntry:
    has_k = "k" in metric.__dataclass_fields__
    needs = tuple(getattr(metric, "needs", ()))
    return MetricEntry(
        name=metric.key,
        id=f"{metric.key}@K" if has_k else metric.key,
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


def _names_of(preset: str) -> Iterator[str]:
    for metric in task_of(preset_settings(preset)).metrics:
        yield metric.partition("@" if k_of(metric) else ":")[0]
