"""Judges ranked lists: the hits are found while rows are read, then counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any

import polars as pl

from podium.scoring.engine.base import Engine, Judged, Probing, Progress, Submitted
from podium.scoring.fingerprint import FingerprintPart, FingerprintReader
from podium.scoring.hits import Hits
from podium.scoring.items import ItemFile
from podium.scoring.lists.plan import ListBlock, ListsRead, ReadingPlan
from podium.scoring.lists.reading import read_submission
from podium.scoring.lists.rows import header_line
from podium.scoring.lists.statistics import ListLengths, ListStatistics, counted_share
from podium.scoring.metrics import (
    RANK_METRICS,
    length_reader,
    metric_of,
    prediction_reader,
    rank_metric_of,
)
from podium.scoring.predictions import (
    LengthPart,
    LengthReader,
    PredictionReader,
    Predictions,
)
from podium.scoring.published import PublishedIds
from podium.scoring.repeating import repeat
from podium.scoring.scores.extremes import Extremes, SplitExtremes
from podium.scoring.scores.list_scores import ListMeasurements, split_scores
from podium.scoring.scores.redrawn_lists import redrawn_lists
from podium.scoring.scores.result import SplitScore
from podium.scoring.task import Task
from podium.scoring.truth.canonical import GroundTruth


def _judge(asked: Submitted) -> Judged:
    """Finds the hits in the pass that checks every byte."""
    truth, items, marks = asked.truth, asked.items, asked.marks
    metrics = [rank_metric_of(metric) for metric in asked.task.metrics]
    lists, lengths = prediction_reader(metrics, truth, items), length_reader(metrics, truth)
    with ThreadPoolExecutor(1) as early:
        # What counting needs is prepared while rows are read.
        early.submit(truth.count_up)
        read = read_submission(
            asked.file,
            task=asked.task,
            published=asked.published,
            plan=_plan(asked.task, truth, lists, marks, lengths),
            scratch=asked.scratch,
            progress=asked.progress,
            unpacked=asked.unpacked,
        )
    assert read.ranks is not None
    parts = [part[0] for part in read.parts]
    found = lengths.whole([part[2] for part in read.parts if part[2]]) if lengths else None
    hits = Hits(read.ranks, truth, _predictions(lists, parts, items), found)
    with ThreadPoolExecutor(1) as beside:
        if asked.kept_to is not None:
            beside.submit(hits.write, asked.kept_to)
        fingerprint = marks.whole([part[1] for part in read.parts if part[1]]) if marks else None
        scores = split_scores(hits, truth)
        return _counts(read), scores, fingerprint, _statistics(read, truth, items)


def _validate(
    file: Path,
    *,
    task: Task,
    published: PublishedIds,
    scratch: Path,
    progress: Progress | None,
) -> dict[str, int]:
    read: ListsRead[None] = read_submission(
        file,
        task=task,
        published=published,
        plan=ReadingPlan(task.depth),
        scratch=scratch,
        progress=progress,
    )
    return _counts(read)


def _sample(published: PublishedIds, task: Task) -> Iterator[bytes]:
    return _lines(published, pl.DataFrame(schema={"query": pl.UInt32, "text": pl.String}), task)


def _perfect(truth: GroundTruth, published: PublishedIds, task: Task) -> Iterator[bytes]:
    best = truth.frame.with_columns(relevance=truth.relevances).sort(
        "query", "relevance", descending=[False, True], maintain_order=True
    )
    lists = best.group_by("query", maintain_order=True).agg(pl.col("item"))
    items = pl.col("item").list.head(task.depth).cast(pl.List(pl.String))
    return _lines(published, lists.select("query", text=items.list.join(" ")), task)


def hits_of(file: Path, truth: GroundTruth, *, published: PublishedIds, scratch: Path) -> Hits:
    """Finds the hits that `judge` scores. Raises FileRejected; `scratch` is as for `judge`."""
    task = truth.task
    lengths = length_reader([rank_metric_of(metric) for metric in task.metrics], truth)
    plan: ReadingPlan[Parts] = ReadingPlan(task.depth, truth.frame)
    if lengths is not None:
        plan = _plan(task, truth, None, None, lengths)
    read = read_submission(file, task=task, published=published, plan=plan, scratch=scratch)
    assert read.ranks is not None
    found = lengths.whole([part[2] for part in read.parts if part[2]]) if lengths else None
    return Hits(read.ranks, truth, lengths=found)


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


_ROWS_WRITTEN = 100_000


def _lines(published: PublishedIds, lists: pl.DataFrame, task: Task) -> Iterator[bytes]:
    """Writes a submission with these lists (`query`, in ascending order, `text`); all others are
    empty."""
    yield header_line(task)
    for start in range(0, published.count, _ROWS_WRITTEN):
        stop = min(start + _ROWS_WRITTEN, published.count)
        first, last = lists["query"].search_sorted(pl.Series([start, stop], dtype=pl.UInt32))
        texts = lists[first:last]
        of_all = repeat("", stop - start, pl.String)
        of_all = of_all.scatter(texts["query"] - start, texts["text"])
        ids = published.ids_of(start, stop)
        yield pl.select(pl.format("{},{}\n", ids, of_all).str.join()).item().encode()


def _counts(read: ListsRead[Any]) -> dict[str, int]:
    return {"rows": read.rows, "missing": read.missing, "empty": read.empty}


def _read_published(path: Path, **known: Any) -> PublishedIds:
    from podium.scoring.truth.reading import read_published_ids

    return read_published_ids(path, **known)


def _read_truth(path: Path, **known: Any) -> tuple[GroundTruth, PublishedIds]:
    from podium.scoring.truth.reading import read_ground_truth

    return read_ground_truth(path, **known)


def _sides(truth: GroundTruth) -> pl.DataFrame:
    """Returns the splits of sessions."""
    session = pl.col("query") // len(truth.task.objectives)
    return truth.frame.select(session.alias("whose"), "split").unique("whose")


def _extremes(tried: Probing) -> Extremes:
    from podium.scoring.scores.list_extremes import (
        errors_by_chance,
        guessed_shares,
        ideal_lists,
        is_optimal,
    )

    truth, task, perfect, sample = tried.truth, tried.task, tried.perfect.splits, tried.sample
    best = split_scores(ideal_lists(truth), truth)
    guessed, errors = guessed_shares(truth), errors_by_chance(truth)
    return Extremes(
        perfect_is_optimal=perfect.keys() == best.keys()
        and all(is_optimal(perfect[name], best[name], truth) for name in best),
        empty_is_worst=all(
            not any(split.hits.values()) and not any(split.values.values())
            for split in sample.splits.values()
        ),
        splits={
            name: SplitExtremes(
                perfect=str(perfect[name].score(task)),
                optimum=str(split.score(task)),
                empty=str(sample.splits[name].score(task)),
                random=str(guessed[name] * split.score(task)),
                standard_error=errors[name],
            )
            for name, split in best.items()
        },
    )


def _counted(score: SplitScore, truth: GroundTruth, name: str) -> dict[str, int | None]:
    counted: dict[str, int | None] = {
        "hits": score.hits[name],
        "denominator": score.denominators[name],
        "queries": score.queries[name],
        "unlabelled": truth.session_count - score.queries[name],
    }
    place = truth.task.names.index(name)
    metric = rank_metric_of(truth.task.objectives[place].metric)
    if metric.average == "micro":
        its_own = truth.queries["query"] % len(truth.task.names) == place
        denominator = int(metric.ideals(truth).filter(its_own).sum())
        counted["denominator"] = denominator
        counted["hits"] = int(score.values[name] * denominator)
    return counted


def _keeps(metric: str, _: Task) -> bool:
    return metric_of(metric).key in RANK_METRICS


ENGINE = Engine(
    published=PublishedIds,
    load_published=lambda path, task: PublishedIds.read(path, task.names),
    load_truth=GroundTruth.load,
    read_published=_read_published,
    read_truth=_read_truth,
    undefined=lambda _: (),
    sides=_sides,
    judge=_judge,
    validate=_validate,
    sample=_sample,
    perfect=_perfect,
    extremes=_extremes,
    counted=_counted,
    keep=hits_of,
    read_kept=Hits.read,
    keeps=_keeps,
    measure=ListMeasurements.of,
    redraw=redrawn_lists,
)
