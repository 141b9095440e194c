"""Reads an organizer's file into the canonical targets, and into the list of published pairs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import polars as pl

from podium.scoring.containers.detection import problems_of
from podium.scoring.kinds import kind_of
from podium.scoring.metrics.rows import pair_metric_of
from podium.scoring.pairs.truth import LACKS, TruePairs
from podium.scoring.problems import Code, FileRejected, Problem, Rejection
from podium.scoring.rows.keys import (
    ID_WORDS,
    KEYS,
    PublishedRows,
    RowNumbers,
    as_texts,
    key_types,
    shown,
)
from podium.scoring.solutions.division import check_splits, division_warnings
from podium.scoring.solutions.pair_rows import FoundRows, read_rows
from podium.scoring.solutions.shuffling import shuffled_within
from podium.scoring.solutions.twice import repeats, torn
from podium.scoring.splits import IGNORED, SPLIT_NAMES, SplitRule
from podium.scoring.task import Task, Unit
from podium.scoring.text.findings import ENOUGH_PROBLEMS, on_lines
from podium.scoring.truth.qrels import MAX_RELEVANCE, MIN_RELEVANCE
from podium.scoring.truth.suspicious import as_floats

MAX_GROUPS = 100
"""The most groups over which metrics are averaged."""


def read_true_pairs(
    path: Path, *, task: Task, published: PublishedRows | None, split: SplitRule
) -> tuple[TruePairs, PublishedRows]:
    """Reads a ground truth of pairs and checks all of it. Raises FileRejected.

    Its columns are those of a submission, that of groups if the task has them, and `Usage` if it
    defines the split. Without `published`, its pairs are published, in the file's order; but the
    candidates of a query in an order that depends on the split's secret, because a log has the
    clicked ones first.
    """
    with problems_of(path):
        found = read_rows(path, task, with_targets=True)
        frame, pairs = _checked(found, task, published, split)
    truth = TruePairs(frame, task, pairs.count)
    check_splits(truth, split, undefined(truth))
    warnings = _warnings(truth, split, has_usage="side" in found.rows.columns)
    floats = _as_floats(found.rows, task)
    return replace(truth, warnings=(*floats, *warnings)), pairs


def read_pairs(path: Path, *, task: Task) -> PublishedRows:
    """Reads the list of published pairs, in its order: the columns of their ids, or a sample
    submission; CSV in any container, or Parquet. Raises FileRejected."""
    with problems_of(path):
        found = read_rows(path, task, with_targets=False)
        problems = [*found.problems, *_repeated(found.rows)]
        if problems:
            raise FileRejected(Rejection.of(problems))
    if not found.rows.height:
        raise FileRejected.because(Code.EMPTY_FILE, "the file lists no pair")
    return PublishedRows(as_texts(found.rows.select(*key_types(task))))


def _checked(
    found: FoundRows, task: Task, published: PublishedRows | None, split: SplitRule
) -> tuple[pl.DataFrame, PublishedRows]:
    """Builds the canonical frame. Raises FileRejected with all problems of the rows."""
    rows = found.rows
    problems = [*found.problems, *_repeated(rows)]
    if split.kind == "usage" and "side" not in rows.columns:
        problems.append(Problem(Code.BAD_USAGE, "the split is by Usage, but there is none", 1))
    if "side" in rows.columns:
        problems += torn(rows, _key_of(task.unit), task.unit)
    problems += _bad_targets(rows, task)
    problems += _too_many_groups(rows, task)
    pairs = published or _published(rows, task, split)
    if rows.height and (published is not None or kind_of(task.kind).has_candidates):
        rows = rows.with_columns(pair=RowNumbers(pairs).of(rows.select(*key_types(task))))
        problems += _unpublished(rows, list(key_types(task)))
    else:
        rows = rows.with_row_index("pair")
    if problems:
        raise FileRejected(Rejection.of(problems))
    if not rows.height:
        raise FileRejected.because(Code.EMPTY_FILE, "the file lists no pair")
    frame = _canonical(rows, pairs, task, split)
    return frame, published or PublishedRows(as_texts(pairs.frame))


def _published(rows: pl.DataFrame, task: Task, split: SplitRule) -> PublishedRows:
    pairs = rows.select(*key_types(task))
    if not kind_of(task.kind).has_candidates:
        return PublishedRows(pairs)
    order = shuffled_within(pairs["key0"], pairs["key1"], key=split.secret)
    return PublishedRows(pairs[order])


def _canonical(
    rows: pl.DataFrame, pairs: PublishedRows, task: Task, split: SplitRule
) -> pl.DataFrame:
    """Builds the frame of `TruePairs`."""
    unit = _key_of(task.unit)
    units = as_texts(pairs.frame.select(unit).unique(maintain_order=True))
    number = RowNumbers(PublishedRows(units.rename({unit: "key0"}))).of_first(rows[unit])
    columns = {"pair": rows["pair"], "unit": number}
    for place, _ in enumerate(task.number_columns):
        columns[f"target{place}"] = _targets(rows[f"number{place}"], task)
    if task.group_column:
        columns["group"] = (rows["group"].rank("dense") - 1).cast(pl.UInt16)
    columns["split"] = _sides(rows, number, units[unit], split)
    return pl.DataFrame(columns).sort("pair")


def _targets(numbers: pl.Series, task: Task) -> pl.Series:
    """Stores small whole numbers as UInt8, in an eighth of the memory."""
    if not kind_of(task.kind).has_relevances:
        return numbers
    small = numbers.cast(pl.UInt8, strict=False)
    return (
        small if (small.cast(pl.Float64) == numbers).all() and not small.null_count() else numbers
    )


def _bad_targets(rows: pl.DataFrame, task: Task) -> list[Problem]:
    """Reports targets below 0, as a pair is at worst not relevant; and where candidates are ranked,
    those that are not valid relevances of a ranked list."""
    kind = kind_of(task.kind)
    if not kind.has_relevances:
        return []
    problems: list[Problem] = []
    for place, column in enumerate(task.number_columns):
        target = pl.col(f"number{place}")
        bad, detail = target < 0, "a target is at least 0"
        if kind.has_candidates:
            bad |= (target > MAX_RELEVANCE) | ((target > 0) & (target < MIN_RELEVANCE))
            detail = f"a target is 0, or {MIN_RELEVANCE:f} to {MAX_RELEVANCE:,}"
        problems += on_lines(rows.filter(bad)["line"], Code.BAD_LABEL, detail, column=column)
    return problems


def _too_many_groups(rows: pl.DataFrame, task: Task) -> list[Problem]:
    """Reports too many groups: each takes memory for all units, and a user's id is not a group."""
    count = rows["group"].n_unique() if task.group_column else 0
    if count <= MAX_GROUPS:
        return []
    detail = (
        f"{task.group_column} has {count:,} groups; metrics are means over {MAX_GROUPS} at most"
    )
    return [Problem(Code.BAD_ID, detail, column=task.group_column)]


