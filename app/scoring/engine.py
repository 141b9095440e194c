"""Judging as pure computation: read → check → hits → splits → metric.

One file in, integers out. No database, no clock, no network; scratch space is given by the caller.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import polars as pl

from podium.scoring.analysis.fingerprint import NO_PART, FingerprintReader
from podium.scoring.containers.detection import Container, as_rows, open_blocks, recognise
from podium.scoring.hits import FOUND_SCHEMA, Hits, LabelIndex, find_hits
from podium.scoring.items import ItemFile
from podium.scoring.kinds import Published, Truth, ids_of, pairs_of
from podium.scoring.lists.canonical import write_canonical
from podium.scoring.lists.fast import NotPlain, Rows
from podium.scoring.lists.frames import RowsRead, read_rows
from podium.scoring.metrics import prediction_reader, rank_metric_of
from podium.scoring.predictions import PredictionReader, Predictions
from podium.scoring.problems import FileRejected
from podium.scoring.published import PublishedIds
from podium.scoring.ratings.judging import counts_of, judge_ratings, perfect_ratings, sample_ratings
from podium.scoring.ratings.pairs import PublishedPairs
from podium.scoring.ratings.reading import read_predictions
from podium.scoring.ratings.truth import TrueRatings
from podium.scoring.result import ScoreResult
from podium.scoring.split_scores import split_scores
from podium.scoring.task import MAX_SURPLUS_ROWS, Task

SCORER_VERSION = "1"
"""Changes whenever the same file could get another verdict."""

BLOCK_BYTES = 6 << 20
"""Text in one block. Columns and masks of larger ones leave the processor's cache, and above 8 MiB
the allocator of Polars returns their memory to the system each time, which costs more than all
else."""

Progress = Callable[[float], None]
T = TypeVar("T")


def judge(
    file: Path,
    *,
    task: Task,
    published: Published,
    truth: Truth,
    scratch: Path,
    items: ItemFile | None = None,
    hits_to: Path | None = None,
    progress: Progress | None = None,
    fingerprint_seed: int | None = None,
) -> ScoreResult:
    """Scores a submission on every split of `truth`. Raises FileRejected, and ValueError where a
    metric needs what `items` does not tell.

    `scratch` is a folder for at most one file as large as the submission's text. `hits_to` gets the
    hits as Parquet (`query`, `item`, `rank`), or of ratings the errors (`query`, `error`), as
    secret as the ground truth. `progress` gets the share that is done, 0 to 1, from any thread.
    With `fingerprint_seed` the answer has a fingerprint of what is predicted.
    """
    marks = _marks(fingerprint_seed, published)
    if isinstance(truth, TrueRatings):
        pairs = pairs_of(published)
        counts, splits, fingerprint = judge_ratings(
            file, task, pairs, truth, errors_to=hits_to, progress=progress, marks=marks
        )
        return ScoreResult(counts, splits, SCORER_VERSION, fingerprint)
    with ThreadPoolExecutor(1) as early:
        # Reading begins meanwhile; only the first hits wait for the index.
        index = early.submit(LabelIndex.of, truth)
        early.submit(truth.count_up)
        lists = prediction_reader([rank_metric_of(metric) for metric in task.metrics], truth, items)
        read = read_submission(
            file,
            lambda rows: (
                find_hits(rows, index.result(), task.depth),
                lists.read(rows) if lists else None,
                marks.read(rows) if marks else NO_PART,
            ),
            task=task,
            published=ids_of(published),
            scratch=scratch,
            progress=progress,
        )
    found = pl.concat([pl.DataFrame(schema=FOUND_SCHEMA), *(part[0] for part in read.parts)])
    hits = Hits(found, truth, _predictions(lists, [part[1] for part in read.parts], items))
    with ThreadPoolExecutor(1) as beside:
        if hits_to is not None:
            beside.submit(hits.write, hits_to)
        fingerprint = marks.whole([part[2] for part in read.parts]) if marks else None
        return ScoreResult(_counts(read), split_scores(hits, truth), SCORER_VERSION, fingerprint)


def validate(
    file: Path,
    *,
    task: Task,
    published: Published,
    scratch: Path,
    progress: Progress | None = None,
) -> dict[str, int]:
    """The checks of `judge` without a ground truth: the counts of a good file (`rows`, `missing`,
    `empty`). Raises FileRejected."""
    if isinstance(published, PublishedPairs):
        read_predictions(file, task=task, published=published, progress=progress)
        return counts_of(published)
    read = read_submission(
        file,
        lambda rows: None,
        task=task,
        published=published,
        scratch=scratch,
        progress=progress,
    )
    return _counts(read)


def sample_submission(published: Published, task: Task) -> Iterator[bytes]:
    """A complete submission that predicts nothing: every published id with empty labels, or every
    published pair with a 0."""
    if isinstance(published, PublishedPairs):
        yield from sample_ratings(published, task)
        return
    yield _header(task)
    for start in range(0, published.count, _ROWS_WRITTEN):
        stop = min(start + _ROWS_WRITTEN, published.count)
        yield "".join(f"{published.id_of(query)},\n" for query in range(start, stop)).encode()


def perfect_submission(truth: Truth, published: Published, task: Task) -> Iterator[bytes]:
    """A complete submission that reaches the attainable optimum: all labels, the most relevant
    first, or all true ratings. As secret as the ground truth."""
    if isinstance(truth, TrueRatings):
        yield from perfect_ratings(truth, pairs_of(published), task)
        return
    yield _header(task)
    best = truth.frame.with_columns(relevance=truth.relevances).sort(
        "query", "relevance", descending=[False, True], maintain_order=True
    )
    labels = best.group_by("query", maintain_order=True).agg(
        pl.col("item").cast(pl.String).head(task.depth).str.join(" ")
    )
    texts = dict(labels.iter_rows())
    for start in range(0, published.count, _ROWS_WRITTEN):
        stop = min(start + _ROWS_WRITTEN, published.count)
        yield "".join(
            f"{published.id_of(query)},{texts.get(query, '')}\n" for query in range(start, stop)
        ).encode()


def _predictions(
    lists: PredictionReader | None,
    parts: Sequence[pl.DataFrame | None],
    items: ItemFile | None,
) -> Predictions | None:
    if lists is not None:
        return lists.whole([part for part in parts if part is not None])
    return None if items is None else Predictions(items)


def _marks(seed: int | None, published: Published) -> FingerprintReader | None:
    return None if seed is None else FingerprintReader(seed=seed, queries=published.count)


_ROWS_WRITTEN = 100_000


def _header(task: Task) -> bytes:
    return f"{task.id_column},{task.labels_column}\n".encode()


def read_submission(
    file: Path,
    on_rows: Callable[[Rows], T],
    *,
    task: Task,
    published: PublishedIds,
    scratch: Path,
    progress: Progress | None,
) -> RowsRead[T]:
    """Reads a submission's rows, block by block, and counts them. `on_rows` is called from any
    thread; its results are lost if a later block is not plain. Raises FileRejected.

    Takes the fast path; text that is not plain falls back to the strict reader, whose canonical
    text then takes the fast path.
    """
    try:
        try:
            blocks = _blocks(file, task, published)
            return read_rows(
                blocks, task=task, published=published, on_rows=on_rows, progress=progress
            )
        except NotPlain:
            with tempfile.TemporaryDirectory(dir=scratch) as folder:
                canonical = Path(folder) / "canonical.csv"
                with canonical.open("wb") as sink:
                    blocks = _blocks(file, task, published)
                    counts = write_canonical(blocks, task=task, published=published, sink=sink)
                blocks = _blocks(canonical, task, published)
                read = read_rows(
                    blocks, task=task, published=published, on_rows=on_rows, progress=progress
                )
    except FileRejected as rejected:
        if recognise(file) is Container.PARQUET:
            raise FileRejected(as_rows(rejected.rejection)) from rejected
        raise
    # Two counts of the same thing that differ are our fault, never a score.
    if (read.rows, read.missing, read.empty) != (counts.rows, counts.missing, counts.empty):
        raise AssertionError("the two readers disagree")  # pragma: no cover - they agree
    return read


def _blocks(file: Path, task: Task, published: PublishedIds) -> Iterator[bytes]:
    max_rows = published.count + MAX_SURPLUS_ROWS
    return open_blocks(file, task, max_rows=max_rows, block_bytes=BLOCK_BYTES)


def _counts(read: RowsRead[T]) -> dict[str, int]:
    return {"rows": read.rows, "missing": read.missing, "empty": read.empty}
