"""Rewrites the entries of JSON as rows with commas between their fields."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import polars as pl

from podium.scoring.column_kinds import kind_of_column
from podium.scoring.names import as_field
from podium.scoring.problems import Code, quoted
from podium.scoring.rewriting.json_head import key_columns, list_columns
from podium.scoring.rewriting.lists import joined, value_words
from podium.scoring.task import Task
from podium.scoring.text.fields import RowProblem

_Writer = Callable[[Any], str]


class EntryProblem(RowProblem):
    """An entry cannot be a row; `column` is that of the value at fault, if it is one."""

    def __init__(
        self, code: Code, detail: str, hint: str | None = None, column: str | None = None
    ) -> None:
        super().__init__(code, detail, hint)
        self.column = column


class EntryRows:
    """Formats entries as rows with the columns `names`. Texts and numbers are taken as they are
    written, for the reader of rows to judge."""

    def __init__(self, names: tuple[str, ...], task: Task) -> None:
        self.names = names
        keys, lists = key_columns(names, task), list_columns(names, task)
        takes_truth = {
            each.name for each in task.table if kind_of_column(each).takes_cells(pl.Boolean())
        }
        self._values = [name for name in names if name not in keys]
        self._writers: list[tuple[str, _Writer]] = []
        for name in names:
            write = _cell_or_truth if name in takes_truth else _cell
            if name in keys:
                write = _id
            elif name in lists:
                write = _labels if task.table else _list
            self._writers.append((name, write))
        items: object = [7, 9] if task.item_ids == "integer" else ["a", "b"]
        record = {name: items if name in lists else 1 for name in names[:3]}
        self._hint = f"An entry has a value for each column: {json.dumps(record)}."

    def of_record(self, record: object) -> str:
        """Formats an object with a value for each column. Raises EntryProblem."""
        if type(record) is not dict:
            raise self.misshapen(f"{value_words(record)} is not an object")
        if len(record) != len(self._writers):
            raise self._other_columns(record)
        try:
            return ",".join([write(record[name]) for name, write in self._writers])
        except KeyError:
            raise self._other_columns(record) from None
        except RowProblem:
            raise self._wrong_value(record) from None

    def of_member(self, row_id: str, value: object) -> str:
        """Formats what an object has under an id: an object of the other columns, or the value of
        the only one. Raises EntryProblem."""
        id_column = self.names[0]
        if type(value) is not dict:
            if len(self._values) > 1:
                raise self.misshapen(f"{value_words(value)} is not an object")
            value = {self._values[0]: value}
        elif id_column in value:
            raise self.misshapen(f"the entry has {quoted(id_column)} in its key already")
        return self.of_record({id_column: row_id, **value})

    def misshapen(self, detail: str) -> EntryProblem:
        """Builds the problem of an entry that is not of the right form."""
        return EntryProblem(Code.BAD_JSON, detail, self._hint)

    def _other_columns(self, record: dict[str, Any]) -> EntryProblem:
        missing = [name for name in self.names if name not in record]
        if missing:
            return self.misshapen(f"the entry lacks {quoted(missing[0])}")
        further = next(key for key in record if key not in self.names)
        return self.misshapen(f"the entry has {quoted(further)}, which is not a column")

    def _wrong_value(self, record: dict[str, Any]) -> EntryProblem:
        for name, write in self._writers:
            try:
                write(record[name])
            except RowProblem as wrong:
                return EntryProblem(wrong.code, wrong.detail, wrong.hint, name)
        raise AssertionError("a value that is wrong is wrong twice")  # pragma: no cover


def _id(value: object) -> str:
    if type(value) is str:
        return as_field(value)
    hint = "An id is a number or a text."
    raise RowProblem(Code.BAD_ID, f"{value_words(value)} is not an id", hint)


def _list(value: object) -> str:
    if type(value) is list:
        return as_field(joined(value))
    if type(value) is str:
        return as_field(value)
    detail = f"{value_words(value)} is not a list"
    raise RowProblem(Code.BAD_LABEL, detail, "Write [] for an empty list.")


def _labels(value: object) -> str:
    return as_field(joined(value)) if type(value) is list else _cell(value)


def _cell(value: object) -> str:
    if type(value) is str:
        return as_field(value)
    if value is None:
        # The reader decides whether a value may be missing.
        return ""
    detail = f"{value_words(value)} is not a value of this column"
    raise RowProblem(Code.BAD_LABEL, detail, "A cell is one text or number, or null.")


def _cell_or_truth(value: object) -> str:
    return value_words(value) if type(value) is bool else _cell(value)
