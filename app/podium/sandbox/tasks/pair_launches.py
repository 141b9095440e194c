"""The outcome of trying a launch whose submissions hold numbers of pairs."""

from __future__ import annotations

from dataclasses import dataclass, replace

import polars as pl

from podium.sandbox.definitions.launches import Probed, ProbedSplit
from podium.scoring.metrics.pairs import pair_metric_of
from podium.scoring.pairs.answers import Answers, ScoredPairs
from podium.scoring.pairs.truth import TruePairs
from podium.scoring.pairs.truth_reading import undefined
from podium.scoring.result import ScoreResult
from podium.scoring.task import Task


@dataclass(frozen=True, slots=True)
class TriedPairs:
    """Verdicts on files of the truth, of one number for all pairs, of random numbers, and of the
    same random numbers in another order of rows."""

    perfect: ScoreResult
    constant: ScoreResult
    chance: ScoreResult
    reversed: ScoreResult

    def compared(self, truth: TruePairs, task: Task) -> Probed:
        """The outcome: of ratings the perfect file has no error, of others more than any other
        file."""
        best, constant, chance = (
            {name: split.score(task) for name, split in result.splits.items()}
            for result in (self.perfect, self.constant, self.chance)
        )
        is_optimal = all(best[name] >= max(constant[name], chance[name]) for name in best)
        if task.kind == "rating":
            is_optimal = not any(best.values())
        return Probed(
            perfect_is_optimal=is_optimal,
            empty_is_worst=all(constant[name] < best[name] for name in best),
            sample_is_accepted=True,
            refusal="",
            splits={
                name: ProbedSplit(
                    perfect=str(best[name]),
                    optimum=str(best[name]),
                    empty=str(constant[name]),
                    random=str(chance[name]),
                    standard_error=self.chance.splits[name].standard_error,
                )
                for name in best
            },
            place_matters=self.chance.splits != self.reversed.splits,
            told_by_place=None if task.kind == "rating" else _told_by_place(truth, task),
            undefined=next((each.detail for each in undefined(truth)), ""),
        )


def _told_by_place(truth: TruePairs, task: Task) -> float | None:
    """The AUC of the order in which pairs are published, the first the highest: of all pairs, and
    of each query alone, which is all that counts where candidates are reranked. The farthest from
    0.5 of all targets and splits that have both classes, if any has."""
    places = -pl.int_range(truth.pair_count, eager=True).cast(pl.Float64)
    answers = Answers.of([places] * len(task.objectives), truth)
    values: list[float] = []
    for position in range(len(task.objectives)):
        scored = answers.of_objective(position)
        parts = {"gauc": scored.slots} | ({} if task.kind == "rerank" else {"auc": scored.side})
        for metric, within in parts.items():
            splits = _with_both_classes(scored, within=within)
            if splits:
                found = pair_metric_of(metric).measure(replace(scored, splits=splits))
                values += map(float, found.values.values())
    return max(values, key=lambda value: abs(value - 0.5), default=None)


def _with_both_classes(scored: ScoredPairs, *, within: pl.Series) -> tuple[int, ...]:
    """The splits of which some part, as `within` tells them apart, has both classes."""
    positive = scored.targets > 0
    pairs = pl.DataFrame({"split": scored.side, "part": within, "positive": positive})
    both = pl.col("positive").any() & ~pl.col("positive").all()
    found = pairs.group_by("split", "part").agg(both=both).filter("both")["split"].unique()
    return tuple(split for split in scored.splits if split in found)
