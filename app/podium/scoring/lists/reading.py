"""Reads a whole submission of lists: from a file of unknown bytes to the results of a plan, or a
rejection with all problems.

The strict reader and that of Parquet are imported where a file needs them: most judgings start
without.
"""

from __future__ import annotations

import ctypes
import io
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import polars as pl

from podium.scoring.containers.detection import Container, recognize
from podium.scoring.kernel.library import kernel
from podium.scoring.kernel.text import Lines, NotPlain, WholeLines
from podium.scoring.lists.compiled import read_lists
from podium.scoring.lists.joined import are_usual, may_join
from podium.scoring.lists.ordered.item_lines import ItemLines
from podium.scoring.lists.plan import ListsRead, ReadingPlan
from podium.scoring.published import PublishedIds
from podium.scoring.rewriting.opening import problems_as_written, spelled_source, spelling_in
from podium.scoring.rewriting.spelling import PODIUM, Spelling
from podium.scoring.task import MAX_SURPLUS_ROWS, Task

if TYPE_CHECKING:
    from podium.scoring.lists.lines import LineCounts

T = TypeVar("T")
Progress = Callable[[float], None]


def read_submission(
    file: Path,
    *,
    task: Task,
    published: PublishedIds,
    plan: ReadingPlan[T],
    scratch: Path,
    progress: Progress | None = None,
    unpacked: io.RawIOBase | None = None,
) -> ListsRead[T]:
    """Reads and checks a submission. Raises FileRejected. `unpacked` is the text of the file from
    its start, where it has already been opened.

    A file that the compiled reader does not accept is read line by line by the strict reader, which
    rejects it or writes it as canonical text to `scratch`. `progress` is called with the completed
    share, 0 to 1, from any thread.
    """
    spelling = spelling_in(file, task)
    with problems_as_written(file, task, spelling):
        read = read_plain(file, task, published, plan, progress, unpacked, spelling)
        if read is not None and not _is_joined(read, task):
            return read
        with tempfile.TemporaryDirectory(dir=scratch) as folder:
            canonical = Path(folder) / "canonical.csv"
            counts = _canonical(file, canonical, task, published, spelling)
            if kernel() is None:
                from podium.scoring.lists.uncompiled import read_canonical

                found = read_canonical(
                    canonical, task=task, published=published, counts=counts, plan=plan
                )
                if progress is not None:
                    progress(1.0)
                return found
            read = read_plain(canonical, task, published, plan, progress)
    # Two readings of the same file that differ are a bug of Podium, never a score.
    if read is None or (read.rows, read.missing, read.empty) != (
        counts.rows,
        counts.missing,
        counts.empty,
    ):
        raise AssertionError("the two readers disagree")  # pragma: no cover - they agree
    return read


def read_plain(
    file: Path,
    task: Task,
    published: PublishedIds,
    plan: ReadingPlan[T],
    progress: Progress | None,
    unpacked: io.RawIOBase | None = None,
    spelling: Spelling = PODIUM,
) -> ListsRead[T] | None:
    """Returns the results of the compiled reader; None where the text is not plain, or the reader
    was not built. The other arguments are those of `read_submission`."""
    functions, container = kernel(), recognize(file)
    if functions is None:
        return None
    try:
        with _lines(file, container, functions, task, published, unpacked, spelling) as lines:
            return read_lists(
                lines,
                functions,
                task=task,
                published=published,
                plan=plan,
                progress=progress,
                # The thread that decompresses is one of them.
                threads=max(1, pl.thread_pool_size() - container.is_unpacked),
            )
    except NotPlain:
        return None


def _is_joined(read: ListsRead[T], task: Task) -> bool:
    """True if lists may have the wrong separators, which the strict reader decides."""
    return may_join(task) and are_usual(read.joined, lists=read.rows - read.empty)


@contextmanager
def _lines(
    file: Path,
    container: Container,
    functions: ctypes.CDLL,
    task: Task,
    published: PublishedIds,
    unpacked: io.RawIOBase | None,
    spelling: Spelling,
) -> Iterator[Lines]:
    if unpacked is not None:
        # It ends here: all other readers read the file itself, from its start.
        with unpacked:
            if spelling == PODIUM:
                yield WholeLines(unpacked)
                return
    max_rows = published.count + MAX_SURPLUS_ROWS
    if container is Container.PARQUET and not spelling.item_column:
        from podium.scoring.lists.parquet_lines import ParquetLines

        yield ParquetLines(file, task, functions, max_rows=max_rows)
        return
    with spelled_source(file, task, spelling) as source:
        yield list_lines(source, functions, task, spelling)


def list_lines(
    source: io.RawIOBase, functions: ctypes.CDLL, task: Task, spelling: Spelling
) -> Lines:
    """Returns the rows of lists of an opened text, for the compiled functions. Raises NotPlain."""
    if spelling.item_column:
        return ItemLines(source, functions, task, spelling)
    return WholeLines(source)


def _canonical(
    file: Path, canonical: Path, task: Task, published: PublishedIds, spelling: Spelling
) -> LineCounts:
    from podium.scoring.lists.canonical import write_canonical
    from podium.scoring.lists.opening import list_blocks

    with canonical.open("wb") as sink:
        max_rows = published.count + MAX_SURPLUS_ROWS
        blocks = list_blocks(file, task, max_rows=max_rows, spelling=spelling)
        return write_canonical(blocks, task=task, published=published, sink=sink, spelling=spelling)
