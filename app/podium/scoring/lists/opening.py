"""Opens the text of a submission of lists in any container; Parquet is converted to equivalent
text."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

from podium.scoring.containers.detection import BLOCK_BYTES, is_parquet
from podium.scoring.kernel.text import Pieces
from podium.scoring.lists.parquet import parquet_pieces
from podium.scoring.rewriting.opening import spelled_blocks, spelled_source
from podium.scoring.rewriting.spelling import PODIUM, Spelling
from podium.scoring.task import Task
from podium.scoring.text.blocks import whole_lines


def list_blocks(
    path: Path,
    task: Task,
    *,
    max_rows: int,
    block_bytes: int = BLOCK_BYTES,
    spelling: Spelling = PODIUM,
) -> Iterator[bytes]:
    """Yields the text in order, in blocks that end right after an LF, except for the last. A
    Parquet file with more than `max_rows` rows is refused by its footer. Raises `FileRejected`,
    possibly after some blocks."""
    if is_parquet(path) and not spelling.item_column:
        yield from whole_lines(parquet_pieces(path, task, max_rows=max_rows), block_bytes)
    else:
        yield from spelled_blocks(path, task, spelling, block_bytes=block_bytes)


def list_source(
    path: Path, task: Task, *, max_rows: int, spelling: Spelling = PODIUM
) -> io.RawIOBase:
    """Opens the same text as a file; raises `FileRejected`, possibly while it is read."""
    if is_parquet(path) and not spelling.item_column:
        return Pieces(parquet_pieces(path, task, max_rows=max_rows))
    return spelled_source(path, task, spelling)
