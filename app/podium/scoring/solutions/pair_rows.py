"""Reads the rows of an organizer's file of pairs: a ground truth, or a list of published pairs."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from podium.scoring.containers.detection import is_parquet
from podium.scoring.kernel.library import kernel
from podium.scoring.kernel.text import NotPlain, WholeLines
from podium.scoring.names import header_of
from podium.scoring.pairs.layout import layout_of
from podium.scoring.problems import Code, FileRejected, Problem, quoted
from podium.scoring.rewriting.tables import table_source
from podium.scoring.rows.compiled import Role, read_columns
from podium.scoring.rows.fields import KeyedRow, read_row
from podium.scoring.rows.keys import key_types
from podium.scoring.rows.plain import roles_by_column
from podium.scoring.splits import USAGE_SIDES
from podium.scoring.task import USAGE, Task
from podium.scoring.text.fields import RowProblem, names_of
from podium.scoring.text.findings import ENOUGH_PROBLEMS
from podium.scoring.text.header import header_hint
from podium.scoring.truth.table import FileTable, open_table


@dataclass(frozen=True)
class FoundRows:
    """The valid rows of a file: `line`, the ids by their role, where they are text possibly as an
    Enum of those of the column, and where the file has them `number0` and so on, `group` (String)
    and `side` (UInt8); and the problems of the others."""

    rows: pl.DataFrame
    problems: list[Problem]


def read_rows(path: Path, task: Task, *, with_targets: bool) -> FoundRows:
    """Reads the rows of a ground truth, or without targets those of a list of pairs. Raises
    FileRejected where reading cannot continue."""
    if not is_parquet(path):
        try:
            return FoundRows(_read_plain(path, task, with_targets=with_targets), [])
        except (NotPlain, FileRejected):
            # Also a broken container: the other reader knows which of its problems comes first.
            pass
    table = open_table(path, task, is_id=task.pair_columns.__contains__)
    return _read_table(table, task, with_targets=with_targets)


def _roles(names: list[str], task: Task, *, with_targets: bool) -> tuple[Role, ...] | None:
    """Determines the roles of the columns; None where they are not the expected ones."""
    roles, asked = roles_by_column(layout_of(task)), [set(task.columns)]
    if with_targets:
        if task.group_column:
            roles[task.group_column] = "group"
            asked = [{*task.columns, task.group_column}]
        roles[USAGE] = "usage"
        asked.append({*asked[0], USAGE})
    else:
        asked.append(set(task.pair_columns))
    if len(set(names)) < len(names) or set(names) not in asked:
        return None
    return tuple(roles[name] for name in names)


def _read_plain(path: Path, task: Task, *, with_targets: bool) -> pl.DataFrame:
    """Reads the rows with the compiled reader. Raises NotPlain, also where it was not built."""
    functions = kernel()
    if functions is None:
        raise NotPlain("nothing was compiled")

    def roles_of(text: bytes) -> tuple[Role, ...]:
        header, line_feed, _ = text.partition(b"\n")
        try:
            names = [name.decode() for name in names_of(header.removesuffix(b"\r"))]
        except (RowProblem, UnicodeDecodeError) as wrong:
            raise NotPlain("another header") from wrong
        roles = _roles(names, task, with_targets=with_targets)
        if roles is None or not line_feed:
            raise NotPlain("other columns")
        return roles

    with table_source(path, task) as source:
        rows = read_columns(
            WholeLines(source), functions, task=task, roles=roles_of, reduced=_with_sides
        )
    return rows.with_columns(line=pl.int_range(2, rows.height + 2, dtype=pl.UInt32, eager=True))


def _with_sides(frame: pl.DataFrame) -> pl.DataFrame:
    if "usage" not in frame.columns:
        return frame
    side = (
        frame["usage"]
        .str.to_lowercase()
        .replace_strict(USAGE_SIDES, default=None, return_dtype=pl.UInt8)
    )
    if side.null_count():
        raise NotPlain("a word that is not a side")
    return frame.drop("usage").with_columns(side=side)


def _read_table(table: FileTable, task: Task, *, with_targets: bool) -> FoundRows:
    """Reads the same row by row: every problem of every row, until there are enough."""
    names = list(table.columns)
    roles = _roles(names, task, with_targets=with_targets)
    if roles is None:
        raise _mismatch(names, task, with_targets=with_targets)
    # A list of pairs has no numbers, so a good one is read in their place.
    row_form = _TableForm(task, table.columns, roles, with_targets=with_targets)
    collected, problems = _Columns(row_form), []
    for line, fields in table.rows:
        row, words, found = row_form.read(line, fields)
        problems += found
        if len(problems) >= ENOUGH_PROBLEMS:
            break
        if not found:
            collected.add(row, line, words)
    return FoundRows(collected.frame(), problems)


class _TableForm:
    """The layout of an organizer's table: the columns of a submission, with words beside them."""

    def __init__(
        self, task: Task, names: tuple[str, ...], roles: tuple[Role, ...], *, with_targets: bool
    ) -> None:
        self.layout = replace(layout_of(task), names=names)
        if not with_targets:
            self.layout = replace(self.layout, values=())
        self.words_at = {role: roles.index(role) for role in _WORDS if role in roles}

    def read(
        self, line: int, fields: list[bytes]
    ) -> tuple[KeyedRow, dict[str, str], list[Problem]]:
        """Parses a row and the words beside it, with all problems."""
        row = read_row(fields, line, self.layout)
        words = {role: fields[at].decode("utf-8", "replace") for role, at in self.words_at.items()}
        found = list(row.problems)
        if "usage" in words and words["usage"].lower() not in USAGE_SIDES:
            detail = "Usage must be Public, Private or Ignored"
            found.append(Problem(Code.BAD_USAGE, detail, line=line, column=USAGE))
        if "group" in words and not _WORD.fullmatch(words["group"]):
            detail = "a group is a word of 1 to 64 printable characters without spaces"
            column = self.layout.task.group_column
            found.append(Problem(Code.BAD_ID, detail, line=line, column=column))
        return row, words, found


