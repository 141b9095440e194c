"""From an organizer's file to the canonical ratings, and to the list of published pairs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import polars as pl

from podium.scoring.containers.detection import as_rows
from podium.scoring.lists.findings import ENOUGH_PROBLEMS
from podium.scoring.problems import Code, FileRejected, Problem, Rejection
from podium.scoring.ratings.pairs import PairNumbers, PublishedPairs, shown
from podium.scoring.ratings.truth import TrueRatings
from podium.scoring.ratings.truth_rows import USAGE, FoundRows, read_rows
from podium.scoring.splits import ALL, IGNORED, PRIVATE, PUBLIC, SPLIT_NAMES, SplitRule
from podium.scoring.task import Task
from podium.scoring.truth.table import is_parquet

_LEAST_PUBLIC, _MOST_PUBLIC = 0.05, 0.95
_FEW_USERS = 30


def read_ratings(
    path: Path, *, task: Task, published: PublishedPairs | None, split: SplitRule
) -> tuple[TrueRatings, PublishedPairs]:
    """Reads a ground truth of ratings and checks all of it. Raises FileRejected.

    Its columns are those of a submission, and `Usage` if the split is to follow it. Without
    `published`, its pairs are published, in the file's order.
    """
    found = read_rows(path, task, with_ratings=True)
    try:
        frame, pairs = _checked(found, published, split)
    except FileRejected as rejected:
        if is_parquet(path):
            raise FileRejected(as_rows(rejected.rejection)) from rejected
        raise
    truth = TrueRatings(frame, task, pairs.count)
    _check_splits(truth, split)
    warnings = tuple(_warnings(truth, split, has_usage="side" in found.rows.columns))
    return replace(truth, warnings=warnings), pairs


def read_pairs(path: Path, *, task: Task) -> PublishedPairs:
    """Reads the list of published pairs, in its order: the columns of user and item, or a sample
    submission; CSV in any container, or Parquet. Raises FileRejected."""
    found = read_rows(path, task, with_ratings=False)
    problems = [*found.problems, *_repeated(found.rows)]
    if problems:
        rejection = Rejection.of(problems)
        raise FileRejected(as_rows(rejection) if is_parquet(path) else rejection)
    if not found.rows.height:
        raise FileRejected.because(Code.EMPTY_FILE, "the file lists no pair")
    return PublishedPairs(found.rows.select("user", "item"))


def _checked(
    found: FoundRows, published: PublishedPairs | None, split: SplitRule
) -> tuple[pl.DataFrame, PublishedPairs]:
    """The canonical frame. Raises FileRejected with everything that is wrong with the rows."""
    rows = found.rows
    problems = [*found.problems, *_repeated(rows)]
    if split.kind == "usage" and "side" not in rows.columns:
        problems.append(Problem(Code.BAD_USAGE, "the split is by Usage, but there is none", 1))
    if "side" in rows.columns:
        problems += _torn(rows)
    pairs = published or PublishedPairs(rows.select("user", "item"))
    if published is not None and rows.height:
        numbers = PairNumbers(published)
        rows = rows.with_columns(pair=numbers.numbers(numbers.keys(rows)))
        problems += _unpublished(rows)
    else:
        rows = rows.with_row_index("pair")
    if problems:
        raise FileRejected(Rejection.of(problems))
    if not rows.height:
        raise FileRejected.because(Code.EMPTY_FILE, "the file lists no pair")
    users = pairs.frame["user"].unique(maintain_order=True)
    numbered = pl.DataFrame({"user": users}).with_row_index("number")
    rows = rows.join(numbered, on="user", how="left", maintain_order="left")
    sides = _sides(rows, users, split)
    frame = pl.DataFrame(
        {"pair": rows["pair"], "user": rows["number"], "rating": rows["rating"], "split": sides}
    )
    return frame.sort("pair"), pairs


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
    pair = ["user", "item"]
    # Looking for neighbours alike takes a tenth of the memory, and usually there are none.
    if not PairNumbers(PublishedPairs(rows)).have_repeats():
        return []
    again = rows.filter(~pl.struct(pair).is_first_distinct()).head(ENOUGH_PROBLEMS)
    first = rows.unique(pair, keep="first").select(*pair, first="line")
    return [
        Problem(
            Code.DUPLICATE_ID,
            f"{shown(row['user'], row['item'])} occurs twice: on line {row['first']} and on line"
            f" {row['line']}",
            row["line"],
            id=f"{row['user']},{row['item']}",
        )
        for row in again.join(first, on=pair, how="left").iter_rows(named=True)
    ]


def _torn(rows: pl.DataFrame) -> list[Problem]:
    """Users with more than one Usage."""
    first = rows.unique("user", keep="first").select("user", first="line", whole="side")
    torn = rows.join(first, on="user").filter(pl.col("side") != pl.col("whole")).sort("line")
    return [
        Problem(
            Code.BAD_USAGE,
            f"a user must have one Usage: line {row['first']} and line {row['line']} differ",
            row["line"],
            column=USAGE,
        )
        for row in torn.head(ENOUGH_PROBLEMS).iter_rows(named=True)
    ]


def _unpublished(rows: pl.DataFrame) -> list[Problem]:
    unknown = rows.filter(pl.col("pair").is_null()).head(ENOUGH_PROBLEMS)
    return [
        Problem(
            Code.UNPUBLISHED_SESSION,
            f"{shown(row['user'], row['item'])} is not among the published pairs",
            row["line"],
            id=f"{row['user']},{row['item']}",
        )
        for row in unknown.iter_rows(named=True)
    ]


def _check_splits(truth: TrueRatings, split: SplitRule) -> None:
    needed = (ALL,) if split.kind == "whole" else (PUBLIC, PRIVATE)
    problems = [
        Problem(Code.ZERO_DENOMINATOR, f"no pair is in the split {SPLIT_NAMES[side]}")
        for side in needed
        if side not in truth.totals
    ]
    if problems:
        raise FileRejected(Rejection.of(problems))


def _warnings(truth: TrueRatings, split: SplitRule, *, has_usage: bool) -> Iterator[str]:
    ratings = truth.frame["rating"]
    if has_usage and split.kind != "usage":
        yield "of the column Usage only Ignored counts: the competition is split otherwise"
    if len(ratings) > 1 and ratings.min() == ratings.max():
        yield "all ratings are the same number"
    if split.kind == "whole":
        return
    share = truth.totals[PUBLIC] / (truth.totals[PUBLIC] + truth.totals[PRIVATE])
    if not _LEAST_PUBLIC <= share <= _MOST_PUBLIC:
        yield f"{share:.1%} of the rated pairs are public"
    for side in (PUBLIC, PRIVATE):
        users = int((truth.users["split"] == side).sum())
        if users < _FEW_USERS:
            yield f"{users:,} users are {SPLIT_NAMES[side]}: scores are far from sure with so few"
