"""Reads an organizer's file into an `ItemFile`: every row is checked, and every problem has its
line.

The format is CSV or Parquet in any container, with a column `item`, optionally `users`, and any
others as features. For an item without features all of them are empty.
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from podium.scoring.containers.detection import problems_of
from podium.scoring.hints.texts import LONGEST_NUMBER_BYTES, Hint
from podium.scoring.items import ITEM, MAX_FEATURE_VALUES, MAX_ITEMS, USERS, ItemFile, item_type
from podium.scoring.lists.rows import read_labels
from podium.scoring.problems import Code, FileRejected, Problem, printable, quoted
from podium.scoring.task import Task
from podium.scoring.text.fields import RowProblem
from podium.scoring.text.findings import Findings
from podium.scoring.text.header import INDEX_NAMES, header_hint
from podium.scoring.truth.table import FileTable, open_table

MAX_USERS = 2**31 - 1
"""The most users of the training data."""

MAX_FEATURES = 1024
"""Maximum number of feature columns in an item file."""

_FEATURE_NAME = re.compile(r"[!-~]{1,64}")
_NUMBER = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_USERS = re.compile(rb"[0-9]{1,10}")


def read_item_file(path: Path, *, task: Task, training_users: int | None) -> ItemFile:
    """Reads an item file and checks all of it. Raises FileRejected.

    `training_users` is the number of users of the training data; it and a column `users` require
    each other.
    """
    if training_users is not None and not 1 <= training_users <= MAX_USERS:
        raise ValueError(f"training users: 1 to {MAX_USERS:,}")
    with problems_of(path):
        reading = _ItemFileReading.of(
            open_table(path, task, is_id=ITEM.__eq__), task, training_users
        )
        return reading.whole()


@dataclass
class _ItemFileReading:
    """Collects the rows by column, and their problems. `at` has the index of each column."""

    rows: Iterator[tuple[int, list[bytes]]]
    at: dict[str, int]
    features: tuple[str, ...]
    task: Task
    training_users: int | None
    findings: Findings = field(default_factory=Findings)
    items: list[str] = field(default_factory=list)
    lines: array[int] = field(default_factory=lambda: array("I"))
    users: array[int] = field(default_factory=lambda: array("q"))
    values: list[array[float]] = field(default_factory=list)

    @classmethod
    def of(cls, table: FileTable, task: Task, training_users: int | None) -> _ItemFileReading:
        """Starts reading this table. Raises FileRejected for its header."""
        columns = table.columns
        features = tuple(name for name in columns if name not in (ITEM, USERS))
        problem = _header_problem(columns, features, training_users)
        if problem is not None:
            detail, hint = problem
            raise FileRejected.because(Code.HEADER_MISMATCH, detail, line=1, hint=hint)
        at = {name: place for place, name in enumerate(columns)}
        reading = cls(table.rows, at, features, task, training_users)
        reading.values = [array("d") for _ in features]
        return reading

    def whole(self) -> ItemFile:
        """Reads all rows into an item file. Raises FileRejected."""
        most = min(MAX_ITEMS, MAX_FEATURE_VALUES // max(1, len(self.features)))
        for line, fields in self.rows:
            if len(self.items) >= most:
                detail = f"there are more than {most:,} items with {len(self.features)} features"
                raise FileRejected.because(Code.TOO_MANY_ROWS, detail, line=line)
            self._take(line, fields)
        columns = {
            ITEM: pl.Series(self.items, dtype=pl.String).cast(item_type(self.task)),
            "line": pl.Series(self.lines, dtype=pl.UInt32),
        }
        if self.has_users:
            columns[USERS] = pl.Series(self.users, dtype=pl.Int64)
        for name, column in zip(self.features, self.values, strict=True):
            columns[name] = pl.Series(column, dtype=pl.Float64).fill_nan(None)
        frame = pl.DataFrame(columns)
        if frame["item"].is_duplicated().any():
            self._name_duplicates(frame)
        if self.findings.count:
            raise self.findings.rejected()
        if not frame.height:
            raise FileRejected.because(Code.EMPTY_FILE, "the file lists no item")
        return ItemFile(frame.drop("line").sort(ITEM), self.training_users)

    def _take(self, line: int, fields: list[bytes]) -> None:
        given = fields[self.at[ITEM]]
        try:
            item = _one_item(given, self.task)
            users = _users(fields[self.at[USERS]], self.training_users) if self.has_users else 0
            numbers = [_feature(fields[self.at[name]]) for name in self.features]
            if len({math.isnan(number) for number in numbers}) > 1:
                detail = "some features are empty and others are not"
                raise RowProblem(Code.BAD_NUMBER, detail, "Leave all features empty, or none.")
        except RowProblem as wrong:
            shown = printable(given[:64])
            self._problem(Problem(wrong.code, wrong.detail, line, None, shown, None, wrong.hint))
            return
        self.items.append(item)
        self.lines.append(line)
        self.users.append(users)
        for column, number in zip(self.values, numbers, strict=True):
            column.append(number)

    @property
    def has_users(self) -> bool:
        """True where there is a column of users."""
        return USERS in self.at

    def _name_duplicates(self, frame: pl.DataFrame) -> None:
        twice = frame.select(ITEM, "line", first=pl.col("line").min().over(ITEM))
        twice = twice.filter(pl.col("line") != pl.col("first")).sort("line")
        for item, line, first in twice.head(2000).iter_rows():
            detail = f"item {quoted(str(item))} occurs twice: on line {first} and on line {line}"
            self._problem(Problem(Code.DUPLICATE_ID, detail, line, id=str(item)))

    def _problem(self, problem: Problem) -> None:
        self.findings.add(problem)
        if self.findings.enough:
            raise self.findings.rejected()


def _header_problem(
    columns: tuple[str, ...], features: tuple[str, ...], training_users: int | None
) -> tuple[str, str] | None:
    """Finds a problem of the columns, with a hint; None where they are valid."""
    shown = quoted(",".join(columns))
    if columns[0].encode() in INDEX_NAMES:
        return f"the first column of {shown} is an index", Hint.INDEX_COLUMN
    if len(set(columns)) < len(columns):
        return f"two columns of {shown} have the same name", "Give every column its own name."
    if ITEM not in columns:
        hint = header_hint(columns, [(ITEM,)]) or "One column must be called item."
        return f"the columns are {shown}, without item", hint
    if len(features) > MAX_FEATURES:
        return f"there are {len(features):,} features", f"At most {MAX_FEATURES:,} are allowed."
    for name in features:
        if _FEATURE_NAME.fullmatch(name) is None:
            return f"{quoted(name)} is not a name of a feature", "Use 1 to 64 printable characters."
    if USERS in columns and training_users is None:
        hint = "Say how many users the training data have: training_users."
        return "there is a column users, but no number of all training users", hint
    if USERS not in columns and training_users is not None:
        hint = "Add the column: how many training users had the item."
        return "the number of training users is given, but there is no column users", hint
    return None


def _one_item(text: bytes, task: Task) -> str:
    items = read_labels(text, task).decode("ascii").split()
    if len(items) != 1:
        raise RowProblem(Code.BAD_LABEL, f"{quoted(text)} is not one item", "One item in a row.")
    return items[0]


def _users(text: bytes, training_users: int | None) -> int:
    if _USERS.fullmatch(text) is None:
        hint = "Write a whole number of 0 or more."
        raise RowProblem(Code.BAD_NUMBER, f"{quoted(text)} is not a number of users", hint)
    users = int(text)
    if users > (training_users or 0):
        raise RowProblem(
            Code.BAD_NUMBER,
            f"{users:,} users had the item, but the training data have only {training_users:,}",
        )
    return users


def _feature(text: bytes) -> float:
    """Parses a feature; NaN for an empty field."""
    text = text.strip(b" ")
    return finite_number(text) if text else math.nan


def finite_number(text: bytes) -> float:
    """Parses a finite number. Raises RowProblem."""
    number = math.inf
    if len(text) <= LONGEST_NUMBER_BYTES and _NUMBER.fullmatch(text) is not None:
        number = float(text)
    if not math.isfinite(number):
        raise RowProblem(Code.BAD_NUMBER, f"{quoted(text)} is not a finite number")
    return number
