"""Reads submissions strictly, line by line in plain Python, and reports every invalid line.

It defines what a valid submission is. The fast reader may accept only what this one accepts, and
every rejection comes from here. This module has no access to the ground truth.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import BinaryIO

from podium.scoring.hints.changed_ids import KnownIds
from podium.scoring.hints.texts import Hint
from podium.scoring.lists.joined import JoinedLists, may_join
from podium.scoring.lists.rows import (
    ListLayout,
    ListRow,
    header_line,
    is_joined,
    read_row,
    repeated_item,
)
from podium.scoring.problems import SHOWN_PROBLEMS, Code, Problem, quoted
from podium.scoring.published import PublishedIds
from podium.scoring.task import Task
from podium.scoring.text.header import first_text
from podium.scoring.text.strict import LineSlice, StrictReader

_LONGEST_USUAL_ID = 96


@dataclass(frozen=True, slots=True)
class LineCounts:
    """The counts of a valid file: rows, published ids without a row, rows without any item."""

    rows: int
    missing: int
    empty: int


def normalize(
    blocks: Iterator[bytes], *, task: Task, published: PublishedIds, sink: BinaryIO
) -> LineCounts:
    """Checks the whole text and writes it to `sink` in canonical form.

    Canonical means: the header with the id column first, one row per line, LF, no quotes, items
    separated by single spaces, integers without leading zeros. Each block must end right after an
    LF, except the last. Raises `FileRejected` with all problems; the contents of `sink` are then
    meaningless.
    """
    text = first_text(blocks, of="id")
    form = ListLayout.under(text, task)
    sink.write(header_line(task))
    reader = _StrictReader(form, published, sink)
    reader.read(text.partition(b"\n")[2])
    for block in blocks:
        reader.read(block)
    return reader.finish()


class _StrictReader(StrictReader[LineSlice]):
    """The state of the strict reader of lists after the lines read so far."""

    def __init__(self, form: ListLayout, published: PublishedIds, sink: BinaryIO) -> None:
        super().__init__(rows=published.count, of="id")
        self.form = form
        self.published = published
        self.sink = sink
        self.joined = JoinedLists()
        self.lists = 0
        self.empty = 0
        self.good: list[bytes] = []
        self.positions = form.positions
        self.may_join = may_join(form.task)
        self.distinct = form.task.submission_duplicates == "reject"
        self.first_lines = array("i", bytes(4 * published.count))
        self.place_of = published.place_lookup()
        self.known_ids = KnownIds(published.sessions)
        # A match fits in the longest line, so none becomes short enough by losing its quotes.
        longest = form.task.max_line_bytes - _LONGEST_USUAL_ID - len('"","')
        pattern = rb'^"([^",\n]{0,%d})","([^",\n]{0,%d})"$' % (_LONGEST_USUAL_ID, longest - 1)
        self.fully_quoted = re.compile(pattern, re.MULTILINE)
        self.common = _common_form(form)

    def _slice(self) -> LineSlice:
        return LineSlice()

    def _tidied(self, text: bytes) -> bytes:
        return self.fully_quoted.sub(rb"\1,\2", text) if b'"' in text else text

    def _read_lines(self, lines: list[bytes]) -> None:
        """Reads lines; those that are looked at one by one, as each problem bears on the next."""
        if self.findings.enough:
            super()._read_lines(lines)
        elif self.blank or self.line + len(lines) > self.last_line or b"" in lines:
            for raw in lines:
                super()._read_lines([raw])
        else:
            self._skim(lines)
        self.lists += len(self.good)
        if self.good and not self.findings.count:
            self.sink.write(b"\n".join(self.good) + b"\n")
        self.good.clear()

    def finish(self) -> LineCounts:
        """Returns the counts of a valid file; raises `FileRejected` for any other."""
        missing = self.first_lines.count(0)
        found = self.published.count - missing
        self.findings.conclude(self.unknown, found=found, published=self.rows, of=self.of)
        if missing and not self.findings.enough and self.form.task.missing_rows == "reject":
            queries = (query for query, line in enumerate(self.first_lines) if not line)
            self.findings.add(missing_ids(self.published, self.form.task, missing, queries))
        self.joined.refuse(self.findings, lists=self.lists - self.empty)
        if self.findings.count:
            raise self.findings.rejected()
        return LineCounts(self.lists, missing, self.empty)

    def _skim(self, lines: list[bytes]) -> None:
        """Accepts lines of the usual form quickly; only the others are checked in detail."""
        match_common, groups = self.common
        place_of, positions, objectives = self.place_of, self.positions, len(self.positions)
        first_lines, good, line = self.first_lines, self.good, self.line
        longest = self.form.task.max_line_bytes
        for raw in lines:
            line += 1
            match = match_common(raw)
            if match is not None and len(raw) <= longest:
                row_id, session, objective, labels = match.group(*groups)
                place = place_of(session)
                query = place * objectives + positions[objective or b""]
                repeats = self.distinct and repeated_item(labels, self.form.task.depth) is not None
                if place >= 0 and not first_lines[query] and not repeats:
                    first_lines[query] = line
                    good.append(raw if groups[0] == 1 else row_id + b"," + labels)
                    self.empty += not labels
                    if self.may_join:
                        self._note_form(line, row_id, labels)
                    continue
            self.line = line - 1
            super()._read_lines([raw])
        self.line = line

    def _look(self, raw: bytes, part: LineSlice) -> None:
        """Reads line number `self.line` with all checks."""
        row = read_row(raw, self.line, self.form)
        if (problem := self._claim(row)) is not None:
            part.problems.append(problem)
        part.problems += row.problems
        if row.labels is not None:
            self.empty += not row.labels
            self.good.append(row.id + b"," + row.labels)
            if self.may_join:
                self._note_form(self.line, row.id, row.labels)

    def _enter(self, part: LineSlice) -> None:
        """Adds all problems of a line, of which there may be two; `_look` has claimed its id."""
        if not self.findings.enough:
            for problem in part.problems:
                self.findings.add(problem)
            part.problems.clear()

    def _note_form(self, line: int, row_id: bytes, labels: bytes) -> None:
        if is_joined(labels):
            self.joined.add(line, row_id, labels, self.form.task.labels_column)

    def _claim(self, row: ListRow) -> Problem | None:
        """Records the row's id as seen; returns a problem if it is unknown or a duplicate."""
        if row.session is None:
            return None
        name, column = row.id.decode("ascii"), self.form.task.id_column
        place = self.place_of(row.session)
        if place < 0:
            self.unknown += 1
            detail = f"{quoted(name)} is not among the published ids"
            parts = [(self.known_ids, row.session.decode("ascii"))]
            hint = self.findings.hint_for_unknown(parts, Hint.UNPUBLISHED_ID)
            return Problem(Code.UNKNOWN_ID, detail, self.line, None, name, column, hint)
        query = place * len(self.positions) + self.positions[row.objective]
        first = self.first_lines[query]
        if first:
            detail = f"{quoted(name)} occurs twice: on line {first} and on line {self.line}"
            is_long = first == self.line - 1 and row.labels and b" " not in row.labels
            hint = f"{Hint.ID_ONCE} {Hint.ITEMS_TOGETHER}" if is_long else Hint.ID_ONCE
            return Problem(Code.DUPLICATE_ID, detail, self.line, None, name, column, hint)
        self.first_lines[query] = self.line
        return None


