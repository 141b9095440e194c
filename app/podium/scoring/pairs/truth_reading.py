"""From an organizer's file to the canonical targets, and to the list of published pairs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import polars as pl

from podium.scoring.containers.detection import as_rows
from podium.scoring.lists.findings import ENOUGH_PROBLEMS
from podium.scoring.metrics.pairs import pair_metric_of
from podium.scoring.pairs.pairs import ROLES, PairNumbers, PublishedPairs, id_types, shown
from podium.scoring.pairs.shuffling import shuffled_within
from podium.scoring.pairs.truth import TruePairs
from podium.scoring.pairs.truth_rows import FoundRows, read_rows
from podium.scoring.problems import Code, FileRejected, Problem, Rejection
from podium.scoring.splits import ALL, IGNORED, PRIVATE, PUBLIC, SPLIT_NAMES, SplitRule
from podium.scoring.task import USAGE, Task, Unit
from podium.scoring.truth.qrels import MAX_RELEVANCE, MIN_RELEVANCE
from podium.scoring.truth.suspicious import as_floats
from podium.scoring.truth.table import is_parquet

MOST_GROUPS = 100
"""The most groups over which metrics are averaged."""

_LEAST_PUBLIC, _MOST_PUBLIC = 0.05, 0.95
_FEW_UNITS = 30


def read_true_pairs(
    path: Path, *, task: Task, published: PublishedPairs | None, split: SplitRule
) -> tuple[TruePairs, PublishedPairs]:
    """Reads a ground truth of pairs and checks all of it. Raises FileRejected.

    Its columns are those of a submission, that of groups if the task has them, and `Usage` if the
    split is to follow it. Without `published`, its pairs are published, in the file's order; but
    the candidates of a query in one that the split's secret gives, because a log has those that
    were clicked first.
    """
    found = read_rows(path, task, with_targets=True)
    try:
        frame, pairs = _checked(found, task, published, split)
    except FileRejected as rejected:
        if is_parquet(path):
            raise FileRejected(as_rows(rejected.rejection)) from rejected
        raise
    truth = TruePairs(frame, task, pairs.count)
    check_splits(truth, split)
    warnings = _warnings(truth, split, has_usage="side" in found.rows.columns)
    floats = _as_floats(found.rows, task)
    return replace(truth, warnings=(*floats, *warnings)), pairs


def read_pairs(path: Path, *, task: Task) -> PublishedPairs:
    """Reads the list of published pairs, in its order: the columns of their ids, or a sample
    submission; CSV in any container, or Parquet. Raises FileRejected."""
    found = read_rows(path, task, with_targets=False)
    problems = [*found.problems, *_repeated(found.rows)]
    if problems:
        rejection = Rejection.of(problems)
        raise FileRejected(as_rows(rejection) if is_parquet(path) else rejection)
    if not found.rows.height:
        raise FileRejected.because(Code.EMPTY_FILE, "the file lists no pair")
    return PublishedPairs(found.rows.select(*id_types(task)))


def _checked(
    found: FoundRows, task: Task, published: PublishedPairs | None, split: SplitRule
) -> tuple[pl.DataFrame, PublishedPairs]:
    """The canonical frame. Raises FileRejected with everything that is wrong with the rows."""
    rows = found.rows
    problems = [*found.problems, *_repeated(rows)]
    if split.kind == "usage" and "side" not in rows.columns:
        problems.append(Problem(Code.BAD_USAGE, "the split is by Usage, but there is none", 1))
    if "side" in rows.columns:
        problems += _torn(rows, task.unit)
    problems += _bad_targets(rows, task)
    problems += _too_many_groups(rows, task)
    pairs = published or _published(rows, task, split)
    if rows.height and (published is not None or task.kind == "rerank"):
        numbers = PairNumbers(pairs)
        rows = rows.with_columns(pair=numbers.numbers(numbers.keys(rows)))
        problems += _unpublished(rows, list(id_types(task)))
    else:
        rows = rows.with_row_index("pair")
    if problems:
        raise FileRejected(Rejection.of(problems))
    if not rows.height:
        raise FileRejected.because(Code.EMPTY_FILE, "the file lists no pair")
    return _canonical(rows, pairs, task, split), pairs


def _published(rows: pl.DataFrame, task: Task, split: SplitRule) -> PublishedPairs:
    pairs = rows.select(*id_types(task))
    if task.kind != "rerank":
        return PublishedPairs(pairs)
    order = shuffled_within(pairs["user"], pairs["item"], key=split.secret)
    return PublishedPairs(pairs[order])


def _canonical(
    rows: pl.DataFrame, pairs: PublishedPairs, task: Task, split: SplitRule
) -> pl.DataFrame:
    """The frame of `TruePairs`."""
    units = pairs.frame[task.unit].unique(maintain_order=True)
    numbered = pl.DataFrame({task.unit: units}).with_row_index("number")
    rows = rows.join(numbered, on=task.unit, how="left", maintain_order="left")
    columns = {"pair": rows["pair"], "unit": rows["number"]}
    for place, _ in enumerate(task.number_columns):
        columns[f"target{place}"] = _targets(rows[f"number{place}"], task)
    if task.group_column:
        columns["group"] = (rows["group"].rank("dense") - 1).cast(pl.UInt16)
    columns["split"] = _sides(rows, units, split)
    return pl.DataFrame(columns).sort("pair")


def _targets(numbers: pl.Series, task: Task) -> pl.Series:
    """Small whole numbers take an eighth of the memory."""
    if task.kind == "rating":
        return numbers
    small = numbers.cast(pl.UInt8, strict=False)
    return (
        small if (small.cast(pl.Float64) == numbers).all() and not small.null_count() else numbers
    )


def _bad_targets(rows: pl.DataFrame, task: Task) -> list[Problem]:
    """Targets below 0, as a pair is at worst not relevant; and where candidates are ranked, those
    that are no relevance that a ranked list could have."""
    if task.kind == "rating":
        return []
    problems = []
    for place, column in enumerate(task.number_columns):
        target = pl.col(f"number{place}")
        bad, detail = target < 0, "a target is at least 0"
        if task.kind == "rerank":
            bad |= (target > MAX_RELEVANCE) | ((target > 0) & (target < MIN_RELEVANCE))
            detail = f"a target is 0, or {MIN_RELEVANCE:f} to {MAX_RELEVANCE:,}"
        problems += [
            Problem(Code.BAD_LABEL, detail, line, column=column)
            for line in rows.filter(bad)["line"].head(ENOUGH_PROBLEMS)
        ]
    return problems


def _too_many_groups(rows: pl.DataFrame, task: Task) -> list[Problem]:
    """Each group takes memory for all units, and a user's id is no group."""
    count = rows["group"].n_unique() if task.group_column else 0
    if count <= MOST_GROUPS:
        return []
    detail = (
        f"{task.group_column} has {count:,} groups; metrics are means over {MOST_GROUPS} at most"
    )
    return [Problem(Code.BAD_ID, detail, column=task.group_column)]


