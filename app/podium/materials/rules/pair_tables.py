"""Tables of pairs with numbers beside them: ratings, scored pairs, or candidates that are reranked,
as their header and first rows tell."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from podium.errors.reasons import OBJECTIVE_PATTERN

MOST_COLUMNS = 20
"""A table with more columns is not looked at: user, item, context, and 16 targets."""

_TARGET = re.compile(
    r"(is_?)?(click|clicked|label|labels|target|y|like|reply|retweet|buy|bought|purchase|purchased"
    r"|order|install|installed|conversion|converted|relevant|relevance|watch|watched|engaged"
    r"|engagement|impressed|skip|skipped|churn|is_churn)(s|ed|_label)?"
)
"""Names of columns that say what happened with a pair."""

_QUERY = re.compile(r"(impression|query|request|list|search|slate)s?(_?id)?")
"""Names of columns of ids whose items were candidates."""


RENAME_TARGETS = (
    "Columns of several targets are called as objectives are: {}. In the first row, rename “{}” to"
    " “{}”, and choose the file again."
)


def are_scored(named: Sequence[str], values: Mapping[str, Sequence[str]]) -> bool:
    """True for a table that says of pairs, or of single ids, what happened with them."""
    return len(named) > 2 and _is_target(named[-1], values)


def refusal_of_targets(named: Sequence[str], values: Mapping[str, Sequence[str]]) -> str:
    """The name of one of several targets that no objective can have, and another one; empty where
    all can be."""
    targets = [name for name in named[2:] if _is_target(name, values)]
    bad = next((name for name in targets if not re.fullmatch(OBJECTIVE_PATTERN, name)), None)
    if len(targets) < 2 or bad is None:
        return ""
    better = bad.lower().replace("_", "-")
    return RENAME_TARGETS.format("lower-case letters, digits and hyphens", bad, better)


def settings_of_pairs(
    named: Sequence[str], values: Mapping[str, Sequence[str]], kinds: Mapping[str, object]
) -> dict[str, object]:
    """The settings for a table that begins with two columns of ids, which have these `kinds`, and
    goes on with numbers. Its columns are `named` in order.

    >>> found = settings_of_pairs(["user", "item", "click"], {"click": ["0", "1"]}, {})
    >>> found["task"], found["labels_column"]
    ('scores', 'click')
    """
    first, second, *others = named
    context = "" if _is_target(others[0], values) or len(others) == 1 else others[0]
    targets = others[1:] if context else others
    if not all(_is_target(name, values) for name in targets):
        return {
            "task": "rating",
            "id_column": first,
            "item_column": second,
            "labels_column": others[0],
            "objectives": {"rating": 1},
            "missing_rows": "reject",
            **kinds,
        }
    is_rerank = _QUERY.fullmatch(first.lower()) is not None and len(others) == 1
    found: dict[str, object] = {
        "task": "rerank" if is_rerank else "scores",
        "id_column": first,
        "item_column": second,
        "labels_column": targets[0] if len(targets) == 1 else "score",
        "objectives": {name.lower(): 1 for name in targets},
        "missing_rows": "reject",
        **kinds,
    }
    if context:
        found |= {"context_column": context, "context_ids": kind_of_ids(values[context])}
    return found


def _is_target(name: str, values: Mapping[str, Sequence[str]]) -> bool:
    """True for a column of zeros and ones that is called as such columns are."""
    return _TARGET.fullmatch(name.lower()) is not None and set(values[name]) <= {"0", "1"}


def settings_of_sample(named: Sequence[str], rows: Sequence[Sequence[str]]) -> dict[str, object]:
    """The settings for a sample submission of scored pairs or of candidates, which has the same
    number everywhere; empty for any other table.

    >>> rows = [["1", "7", "a", "0.5", "0.5"], ["1", "7", "b", "0.5", "0.5"]]
    >>> found = settings_of_sample(["user", "item", "view", "like", "reply"], rows)
    >>> found["task"], found["context_column"], found["context_ids"]
    ('scores', 'view', 'string')
    """
    numbers = {row[-1] for row in rows}
    is_rerank = numbers == {"0"} and len(named) == 3 and _QUERY.fullmatch(named[0].lower())
    if len(named) < 2 or not (is_rerank or numbers == {"0.5"}):
        return {}
    values = {name: [row[place] for row in rows] for place, name in enumerate(named)}
    ids = [name for name in named[:-1] if set(values[name]) != numbers]
    if not 1 <= len(ids) <= 3 or list(named[: len(ids)]) != ids:
        return {}
    first, item, context = (*ids, "", "")[:3]
    found: dict[str, object] = {
        "task": "rerank" if is_rerank else "scores",
        "id_column": first,
        "item_column": item,
    }
    kinds = {"query_ids": first, "item_ids": item, "context_ids": context}
    found |= {"context_column": context} if context else {}
    return found | {kind: kind_of_ids(values[name]) for kind, name in kinds.items() if name}


def kind_of_ids(texts: Sequence[str]) -> str:
    """The kind of ids as settings say it: whole numbers or text."""
    is_whole = all(re.fullmatch(r"0|[1-9][0-9]{0,9}", text) for text in texts)
    return "integer" if is_whole else "string"
