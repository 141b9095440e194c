"""Defines the layout of rows of pairs: one to three ids, and a number for each objective."""

from __future__ import annotations

from podium.scoring.columns import TableColumn
from podium.scoring.hints.texts import LARGEST_NUMBER, Hint
from podium.scoring.parquet.footer import MAX_NODES
from podium.scoring.rows.fields import read_score
from podium.scoring.rows.layout import KeyColumn, RowLayout, RowWords
from podium.scoring.task import Task

_WORDS = RowWords(
    one="pair",
    named="({})",
    listed="({})",
    of_value="{1}",
    unknown_hint=Hint.UNPUBLISHED_PAIR,
    twice_hint=Hint.PAIR_ONCE,
    missing_hint=Hint.MISSING_PAIRS,
    cells=("numbers", ""),
)


def layout_of(task: Task, *, probabilities: bool = False) -> RowLayout:
    """Builds the layout of a task's submissions, whose numbers are `probabilities`, or any."""
    least, largest = (0.0, 1.0) if probabilities else (-LARGEST_NUMBER, LARGEST_NUMBER)
    return RowLayout(
        task,
        names=task.columns,
        keys=_keys(task),
        values=tuple(
            TableColumn(name=name, minimum=least, maximum=largest) for name in task.number_columns
        ),
        read_value=read_score,
        words=_WORDS,
        max_nodes=MAX_NODES,
    )


def _keys(task: Task) -> tuple[KeyColumn, ...]:
    kinds = (task.query_ids, task.item_ids, task.context_ids)
    words = (
        ("user", "is not a user"),
        ("item", "is not an item id"),
        ("context", "is not a context"),
    )
    return tuple(
        KeyColumn(column, kind, f"is not the id of a {one}", Hint.TEXT_ID)
        if kind == "string"
        else KeyColumn(column, kind, refusal, _WHOLE[one], takes_zeros=one == "item")
        for column, kind, (one, refusal) in zip(task.pair_columns, kinds, words, strict=False)
    )


_WHOLE = {
    "user": Hint.WHOLE_USER.format("user"),
    "item": str(Hint.WHOLE_ITEM),
    "context": Hint.WHOLE_USER.format("context"),
}
