"""A whole submission of lists: a file of unknown bytes in; the findings of a plan, or all that
is wrong with it, out.

The strict reader and that of Parquet are loaded where a file needs them: most judgings start
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

from podium.scoring.containers.detection import Container, as_rows, open_source, recognize
from podium.scoring.kernel.library import kernel
from podium.scoring.kernel.text import Lines, NotPlain, WholeLines
from podium.scoring.lists.compiled import read_lists
from podium.scoring.lists.joined import are_usual, may_join
from podium.scoring.lists.plan import ListsRead, ReadingPlan
from podium.scoring.problems import FileRejected
from podium.scoring.published import PublishedIds
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
    its beginning, where it is had already.

    What the compiled reader does not take, the strict reader looks at line by line; it rejects the
    file or writes it as canonical text to `scratch`. `progress` gets the share that is done, 0 to
    1, from any thread.
    """
    try:
        read = read_plain(file, task, published, plan, progress, unpacked)
        if read is not None and not _is_joined(read, task):
            return read
        with tempfile.TemporaryDirectory(dir=scratch) as folder:
            canonical = Path(folder) / "canonical.csv"
            counts = _canonical(file, canonical, task, published)
            if kernel() is None:
                from podium.scoring.lists.uncompiled import read_canonical

                found = read_canonical(
                    canonical, task=task, published=published, counts=counts, plan=plan
                )
                if progress is not None:
                    progress(1.0)
                return found
            read = read_plain(canonical, task, published, plan, progress)
    except FileRejected as rejected:
        if recognize(file) is Container.PARQUET:
            raise FileRejected(as_rows(rejected.rejection)) from rejected
        raise
    # Two readings of the same thing that differ are our fault, never a score.
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
) -> ListsRead[T] | None:
    """The findings of the compiled reader; None where the text is not plain, or it was not built.
    The other arguments are those of `read_submission`."""
    functions, container = kernel(), recognize(file)
    if functions is None:
        return None
    try:
        with _lines(file, container, functions, task, published, unpacked) as lines:
            return read_lists(
                lines,
                functions,
                task=task,
                published=published,
                plan=plan,
                progress=progress,
                # The thread that unpacks is one of as many.
                threads=max(1, pl.thread_pool_size() - container.is_unpacked),
            )
    except NotPlain:
        return None


def _is_joined(read: ListsRead[T], task: Task) -> bool:
    """True if lists may have the wrong separators: the strict reader says so, or not."""
    return may_join(task) and are_usual(read.joined, lists=read.rows - read.empty)


@contextmanager
def _lines(
    file: Path,
    container: Container,
    functions: ctypes.CDLL,
    task: Task,
    published: PublishedIds,
    unpacked: io.RawIOBase | None,
) -> Iterator[Lines]:
    if unpacked is not None:
        # It ends here: where the strict reader has to look, it reads the file from its beginning.
        with unpacked:
            yield WholeLines(unpacked)
        return
    max_rows = published.count + MAX_SURPLUS_ROWS
    if container is Container.PARQUET:
        from podium.scoring.lists.parquet_lines import ParquetLines

        yield ParquetLines(file, task, functions, max_rows=max_rows)
        return
    with open_source(file, task) as source:
        yield WholeLines(source)


def _canonical(file: Path, canonical: Path, task: Task, published: PublishedIds) -> LineCounts:
    from podium.scoring.lists.canonical import write_canonical
    from podium.scoring.lists.opening import list_blocks

    with canonical.open("wb") as sink:
        blocks = list_blocks(file, task, max_rows=published.count + MAX_SURPLUS_ROWS)
        return write_canonical(blocks, task=task, published=published, sink=sink)
