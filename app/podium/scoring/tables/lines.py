"""The strict reader of tables: row by row, names every field that is wrong.

It defines what a good submission is. The fast reader may only say yes to what this one accepts, and
every rejection comes from here. Nothing in this module has seen the solution.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from itertools import islice

import polars as pl

from podium.scoring.hints.changed_ids import KnownIds
from podium.scoring.hints.texts import Hint
from podium.scoring.lists.header import read_columns
from podium.scoring.lists.lines import place_lookup
from podium.scoring.lists.rows import RowProblem, in_field, read_fields
from podium.scoring.lists.texts import first_text
from podium.scoring.pairs.pairs import PublishedPairs
from podium.scoring.pairs.strict import LineSlice, StrictReader
from podium.scoring.problems import SHOWN_PROBLEMS, Code, Problem, quoted
from podium.scoring.published import PublishedIds
from podium.scoring.tables.fields import Value, read_field, read_id
from podium.scoring.tables.layout import TableLayout, schema_of
from podium.scoring.task import Task

_PLACE = "place\0"
"""A name that no column has."""

_ROWS_TOGETHER = 10_000


def read_strictly(
    blocks: Iterator[bytes], *, task: Task, published: PublishedPairs
) -> pl.DataFrame:
    """Checks the whole text; the canonical columns of every published id.

    Each block must end right after an LF, except the last. Raises `FileRejected` with everything
    that is wrong.
    """
    text = first_text(blocks, of="id")
    reader = StrictTableReader(TableLayout(task, read_columns(text, task)), published)
    reader.read(text.partition(b"\n")[2])
    for block in blocks:
        reader.read(block)
    return reader.finish()


def read_rows_strictly(
    rows: Iterable[list[bytes]], *, layout: TableLayout, published: PublishedPairs
) -> pl.DataFrame:
    """The same for rows that are split into fields already, the first of which is on line 2."""
    reader = StrictTableReader(layout, published)
    remaining = iter(rows)
    while some := list(islice(remaining, _ROWS_TOGETHER)):
        reader.read_rows(some)
    return reader.finish()


class TableSlice(LineSlice):
    """The good rows of some lines, and the problems of the others."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[tuple[Value, ...]] = []  # place, and a value for each column


class StrictTableReader(StrictReader[TableSlice]):
    """The strict reader of tables after the lines read so far."""

    def __init__(self, layout: TableLayout, published: PublishedPairs) -> None:
        super().__init__(rows=published.count, of="id")
        self.task, self.id_at, self.columns = layout.task, layout.id_at, layout.columns_at
        self.ids = PublishedIds(published.frame["user"], ("",))
        self.place_of = place_lookup(self.ids)
        self.known_ids = KnownIds(self.ids.sessions)
        self.first_lines = array("i", bytes(4 * published.count))
        self.schema = {_PLACE: pl.UInt32, **schema_of(layout.task)}
        self.parts: list[pl.DataFrame] = []

    def read_rows(self, rows: Iterable[list[bytes]]) -> None:
        """Reads rows of fields, one on each line."""
        part = self._slice()
        for fields in rows:
            self.line += 1
            if not self.findings.enough:
                self._take(fields, part)
        self._settle(part)

    def finish(self) -> pl.DataFrame:
        """The columns of a good file; raises `FileRejected` for any other."""
        missing = self.first_lines.count(0)
        found = self.rows - missing
        self.findings.conclude(self.unknown, found=found, published=self.rows, of=self.of)
        if missing and not self.findings.enough:
            self.findings.add(self._missing(missing))
        if self.findings.count:
            raise self.findings.rejected()
        none = pl.DataFrame(schema=self.schema)
        return pl.concat([none, *self.parts], rechunk=True).sort(_PLACE).drop(_PLACE)

    def _slice(self) -> TableSlice:
        return TableSlice()

    def _look(self, raw: bytes, part: TableSlice) -> None:
        try:
            fields = read_fields(raw, self.task)
        except RowProblem as wrong:
            part.problems.append(Problem(wrong.code, wrong.detail, self.line, hint=wrong.hint))
            return
        if b'"' in raw:
            fields = [field.replace(b'""', b'"') for field in fields]
        self._take(fields, part)

    def _take(self, fields: list[bytes], part: TableSlice) -> None:
        """Takes the fields of line number `self.line`, each by its column's rules."""
        row_id, problems = fields[self.id_at], part.problems
        before = len(problems)
        place = -1
        try:
            place = self._claimed(row_id)
        except RowProblem as wrong:
            problems.append(in_field(wrong, self.line, row_id, self.task.id_column))
        values: list[Value] = [place]
        for at, column in self.columns:
            shown = self.findings.count + len(problems) < SHOWN_PROBLEMS
            try:
                values.append(read_field(fields[at], column, compares=shown))
            except RowProblem as wrong:
                named = RowProblem(wrong.code, f"{column.name}: {wrong.detail}", wrong.hint)
                problems.append(in_field(named, self.line, row_id, column.name))
        if len(problems) == before and not self.findings.count:
            part.rows.append(tuple(values))

    def _claimed(self, row_id: bytes) -> int:
        """The place of an id, which is seen now. Raises RowProblem where it may not be there, or
        not again."""
        read_id(row_id, self.task.query_ids)
        place = self.place_of(row_id)
        if place < 0:
            self.unknown += 1
            detail = f"{quoted(row_id)} is not among the published ids"
            parts = [(self.known_ids, row_id.decode("ascii"))]
            hint = self.findings.hint_for_unknown(parts, Hint.UNPUBLISHED_ID)
            raise RowProblem(Code.UNKNOWN_ID, detail, hint)
        first = self.first_lines[place]
        if first:
            detail = f"{quoted(row_id)} occurs twice: on line {first} and on line {self.line}"
            raise RowProblem(Code.DUPLICATE_ID, detail, Hint.ID_ONCE)
        self.first_lines[place] = self.line
        return place

    def _enter(self, part: TableSlice) -> None:
        if part.rows:
            self.parts.append(pl.DataFrame(part.rows, schema=self.schema, orient="row"))

    def _missing(self, count: int) -> Problem:
        absent = (place for place, line in enumerate(self.first_lines) if not line)
        names = [self.ids.id_of(place) for place in islice(absent, SHOWN_PROBLEMS)]
        shown = ", ".join(names) + (", …" if count > len(names) else "")
        detail = f"{count:,} of {self.rows:,} ids are missing: {shown}"
        column = self.task.id_column
        return Problem(Code.MISSING_IDS, detail, column=column, hint=Hint.MISSING_ROWS)
