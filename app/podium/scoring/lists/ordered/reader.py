"""Implements the part of the reading of one item per line that all forms share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import BinaryIO

import polars as pl

from podium.scoring.lists.lines import LineCounts, missing_ids
from podium.scoring.lists.rows import ListLayout, header_line
from podium.scoring.problems import SHOWN_PROBLEMS, Code, FileRejected, Problem
from podium.scoring.published import IdPlaces, PublishedIds
from podium.scoring.task import MAX_SURPLUS_ROWS, Task
from podium.scoring.text.fields import RowProblem
from podium.scoring.text.findings import Findings

MAX_LIST_LINES = 10_000
"""The most lines of a file, on average, for each published list."""

TEXT = r"([!#-+\--~]+)"
"""The pattern of an id that is text."""

ITEM = {"integer": "(0|[1-9][0-9]{0,8})", "string": TEXT}
"""The pattern of an item that is canonical."""

LONGEST_FIELD = 64
"""The most bytes of an id, an item or a number."""

_PENDING_ROWS = 1 << 21


class OrderedReader(ABC):
    """Reads lines of one item each. `kept` has the items of each query (`place`) in order, a little
    deeper than the task; `pending` has the lines since. `schema` are the columns of both, `place`
    first; `order` are those by which rows are sorted after it, and whether they descend. Rows that
    are equal keep the order of the file."""

    limit: str
    """The detail of the problem of too many lines."""
    fewer: str
    """The advice for them."""

    def __init__(
        self,
        task: Task,
        published: PublishedIds,
        *,
        schema: pl.Schema,
        order: Mapping[str, bool],
        line: int = 0,
    ) -> None:
        self.task, self.published, self.line = task, published, line
        self.schema, self.order = schema, order
        self.findings = Findings()
        self.numbers = IdPlaces(published.sessions)
        self.form = ListLayout.of(task, labels_first=False)
        self.kept = pl.DataFrame(schema=self.schema)
        self.pending: list[pl.DataFrame] = []
        self.broken: set[str] = set()  # published or not, with a line that is not valid

    def read(self, block: bytes) -> None:
        """Reads a block of whole lines."""
        text = block.replace(b"\r\n", b"\n").removesuffix(b"\n")
        count = text.count(b"\n") + 1
        if self.line + count > self.published.count * MAX_LIST_LINES + MAX_SURPLUS_ROWS:
            raise FileRejected.because(Code.TOO_MANY_ROWS, self.limit, hint=self.fewer)
        rows = self.columns(text)
        self.pending.append(self.lines(text) if rows is None else rows)
        self.line += count
        if sum(len(each) for each in self.pending) > _PENDING_ROWS:
            self._prune()

    def finish(self, sink: BinaryIO) -> LineCounts:
        """Writes the lists of a valid file as canonical text, in published order; raises
        `FileRejected` for any other."""
        self._prune()
        places = self._places(pl.Series(sorted(self.broken), dtype=pl.String)).drop_nulls()
        answered = self.kept["place"].append(places).unique()
        missing = self.published.count - len(answered)
        self._conclude(found=len(answered))
        if missing and self.task.missing_rows == "reject" and not self._is_foreign(len(answered)):
            everything = pl.int_range(self.published.count, dtype=pl.UInt32, eager=True)
            places = everything.filter(~everything.is_in(answered)).head(SHOWN_PROBLEMS)
            self.findings.add(missing_ids(self.published, self.task, missing, iter(places)))
        for problem in self._problems_of_lists():
            self.findings.add(problem)
        if self.findings.count:
            raise self.findings.rejected()
        sink.write(header_line(self.task))
        items = pl.col("item").cast(pl.String).drop_nulls().head(self.task.depth)
        lists = self.kept.group_by("place", maintain_order=True).agg(items.str.join(" "))
        empty = int((lists["item"] == "").sum())
        lists.select(self._ids(lists["place"]), "item").write_csv(
            sink, include_header=False, quote_style="never"
        )
        return LineCounts(rows=len(answered), missing=missing, empty=empty)

    @abstractmethod
    def columns(self, text: bytes) -> pl.DataFrame | None:
        """Parses the rows of a block; None unless each of its lines is proven valid."""

    @abstractmethod
    def _parse(self, raw: bytes, line: int) -> tuple[str, tuple[object, ...]] | None:
        """Parses the id of a line and the values after it; None for a line to skip. Raises
        RowProblem."""

    @abstractmethod
    def _conclude(self, *, found: int) -> None:
        """Ends the findings about ids; `found` of the published ones have lines."""

    @abstractmethod
    def _problems_of_lists(self) -> Iterator[Problem]:
        """Finds problems of whole lists."""

    @abstractmethod
    def _unknown(self, name: str, line: int) -> None:
        """Notes an id that is not published."""

    def _is_foreign(self, found: int) -> bool:
        """True where no id is published, which says enough."""
        return bool(self.findings.count) and not found

    def lines(self, text: bytes) -> pl.DataFrame:
        """Parses the valid rows of a block; problems of the others go to the findings."""
        names, lines, values = [], [], []
        for line, raw in enumerate(text.split(b"\n"), start=self.line + 1):
            try:
                if (parsed := self._parse(raw, line)) is not None:
                    names.append(parsed[0])
                    lines.append(line)
                    values.append(parsed[1])
            except RowProblem as wrong:
                self.note(Problem(wrong.code, wrong.detail, line, hint=wrong.hint))
        places = self._places(pl.Series(names, dtype=pl.String))
        known = places.is_not_null()
        for row in (~known).arg_true():
            self._unknown(names[row], lines[row])
        types = pl.Schema(list(self.schema.items())[1:])
        columns = pl.DataFrame(values, schema=types, orient="row", strict=False)
        return columns.insert_column(0, places.alias("place")).filter(known)

    def _places(self, names: pl.Series) -> pl.Series:
        """Looks up the queries of ids as written, which are valid; null for unpublished ones."""
        position: pl.Series | int = 0
        if self.task.names != ("",):
            ends = names.str.extract_groups(r"^(.*)_([^_]*)$").struct.unnest()
            names = ends.to_series(0)
            count = range(len(self.task.names))
            position = ends.to_series(1).replace_strict(
                self.task.names, count, return_dtype=pl.UInt32
            )
        if self.task.query_ids == "integer":
            names = names.cast(pl.Int32)
        return (self.numbers.number(names) * len(self.task.names) + position).cast(pl.UInt32)

    def _ids(self, places: pl.Series) -> pl.Series:
        sessions = self.published.sessions.gather(places // len(self.task.names))
        if self.task.names == ("",):
            return sessions.cast(pl.String).alias("id")
        names = pl.Series(self.task.names).gather(places % len(self.task.names))
        return (sessions.cast(pl.String) + "_" + names).alias("id")

    def note(self, problem: Problem) -> None:
        """Adds a problem; raises FileRejected once there are enough."""
        self.findings.add(problem)
        if self.findings.enough:
            self.findings.stopped = True
            raise self.findings.rejected()

    def _prune(self) -> None:
        """Sorts all rows, and drops those below the scored depth. One more is kept, and each line
        without an item, which is seen not to be alone then."""
        rows = pl.concat([self.kept, *self.pending])
        descends = [False, *self.order.values()]
        rows = rows.sort("place", *self.order, descending=descends, maintain_order=True)
        number = pl.int_range(rows.height, dtype=pl.UInt32, eager=True)
        sizes = rows["place"].rle().struct.field("len").cast(pl.UInt32)
        first = (sizes.cum_sum() - sizes).gather(rows["place"].rle_id())
        is_near = number - first <= self.task.depth
        self.kept = rows.filter(is_near | rows["item"].is_null())
        self.pending = []
