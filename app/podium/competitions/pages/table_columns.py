"""The columns of a table in a form of settings: one on each line."""

from __future__ import annotations

import json

from podium.competitions.pages.written_names import names_under, shown_name
from podium.core.competition_settings import CompetitionSettings


def shown(settings: CompetitionSettings) -> str:
    """Writes each column as a JSON object with the members that differ from the defaults."""
    return "\n".join(
        json.dumps(column.model_dump(mode="json", exclude_defaults=True), ensure_ascii=False)
        for column in settings.table_columns
    )


def read(text: str) -> list[object]:
    r"""Inverse of `shown`; a line that is not JSON is passed on as text, for the API to refuse. A
    bare name is a column of numbers.

    >>> read('{"name": "price"}\nyear')
    [{'name': 'price'}, {'name': 'year'}]
    """
    return [_column(line.strip()) for line in text.splitlines() if line.strip()]


def _column(line: str) -> object:
    if not line.startswith("{"):
        return {"name": line}
    try:
        found: object = json.loads(line)
    except ValueError:
        return line
    return found


def shown_by_objective(settings: CompetitionSettings) -> str:
    """Writes each objective with its columns, separated by commas."""
    return "\n".join(
        f"{shown_name(name)}: {', '.join(map(_among_columns, columns))}"
        for name, columns in settings.objective_columns.items()
    )


def _among_columns(name: str) -> str:
    """Formats the name of a column for a list of them, where spaces and colons separate nothing."""
    return shown_name(name) if {",", '"'} & set(name) else name


def read_by_objective(text: str) -> dict[str, list[str]]:
    """Inverse of `shown_by_objective`.

    >>> read_by_objective("breed: cat, dog")
    {'breed': ['cat', 'dog']}
    """
    return dict(names_under(line) for line in text.splitlines() if line.strip())
