"""The figures of local scores: which are comparable, and their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from podium.cli.history.entries import Entry

HASH_SHOWN = 8
"""Digits of a hash that are shown, and the minimum that is recognized as one."""


class Measure(NamedTuple):
    """A way of scoring: local scores with the same one are comparable."""

    truth_sha256: str
    scoring: str
    """The objectives in words; empty for a single one of weight 1. Old lines lack objectives and
    have the preset here."""
    metric: str
    """Several metrics if objectives have their own; for an old line, the text that was given."""

    def is_of(self, metric: str | None) -> bool:
        """True if a competition with this metric scores by the same one."""
        return metric is not None and set(metric.split()) == set(self.metric.split())


def measure_of(entry: Entry) -> Measure:
    """Returns the measure of a local score."""
    given = entry["measure"]
    metric = entry.get("metric") or given
    if (objectives := entry.get("objectives")) is not None:
        return Measure(entry["truth_sha256"], _in_words(objectives), metric)
    return Measure(entry["truth_sha256"], "" if _is_metric_named(entry) else given, metric)


def with_objectives(local: Iterable[Entry]) -> list[Entry]:
    """Returns the local scores; old ones by a preset get the objectives of later ones by a preset
    of the same name against the same ground truth, unless these differ."""
    found = list(local)
    known: dict[tuple[str, ...], list[Any]] = {}
    for entry in found:
        same = known.setdefault(_called(entry), [])
        if "objectives" in entry and entry["objectives"] not in same:
            same.append(entry["objectives"])
    only = {called: same[0] for called, same in known.items() if len(same) == 1}
    return [
        {"objectives": only[called], **entry} if (called := _called(entry)) in only else entry
        for entry in found
    ]


def _called(entry: Entry) -> tuple[str, ...]:
    return entry["truth_sha256"], entry["measure"], entry.get("metric", "")


def _is_metric_named(entry: Entry) -> bool:
    """True if metrics were given and no preset. The average is an option of its own, so the given
    text has none, or the same."""
    given, metric = entry["measure"], entry.get("metric") or entry["measure"]
    return bool(given.split()[0].split(":")[0] == metric.split()[0].split(":")[0])


def _in_words(objectives: Collection[dict[str, str]]) -> str:
    """Formats objectives with weights and metrics, independent of their spelling and order."""
    weights = [Decimal(each["weight"]).normalize() for each in objectives]
    if weights == [1]:
        return ""
    parts = [
        f"{each['name']} {weight:f} {each['metric']}".strip()
        for each, weight in zip(objectives, weights, strict=True)
    ]
    return " + ".join(sorted(parts))


def figures_of(entry: Entry) -> dict[Measure, float]:
    """Returns the local score and, if metrics were given, the values of the further ones."""
    scored = measure_of(entry)
    further = entry.get("further", {}) if _is_metric_named(entry) else {}
    return {
        scored: entry["score"],
        **{scored._replace(metric=metric): value for metric, value in further.items()},
    }


def names_of(local: Iterable[Entry]) -> dict[Measure, str]:
    """Returns the name by which each measure was last requested: the metric, or a preset."""
    names: dict[Measure, str] = {}
    for entry in local:
        for measure in figures_of(entry):
            is_metric = _is_metric_named(entry) or not measure.scoring
            names[measure] = measure.metric if is_metric else entry["measure"]
    return names


def titles_of(names: Mapping[Measure, str]) -> dict[Measure, str]:
    """Returns a unique title for each named measure of a ground truth: the metric; with the preset
    if several share it, and with the objectives if several presets share a name."""
    metrics = Counter(measure.metric for measure in names)
    called = Counter((measure.metric, name) for measure, name in names.items())
    titles = {}
    for measure, name in names.items():
        beside = name if called[measure.metric, name] == 1 else measure.scoring
        is_plain = metrics[measure.metric] == 1 or not measure.scoring
        titles[measure] = measure.metric if is_plain else f"{measure.metric} ({beside})"
    return titles


def labels_of(local: Iterable[Entry]) -> dict[str, str]:
    """Returns the name of each ground truth by its hash; with the beginning of the hash if two
    share a name."""
    names = {entry["truth_sha256"]: entry["truth"] for entry in local}
    several = list(names.values())
    return {
        sha256: name if several.count(name) == 1 else f"{name} ({sha256[:HASH_SHOWN]})"
        for sha256, name in names.items()
    }
