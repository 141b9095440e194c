"""Spools a submission's lists to disk, to be read by query: memory stays bounded, for any order of
rows and any number of submissions."""

from __future__ import annotations

import ctypes
import mmap
import sys
from pathlib import Path
from threading import Lock

import polars as pl

from podium.scoring.hits import Hits
from podium.scoring.kernel.columns import Array, Column
from podium.scoring.kernel.library import compiled
from podium.scoring.lists.plan import ListBlock, ListsRead, ReadingPlan
from podium.scoring.lists.reading import read_submission
from podium.scoring.published import PublishedIds
from podium.scoring.repeating import repeat
from podium.scoring.task import MAX_K, Task
from podium.scoring.truth.canonical import GroundTruth


class ListSpool:
    """The first `depth` items of the lists of one submission.

    The list of a query has `lengths[query]` items (uint32_t) from position `starts[query]`
    (uint64_t) of all items written. Text items are encoded as numbers, the indices of their texts
    in `names`.
    """

    def __init__(self, file: Path, *, queries: int, depth: int, text_items: bool) -> None:
        """Creates the new `file`, which takes four bytes per item. Raises RuntimeError where the
        compiled functions are missing."""
        self.functions = compiled()
        self.queries, self.depth = queries, depth
        self.starts, self.lengths = Array(8 * queries), Array(4 * queries)
        self._numbers: dict[str, int] | None = {} if text_items else None
        self._file = file
        self._items = 0
        self._lock = Lock()
        self._mapped: mmap.mmap | None = None

    def add(self, block: ListBlock) -> None:
        """Writes some lists; safe to call from any thread."""
        queries, lengths = Column(block.query), Column(block.length)
        with self._lock:
            items = block.items if self._numbers is None else self._numbered(block.items)
            first = self._items
            self._items += len(items)
            with self._file.open("ab", buffering=0) as file:
                file.write(Column(items).view())
        # In place: each query has one list.
        self.functions.podium_place_lists(
            queries.address,
            lengths.address,
            len(block.query),
            first,
            self.starts.address,
            self.lengths.address,
        )

    @property
    def names(self) -> pl.Series | None:
        """The texts of items by their numbers; None where items are numbers themselves."""
        return None if self._numbers is None else pl.Series(list(self._numbers), dtype=pl.String)

    @property
    def address(self) -> int | None:
        """The address of all written items in memory, Int32; None without items."""
        if not self._items:
            return None
        if self._mapped is None:
            # A private copy of pages that are never written to, as ctypes accepts no read-only
            # memory.
            with self._file.open("r+b") as file:
                self._mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        return ctypes.addressof(ctypes.c_char.from_buffer(self._mapped))

    def give_back(self) -> None:
        """Releases the memory of the items, which are read from disk when they are needed again."""
        if self._mapped is not None and sys.platform != "win32":
            self._mapped.madvise(mmap.MADV_DONTNEED)

    def list_of(self, query: int) -> list[int] | list[str]:
        """Returns the items of one list."""
        start = memoryview(self.starts.bytes).cast("Q")[query]
        length = memoryview(self.lengths.bytes).cast("I")[query]
        if not length or self.address is None:
            return []
        numbers = list((ctypes.c_int32 * length).from_address(self.address + 4 * start))
        return numbers if self._numbers is None else [list(self._numbers)[n] for n in numbers]

    def _numbered(self, items: pl.Series) -> pl.Series:
        assert self._numbers is not None
        texts = items.unique()
        numbers = [self._numbers.setdefault(text, len(self._numbers)) for text in texts]
        return items.replace_strict(texts, numbers, return_dtype=pl.Int32)


def spooled(
    file: Path, *, task: Task, published: PublishedIds, depth: int, scratch: Path
) -> ListSpool:
    """Checks a submission as in a judging, and spools the first `depth` items of its lists to a new
    file in `scratch`. Lists may be longer than what is scored. Raises FileRejected."""
    return _spooled(file, task, published, depth, scratch, None)[0]


def spooled_with_hits(
    file: Path, truth: GroundTruth, *, published: PublishedIds, depth: int, scratch: Path
) -> tuple[ListSpool, Hits]:
    """Spools like `spooled`, and finds in the same pass the labels among the stored items."""
    spool, read = _spooled(file, truth.task, published, depth, scratch, truth.frame)
    assert read.ranks is not None
    of_all = pl.Series(memoryview(spool.lengths.bytes).cast("I"), dtype=pl.UInt32)
    return spool, Hits(read.ranks, truth, lengths=of_all.gather(truth.queries["query"]))


def _spooled(
    file: Path,
    task: Task,
    published: PublishedIds,
    depth: int,
    scratch: Path,
    labels: pl.DataFrame | None,
) -> tuple[ListSpool, ListsRead[None]]:
    every = repeat(1, published.count, pl.UInt8)
    # Lists that were written before a row that is not plain was met are written once more.
    spool = ListSpool(
        scratch / f"lists-{len(list(scratch.iterdir()))}",
        queries=published.count,
        depth=depth,
        text_items=task.item_ids == "string",
    )
    read = read_submission(
        file,
        task=deep(task),
        published=published,
        plan=ReadingPlan(depth, labels, every, spool.add),
        scratch=scratch,
    )
    return spool, read


def deep(task: Task) -> Task:
    """Derives a task for lists that are longer than what is scored."""
    return task.scored_by(f"recall_capped@{MAX_K}:micro")
