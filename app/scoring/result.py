"""What a judging gives: counts, and per split the integers that the exact score is made of."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from app.scoring.task import Task


@dataclass(frozen=True)
class SplitScore:
    """One split. `hits`, `denominators` (Σ min(K, labels)) and `queries` (labelled ones) are by
    objective name, as is `values`, the metric's exact value."""

    hits: dict[str, int]
    denominators: dict[str, int]
    queries: dict[str, int]
    values: dict[str, Fraction]

    def objective(self, name: str) -> Fraction:
        """The metric's value for one objective."""
        return self.values[name]

    def score(self, task: Task) -> Fraction:
        """Σ weight · value, exact: this is what ranks are made from."""
        return sum(
            (Fraction(o.weight) * self.values[o.name] for o in task.objectives), start=Fraction(0)
        )

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; values as `numerator/denominator`, so that no digit is lost."""
        return {
            "hits": self.hits,
            "denominators": self.denominators,
            "queries": self.queries,
            "values": {name: str(value) for name, value in self.values.items()},
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> SplitScore:
        """Inverse of `to_dict`."""
        exact = {name: Fraction(text) for name, text in values["values"].items()}
        return cls(values["hits"], values["denominators"], values["queries"], exact)


@dataclass(frozen=True)
class Scored:
    """A good file's verdict. `counts`: `rows`, `missing` and `empty`, which need no ground truth.
    `splits`: by `public` and `private`, or `all` for a ground truth that is not divided."""

    counts: dict[str, int]
    splits: dict[str, SplitScore]
    scorer_version: str

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "counts": self.counts,
            "splits": {name: split.to_dict() for name, split in self.splits.items()},
            "scorer_version": self.scorer_version,
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Scored:
        """Inverse of `to_dict`."""
        splits = {name: SplitScore.from_dict(split) for name, split in values["splits"].items()}
        return cls(values["counts"], splits, values["scorer_version"])
