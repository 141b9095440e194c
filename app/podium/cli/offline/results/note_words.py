"""The notes of a score in words: what it leaves out, and what could not be read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from podium.scoring.kinds import kind_of
from podium.scoring.metrics import rank_metric_of

if TYPE_CHECKING:
    from podium.scoring.task import Task

WORDS = {
    "units_without_relevant": ("query has", "queries have", "no relevant candidate: left out"),
    "units_of_one_class": ("query has", "queries have", "candidates of one class: left out"),
    "unreadable_masks": ("row has", "rows have", "no mask: 0"),
    "short_lists": ("list has", "lists have", "fewer than two different items: 0"),
    "pairs_without_features": ("pair of items has", "pairs of items have", "no features"),
    "without_categories": ("query has", "queries have", "relevant items without a category: 0"),
}
"""Sentences for the notes of metrics, by name: for one, for several, and the fact."""


def noted(document: Mapping[str, Any], task: Task) -> list[str]:
    """Returns the notes of a score, those about its objectives first."""
    return [*_unlabelled(document, task), *_of_metrics(document)]


def _unlabelled(document: Mapping[str, Any], task: Task) -> Iterator[str]:
    """Yields notes about queries without labels, if the score is a mean over queries."""
    for objective in task.objectives if kind_of(task.kind).has_lists else ():
        part = document["objectives"][objective.name]
        without = part["unlabelled"]
        if without and rank_metric_of(objective.metric).average == "macro":
            every = part["queries"] + without
            have = "has" if without == 1 else "have"
            words = f"{without:,} of {every:,} ids {have} no labels: left out of the average"
            yield _of(objective.name, words)


def _of_metrics(document: Mapping[str, Any]) -> Iterator[str]:
    for metric, notes in document.get("notes", {}).items():
        for note, counts in notes.items():
            plain = note.replace("_", " ")
            one, several, rest = WORDS.get(note, (plain, plain, ""))
            for name, count in counts.items():
                if count:
                    words = f"{count:,} {one if count == 1 else several} {rest}".rstrip()
                    yield f"{metric}: {_of(name, words)}"


def _of(objective: str, words: str) -> str:
    return f"{objective}: {words}" if objective else words
