"""Words for the columns of a table, and the fields of an example."""

from __future__ import annotations

from collections.abc import Sequence

from podium.core.competition_settings.tables import TableColumnChoice
from podium.scoring.column_kinds import COLUMN_KINDS, sample_of
from podium.scoring.names import header_of

_SHOWN_CATEGORIES = 5


def column_words(column: TableColumnChoice) -> str:
    """Describes the values of a column in words.

    >>> column_words(TableColumnChoice(name="p", minimum=0, maximum=1))
    'a number from 0 to 1'
    """
    words = COLUMN_KINDS[column.type].words
    if column.values:
        words += f" of {_shown(column.values)}"
    least, largest = (
        None if bound is None else f"{bound:.15g}" for bound in (column.minimum, column.maximum)
    )
    if least is not None and largest is not None:
        words += f" from {least} to {largest}"
    elif least is not None:
        words += f", at least {least}"
    elif largest is not None:
        words += f", at most {largest}"
    return f"{words}; may be empty" if column.is_optional else words


def _shown(values: Sequence[str]) -> str:
    shown = ", ".join(values[:_SHOWN_CATEGORIES])
    return f"{shown}{', …' if len(values) > _SHOWN_CATEGORIES else ''}"


def sample_fields(columns: Sequence[TableColumnChoice]) -> str:
    """Formats the fields of these columns in an example row."""
    return header_of(sample_of(column.column()) for column in columns)
