"""Tasks about stored hits: thin calls of `scoring`, as in `judging`.

They read no file of a participant: a judging has written the hits.
"""

from __future__ import annotations

from podium.sandbox.definitions.hits import (
    Compare,
    Compared,
    ErrorFound,
    FindError,
    FindTies,
    HitsRef,
    TiesFound,
)
from podium.sandbox.registry import Progress, registered
from podium.sandbox.tasks.loading import loaded
from podium.scoring.analysis.comparison import compare, error_of_difference, ties_with_first
from podium.scoring.analysis.custom_comparison import (
    CustomScores,
    compare_custom,
    custom_error,
    custom_ties,
    read_custom,
)
from podium.scoring.engine import Kept, Truth, read_kept
from podium.scoring.metrics.rows import is_custom


def compare_submissions(_: Progress, task: Compare) -> Compared:
    """Compares submissions by their hits."""
    if _is_custom(task.judged):
        return Compared(splits=compare_custom(_own(task.judged), task.judged.task))
    submissions, hidden = _loaded(task.judged)
    return Compared(splits=compare(submissions, hidden))


def find_ties(_: Progress, task: FindTies) -> TiesFound:
    """Finds the submissions whose score does not differ significantly from the first one's."""
    if _is_custom(task.judged):
        leader, *rest = _own(task.judged)
        return TiesFound(ties=tuple(custom_ties(leader, rest, split=task.split)))
    (first, *others), hidden = _loaded(task.judged)
    return TiesFound(ties=tuple(ties_with_first(first, others, hidden, split=task.split)))


def find_error(_: Progress, task: FindError) -> ErrorFound:
    """Computes the standard error of the difference of two public scores."""
    if _is_custom(task.judged):
        one, other = _own(task.judged)
        return ErrorFound(standard_error=custom_error(one, other, split="public"))
    (first, second), hidden = _loaded(task.judged)
    error = error_of_difference(first, second, hidden, split="public")
    return ErrorFound(standard_error=error)


TASKS = dict(
    [
        registered(Compare, compare_submissions),
        registered(FindTies, find_ties),
        registered(FindError, find_error),
    ]
)


def _is_custom(judged: HitsRef) -> bool:
    return is_custom(objective.metric for objective in judged.task.objectives)


def _own(judged: HitsRef) -> list[CustomScores]:
    return [read_custom(path, judged.task, solution=judged.truth) for path in judged.hits]


def _loaded(judged: HitsRef) -> tuple[list[Kept], Truth]:
    _, hidden = loaded(judged)
    return [read_kept(path, hidden) for path in judged.hits], hidden