def missing_ids(published: PublishedIds, task: Task, count: int, queries: Iterator[int]) -> Problem:
    """Reports that `count` published ids have no row; `queries` begins with the first of them."""
    names = [published.id_of(query) for query in islice(queries, SHOWN_PROBLEMS)]
    shown = ", ".join(names) + (", …" if count > len(names) else "")
    detail = f"{count:,} of {published.count:,} ids are missing: {shown}"
    return Problem(Code.MISSING_IDS, detail, column=task.id_column, hint=Hint.MISSING_LISTS)


def _common_form(
    form: ListLayout,
) -> tuple[Callable[[bytes], re.Match[bytes] | None], tuple[int, int, int, int]]:
    """Compiles a pattern for rows in the most common form, and its groups for id, session,
    objective and labels. It accepts no row that `read_row` would refuse or change."""
    names = b"|".join(re.escape(name.encode()) for name in form.task.names if name)
    text, number = b"[!#-+\\--~]{1,64}", b"[1-9][0-9]{0,8}"
    # A session of text may contain underscores; names do not, so only the last one can match.
    session = text if form.task.query_ids == "string" else b"0|" + number
    row_id = rb"((%s)" % session + (rb"_(%s))" % names if names else rb"())")
    item = (text if form.task.item_ids == "string" else number) + b"+"
    labels = rb"((?:%s(?: %s)*)?)" % (item, item)
    if form.labels_first:
        return re.compile(labels + b"," + row_id).fullmatch, (2, 3, 4, 1)
    return re.compile(row_id + b"," + labels).fullmatch, (1, 2, 3, 4)