def _sides(rows: pl.DataFrame, users: pl.Series, split: SplitRule) -> pl.Series:
    """The UInt8 side of each row: by the column or by the rule, but a decoy stays a decoy."""
    if split.kind == "usage":
        return rows["side"].alias("split")
    divided = split.of_sessions(users).gather(rows["number"])
    if "side" not in rows.columns:
        return divided
    return divided.zip_with(rows["side"] != IGNORED, rows["side"])


def _repeated(rows: pl.DataFrame) -> list[Problem]:
    """Pairs that occur again, with both lines."""
    pair = [role for role in ROLES if role in rows.columns]
    # Looking for neighbours alike takes a tenth of the memory, and usually there are none.
    if not PairNumbers(PublishedPairs(rows)).have_repeats():
        return []
    again = rows.filter(~pl.struct(pair).is_first_distinct()).head(ENOUGH_PROBLEMS)
    first = rows.unique(pair, keep="first").select(*pair, first="line")
    return [
        Problem(
            Code.DUPLICATE_ID,
            f"{shown(*ids)} occurs twice: on line {before} and on line {line}",
            line,
            id=",".join(map(str, ids)),
        )
        for *ids, line, before in again.join(first, on=pair, how="left")
        .select(*pair, "line", "first")
        .iter_rows()
    ]


def _torn(rows: pl.DataFrame, unit: Unit) -> list[Problem]:
    """Units with more than one Usage."""
    first = rows.unique(unit, keep="first").select(unit, first="line", whole="side")
    torn = rows.join(first, on=unit).filter(pl.col("side") != pl.col("whole")).sort("line")
    return [
        Problem(
            Code.BAD_USAGE,
            f"a {unit} must have one Usage: line {row['first']} and line {row['line']} differ",
            row["line"],
            column=USAGE,
        )
        for row in torn.head(ENOUGH_PROBLEMS).iter_rows(named=True)
    ]


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


