"""Reads an organizer's file into the canonical ground truth, and into the list of published ids."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

import polars as pl

from podium.scoring.containers.detection import is_parquet, problems_of
from podium.scoring.lists.joined import are_usual, count_usual, may_join
from podium.scoring.lists.rows import ListLayout, read_id
from podium.scoring.names import as_field, header_of
from podium.scoring.problems import Code, FileRejected, Problem, Rejection, quoted
from podium.scoring.published import PublishedIds
from podium.scoring.splits import ALL, IGNORED, PRIVATE, PUBLIC, SPLIT_NAMES, SplitRule, uneven
from podium.scoring.task import Task
from podium.scoring.text.fields import RowProblem
from podium.scoring.text.header import header_hint
from podium.scoring.truth.canonical import GroundTruth
from podium.scoring.truth.collecting import Collector
from podium.scoring.truth.forms import collect
from podium.scoring.truth.labels import LabelsRead, relevant_labels
from podium.scoring.truth.suspicious import as_floats
from podium.scoring.truth.table import csv_table, parquet_table, text_lines
from podium.scoring.truth.well_formed import read_well_formed

IDS_NOT_LISTED = (
    "only ids with a row are part of the test set: where participants must also answer ids without"
    " a right item, add the list of all ids (“Published ids”)"
)
"""The warning for organizers who have not provided a list of published ids."""

_LARGEST_ERROR = 0.01

_JOINED_ITEM = "[^|;][|;]+[^|;]"
"""The pattern of an item that is probably several."""


def read_ground_truth(
    path: Path, *, task: Task, published: PublishedIds | None, split: SplitRule
) -> tuple[GroundTruth, PublishedIds]:
    """Reads a ground truth in any of its forms and checks all of it. Raises FileRejected.

    Without `published`, the sessions that the file lists are published, labeled or not, in the
    file's order.
    """
    by_usage = split.kind == "usage"
    labels = read_well_formed(path, task=task, published=published, needs_usage=by_usage)
    if labels is None:
        labels = collect_labels(path, task=task, published=published, split=split)
    ids = labels.published
    sides = _sides(labels, split)
    side = sides.gather(labels.frame["query"] // len(task.objectives))
    truth = GroundTruth(labels.frame.with_columns(split=side), task, len(ids.sessions))
    _check_denominators(truth, split)
    warnings = tuple(_warnings(truth, labels, split, listed=published is not None))
    return replace(truth, warnings=warnings), ids


def _sides(labels: LabelsRead, split: SplitRule) -> pl.Series:
    """Computes the UInt8 side of each session: by the column or by the rule, but a decoy stays a
    decoy."""
    given = labels.sides
    if given is not None and split.kind == "usage":
        return given
    divided = split.of_sessions(labels.published.sessions)
    return divided if given is None else divided.zip_with(given != IGNORED, given)


def collect_labels(
    path: Path, *, task: Task, published: PublishedIds | None, split: SplitRule
) -> LabelsRead:
    """Reads the labels of a file in any form and spelling. Raises FileRejected with all its
    problems."""
    collector = Collector(task, published)
    with problems_of(path):
        collect(path, collector)
        if split.kind == "usage" and not collector.has_usage:
            collector.problem(Code.BAD_USAGE, "the split is by Usage, but there is none", 1)
        labels = collector.frame()
        frame = _in_order(labels)
        repeated = labels.height - frame.height
        if repeated and task.duplicates == "refuse":
            _name_duplicates(labels, collector)
        collector.listed_in_brackets.refuse(collector.findings, lists=collector.lists)
        if collector.findings.count:
            raise collector.findings.rejected()
    relevant = relevant_labels(frame)
    return LabelsRead(
        relevant,
        collector.published(),
        sides=collector.sides() if collector.has_usage else None,
        only_labelled=collector.only_labelled,
        irrelevant=frame.height - relevant.height,
        repeated=repeated,
        ignored=collector.ignored,
        without_item=collector.rows_without_item,
    )


def _in_order(labels: pl.DataFrame) -> pl.DataFrame:
    """Sorts the labels by query and item, each once, with its highest relevance."""
    graded = ["relevance"] if "relevance" in labels.columns else []
    down = [False, False, *(True for _ in graded)]
    frame = labels.drop("line").sort("query", "item", *graded, descending=down)
    same = [frame[name] == frame[name].shift() for name in ("query", "item")]
    if not (same[0] & same[1]).any():
        return frame
    return frame.unique(["query", "item"], keep="first", maintain_order=True)


def read_published_ids(path: Path, *, task: Task) -> PublishedIds:
    """Reads the list of published sessions, in its order. Raises FileRejected.

    One session a line under the header `session`, which may be left out where sessions are numbers;
    or a sample submission, of which every session must have all its ids; or Parquet with either
    column.
    """
    with problems_of(path):
        return _published_ids(path, task)


def _published_ids(path: Path, task: Task) -> PublishedIds:
    if is_parquet(path):
        table = parquet_table(path, lists=task.labels_column, is_id=lambda _: True)
    else:
        lines = text_lines(path, task)
        first = next(lines)
        is_bare = task.query_ids == "integer" and first[1].isdigit()
        named = [(0, b"session")] if is_bare and first[1] != task.id_column.encode() else []
        table = csv_table(chain(named, [first], lines), task)
    columns = list(table.columns)
    if columns == ["session"]:
        return _from_sessions(table.rows, task)
    if task.id_column in columns:
        return _from_sample(table.rows, task, columns.index(task.id_column))
    header = quoted(header_of(columns))
    detail = f"the columns are {header}, expected session or {as_field(task.id_column)}"
    hint = header_hint(columns, [(task.id_column,), task.columns])
    raise FileRejected.because(Code.HEADER_MISMATCH, detail, line=1, hint=hint)


def _from_sessions(rows: Iterator[tuple[int, list[bytes]]], task: Task) -> PublishedIds:
    bare = replace(task, objectives=task.objectives[:1])
    suffix = f"_{bare.names[0]}".encode() if bare.names[0] else b""
    collector, form = Collector(bare, None), ListLayout.of(bare, labels_first=False)
    for line, fields in rows:
        try:
            session, _ = read_id(fields[0] + suffix, form)
        except RowProblem as wrong:
            detail = f"{quoted(fields[0])} is not an id"
            collector.refuse(RowProblem(wrong.code, detail, wrong.hint), line, fields[0])
            continue
        name = session.decode("ascii")
        collector.claim(collector.listed(name), session, line)
    if collector.findings.count:
        raise collector.findings.rejected()
    return PublishedIds(collector.published().sessions, task.names)


def _from_sample(rows: Iterator[tuple[int, list[bytes]]], task: Task, id_at: int) -> PublishedIds:
    collector, form = Collector(task, None), ListLayout.of(task, labels_first=False)
    claimed = 0
    for line, fields in rows:
        try:
            session, objective = read_id(fields[id_at], form)
        except RowProblem as wrong:
            collector.refuse(wrong, line, fields[id_at])
            continue
        number = collector.listed(session.decode("ascii"))
        query = number * len(task.names) + form.positions[objective]
        claimed += collector.claim(query, fields[id_at], line)
    if collector.findings.count:
        raise collector.findings.rejected()
    published = collector.published()
    if claimed != published.count:
        detail = f"{published.count - claimed:,} rows of the listed ids are missing"
        raise FileRejected.because(Code.MISSING_IDS, detail)
    return published


def _name_duplicates(labels: pl.DataFrame, collector: Collector) -> None:
    key = ["query", "item"]
    first = pl.col("line").min().over(key).alias("first")
    # Reading order is line order, so every row of a key but the earliest is a repetition.
    repeated = labels.filter(labels.select(key).is_duplicated())
    repeated = repeated.with_columns(first).filter(~pl.struct(key).is_first_distinct())
    for row in repeated.sort("line").head(2000).iter_rows(named=True):
        detail = f"item {row['item']} occurs twice for one id: on line {row['first']} and on line"
        hint = "Remove one of the two."
        collector.problem(Code.DUPLICATE_LABEL, f"{detail} {row['line']}", row["line"], hint=hint)


def _check_denominators(truth: GroundTruth, split: SplitRule) -> None:
    needed = (ALL,) if split.kind == "whole" else (PUBLIC, PRIVATE)
    problems = [
        Problem(
            Code.ZERO_DENOMINATOR,
            f"{f'objective {quoted(name)} has' if name else 'there is'} no label in the split"
            f" {SPLIT_NAMES[side]}",
            id=name,
        )
        for side in needed
        for position, name in enumerate(truth.task.names)
        if (side, position) not in truth.totals
    ]
    if problems:
        raise FileRejected(Rejection.of(problems))


def _warnings(
    truth: GroundTruth, labels: LabelsRead, split: SplitRule, *, listed: bool
) -> Iterator[str]:
    if labels.only_labelled and not listed:
        yield IDS_NOT_LISTED
    if labels.sides is not None and split.kind != "usage":
        yield split.warning_of_unused_column
    yield from _left_out(labels)
    yield from _joined(truth)
    yield from _as_floats(truth, labels.published)
    for position, name in enumerate(truth.task.names):
        items = truth.frame.filter(pl.col("query") % len(truth.task.names) == position)["item"]
        if len(items) > 1 and items.min() == items.max():
            yield f"all labels of objective {quoted(name)} are the same item"
    if split.kind == "whole":
        return
    counted = {side: _queries(truth, side) for side in (PUBLIC, PRIVATE)}
    yield from uneven(counted, "labelled lists")
    error = _public_error(truth)
    if error > _LARGEST_ERROR:
        yield f"the public score may be off by a standard error of {error:.3f}: few public labels"


def _left_out(labels: LabelsRead) -> Iterator[str]:
    if labels.irrelevant:
        yield f"{labels.irrelevant:,} labels of relevance 0 or less were left out"
    if labels.repeated:
        yield f"{labels.repeated:,} labels that stood twice were left out"
    if rows := labels.without_item.count:
        yield (
            f"{'a row has' if rows == 1 else f'{rows:,} rows have'} no item, the first on line"
            f" {labels.without_item.first_line}: that only adds the id to the test set"
        )
    if labels.ignored:
        yield f"{labels.ignored:,} entries for other objectives were left out"


def _as_floats(truth: GroundTruth, published: PublishedIds) -> Iterator[str]:
    if truth.task.query_ids == "string":
        yield from as_floats(published.sessions, truth.task.id_column)
    if truth.task.item_ids == "string":
        yield from as_floats(truth.frame["item"], "items")


def _joined(truth: GroundTruth) -> Iterator[str]:
    """Warns about items that look joined: one may be intended, nearly all seldom are."""
    if not may_join(truth.task):
        return
    items = truth.frame["item"]
    if are_usual(count_usual(items, _JOINED_ITEM), lists=len(items)):
        first = items.filter(items.str.contains(_JOINED_ITEM))[0]
        yield (
            f"nearly all labels look like several items in one, as {quoted(first)}: only spaces"
            " separate items"
        )


def _queries(truth: GroundTruth, side: int) -> int:
    return sum(totals.queries for (split, _), totals in truth.totals.items() if split == side)


def _public_error(truth: GroundTruth) -> float:
    """Estimates the standard error of a score whose recalls are one half, if labels were found
    independently."""
    return math.sqrt(
        sum(
            float(objective.weight) ** 2 * 0.25 / truth.totals[PUBLIC, position].denominator
            for position, objective in enumerate(truth.task.objectives)
        )
    )