class _Columns:
    """Collects rows that are read one by one as columns."""

    def __init__(self, form: _TableForm) -> None:
        self._schema: dict[str, Any] = dict(key_types(form.layout.task))
        for place, _ in enumerate(form.layout.values):
            self._schema[f"number{place}"] = pl.Float64
        self._schema["line"] = pl.UInt32
        if "group" in form.words_at:
            self._schema["group"] = pl.String
        if "usage" in form.words_at:
            self._schema["side"] = pl.UInt8
        self._rows: list[tuple[object, ...]] = []

    def add(self, row: KeyedRow, line: int, words: dict[str, str]) -> None:
        """Adds a row without problems."""
        group = (words["group"],) if "group" in words else ()
        side = (USAGE_SIDES[words["usage"].lower()],) if "usage" in words else ()
        self._rows.append((*row.keys, *row.values, line, *group, *side))

    def frame(self) -> pl.DataFrame:
        """Builds a frame of all rows."""
        return pl.DataFrame(self._rows, schema=self._schema, orient="row")


def _mismatch(names: list[str], task: Task, *, with_targets: bool) -> FileRejected:
    columns = header_of(task.columns)
    whole = header_of(filter(None, (*task.columns, task.group_column)))
    expected = f"{whole}[,{USAGE}]" if with_targets else header_of(task.pair_columns)
    detail = f"the columns are {quoted(header_of(names))}, expected {expected}"
    forms = [task.columns] if with_targets else [task.pair_columns, task.columns]
    hint = header_hint([name for name in names if name != (task.group_column or None)], forms)
    if hint is None and not with_targets:
        hint = f"Or a sample submission: {columns}."
    return FileRejected.because(Code.HEADER_MISMATCH, detail, line=1, hint=hint)


_WORDS: tuple[Role, ...] = ("group", "usage")
_WORD = re.compile(r"[!-~]{1,64}")
