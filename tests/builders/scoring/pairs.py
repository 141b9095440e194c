"""Tiny competitions of ratings, and short ways to judge a text in them."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl

from podium.scoring import kinds, organizers_files
from podium.scoring.engine import judge
from podium.scoring.pairs.pairs import PublishedPairs
from podium.scoring.pairs.truth import TruePairs
from podium.scoring.problems import FileRejected, Rejection
from podium.scoring.result import ScoreResult
from podium.scoring.splits import SplitRule
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
    published: PublishedPairs | None = None,
) -> tuple[TruePairs, PublishedPairs]:
    """The truth in a text."""
    path = folder / "truth.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    truth, pairs = organizers_files.read_truth(path, task=task, published=published, split=split)
    assert isinstance(truth, TruePairs)
    return truth, kinds.pairs_of(pairs)


def score(
    folder: Path,
    text: str | bytes,
    truth: tuple[TruePairs, PublishedPairs],
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


def pairs_of(*pairs: tuple[Any, Any]) -> PublishedPairs:
    """Published pairs; texts or integers."""
    kinds_of_ids = [pl.String if isinstance(one, str) else pl.Int32 for one in pairs[0]]
    schema = dict(zip(("user", "item"), kinds_of_ids, strict=True))
    return PublishedPairs(pl.DataFrame(pairs, schema=schema, orient="row"))


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
