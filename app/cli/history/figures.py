"""The figures of local scores: what may be compared with what, and how it is called."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from podium.cli.history.entries import Entry

HASH_SHOWN = 8
"""Digits of a hash that are shown, and the fewest that are taken for one."""


class Measure(NamedTuple):
    """Local scores that have all of it in common can be compared."""

    truth_sha256: str
    preset: str
    """Empty where metrics were named instead."""
    metric: str
    """Several ones where objectives have their own; of an old line, what was given."""

    @property
    def given(self) -> str:
        """The preset, or the metric without one."""
        return self.preset or self.metric

    def is_of(self, metric: str | None) -> bool:
        """True if a competition with this metric scores by the same one."""
        return metric is not None and set(metric.split()) == set(self.metric.split())


def measure_of(entry: Entry) -> Measure:
    """The measure of a local score."""
    given = entry["measure"]
    metric = entry.get("metric") or given
    # The average is an option of its own: what was named has none, or the same.
    is_named = given.split()[0].split(":")[0] == metric.split()[0].split(":")[0]
    return Measure(entry["truth_sha256"], "" if is_named else given, metric)


def figures_of(entry: Entry) -> dict[Measure, float]:
    """The local score and, where metrics were named, the values of the further ones."""
    scored = measure_of(entry)
    further = {} if scored.preset else entry.get("further", {})
    return {
        scored: entry["score"],
        **{scored._replace(metric=metric): value for metric, value in further.items()},
    }


def titles_of(found: Collection[Measure]) -> dict[Measure, str]:
    """The metric of each measure of a ground truth; with the preset where two have one."""
    metrics = [measure.metric for measure in found]
    return {
        measure: measure.metric
        if metrics.count(measure.metric) == 1 or not measure.preset
        else f"{measure.metric} ({measure.preset})"
        for measure in found
    }


def labels_of(local: Iterable[Entry]) -> dict[str, str]:
    """The name of each ground truth by its hash; with the hash's beginning where two have one."""
    names = {entry["truth_sha256"]: entry["truth"] for entry in local}
    several = list(names.values())
    return {
        sha256: name if several.count(name) == 1 else f"{name} ({sha256[:HASH_SHOWN]})"
        for sha256, name in names.items()
    }
