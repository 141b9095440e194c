"""Recognizes files of pairs: two columns of ids, optionally a context, and numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial

from podium.scoring.kinds.first_rows import (
    FirstRows,
    Guess,
    Recognizer,
    id_kind,
    kinds_of_ids,
    sample_of,
)

MAX_RATED = 4
"""A file with more columns, some of which are not targets, is not recognized."""

_TARGET = re.compile(
    r"(is_?)?(click|clicked|label|labels|target|y|like|reply|retweet|buy|bought|purchase|purchased"
    r"|order|install|installed|conversion|converted|relevant|relevance|watch|watched|engaged"
    r"|engagement|impressed|skip|skipped|churn|is_churn)(s|ed|_label)?"
)
"""Names of columns that record an interaction of a pair."""

_QUERY = re.compile(r"(impression|query|request|list|search|slate)s?(_?id)?")
"""Names of columns of ids whose items were candidates."""


def _rated(rows: FirstRows) -> Guess:
    """Guesses ratings for all files that no other kind has claimed: the first number is
    predicted."""
    if len(rows.names) > MAX_RATED:
        return Guess(is_wide=_is_target(rows.names[-1], rows))
    words = "A number for each pair."
    return _guess(rows, ("rating", "ratings", words), rows.names[2:3], {"rating": 1}, "3.5")


def _scored(rows: FirstRows) -> Guess | None:
    """Recognizes zeros and ones for each pair, in columns with names of targets, after two of ids
    and optionally a context."""
    return _of_targets(rows, ("scores", "scores", "Pairs, and which of them were right."))


def _reranked(rows: FirstRows) -> Guess | None:
    """Recognizes the same with one target, for an id column named like one of queries."""
    words = "Candidates of queries, and which of them were right."
    return _of_targets(rows, ("rerank", "scores", words)) if _is_of_queries(rows) else None


def _of_targets(rows: FirstRows, facts: tuple[str, str, str]) -> Guess | None:
    others = rows.names[2:]
    has_context = len(others) > 1 and not _is_target(others[0], rows)
    targets = others[has_context:]
    if not all(_is_target(name, rows) for name in targets):
        return None
    # Several objectives have the names of their columns.
    objectives = dict.fromkeys(targets if targets[1:] else map(str.lower, targets), 1)
    return _guess(rows, facts, targets, objectives, "0.5", others[:has_context])


def _guess(
    rows: FirstRows,
    facts: tuple[str, str, str],
    numbers: Sequence[str],
    objectives: Mapping[str, int],
    number: str,
    contexts: tuple[str, ...] = (),
) -> Guess:
    """Builds a guess with facts of the kind: its key, the form of its rows, and a sentence."""
    (task, shape, words), (first, second) = facts, rows.names[:2]
    settings = {
        "task": task,
        "id_column": first,
        "item_column": second,
        "labels_column": numbers[0] if len(numbers) == 1 else "score",
        "objectives": objectives,
        "missing_rows": "reject",
        **kinds_of_ids(rows.cells[first], rows.cells[second]),
    }
    for context in contexts:
        settings |= {"context_column": context, "context_ids": id_kind(rows.cells[context])}
    ids = (first, second, *contexts)
    begun = map(",".join, zip(*(rows.cells[name] for name in ids), strict=True))
    sample = sample_of((*ids, *numbers), begun, ",".join([number] * len(numbers)))
    is_wide = _is_target(rows.names[-1], rows)
    return Guess(shape, words, settings, sample, is_wide=is_wide)


def _is_target(name: str, rows: FirstRows) -> bool:
    """True for a column of zeros and ones with the name of a target."""
    return _TARGET.fullmatch(name.lower()) is not None and set(rows.cells[name]) <= {"0", "1"}


def _is_of_queries(rows: FirstRows) -> bool:
    return len(rows.names) == 3 and _QUERY.fullmatch(rows.names[0].lower()) is not None


def settings_of_sample(task: str, number: str, rows: FirstRows) -> dict[str, object] | None:
    """Infers the settings for a sample submission with the same number in all columns except those
    of ids, which are the first one to three; None for any other file.

    >>> cells = {"user": ["1", "1"], "view": ["a", "b"], "like": ["0.5", "0.5"]}
    >>> found = settings_of_sample("scores", "0.5", FirstRows(tuple(cells), cells))
    >>> found["task"], found["item_column"], found["item_ids"]
    ('scores', 'view', 'string')
    """
    ids = [name for name in rows.names if set(rows.cells[name]) != {number}]
    if not 1 <= len(ids) <= min(3, len(rows.names) - 1) or rows.names[: len(ids)] != tuple(ids):
        return None
    columns = dict(zip(("id_column", "item_column", "context_column"), (*ids, ""), strict=False))
    kinds = zip(("query_ids", "item_ids", "context_ids"), ids, strict=False)
    return {
        "task": task,
        **columns,
        **{kind: id_kind(rows.cells[name]) for kind, name in kinds},
    }


RATED_ROWS = Recognizer(_rated)
SCORED_ROWS = Recognizer(_scored, in_sample=partial(settings_of_sample, "scores", "0.5"))
RERANKED_ROWS = Recognizer(
    _reranked,
    in_sample=lambda rows: (
        settings_of_sample("rerank", "0", rows) if _is_of_queries(rows) else None
    ),
)
