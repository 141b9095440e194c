"""Tables of ids with numbers beside them, as their header and first rows tell: no second column
names an item."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from podium.errors.reasons import OBJECTIVE_PATTERN, TABLE_COLUMN_PATTERN
from podium.materials.rules.pair_tables import kind_of_ids

FEWEST_ROWS = 3
"""The rows that it takes to tell zeros and ones from ids of items."""

MOST_CATEGORIES = 20

_NUMBER = re.compile(r"-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")
_WHOLE = re.compile(r"-?[0-9]{1,15}")


def has_values(named: Sequence[str], values: Mapping[str, Sequence[str]]) -> bool:
    """True where each id has one row, and the second column holds numbers.

    >>> has_values(["id", "price"], {"id": ["1", "2"], "price": ["25", "3"]})
    True
    """
    first, second = values[named[0]], values[named[1]]
    if len(set(first)) < len(first) or len(first) < 2:
        return False
    if not all(re.fullmatch(TABLE_COLUMN_PATTERN, name) for name in named):
        return False
    given = [text for text in second if text]
    return bool(given) and all(_NUMBER.fullmatch(text) for text in given)


def is_plain(named: Sequence[str], values: Mapping[str, Sequence[str]]) -> bool:
    """True where the numbers of the second column are no ids: some have a point or a sign, or they
    are only zeros and ones.

    >>> is_plain(["id", "price"], {"id": ["1", "2"], "price": ["2.5", "3"]})
    True
    >>> is_plain(["user", "item"], {"user": ["1", "2"], "item": ["25", "3"]})
    False
    """
    given = [text for text in values[named[1]] if text]
    is_yes_or_no = set(given) == {"0", "1"} and len(given) >= FEWEST_ROWS
    return is_yes_or_no or any(not text.isdigit() for text in given)


def settings_of_table(
    named: Sequence[str], values: Mapping[str, Sequence[str]]
) -> dict[str, object]:
    """The settings for a table with these columns, of which the first is that of the ids. All
    others are predicted, and each one of numbers is an objective.

    >>> found = settings_of_table(["id", "price"], {"id": ["1", "2"], "price": ["2.5", "3"]})
    >>> found["table_columns"], found["objectives"], found["metric"]
    ([{'name': 'price', 'type': 'number'}], {'price': 1}, 'rmse')
    """
    id_column, *others = named
    given = {name: [text for text in values[name] if text] for name in others}
    columns = [_column(name, texts) for name, texts in given.items()]
    numbers = [str(each["name"]) for each in columns if each["type"] == "number"]
    by_objective = objectives_of(numbers)
    are_yes_or_no = all(set(given[name]) == {"0", "1"} for name in numbers)
    return {
        "task": "table",
        "id_column": id_column,
        "query_ids": kind_of_ids(values[id_column]),
        "table_columns": columns,
        "objectives": dict.fromkeys(by_objective, 1),
        "objective_columns": {
            objective: [name] for objective, name in by_objective.items() if objective != name
        },
        "metric": "auc" if are_yes_or_no else "rmse",
        "missing_rows": "reject",
    }


def sample_of_table(named: Sequence[str], values: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The header and two rows of a submission."""
    rows = [f"{each}{',0' * (len(named) - 1)}" for each in values[named[0]][:2]]
    return (",".join(named), *rows)


def _column(name: str, given: Sequence[str]) -> dict[str, object]:
    if all(_NUMBER.fullmatch(text) for text in given):
        return {"name": name, "type": "number"}
    kinds = sorted(set(given))
    if len(kinds) <= min(MOST_CATEGORIES, len(given) // 3):
        return {"name": name, "type": "category", "values": kinds}
    return {"name": name, "type": "text"}


def objectives_of(columns: Sequence[str]) -> dict[str, str]:
    """Columns by the names of objectives that look at them.

    >>> objectives_of(["Price", "m2"]), objectives_of(["a b", "A_B"])
    ({'price': 'Price', 'm2': 'm2'}, {'target-1': 'a b', 'target-2': 'A_B'})
    """
    by_objective = {_objective(name): name for name in columns}
    if len(by_objective) < len(columns):
        return {f"target-{place}": name for place, name in enumerate(columns, 1)}
    return by_objective


def _objective(name: str) -> str:
    """The name of an objective made of that of a column."""
    better = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return better if re.fullmatch(OBJECTIVE_PATTERN, better) else "score"
