"""The outcome of trying a launch whose submissions are tables that built-in metrics score."""

from __future__ import annotations

from dataclasses import dataclass, replace

from podium.sandbox.definitions.launches import Probed, ProbedSplit
from podium.scoring.metrics import table_metric_of
from podium.scoring.result import ScoreResult
from podium.scoring.tables.checks import undefined
from podium.scoring.tables.truth import TrueTable
from podium.scoring.task import Task


@dataclass(frozen=True, slots=True)
class TriedTables:
    """Verdicts on files of the truth, of the same values in every row, and of the truth of other
    rows."""

    perfect: ScoreResult
    constant: ScoreResult
    chance: ScoreResult

    def compared(self, truth: TrueTable, task: Task) -> Probed:
        """The outcome: no other file is better than the truth, and by a bounded metric it has 1."""
        best, constant, chance = (
            {name: split.score(task) for name, split in result.splits.items()}
            for result in (self.perfect, self.constant, self.chance)
        )
        bounded = [o.name for o in task.objectives if table_metric_of(o.metric).is_bounded]
        return Probed(
            perfect_is_optimal=all(
                best[name] >= max(constant[name], chance[name])
                and all(split.values[objective] == 1 for objective in bounded)
                for name, split in self.perfect.splits.items()
            ),
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
            undefined=next((each.detail for each in undefined(replace(truth, task=task))), ""),
        )
