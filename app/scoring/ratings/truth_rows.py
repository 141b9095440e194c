"""The rows of an organizer's file of ratings, or of a list of pairs, whichever reader read them;
not yet compared with each other or with anything else."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import polars as pl

from podium.scoring.lists.fast import Doubt
from podium.scoring.lists.findings import ENOUGH_PROBLEMS
from podium.scoring.lists.texts import plain_rows
from podium.scoring.problems import Code, FileRejected, Problem, quoted
from podium.scoring.ratings.fast import BlockReader, Role
from podium.scoring.ratings.pairs import type_of
from podium.scoring.ratings.rows import Form, Row, row_of
from podium.scoring.splits import IGNORED, PRIVATE, PUBLIC
from podium.scoring.task import Task
from podium.scoring.truth.table import (
    Table,
    csv_table,
    is_parquet,
    parquet_table,
    text_blocks,
    text_lines,
)

USAGE = "Usage"
"""The column of a ground truth that says on which side a user is."""

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
            return FoundRows(_read_fast(path, task, with_ratings=with_ratings), [])
        except (Doubt, FileRejected):
            # Also a broken container: the other reader knows which of its problems comes first.
            pass
        lines = text_lines(path, task)
        first = next(lines, None)
        if first is None:
            raise FileRejected.because(Code.EMPTY_FILE, "the file holds no text")
        return _read_table(csv_table(chain([first], lines)), task, with_ratings=with_ratings)
    return _read_table(parquet_table(path), task, with_ratings=with_ratings)


def _roles(names: list[str], task: Task, *, with_ratings: bool) -> tuple[Role, ...] | None:
    """What the columns are; None where they are not those that are asked for."""
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


def _read_fast(path: Path, task: Task, *, with_ratings: bool) -> pl.DataFrame:
    texts = plain_rows(text_blocks(path, task))
    names = next(texts).removesuffix(b"\n").decode("utf-8", "replace").split(",")
    roles = _roles(names, task, with_ratings=with_ratings)
    if roles is None:
        raise Doubt("other columns")
    reader = BlockReader(task, roles)
    parts = [_with_sides(reader.read(text)) for text in texts]
    if not parts:
        raise Doubt("there are no rows")
    rows = pl.concat(parts)
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
        raise Doubt("a word that is no side")
    return frame.drop("usage").with_columns(side=side)


def _read_table(table: Table, task: Task, *, with_ratings: bool) -> FoundRows:
    """The same, row by row: every problem of every row, until there are enough."""
    names = list(table.columns)
    roles = _roles(names, task, with_ratings=with_ratings)
    if roles is None:
        raise _mismatch(names, task, with_ratings=with_ratings)
    at = {role: place for place, role in enumerate(roles)}
    # A list of pairs has no ratings, so a good one is read in their place.
    form = Form(task, at["user"], at["item"], at.get("rating", len(names)))
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

    def add(self, row: Row, line: int, usage: str | None) -> None:
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
