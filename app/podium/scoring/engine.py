"""Judging as pure computation: read → check → hits → splits → metric.

One file in, integers out. No database, no clock, no network; scratch space is given by the caller.
What judges pairs, or tables, is loaded where it is needed: a judging of lists starts without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from io import RawIOBase
from operator import or_
from pathlib import Path
from typing import Any

import polars as pl

from podium.scoring.analysis.fingerprint import FingerprintPart, FingerprintReader
from podium.scoring.analysis.list_statistics import ListLengths, ListStatistics, counted_share
from podium.scoring.hits import Hits
from podium.scoring.items import ItemFile
from podium.scoring.kinds import Published, Truth, ids_of, pairs_of
from podium.scoring.lists.plan import ListBlock, ListsRead, ReadingPlan
from podium.scoring.lists.reading import read_submission
from podium.scoring.metrics import length_reader, prediction_reader, rank_metric_of
from podium.scoring.pairs.pairs import PublishedPairs
from podium.scoring.pairs.truth import TruePairs
from podium.scoring.predictions import (
    LengthPart,
    LengthReader,
    PredictionReader,
    Predictions,
)
from podium.scoring.published import PublishedIds
from podium.scoring.result import ScoreResult
from podium.scoring.split_scores import split_scores
from podium.scoring.tables.truth import TrueTable
from podium.scoring.task import Task
from podium.scoring.truth.canonical import GroundTruth

SCORER_VERSION = "2"
"""Changes whenever the same file could be refused or scored in another way."""

Progress = Callable[[float], None]


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
    unpacked: RawIOBase | None = None,
) -> ScoreResult:
    """Scores a submission on every split of `truth`. Raises FileRejected, and ValueError where a
    metric needs what `items` does not tell.

    `scratch` is a folder for at most one file as large as the submission's text. `hits_to` gets the
    hits as Parquet (`query`, `item`, `rank`), as secret as the ground truth, of pairs their numbers
    (`query`, `number0`, …), or of a table what each row moves. `progress` gets the share that is
    done, 0 to 1, from any thread. With `fingerprint_seed` the answer has a fingerprint of what is
    predicted. `unpacked` is what `unpacked_ahead` has given of the file.
    """
    marks = _marks(fingerprint_seed, published)
    if not isinstance(truth, GroundTruth):
        return _judge_columns(file, pairs_of(published), truth, hits_to, progress, marks)
    metrics = [rank_metric_of(metric) for metric in task.metrics]
    lists, lengths = prediction_reader(metrics, truth, items), length_reader(metrics, truth)
    with ThreadPoolExecutor(1) as early:
        # What counting needs is made while rows are read.
        early.submit(truth.count_up)
        read = read_submission(
            file,
            task=task,
            published=ids_of(published),
            plan=_plan(task, truth, lists, marks, lengths),
            scratch=scratch,
            progress=progress,
            unpacked=unpacked,
        )
    assert read.ranks is not None
    parts = [part[0] for part in read.parts]
    found = lengths.whole([part[2] for part in read.parts if part[2]]) if lengths else None
    hits = Hits(read.ranks, truth, _predictions(lists, parts, items), found)
    with ThreadPoolExecutor(1) as beside:
        if hits_to is not None:
            beside.submit(hits.write, hits_to)
        fingerprint = marks.whole([part[1] for part in read.parts if part[1]]) if marks else None
        scores = split_scores(hits, truth)
        lists_found = _statistics(read, truth, items)
        return ScoreResult(_counts(read), scores, SCORER_VERSION, fingerprint, lists_found)


def _judge_columns(
    file: Path,
    published: PublishedPairs,
    truth: TruePairs | TrueTable,
    kept_to: Path | None,
    progress: Progress | None,
    marks: FingerprintReader | None,
) -> ScoreResult:
    """The same for pairs and tables."""
    if isinstance(truth, TrueTable):
        from podium.scoring.tables.judging import judge_table

        judged = judge_table(
            file, truth.task, published, truth, moves_to=kept_to, progress=progress, marks=marks
        )
    else:
        from podium.scoring.pairs.judging import judge_pairs

        judged = judge_pairs(
            file, truth.task, published, truth, answers_to=kept_to, progress=progress, marks=marks
        )
    counts, splits, fingerprint = judged
    return ScoreResult(counts, splits, SCORER_VERSION, fingerprint)


def hits_of(file: Path, truth: GroundTruth, *, published: PublishedIds, scratch: Path) -> Hits:
    """Reads and checks a submission of lists, and finds the hits that `judge` scores. Raises
    FileRejected; `scratch` is as for `judge`."""
    task = truth.task
    lengths = length_reader([rank_metric_of(metric) for metric in task.metrics], truth)
    plan: ReadingPlan[Parts] = ReadingPlan(task.depth, truth.frame)
    if lengths is not None:
        plan = _plan(task, truth, None, None, lengths)
    read = read_submission(file, task=task, published=published, plan=plan, scratch=scratch)
    assert read.ranks is not None
    found = lengths.whole([part[2] for part in read.parts if part[2]]) if lengths else None
    return Hits(read.ranks, truth, lengths=found)


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
    if task.is_of_tables:
        from podium.scoring.tables.reading import read_table

        pairs = pairs_of(published)
        read_table(file, task=task, published=pairs, progress=progress)
        return {"rows": pairs.count, "missing": 0, "empty": 0}
    if isinstance(published, PublishedPairs):
        from podium.scoring.pairs.judging import counts_of
        from podium.scoring.pairs.reading import read_numbers

        read_numbers(file, task=task, published=published, progress=progress)
        return counts_of(published)
    read: ListsRead[None] = read_submission(
        file,
        task=task,
        published=published,
        plan=ReadingPlan(task.depth),
        scratch=scratch,
        progress=progress,
    )
    return _counts(read)


def sample_submission(published: Published, task: Task) -> Iterator[bytes]:
    """A complete submission that predicts nothing: every published id with empty labels, or the
    same values in each row of a table, or every published pair with the same number."""
    if task.is_of_tables:
        from podium.scoring.tables.samples import sample_table

        yield from sample_table(pairs_of(published), task)
        return
    if isinstance(published, PublishedPairs):
        from podium.scoring.pairs.judging import sample_pairs

        yield from sample_pairs(published, task)
        return
    yield _header(task)
    for start in range(0, published.count, _ROWS_WRITTEN):
        stop = min(start + _ROWS_WRITTEN, published.count)
        yield "".join(f"{published.id_of(query)},\n" for query in range(start, stop)).encode()


def perfect_submission(truth: Truth, published: Published, task: Task) -> Iterator[bytes]:
    """A complete submission that reaches the attainable optimum: all labels, the most relevant
    first, or the truth of all pairs, or rows. As secret as the ground truth."""
    if isinstance(truth, TrueTable):
        from podium.scoring.tables.judging import perfect_table

        yield from perfect_table(truth, pairs_of(published), task)
        return
    if isinstance(truth, TruePairs):
        from podium.scoring.pairs.judging import perfect_pairs

        yield from perfect_pairs(truth, pairs_of(published), task)
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


Parts = tuple[pl.DataFrame | None, FingerprintPart | None, LengthPart | None]


def _plan(
    task: Task,
    truth: GroundTruth,
    lists: PredictionReader | None,
    marks: FingerprintReader | None,
    lengths: LengthReader | None,
) -> ReadingPlan[Parts]:
    readers = (lists, marks, lengths)
    looked_at = [reader.looked_at for reader in readers if reader is not None]
    limits = truth.depths
    share = counted_share(truth.session_count, limits)
    if not looked_at:
        return ReadingPlan(task.depth, truth.frame, limits=limits, marked_every=share)

    def look(block: ListBlock) -> Parts:
        return (
            lists.read(block) if lists else None,
            marks.read(block) if marks else None,
            lengths.read(block) if lengths else None,
        )

    either = reduce(or_, looked_at).cast(pl.UInt8)
    return ReadingPlan(task.depth, truth.frame, either, look, limits, share)


def _predictions(
    lists: PredictionReader | None,
    parts: Sequence[pl.DataFrame | None],
    items: ItemFile | None,
) -> Predictions | None:
    if lists is not None:
        return lists.whole([part for part in parts if part is not None])
    return None if items is None else Predictions(items)


def _statistics(read: ListsRead[Any], truth: GroundTruth, items: ItemFile | None) -> ListStatistics:
    by_name = zip(truth.task.names, read.lengths, truth.depths, strict=True)
    lengths = {name: ListLengths.of(counts, k) for name, counts, k in by_name}
    share = counted_share(truth.session_count, truth.depths)
    return ListStatistics.of(lengths, read.distinct, items, share)


def _marks(seed: int | None, published: Published) -> FingerprintReader | None:
    return None if seed is None else FingerprintReader(seed=seed, queries=published.count)


_ROWS_WRITTEN = 100_000


def _header(task: Task) -> bytes:
    return f"{task.id_column},{task.labels_column}\n".encode()


def _counts(read: ListsRead[Any]) -> dict[str, int]:
    return {"rows": read.rows, "missing": read.missing, "empty": read.empty}
