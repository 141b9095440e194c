"""Defines the layout of rows of tables: an id, and the columns that the organizer describes."""

from __future__ import annotations

from podium.scoring.column_kinds import read_field
from podium.scoring.hints.texts import Hint
from podium.scoring.parquet.columns import MAX_TABLE_NODES
from podium.scoring.rows.layout import KeyColumn, RowLayout, RowWords
from podium.scoring.task import Task

_WORDS = RowWords(
    one="id",
    named="“{}”",
    listed="{}",
    of_value="{0}: {1}",
    unknown_hint=Hint.UNPUBLISHED_ID,
    twice_hint=Hint.ID_ONCE,
    missing_hint=Hint.MISSING_ROWS,
)


def layout_of(task: Task) -> RowLayout:
    """Builds the layout of a task's submissions."""
    return RowLayout(
        task,
        names=task.columns,
        keys=(key_of(task),),
        values=task.table,
        read_value=read_field,
        words=_WORDS,
        max_nodes=MAX_TABLE_NODES,
        has_texts=True,
        has_one_zero=True,
        keys_first=True,
    )


def key_of(task: Task) -> KeyColumn:
    """Describes the column of ids."""
    hint = Hint.TEXT_ID if task.query_ids == "string" else Hint.WHOLE_ID
    return KeyColumn(task.id_column, task.query_ids, "is not an id", hint)