def check_splits(truth: TruePairs, split: SplitRule) -> None:
    """Raises FileRejected where a split has no pair, or a metric is undefined in it because all
    pairs, of the split or of each unit, are alike."""
    needed = (ALL,) if split.kind == "whole" else (PUBLIC, PRIVATE)
    problems = [
        Problem(Code.ZERO_DENOMINATOR, f"no pair is in the split {SPLIT_NAMES[side]}")
        for side in needed
        if side not in truth.totals
    ]
    problems = problems or list(undefined(truth))
    if problems:
        raise FileRejected(Rejection.of(problems))


def undefined(truth: TruePairs) -> Iterator[Problem]:
    """The metrics of the task that have no value in a split, because all its pairs, or those of
    each unit, are alike."""
    task = truth.task
    yield from _without_a_group(truth)
    for place, objective in enumerate(task.objectives):
        asked = {pair_metric_of(m).classes for m in (objective.metric, *task.diagnostics)}
        name = task.number_columns[place]
        for classes in sorted(asked - {"any"}):
            for side, *group in _lacking(truth, place, classes):
                detail = f"{name}: {_place(side, *group)} has no {_LACKS[classes]}"
                yield Problem(Code.ZERO_DENOMINATOR, detail, column=name)


def lacks(truth: TruePairs) -> list[list[str]]:
    """For each objective the classes of targets that a split, or a group of one, lacks: metrics
    that need them have no value. JSON-ready."""
    if truth.task.kind == "rating":
        return [[]]
    return [
        [classes for classes in _LACKS if _lacking(truth, place, classes)]
        for place, _ in enumerate(truth.task.objectives)
    ]


def _lacking(truth: TruePairs, place: int, classes: str) -> list[tuple[int, ...]]:
    """The splits, and groups of them, whose targets of an objective lack these classes."""
    by = ["split", "group"] if truth.task.group_column else ["split"]
    positive = pl.col(f"target{place}") > 0
    good = positive.any() & ~positive.all()
    if classes == "relevant in a split":
        good = positive.any()
    units = ["unit"] if classes == "both in a unit" else []
    parts = _scored(truth).group_by(*by, *units).agg(good=good).group_by(by)
    found = parts.agg(pl.col("good").any()).filter(~pl.col("good"))
    return found.sort(by).select(by).collect().rows()


def _scored(truth: TruePairs) -> pl.LazyFrame:
    return truth.frame.lazy().filter(pl.col("split").is_in(list(truth.splits)))


def _without_a_group(truth: TruePairs) -> Iterator[Problem]:
    """Groups that are averaged in one split and not there in another."""
    column = truth.task.group_column
    if not column:
        return
    present = set(_scored(truth).select("split", "group").unique().collect().iter_rows())
    groups = sorted({group for _, group in present})
    for side, group in product(truth.splits, groups):
        if (side, group) not in present:
            detail = f"{_place(side, group)} has no pair: metrics are means over all groups"
            yield Problem(Code.ZERO_DENOMINATOR, detail, column=column)


def _place(side: int, group: int | None = None) -> str:
    """A split, or a group of it, for people: groups are numbered in the order of their names."""
    split = f"the split {SPLIT_NAMES[side]}"
    return split if group is None else f"{split}, group {group + 1}"


_LACKS = {
    "relevant in a split": "pair that is not 0: the metric is undefined",
    "both in a split": "pair that is 0, or none that is not: the metric is undefined",
    "both in a unit": "query with a pair that is 0 and one that is not: the metric is undefined",
}


def _as_floats(rows: pl.DataFrame, task: Task) -> Iterator[str]:
    for (role, kind), column in zip(id_types(task).items(), task.pair_columns, strict=True):
        if kind == pl.String:
            yield from as_floats(rows[role], column)


def _warnings(truth: TruePairs, split: SplitRule, *, has_usage: bool) -> Iterator[str]:
    if has_usage and split.kind != "usage":
        yield split.warning_of_unused_column
    for place, name in enumerate(truth.task.number_columns):
        targets = truth.targets(place)
        if len(targets) > 1 and targets.min() == targets.max():
            yield f"all numbers in {name} are the same"
    if split.kind == "whole":
        return
    share = truth.totals[PUBLIC] / (truth.totals[PUBLIC] + truth.totals[PRIVATE])
    if not _LEAST_PUBLIC <= share <= _MOST_PUBLIC:
        yield f"{share:.1%} of the pairs are public"
    for side in (PUBLIC, PRIVATE):
        units = int((truth.units["split"] == side).sum())
        if units < _FEW_UNITS:
            yield (
                f"{units:,} {truth.task.unit}s are {SPLIT_NAMES[side]}: scores are far from sure"
                " with so few"
            )
