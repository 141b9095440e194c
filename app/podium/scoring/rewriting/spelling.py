"""Recognizes in which of a task's forms a text is written, by its start alone.

A form that is not certain is never assumed: where the start fits two readings that may differ in
anything that scores, the file is refused with both. Recognizing a form proves nothing about the
rows that follow, which the readers check.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from podium.scoring.forms import (
    CANDIDATE_RANKS,
    CELL_LISTS,
    EXTRA_COLUMNS,
    ITEM_ROWS,
    JSON,
    NO_HEADER,
    SEPARATORS,
)
from podium.scoring.kinds import kind_of
from podium.scoring.names import header_of
from podium.scoring.problems import Code, FileRejected, quoted
from podium.scoring.rewriting.cell_lists import CellLists, lists_in, unquoted
from podium.scoring.rewriting.json_head import json_layout
from podium.scoring.task import Task
from podium.scoring.text.header import BOM
from podium.scoring.text.spellings import CANONICAL_ID

RANK, SCORE = "rank", "score"
"""The columns by which items are ordered where each has a row: the lowest rank, or the highest
score, first."""

RANKS_OF_CANDIDATES = r"([!#-+\--~]{1,64})[ \t]+\[([0-9]{1,9}(?:, ?[0-9]{1,9})*)\]"
"""The pattern of a line with an id and the ranks of its candidates, as MIND has them."""

SIGNS = {b"\t": "tabs", b";": "semicolons", b"::": "“::”"}
"""The signs that may separate columns instead of commas, with the words for each."""

HEAD_BYTES = 64 << 10
"""The bytes at the start of a text by which its form is recognized."""


@dataclass(frozen=True)
class Spelling:
    """The spelling of a text: the separator of its columns and their names in order, which the
    first line has where it is a header. With `item_column` each item has a row of its own; `order`
    is then the column by which they are ordered, or empty for the order of the file. A text that
    `is_of_ranks` has no columns, but lines of `RANKS_OF_CANDIDATES`. Of its columns only those at
    the indices `kept` are read, all where there are none. Lists are written as `lists`, where they
    are not as in the form `podium`. The entries of a `json_layout` have the names as keys."""

    names: tuple[str, ...] = ()
    separator: bytes = b","
    has_header: bool = True
    item_column: str = ""
    order: str = ""
    is_of_ranks: bool = False
    kept: tuple[int, ...] = ()
    lists: CellLists | None = None
    json_layout: str = ""

    @property
    def is_rewritten(self) -> bool:
        """True where columns or rows are written otherwise than in the form `podium`."""
        return bool(self.kept or self.lists or self.separator != b"," or not self.has_header)

    @property
    def forms(self) -> tuple[str, ...]:
        """The keys of the forms that a task must take for a text of this spelling."""
        needed = {
            SEPARATORS: self.separator != b",",
            NO_HEADER: not (self.has_header or self.json_layout),
            ITEM_ROWS: bool(self.item_column),
            EXTRA_COLUMNS: bool(self.kept),
            JSON: bool(self.json_layout),
            CELL_LISTS: self.lists is not None,
            CANDIDATE_RANKS: self.is_of_ranks,
        }
        return tuple(form.key for form, is_needed in needed.items() if is_needed)

    @property
    def words(self) -> str:
        """A summary for people.

        >>> Spelling(("user", "item"), b";", has_header=False, item_column="item").words
        'one item per row, in the order of the file; separated by semicolons; no header'
        """
        if self.json_layout:
            return self.json_layout
        parts = ["ranks of the candidates in published order"] if self.is_of_ranks else []
        if self.item_column:
            by = f"by {self.order}" if self.order else "in the order of the file"
            parts.append(f"one item per row, {by}")
        if self.kept:
            further = [name for at, name in enumerate(self.names) if at not in self.kept]
            shown = ", ".join(map(quoted, further[:3]))
            parts.append(f"without {shown}{', …' if further[3:] else ''}")
        if self.lists is not None:
            parts.append(self.lists.words)
        if self.separator in SIGNS:
            parts.append(f"separated by {SIGNS[self.separator]}")
        if not self.has_header:
            parts.append("no header")
        return "; ".join(parts)


PODIUM = Spelling()
"""The spelling of the form `podium`, whose reader checks everything else."""


def spelling_of(head: bytes, task: Task) -> Spelling:
    """Recognizes the form of a text by its start, the whole first line and up to `HEAD_BYTES`;
    `PODIUM` also for text of no form. Raises FileRejected where two readings fit."""
    if JSON.key in task.forms and (found := json_layout(head[:HEAD_BYTES], task)) is not None:
        layout, names = found
        return Spelling(names, has_header=False, json_layout=layout)
    lines = _whole_lines(head)
    if not task.forms or not lines:
        return PODIUM
    is_ranked = CANDIDATE_RANKS.key in task.forms and _RANKED.fullmatch(lines[0]) is not None
    if is_ranked and not task.context_column:
        return Spelling(is_of_ranks=True)
    readings = list(_headed(lines, task))
    if not readings and NO_HEADER.key in task.forms:
        readings = list(_headless(lines, task))
    if len(readings) > 1:
        first, second = (each.words or "lists" for each in readings[:2])
        raise _two_ways(f"{first}, or {second}", task)
    return _with_lists(readings[0], lines, task) if readings else PODIUM


def spelling_of_columns(names: Sequence[str], task: Task) -> Spelling:
    """Recognizes rows of single items by the columns of a file that says where its rows are; all
    others are `PODIUM`."""
    if sorted(names) != sorted(task.columns):
        for layout in _layouts(task):
            if layout.item_column and sorted(layout.names) == sorted(names):
                return layout
    return PODIUM


def _two_ways(both: str, task: Task) -> FileRejected:
    """Refuses a file that has two readings."""
    detail = f"the file can be read in two ways: {both}"
    hint = f"Begin it with a header, for example {header_of(task.columns)}."
    return FileRejected.because(Code.HEADER_MISMATCH, detail, line=1, hint=hint)


def _with_lists(found: Spelling, lines: list[bytes], task: Task) -> Spelling:
    """Adds how the lists of a text are written; PODIUM where nothing is as in another form."""
    if CELL_LISTS.key in task.forms and not found.item_column:
        at = found.names.index(task.labels_column)
        rows = [fields_by(line, found.separator) for line in lines[found.has_header :]]
        fields = [row[at] for row in rows if len(row) == len(found.names) and is_whole(row[at])]
        found = replace(found, lists=lists_in(fields, task))
    return found if found.is_rewritten or found.item_column else PODIUM


def fields_by(line: bytes, separator: bytes) -> list[bytes]:
    """Splits a line at a separator outside quotes; quotes stay.

    >>> fields_by(b'1;"a;b";c', b";")
    [b'1', b'"a;b"', b'c']
    """
    if b'"' not in line:
        return line.split(separator)
    field_at, fields, start = _field_before(separator).match, [], 0
    while (found := field_at(line, start)) is not None:
        fields.append(found[0])
        if found.end() == len(line):
            break
        start = found.end() + len(separator)
    return fields


@cache
def _field_before(separator: bytes) -> re.Pattern[bytes]:
    sign, rest = separator[:1], separator[1:]
    others = rb"|%s(?!%s)" % (sign, rest) if rest else b""
    return re.compile(rb'(?:[^"%s]+|"[^"]*"|"%s)*' % (sign, others))


def is_whole(field: bytes) -> bool:
    """True for a field that quotes enclose as a whole, or that has none."""
    return b'"' not in field or _QUOTED.fullmatch(field) is not None


def _whole_lines(head: bytes) -> list[bytes]:
    """Splits the start of a text into its lines that are known whole, without blank ones; none
    where the first one is blank, which no form has."""
    lines = head.removeprefix(BOM)[:HEAD_BYTES].split(b"\n")
    if len(head) >= HEAD_BYTES and len(lines) > 1:
        del lines[-1]
    whole = [each.removesuffix(b"\r") for each in lines]
    return list(filter(None, whole)) if whole[0] else []


def _separators(task: Task) -> tuple[bytes, ...]:
    return (b",", *SIGNS) if SEPARATORS.key in task.forms else (b",",)


def _headed(lines: list[bytes], task: Task) -> Iterator[Spelling]:
    """Finds the reading of a text whose first line has the names of columns. One of the form
    `podium` is that, unless its lists have the column of items, and ids occur in several rows with
    one item each."""
    for separator in _separators(task):
        fields = fields_by(lines[0], separator)
        if not all(map(is_whole, fields)):
            continue
        names = tuple(unquoted(each).decode("utf-8", "replace") for each in fields)
        rows = [fields_by(line, separator) for line in lines[1:]]
        for layout in _layouts(task):
            if sorted(layout.names) == sorted(names) and _fits(layout, names, rows, task):
                yield Spelling(names, separator, True, layout.item_column, layout.order)
                return
        if EXTRA_COLUMNS.key in task.forms and _holds_once(names, task.columns):
            kept = tuple(map(names.index, task.columns))
            yield Spelling(names, separator, kept=tuple(sorted(kept)))
            return


def _fits(layout: Spelling, names: tuple[str, ...], rows: list[list[bytes]], task: Task) -> bool:
    """True unless rows of single items, under these names, may as well be lists."""
    if layout.item_column != task.labels_column:
        return True
    if layout.names == task.columns:
        return _has_item_rows(rows, names.index(task.id_column))
    # Lists may stand beside a further column.
    at = names.index(layout.item_column)
    is_of_lists = any(b" " in row[at].strip(b'" ') for row in rows if len(row) > at)
    return not (is_of_lists and EXTRA_COLUMNS.key in task.forms)


def _headless(lines: list[bytes], task: Task) -> Iterator[Spelling]:
    """Finds the readings of a text whose first line is a row: it has the fields of a layout, and
    the first one may be an id. Where several separators make fields of it, all lines decide."""
    found = {sign: list(_of_first_row(lines, sign, task)) for sign in _separators(task)}
    signs = [sign for sign, layouts in found.items() if layouts]
    if len(signs) > 1:
        signs = [sign for sign in signs if len({len(fields_by(one, sign)) for one in lines}) == 1]
    for sign in signs:
        yield from found[sign]


def _of_first_row(lines: list[bytes], separator: bytes, task: Task) -> Iterator[Spelling]:
    fields = [field.strip(b'"') for field in fields_by(lines[0], separator)]
    texts = {field.decode("utf-8", "replace").lower() for field in fields}
    names = {name.lower() for layout in _layouts(task) for name in layout.names}
    # A header with a wrong name is no row of texts.
    if texts & names or not _is_id(fields[0], task):
        return
    layouts = [each for each in _layouts(task) if len(each.names) == len(fields)]
    if len(fields) == len(task.columns) and kind_of(task.kind).has_lists:
        is_long = _has_item_rows([fields_by(line, separator) for line in lines], 0)
        layouts = [each for each in layouts if bool(each.item_column) == is_long] or layouts
        del layouts[1:]
    if layouts and fields == [b"%d" % at for at in range(len(fields))]:
        # pandas numbers the columns that have no names.
        both = f"{quoted(lines[0])} as the first row, or as a header that a program has numbered"
        raise _two_ways(both, task)
    for each in layouts:
        yield Spelling(each.names, separator, False, each.item_column, each.order)


def _layouts(task: Task) -> Iterator[Spelling]:
    """Lists the columns that a text may have: those of rows for single items come first."""
    if ITEM_ROWS.key in task.forms:
        for item in dict.fromkeys((task.item_column, task.labels_column)):
            for order in ("", RANK, SCORE):
                names = (task.id_column, item, *filter(None, (order,)))
                # Rows of single items under a header of lists would hide an id that occurs twice.
                is_other = order or item == task.item_column
                if is_other and len(set(names)) == len(names):
                    yield Spelling(names, item_column=item, order=order)
    yield Spelling(task.columns)
    if task.order_columns:
        yield Spelling(task.order_columns)


def _holds_once(names: tuple[str, ...], columns: tuple[str, ...]) -> bool:
    return all(names.count(column) == 1 for column in columns)


def _has_item_rows(rows: list[list[bytes]], id_at: int) -> bool:
    """True where ids occur in several rows, and no row has several items."""
    if any(b" " in field.strip(b'" ') for row in rows for field in row):
        return False
    ids = [row[id_at].strip(b'"') for row in rows if len(row) > id_at]
    return len(set(ids)) < len(ids)


def _is_id(text: bytes, task: Task) -> bool:
    return task.query_ids == "string" or _NUMBER_FIRST.match(text) is not None


_RANKED = re.compile(RANKS_OF_CANDIDATES.encode())
_QUOTED = re.compile(rb'"[^"]*(?:""[^"]*)*"')
_NUMBER_FIRST = re.compile(rb"(%s)(_|\Z)" % CANONICAL_ID.encode())
