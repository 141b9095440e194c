"""Tiny competitions of ratings and of scored pairs, and short ways to judge a text in them."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl

from podium.scoring import engine
from podium.scoring.engine import judge
from podium.scoring.metrics import pair_metric_of
from podium.scoring.metrics.rows.targets import TargetRows
from podium.scoring.pairs.truth import TruePairs
from podium.scoring.problems import FileRejected, Rejection
from podium.scoring.rows.keys import PublishedRows
from podium.scoring.scores.pair_answers import Answers, PairMeasurements, keys_of
from podium.scoring.scores.result import ScoreResult, SplitScore
from podium.scoring.splits import ALL, SplitRule
from podium.scoring.task import Objective, Task

WHOLE = SplitRule("whole")
USAGE = SplitRule("usage")

Ratings = Mapping[tuple[Any, Any], float]


def task_by(metric: str = "rmse", *diagnostics: str, **settings: Any) -> Task:
    """A task of ratings with the columns `user,item,rating`."""
    names = {"id_column": "user", "item_column": "item", "labels_column": "rating"}
    return Task(
        objectives=(Objective("", Decimal(1), metric),),
        kind="rating",
        diagnostics=diagnostics,
        **{**names, **settings},
    )


RMSE = task_by("rmse", "mae")


def text_of(ratings: Ratings) -> str:
    """The text of a file with these ratings."""
    rows = [f"{user},{item},{rating!r}" for (user, item), rating in ratings.items()]
    return "\n".join(["user,item,rating", *rows, ""])


def truth_of(
    folder: Path,
    text: str | bytes,
    *,
    task: Task = RMSE,
    split: SplitRule = WHOLE,
    published: PublishedRows | None = None,
) -> tuple[TruePairs, PublishedRows]:
    """The truth in a text."""
    path = folder / "truth.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    truth, pairs = engine.read_truth(path, task=task, published=published, split=split)
    assert isinstance(truth, TruePairs)
    assert isinstance(pairs, PublishedRows)
    return truth, pairs


def score(
    folder: Path,
    text: str | bytes,
    truth: tuple[TruePairs, PublishedRows],
    task: Task = RMSE,
    errors_to: Path | None = None,
) -> ScoreResult:
    """The verdict on the text of a submission."""
    path = folder / "submission.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return judge(
        path,
        task=task,
        published=truth[1],
        truth=truth[0],
        scratch=folder,
        hits_to=errors_to,
    )


def pairs_of(*pairs: tuple[Any, Any]) -> PublishedRows:
    """Published pairs; texts or integers."""
    kinds_of_ids = [pl.String if isinstance(one, str) else pl.Int32 for one in pairs[0]]
    schema = dict(zip(("key0", "key1"), kinds_of_ids, strict=True))
    return PublishedRows(pl.DataFrame(pairs, schema=schema, orient="row"))


def refusal(action: Any) -> Rejection:
    """The rejection that an action raises."""
    try:
        action()
    except FileRejected as rejected:
        return rejected.rejection
    raise AssertionError("it was accepted")


def found(rejection: Rejection) -> list[tuple[str, int | None]]:
    """The codes and lines, or rows, of the problems that are shown."""
    return [
        (str(each.code), each.line if each.row is None else each.row) for each in rejection.problems
    ]


EVERY = (
    *("auc", "gauc", "gauc_weighted", "average_precision", "pr_auc", "log_loss"),
    *("normalized_entropy", "rce", "brier", "ece", "accuracy", "f1_binary", "f1_binary_30"),
    *("f2_binary", "f05_binary_70", "precision_binary_70", "recall_binary"),
    *("auc_max_fpr", "auc_max_fpr_10", "auc_min_tpr_80", "gini_binary"),
)
"""Every metric of the task `scores`."""

WITH_ERRORS = [name for name in EVERY if name != "ece"]

Case = tuple[list[float], list[int], list[int]]
"""Numbers, targets and units of pairs."""


def scores_task(metric: str, *diagnostics: str, **settings: Any) -> Task:
    """A task of scores with the columns `user,item,score`, if nothing else is given."""
    names = {"id_column": "user", "item_column": "item", "labels_column": "score"}
    given = {"objectives": (Objective("", Decimal(1), metric),), **names, **settings}
    return Task(kind="scores", diagnostics=diagnostics, **given)


def answers_of(
    numbers: Sequence[float],
    targets: Sequence[float],
    units: Sequence[int],
    sides: Sequence[int] | None = None,
    groups: Sequence[int] | None = None,
) -> Answers:
    """Answers to one objective."""
    count, task = len(numbers), scores_task("auc", group_column="part" if groups else "")
    columns = {
        "pair": pl.Series(range(count), dtype=pl.UInt32),
        "unit": pl.Series(units, dtype=pl.UInt32),
        "target0": pl.Series(targets),
    }
    if groups:
        columns["group"] = pl.Series(groups, dtype=pl.UInt16)
    columns["split"] = pl.Series(sides or [ALL] * count, dtype=pl.UInt8)
    truth = TruePairs(pl.DataFrame(columns), task, count)
    return Answers.of([pl.Series(numbers, dtype=pl.Float64)], truth)


def scored_of(
    numbers: Sequence[float],
    targets: Sequence[float],
    units: Sequence[int] | None = None,
    sides: Sequence[int] | None = None,
) -> TargetRows:
    """The pairs of one objective; without units each is one."""
    units = range(len(numbers)) if units is None else units
    return answers_of(numbers, targets, units, sides).of_objective(0)


def scores_of(answers: Answers) -> dict[str, SplitScore]:
    """The verdict on answers."""
    return PairMeasurements.of(keys_of(answers.truth.task), answers).scores()


def value(metric: str, *pairs: Sequence[float]) -> float:
    """The value over the only split."""
    return float(pair_metric_of(metric).measure(scored_of(*pairs)).values[ALL])  # type: ignore[arg-type]


def random_case(dice: random.Random, most: int = 40) -> Case:
    """Some pairs with both classes in at least one unit; scores of few digits tie."""
    count, digits = dice.randint(2, most), dice.randint(1, 4)
    numbers = [round(dice.random(), digits) for _ in range(count)]
    units = sorted(dice.randrange(1 + count // 4) for _ in range(count))
    targets = [int(dice.random() < 0.4) for _ in range(count)]
    twin = next(at for at in range(count - 1, -1, -1) if at == 0 or units[at] == units[at - 1])
    units[twin] = units[twin - 1] if twin else units[-1]
    targets[twin], targets[twin - 1] = 1, 0
    return numbers, targets, units


def drawn_users(dice: random.Random, people: int) -> tuple[list[float], list[int], list[int]]:
    """Users of one to ten pairs, each with a taste of their own: their pairs are alike."""
    numbers, targets, units = [], [], []
    for user in range(people):
        taste, bias = dice.gauss(0, 1), dice.gauss(0, 0.5)
        for _ in range(dice.randint(1, 10)):
            appeal = dice.gauss(0, 1)
            targets.append(int(dice.random() < _chance(taste + appeal - 1)))
            numbers.append(_chance(0.7 * taste + 0.8 * appeal + bias - 1 + dice.gauss(0, 0.5)))
            units.append(user)
    return numbers, targets, units


def _chance(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))
