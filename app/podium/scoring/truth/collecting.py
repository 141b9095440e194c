"""Collects labels as they are read: sessions are numbered, ids claimed once, and problems have
their lines.

It is independent of file formats; `forms.py` feeds it and `reading.py` builds the frame from it.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import repeat

import polars as pl

from podium.scoring.kinds.words import query_words
from podium.scoring.lists.joined import JoinedLists
from podium.scoring.problems import Code, FileRejected, Problem, printable, quoted
from podium.scoring.published import PublishedIds, id_type
from podium.scoring.splits import IGNORED, USAGE_SIDES
from podium.scoring.task import Task
from podium.scoring.text.fields import RowProblem
from podium.scoring.text.findings import Findings
from podium.scoring.truth.labels import RowsWithoutItem

_NO_SIDE = 255


class Collector:
    """Collects the contents of a ground-truth file in arrays: full-size files have millions of
    labels."""

    def __init__(self, task: Task, published: PublishedIds | None) -> None:
        self.task = task
        self.names = task.names
        self.findings = Findings()
        self.only_labelled = False
        self.has_usage = False
        self.ignored = 0
        self.rows_without_item = RowsWithoutItem()
        self.listed_in_brackets = JoinedLists()
        self.lists = 0
        self.foreign: dict[str, int] = {}
        self.known: set[str] = set()
        self._published = published
        sessions = [] if published is None else published.sessions.cast(pl.String).to_list()
        self._numbers = {session: number for number, session in enumerate(sessions)}
        width = len(task.objectives)
        self._claimed = array("I", bytes(4 * width * len(sessions)))
        self._sides = bytearray([_NO_SIDE]) * len(sessions)
        self._side_lines = array("I", bytes(4 * len(sessions)))
        self._query, self._line = array("I"), array("I")
        self._item: list[str] | array[int] = [] if task.item_ids == "string" else array("i")
        self._relevance = array("d")

    @property
    def graded(self) -> bool:
        """True where labels have relevances."""
        return len(self._relevance) > 0

    def problem(
        self,
        code: Code,
        detail: str,
        line: int | None,
        row_id: str | None = None,
        hint: str | None = None,
    ) -> None:
        """Adds a problem; raises FileRejected once there are enough of them."""
        self.findings.add(Problem(code, detail, line=line, id=row_id, hint=hint))
        if self.findings.enough:
            raise self.findings.rejected()

    def refuse(self, wrong: RowProblem, line: int, row_id: bytes) -> None:
        """Adds a problem of a row, under its id."""
        self.problem(wrong.code, wrong.detail, line, printable(row_id)[:64], wrong.hint)

    def session(self, session: str, line: int) -> int | None:
        """Looks up the number of a session, whose text is canonical; None, and a problem, if it is
        not published."""
        number = self._numbers.get(session)
        if number is None:
            if self._published is not None:
                word, _ = query_words(self.task.id_column)
                detail = f"{word} {session} is not among the published ids"
                self.problem(Code.UNPUBLISHED_SESSION, detail, line, session)
                return None
            number = self.listed(session)
        return number

    def listed(self, session: str) -> int:
        """Numbers a session that is published by being listed."""
        number = self._numbers.setdefault(session, len(self._numbers))
        if number == len(self._sides):
            self._claimed.extend([0] * len(self.task.objectives))
            self._sides.append(_NO_SIDE)
            self._side_lines.append(0)
        return number

    def claim(self, query: int, row_id: bytes, line: int) -> bool:
        """Marks a query as seen; false, with a problem that reports both lines, if it was seen
        before."""
        first = self._claimed[query]
        if first:
            name = printable(row_id)
            detail = f"{quoted(name)} occurs twice: on line {first} and on line {line}"
            hint = "Join the two rows into one, or remove one of them."
            self.problem(Code.DUPLICATE_ID, detail, line, name, hint)
            return False
        self._claimed[query] = line
        return True

    def usage(self, number: int, text: str, line: int) -> None:
        """Records the side that the organizer assigns to a session."""
        side = USAGE_SIDES.get(text.lower())
        if side is None:
            detail = "Usage must be Public, Private or Ignored"
            self.problem(Code.BAD_USAGE, detail, line)
        elif self._sides[number] == _NO_SIDE:
            self._sides[number], self._side_lines[number] = side, line
        elif self._sides[number] != side:
            first = self._side_lines[number]
            detail = f"a session must have one Usage: line {first} and line {line} differ"
            self.problem(Code.BAD_USAGE, detail, line)

    def without_item(self, line: int) -> None:
        """Counts a row of a long form with only an id."""
        before = self.rows_without_item
        self.rows_without_item = RowsWithoutItem(before.count + 1, before.first_line or line)

    def list_of(self, labels: bytes, line: int, row_id: bytes, column: str) -> None:
        """Counts a list, and whether it has the brackets of a printed list."""
        self.lists += bool(labels)
        if labels[:1] == b"[" and labels[-1:] == b"]":
            self.listed_in_brackets.add(line, row_id, labels, column)

    def labels(self, query: int, items: Sequence[int | str], line: int) -> None:
        """Adds the labels of a query, which all count alike; `line` is where they stand."""
        self._query.extend(repeat(query, len(items)))
        self._item.extend(items)  # type: ignore[arg-type]
        self._line.extend(repeat(line, len(items)))

    def graded_label(self, query: int, item: int | str, relevance: float, line: int) -> None:
        """Adds a label with its relevance; at 0 or below it does not count, but may not be
        repeated."""
        self.labels(query, (item,), line)
        self._relevance.append(relevance)

    def frame(self) -> pl.DataFrame:
        """Builds a frame of `query`, `item`, `relevance` where graded, and `line`, in file
        order."""
        columns = {
            "query": pl.Series(self._query, dtype=pl.UInt32),
            "item": pl.Series(self._item, dtype=id_type(self.task.item_ids)),
            "line": pl.Series(self._line, dtype=pl.UInt32),
        }
        if self.graded:
            columns["relevance"] = pl.Series(self._relevance, dtype=pl.Float64)
        return pl.DataFrame(columns)

    def published(self) -> PublishedIds:
        """Returns the sessions in the order in which they were published, or otherwise listed."""
        if self._published is not None:
            return self._published
        if not self._numbers:
            raise FileRejected.because(Code.EMPTY_FILE, "the file lists no session")
        sessions = pl.Series(list(self._numbers), dtype=pl.String)
        return PublishedIds(sessions.cast(id_type(self.task.query_ids)), self.task.names)

    def sides(self) -> pl.Series:
        """Returns the UInt8 side of every session by `Usage`; sessions that are not listed have no
        labels, and count as ignored."""
        sides = pl.Series(self._sides, dtype=pl.UInt8)
        return sides.replace(_NO_SIDE, IGNORED)
