"""The beginnings of files of one's own: their columns, and the kinds of ids in their rows."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from podium.cli.offline.described import objectives_beside, told_by_dataset
from podium.errors import NotConfigured

if TYPE_CHECKING:
    import polars as pl

    from podium.materials.rules.guessing import Guess

QRELS_COLUMNS = ("topic", "docno", "relevance")
LONG_COLUMNS = ("item", "aid", "docno")
HEAD_BYTES = 64 << 10
HEAD_ROWS = 1000
"""The part of a file that is looked at."""


@dataclass(frozen=True)
class TableHead:
    """The beginning of a table: its columns, and the settings that its rows ask for, by the same
    guess as that of a new competition's ground truth."""

    columns: list[str]
    settings: Mapping[str, object]
    is_long: bool = False
    """True of one row for each relevant item."""

    has_items: bool = True
    """False of a sample submission whose lists are empty."""

    @property
    def labels_column(self) -> str:
        """The name of the column of lists; of a file without one, the usual name."""
        has_another = len(self.columns) > 1 and "labels" not in self.columns and not self.is_long
        return self.columns[1] if has_another else "labels"


def table_head(known: Path) -> TableHead:
    """The beginning of a table, whatever its container; qrels have no header, and ids of text.
    Label JSON lines in a prepared folder have no columns, for that names their objectives."""
    from podium.scoring.truth.qrels import looks_like_qrels

    if looks_like_qrels(known):
        return TableHead(list(QRELS_COLUMNS), {}, is_long=True)
    head = head_of(known)
    if is_json(head):
        if objectives_beside(known):
            return TableHead([], {})
        raise NotConfigured(
            f"{known} is JSON, which names objectives, and --metric means a single one: use"
            " --preset with otto, or with a file of settings that has the objectives and the"
            ' metric, such as {"objectives": {"clicks": 1, "orders": 2}, "metric": "ndcg@10"}.'
        )
    columns = names_in(head)
    guess = guess_at(head)
    if guess.is_unreadable:
        raise NotConfigured(f"{known}: {guess.problem}")
    has_lists = any(" " in row[1].strip() for row in guess.rows if len(row) > 1)
    is_named_so = len(columns) > 1 and columns[1] in LONG_COLUMNS
    is_long = guess.shape == "pairs" or (is_named_so and not has_lists)
    has_items = any("".join(row[1:]) for row in guess.rows)
    settings = _settings_of_sample(columns, head) or guess.settings
    return TableHead(columns, {**settings, **told_by_dataset(known)}, is_long, has_items)


def _settings_of_sample(columns: Sequence[str], head: bytes) -> Mapping[str, object]:
    """The settings that a sample submission of pairs asks for; empty for any other file."""
    from podium.materials.rules.pair_tables import settings_of_sample

    whole = head[: head.rfind(b"\n")] if len(head) >= HEAD_BYTES else head
    _, *rows = csv.reader(whole.decode("utf-8", "replace").splitlines())
    is_table = bool(rows) and all(len(row) == len(columns) for row in rows)
    return settings_of_sample(columns, rows) if is_table else {}


def guess_at(head: bytes) -> Guess:
    """The guess of a ground truth by its beginning, as `head_of` answers it."""
    from podium.materials.rules.guessing import guess_of

    return guess_of(head, is_cut=len(head) >= HEAD_BYTES)


def is_json(head: bytes) -> bool:
    """True of label JSON lines."""
    return head.lstrip().startswith(b"{")


def names_in(head: bytes) -> list[str]:
    """The names of a table's columns."""
    line = head.split(b"\n", 1)[0].strip().decode("utf-8", "replace")
    return [column.strip().strip('"') for column in line.split(",")]


def head_of(known: Path) -> bytes:
    """The first lines of a file, unpacked; those of Parquet as a table of text."""
    from podium.scoring.containers.detection import Container, open_blocks, recognise
    from podium.scoring.lists.parquet import first_rows
    from podium.scoring.problems import FileRejected
    from podium.scoring.task import OTTO

    try:
        if recognise(known) is Container.PARQUET:
            return _as_text(first_rows(known, HEAD_ROWS))
        block = next(open_blocks(known, OTTO, max_rows=0, block_bytes=HEAD_BYTES), b"")
    except FileRejected as failure:
        raise NotConfigured(f"{known}: {failure}") from None
    return block.removeprefix(codecs.BOM_UTF8)


def _as_text(frame: pl.DataFrame) -> bytes:
    """Rows as CSV; a column that no text stands for is empty, and the reader of the file names
    it."""
    import polars as pl

    from podium.scoring.containers.parquet_types import as_lists, holds_lists, is_list

    for name, kind in frame.schema.items():
        if holds_lists(kind):
            texts = as_lists(name, kind).cast(pl.List(pl.String)).list.join(" ")
        elif is_list(kind) or kind in (pl.Struct, pl.Binary, pl.Object):
            texts = pl.lit(None, dtype=pl.String).alias(name)
        else:
            continue
        frame = frame.with_columns(texts)
    return frame.write_csv().encode()


def require_regular(*files: Path) -> None:
    """Refuses devices, because files are read more than once."""
    for file in files:
        if not file.is_file():
            raise NotConfigured(f"{file} is not a regular file: save what it gives to one first.")