def _sides(rows: pl.DataFrame, number: pl.Series, users: pl.Series, split: SplitRule) -> pl.Series:
    """Computes the UInt8 side of each row: by the column or by the rule, but a decoy stays a
    decoy."""
    if split.kind == "usage":
        return rows["side"].alias("split")
    divided = split.of_sessions(users).gather(number)
    if "side" not in rows.columns:
        return divided
    return divided.zip_with(rows["side"] != IGNORED, rows["side"])


def _repeated(rows: pl.DataFrame) -> list[Problem]:
    """Reports repeated pairs, with both lines."""
    pair = [key for key in KEYS if key in rows.columns]
    # Comparing neighbors takes a tenth of the memory, and usually there are no duplicates.
    if not RowNumbers(PublishedRows(rows)).have_repeats():
        return []
    return [
        Problem(
            Code.DUPLICATE_ID,
            f"{shown(*ids)} occurs twice: on line {before} and on line {line}",
            line,
            id=",".join(map(str, ids)),
        )
        for ids, line, before in repeats(as_texts(rows), pair)
    ]


def _key_of(unit: Unit) -> str:
    """Returns the key that identifies a pair's unit."""
    return KEYS[ID_WORDS.index(unit)]


def _unpublished(rows: pl.DataFrame, pair: list[str]) -> list[Problem]:
    unknown = rows.filter(pl.col("pair").is_null()).head(ENOUGH_PROBLEMS)
    return [
        Problem(
            Code.UNPUBLISHED_SESSION,
            f"{shown(*ids)} is not among the published pairs",
            line,
            id=",".join(map(str, ids)),
        )
        for *ids, line in unknown.select(*pair, "line").iter_rows()
    ]


def undefined(truth: TruePairs) -> Iterator[Problem]:
    """Reports the metrics of the task that have no value in a split, because all its pairs, or
    those of each unit, are alike."""
    task = truth.task
    yield from _without_a_group(truth)
    for place, objective in enumerate(task.objectives):
        asked = {pair_metric_of(m).classes for m in (objective.metric, *task.diagnostics)}
        name = task.number_columns[place]
        for classes in sorted(asked - {"any"}):
            for side, *group in truth.lacking(place, classes):
                detail = f"{name}: {_place(side, *group)} has no {LACKS[classes]}"
                yield Problem(Code.ZERO_DENOMINATOR, detail, column=name)


def _without_a_group(truth: TruePairs) -> Iterator[Problem]:
    """Reports groups that are averaged in one split and missing in another."""
    column = truth.task.group_column
    if not column:
        return
    present = set(truth.scored.select("split", "group").unique().collect().iter_rows())
    groups = sorted({group for _, group in present})
    for side, group in product(truth.splits, groups):
        if (side, group) not in present:
            detail = f"{_place(side, group)} has no pair: metrics are means over all groups"
            yield Problem(Code.ZERO_DENOMINATOR, detail, column=column)


def _place(side: int, group: int | None = None) -> str:
    """Names a split, or a group of it, in messages: groups are numbered in the order of their
    names."""
    split = f"the split {SPLIT_NAMES[side]}"
    return split if group is None else f"{split}, group {group + 1}"


def _as_floats(rows: pl.DataFrame, task: Task) -> Iterator[str]:
    for (key, kind), column in zip(key_types(task).items(), task.pair_columns, strict=True):
        if kind == pl.String:
            yield from as_floats(rows[key], column)


def _warnings(truth: TruePairs, split: SplitRule, *, has_usage: bool) -> Iterator[str]:
    if has_usage and split.kind != "usage":
        yield split.warning_of_unused_column
    for place, name in enumerate(truth.task.number_columns):
        targets = truth.targets(place)
        if len(targets) > 1 and targets.min() == targets.max():
            yield f"all numbers in {name} are the same"
    yield from division_warnings(truth, split)
