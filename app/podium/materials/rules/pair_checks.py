"""The lines of the launch checklist about competitions of pairs."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction

from podium.materials.rules.checks import Check
from podium.sandbox.definitions.launches import Probed
from podium.scoring.forms import CANDIDATE_RANKS
from podium.scoring.kinds import kind_of
from podium.scoring.metrics import are_errors
from podium.scoring.task import Task

MAX_BY_ORDER = 0.1
"""The distance from 0.5 of an AUC from which the order of the published pairs tells too much."""

_ALMOST = 4.0
"""Standard errors within which random numbers are as good as a constant."""


def pair_checks(probed: Probed, task: Task) -> list[Check]:
    """The checks of perfect, constant, random and reordered answers."""
    if not kind_of(task.kind).has_relevances:
        return _of_ratings(probed)
    return [
        Check(
            "perfect-file",
            "A file of the true answers is better than any other that was tried.",
            "A file of the true answers is not the best. Report this as a bug.",
            probed.perfect_is_optimal,
        ),
        Check(
            "empty-file",
            "The sample file, with the same number everywhere, scores"
            f" {_first(probed, 'empty', task)}.",
            "The sample file, with the same number everywhere, is as good as the true answers:"
            " there is nothing to tell apart.",
            probed.empty_is_worst,
        ),
        Check(
            "reordered-file",
            "The same rows in another order have the same score.",
            "The same rows in another order have another score. Report this as a bug.",
            not probed.place_matters,
        ),
        Check(
            "defined-metrics",
            "Every metric is defined on both splits.",
            f"No file could be judged: {probed.undefined}. Leave that metric out of the"
            " diagnostics, or upload another ground truth.",
            not probed.undefined,
        ),
        _of_chance(probed, task),
        *_of_places(probed),
    ]


def order_checks(forms: Collection[str], *, is_listed: bool) -> list[Check]:
    """The check of the order in which candidates are ranked, where submissions may be their ranks;
    `is_listed`: organizers gave it in a list of published ids."""
    if CANDIDATE_RANKS.key not in forms:
        return []
    return [
        Check(
            "order-of-candidates",
            "A list of published ids says in which order candidates are ranked.",
            "Submissions may be the ranks of candidates in their published order, and candidates"
            " that come from the ground truth are shuffled. Upload a list of published ids with all"
            " pairs, in the order that participants know, or leave candidate-ranks out of the"
            " forms.",
            is_listed,
        )
    ]


def _of_ratings(probed: Probed) -> list[Check]:
    return [
        Check(
            "perfect-file",
            "A file of the true ratings has an error of exactly 0 on both splits.",
            "A file of the true ratings has an error. Report this as a bug.",
            probed.perfect_is_optimal,
        ),
        Check(
            "empty-file",
            "The sample file, which predicts 0 everywhere, has an error on both splits.",
            "The sample file, which predicts 0 everywhere, has no error: all true ratings are 0.",
            probed.empty_is_worst,
        ),
    ]


def _of_chance(probed: Probed, task: Task) -> Check:
    random, perfect, empty = (_first(probed, name, task) for name in ("random", "perfect", "empty"))
    score = f"Random numbers score {random}"
    return Check(
        "random-guesses",
        f"{score}, the true answers {perfect}.",
        f"{score}, far more than the same number everywhere, {empty}: the split"
        " is small, and a board would mostly show luck.",
        all(
            split.standard_error is None
            or Fraction(split.random) - Fraction(split.empty) <= _ALMOST * split.standard_error
            for split in probed.splits.values()
        ),
        is_must=False,
    )


def _of_places(probed: Probed) -> list[Check]:
    if probed.auc_by_place is None:
        return []
    ranking = f"ranks them with an AUC of {probed.auc_by_place:.3f}"
    return [
        Check(
            "order-of-pairs",
            f"The order in which pairs are published tells little: it {ranking}.",
            f"The order in which pairs are published tells the answers: it {ranking}. Publish them"
            " in another order first, under “Ground truth”.",
            abs(probed.auc_by_place - 0.5) <= MAX_BY_ORDER,
            is_must=False,
        )
    ]


def _first(probed: Probed, name: str, task: Task) -> str:
    """A score on the first split as boards show it: only errors are without their sign."""
    score = Fraction(getattr(next(iter(probed.splits.values())), name))
    is_error = are_errors(objective.metric for objective in task.objectives)
    return f"{float(-score if is_error else score):.4f}"
