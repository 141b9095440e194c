"""Recognizes tables: each id has one row, and the second column does not hold items."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from podium.scoring.kinds.first_rows import (
    SHORT_NAME,
    FirstRows,
    Guess,
    Recognizer,
    id_kind,
    sample_of,
)
from podium.scoring.names import is_name

MIN_ROWS = 3
"""The fewest rows that distinguish zeros and ones from ids of items."""

MAX_CATEGORIES = 20

_NUMBER = re.compile(r"-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")


def _plain(rows: FirstRows) -> Guess | None:
    """Recognizes a table whose second column does not hold ids of items: some of its numbers have a
    point or a sign, or they are only zeros and ones."""
    values = rows.given(rows.names[1])
    is_yes_or_no = set(values) == {"0", "1"} and len(values) >= MIN_ROWS
    return _table(rows) if is_yes_or_no or not all(map(str.isdigit, values)) else None


def _table(rows: FirstRows) -> Guess | None:
    """Recognizes one row for each id, with numbers in the second column. All columns except that of
    the ids are predicted, and each one of numbers is an objective."""
    id_column, *others = rows.names
    ids, given = rows.cells[id_column], {name: rows.given(name) for name in others}
    are_named = all(map(is_name, rows.names))
    are_numbers = given[others[0]] and all(map(_NUMBER.fullmatch, given[others[0]]))
    if not (are_named and are_numbers) or len(set(ids)) < max(2, len(ids)):
        return None
    columns = [_column(name, texts) for name, texts in given.items()]
    numbers = [str(each["name"]) for each in columns if each["type"] == "number"]
    objectives = {name: [column] for name, column in objectives_of(numbers).items()}
    are_yes_or_no = all(set(given[name]) == {"0", "1"} for name in numbers)
    metric = "auc" if are_yes_or_no else "rmse"
    return Guess(
        "table",
        "A table: a row for each id, with values in named columns.",
        table_settings(id_column, id_kind(ids), columns, objectives, metric=metric),
        sample_of(rows.names, ids, ",".join("0" for _ in others)),
        is_wide=True,
    )


def table_settings(
    id_column: str,
    query_ids: str,
    columns: Sequence[Mapping[str, object]],
    objectives: Mapping[str, Sequence[str]],
    **beside: object,
) -> dict[str, object]:
    """Builds the settings of a table with these described columns, each objective using some of
    them."""
    return {
        "task": "table",
        "id_column": id_column,
        "query_ids": query_ids,
        "table_columns": columns,
        "objectives": dict.fromkeys(objectives, 1),
        "objective_columns": {
            objective: names for objective, names in objectives.items() if [objective] != names
        },
        **beside,
        "missing_rows": "reject",
    }


def _column(name: str, given: Sequence[str]) -> dict[str, object]:
    if all(map(_NUMBER.fullmatch, given)):
        return {"name": name, "type": "number"}
    kinds = sorted(set(given))
    if len(kinds) <= min(MAX_CATEGORIES, len(given) // 3):
        return {"name": name, "type": "category", "values": kinds}
    return {"name": name, "type": "text"}


def objectives_of(columns: Sequence[str]) -> dict[str, str]:
    """Maps names of objectives to the columns that they score.

    >>> objectives_of(["Price", "수량"]), objectives_of(["a b", "A_B"])
    ({'price': 'Price', '수량': '수량'}, {'target-1': 'a b', 'target-2': 'A_B'})
    """
    by_objective = {_objective(name): name for name in columns}
    if len(by_objective) < len(columns):
        return {f"target-{place}": name for place, name in enumerate(columns, 1)}
    return by_objective


def _objective(name: str) -> str:
    """Shortens the name of a column to letters, digits and hyphens; one of another alphabet stays
    as it is."""
    if not name.isascii():
        return name
    better = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return better if SHORT_NAME.fullmatch(better) else "score"


TABLE_ROWS = Recognizer(_plain, in_table_meant=_table)
