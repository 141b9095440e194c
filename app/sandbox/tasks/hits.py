"""Tasks about stored hits: thin calls of `scoring`, as in `judging`.

Nothing here reads what a participant has sent: hits were written by a judging.
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
from podium.scoring.analysis.comparison import (
    Judged,
    compare,
    error_of_difference,
    read_judged,
    ties_with_first,
)
from podium.scoring.kinds import Truth


def compare_submissions(_: Progress, task: Compare) -> Compared:
    """Compares submissions by their hits."""
    submissions, hidden = _loaded(task.judged)
    return Compared(splits=compare(submissions, hidden))


def find_ties(_: Progress, task: FindTies) -> TiesFound:
    """Finds the submissions that do not differ from the first."""
    (first, *others), hidden = _loaded(task.judged)
    return TiesFound(ties=tuple(ties_with_first(first, others, hidden, split=task.split)))


def find_error(_: Progress, task: FindError) -> ErrorFound:
    """Finds how uncertain the difference of two public scores is."""
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


def _loaded(judged: HitsRef) -> tuple[list[Judged], Truth]:
    _, hidden = loaded(judged)
    return [read_judged(path, hidden) for path in judged.hits], hidden
