"""Rewrites Parquet with one item in each row as text: the same bytes that a CSV with these values
would have."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from podium.scoring.containers.detection import limited, text_limit
from podium.scoring.names import header_of
from podium.scoring.parquet.cells import as_lines
from podium.scoring.parquet.columns import check_footer, decoded_groups, open_columns
from podium.scoring.parquet.footer import read_footer
from podium.scoring.parquet.types import IDS, TEXTS, WHOLE_IDS, holds_ids, type_refused
from podium.scoring.problems import Code
from podium.scoring.rewriting.spelling import Spelling
from podium.scoring.task import Task

MAX_GROUP_ROWS = 1 << 21
"""The most rows of one row group: far fewer bytes may repeat them than they take in memory."""

_SHORTEST_ROW = len("1,\n")


def item_row_pieces(path: Path, task: Task, spelling: Spelling) -> Iterator[bytes]:
    """Yields a header and rows with the columns of the spelling, in their order. Raises
    `FileRejected` with the `row`, also for cells that a line cannot represent."""
    yield from limited(_pieces(path, task, spelling), text_limit(path, task))


def _pieces(path: Path, task: Task, spelling: Spelling) -> Iterator[bytes]:
    names, footer = spelling.names, read_footer(path)
    most = text_limit(path, task) // _SHORTEST_ROW
    check_footer(footer, task, names, max_rows=most, max_group_values=MAX_GROUP_ROWS)
    columns = open_columns(path)
    _check_schema(columns.collect_schema(), spelling)
    yield f"{header_of(names)}\n".encode()
    codes = dict.fromkeys(names, Code.BAD_LABEL) | {task.id_column: Code.BAD_ID}
    # An item that is missing is that of an empty list.
    others = [name for name in names if name != task.id_column]
    groups = decoded_groups(columns, names, footer)
    yield from as_lines(groups, codes, may_lack=others, longest=task.max_line_bytes)


def _check_schema(schema: pl.Schema, spelling: Spelling) -> None:
    for name in spelling.names:
        kind = schema[name]
        if name != spelling.order and not holds_ids(kind):
            raise type_refused(name, kind, IDS, WHOLE_IDS)
        if name == spelling.order and not (kind.is_numeric() or isinstance(kind, TEXTS)):
            raise type_refused(name, kind, "numbers")
