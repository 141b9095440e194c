"""From an organizer's file to the canonical ratings, and to the list of published pairs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from podium.scoring.containers.detection import as_rows, open_source
from podium.scoring.kernel.library import kernel
from podium.scoring.kernel.pairs import Role, read_columns
from podium.scoring.kernel.text import NotPlain, WholeLines
from podium.scoring.lists.findings import ENOUGH_PROBLEMS
from podium.scoring.problems import Code, FileRejected, Problem, Rejection, quoted
from podium.scoring.ratings.pairs import PairNumbers, PublishedPairs, shown, type_of
from podium.scoring.ratings.rows import RatingRow, RatingRowLayout, row_of
from podium.scoring.ratings.truth import TrueRatings
from podium.scoring.splits import ALL, IGNORED, PRIVATE, PUBLIC, SPLIT_NAMES, SplitRule
from podium.scoring.task import Task
from podium.scoring.truth.table import FileTable, is_parquet, open_table

USAGE = "Usage"
"""The column of a ground truth that says on which side a user is."""

_ANY_ROWS = 1 << 31

_SIDES = {"public": PUBLIC, "private": PRIVATE, "ignored": IGNORED}


@dataclass(frozen=True)
class FoundRows:
    """The good rows of a file: `user`, `item`, `line`, and where the file has them `rating` and
    `side` (UInt8); and what is wrong with the other rows."""

    rows: pl.DataFrame
    problems: list[Problem]


def read_rows(path: Path, task: Task, *, with_ratings: bool) -> FoundRows:
    """The rows of a ground truth, or without ratings those of a list of pairs. Raises FileRejected
    where reading on makes no sense."""
    if not is_parquet(path):
        try:
            return FoundRows(_read_plain(path, task, with_ratings=with_ratings), [])
        except (NotPlain, FileRejected):
            # Also a broken container: the other reader knows which of its problems comes first.
            pass
    return _read_table(open_table(path, task), task, with_ratings=with_ratings)


def _roles(names: list[str], task: Task, *, with_ratings: bool) -> tuple[Role, ...] | None:
    """The roles of the columns; None where they are not those that are asked for."""
    roles: dict[str, Role] = dict(zip(task.columns, ("user", "item", "rating"), strict=True))
    asked = [set(task.columns)]
    if with_ratings:
        roles[USAGE] = "usage"
        asked.append({*task.columns, USAGE})
    else:
        asked.append({task.id_column, task.item_column})
    if len(set(names)) < len(names) or set(names) not in asked:
        return None
    return tuple(roles[name] for name in names)


def _read_plain(path: Path, task: Task, *, with_ratings: bool) -> pl.DataFrame:
    """The rows by the compiled reader. Raises NotPlain, also where it was not built."""
    functions = kernel()
    if functions is None:
        raise NotPlain("nothing was compiled")

    def roles_of(text: bytes) -> tuple[Role, ...]:
        header, line_feed, _ = text.partition(b"\n")
        names = header.removesuffix(b"\r").decode("utf-8", "replace").split(",")
        roles = _roles(names, task, with_ratings=with_ratings)
        if roles is None or not line_feed:
            raise NotPlain("other columns")
        return roles

    with open_source(path, task, max_rows=_ANY_ROWS) as source:
        read = read_columns(WholeLines(source), functions, task=task, roles=roles_of)
        parts = [_with_sides(part) for part in read]
    if not parts:
        raise NotPlain("there are no rows")
    rows = pl.concat(parts, rechunk=True)
    return rows.with_columns(line=pl.int_range(2, rows.height + 2, dtype=pl.UInt32, eager=True))


def _with_sides(frame: pl.DataFrame) -> pl.DataFrame:
    if "usage" not in frame.columns:
        return frame
    side = (
        frame["usage"]
        .str.to_lowercase()
        .replace_strict(_SIDES, default=None, return_dtype=pl.UInt8)
    )
    if side.null_count():
        raise NotPlain("a word that is no side")
    return frame.drop("usage").with_columns(side=side)


def _read_table(table: FileTable, task: Task, *, with_ratings: bool) -> FoundRows:
    """The same, row by row: every problem of every row, until there are enough."""
    names = list(table.columns)
    roles = _roles(names, task, with_ratings=with_ratings)
    if roles is None:
        raise _mismatch(names, task, with_ratings=with_ratings)
    at = {role: place for place, role in enumerate(roles)}
    # A list of pairs has no ratings, so a good one is read in their place.
    form = RatingRowLayout(task, at["user"], at["item"], at.get("rating", len(names)))
    collected, problems = _Columns(task, has_usage="usage" in at), []
    for line, fields in table.rows:
        usage = fields[at["usage"]].decode("ascii", "replace") if "usage" in at else None
        if not with_ratings:
            fields = [*fields[: form.rating_at], b"0", *fields[form.rating_at + 1 :]]
        row = row_of(fields, line, form)
        found = list(row.problems)
        if usage is not None and usage.lower() not in _SIDES:
            detail = "Usage must be Public, Private or Ignored"
            found.append(Problem(Code.BAD_USAGE, detail, line=line, column=USAGE))
        problems += found
        if len(problems) >= ENOUGH_PROBLEMS:
            break
        if not found:
            collected.add(row, line, usage)
    return FoundRows(collected.frame(), problems)


class _Columns:
    """Rows that were read one by one, as columns."""

    def __init__(self, task: Task, *, has_usage: bool) -> None:
        types = {"user": type_of(task.query_ids), "item": type_of(task.item_ids)}
        self._schema: dict[str, Any] = {**types, "rating": pl.Float64, "line": pl.UInt32}
        if has_usage:
            self._schema["side"] = pl.UInt8
        self._rows: list[tuple[object, ...]] = []

    def add(self, row: RatingRow, line: int, usage: str | None) -> None:
        """Adds a row without problems."""
        side = () if usage is None else (_SIDES[usage.lower()],)
        self._rows.append((row.user, row.item, row.rating, line, *side))

    def frame(self) -> pl.DataFrame:
        """All rows."""
        return pl.DataFrame(self._rows, schema=self._schema, orient="row")


def _mismatch(names: list[str], task: Task, *, with_ratings: bool) -> FileRejected:
    columns = ",".join(task.columns)
    expected = f"{columns}[,{USAGE}]" if with_ratings else f"{task.id_column},{task.item_column}"
    detail = f"the columns are {quoted(','.join(names))}, expected {expected}"
    hint = None if with_ratings else f"Or a sample submission: {columns}."
    return FileRejected.because(Code.HEADER_MISMATCH, detail, line=1, hint=hint)


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
        yield split.warning_of_unused_column
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
