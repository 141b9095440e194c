"""Reads submissions of ranked candidates: a row for each query, with all its candidates, the best
first, separated by spaces.

The header distinguishes this form from that of numbers. Rows are those of ranked lists, and the
compiled reader of lists reads plain ones; the strict reader reports every invalid line. A rank
becomes a number for the metrics: the negative position.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any

import polars as pl

from podium.scoring.containers.detection import is_parquet
from podium.scoring.forms import FORMS
from podium.scoring.hints.changed_ids import KnownIds
from podium.scoring.hints.texts import Hint
from podium.scoring.kernel.text import NotPlain
from podium.scoring.kinds.lists import LISTS
from podium.scoring.lists.opening import list_blocks
from podium.scoring.lists.plan import ListBlock, ReadingPlan
from podium.scoring.lists.reading import read_plain
from podium.scoring.lists.rows import ListLayout, read_row
from podium.scoring.names import header_of
from podium.scoring.pairs.layout import layout_of
from podium.scoring.parquet.footer import read_footer
from podium.scoring.problems import SHOWN_PROBLEMS, Code, FileRejected, Problem
from podium.scoring.published import PublishedIds
from podium.scoring.repeating import repeat
from podium.scoring.rewriting.opening import spelled_source, spelling_in
from podium.scoring.rewriting.spelling import Spelling
from podium.scoring.rows.keys import PublishedRows, RowNumbers
from podium.scoring.rows.strict import RowSlice, StrictRowReader
from podium.scoring.task import MAX_SURPLUS_ROWS, ORDER_COLUMN, Objective, Task
from podium.scoring.text.blocks import KEPT_BYTES
from podium.scoring.text.fields import RowProblem, names_of
from podium.scoring.text.findings import ENOUGH_PROBLEMS
from podium.scoring.text.header import BOM, SNIFFED_BYTES, first_text

Progress = Callable[[float], None]

_HINT = "Send all candidates of the query, each once, and no other items."


def order_lists(file: Path, task: Task, published: PublishedRows) -> Task | None:
    """Derives the task of lists by which `read_orders` reads a file with the header of ranked
    candidates; None for other files, and where the task does not accept them. Raises FileRejected
    where all candidates of a query do not fit on a line; an unreadable file is left to other
    readers to refuse."""
    if not task.order_columns:
        return None
    try:
        names = _names(file, task)
    except FileRejected:
        return None
    if names != sorted(task.order_columns):
        return None
    lists = _lists_task(task, published)
    if lists.max_line_bytes > KEPT_BYTES:
        detail = "a query has more candidates than fit on a line"
        hint = f"Send a row with a number for each: {header_of(task.columns)}."
        raise FileRejected.because(Code.HEADER_MISMATCH, detail, line=1, hint=hint)
    return lists


def _names(file: Path, task: Task) -> list[str]:
    """Reads the names in the header, sorted."""
    if is_parquet(file):
        return sorted(read_footer(file).columns)
    spelling = spelling_in(file, task)
    with spelled_source(file, task, spelling) as source:
        head = source.read(SNIFFED_BYTES) or b""
    line = head.removeprefix(BOM).partition(b"\n")[0].removesuffix(b"\r")
    try:
        return sorted(field.decode("utf-8", "replace") for field in names_of(line))
    except RowProblem:
        return []


def read_orders(
    file: Path,
    lists: Task,
    *,
    task: Task,
    published: PublishedRows,
    progress: Progress | None = None,
) -> pl.Series:
    """Reads the negative position of every published pair among the candidates of its query,
    Float64 in published order; `lists` is from `order_lists`. Raises FileRejected.

    `progress` is called with the share of the queries that was read, 0 to 1, from any thread.
    """
    queries = published.ids
    spelling = spelling_in(file, task)
    plain = _plain(file, lists, queries, published, progress, spelling)
    if plain is not None:
        return plain
    max_rows = queries.count + MAX_SURPLUS_ROWS
    blocks = list_blocks(file, lists, max_rows=max_rows, spelling=spelling)
    text = first_text(blocks, of="id")
    layout = ListLayout.under(text, lists)
    reader = _StrictOrderReader(task, layout, published, queries)
    reader.read(text.partition(b"\n")[2])
    for block in blocks:
        reader.read(block)
    (places,) = reader.finish()
    if progress is not None:
        progress(1.0)
    return places


def _lists_task(task: Task, published: PublishedRows) -> Task:
    """Derives the task of lists with the same rows. They are cut one item after the largest number
    of candidates of a query, so that a surplus one is detected."""
    longest = int(published.frame["key0"].value_counts()["count"].max() or 0)  # type: ignore[arg-type]
    return Task(
        objectives=(Objective("", Decimal(1), f"recall@{longest + 1}"),),
        id_column=task.id_column,
        labels_column=ORDER_COLUMN,
        query_ids=task.query_ids,
        item_ids=task.item_ids,
        max_expanded_bytes=task.max_expanded_bytes,
        # They say how the file is opened, too.
        forms=tuple(key for key in task.forms if LISTS.takes_form(FORMS[key])),
    )


def _plain(
    file: Path,
    lists: Task,
    queries: PublishedIds,
    published: PublishedRows,
    progress: Progress | None,
    spelling: Spelling,
) -> pl.Series | None:
    """Reads the positions with the compiled reader; None where the text is not plain, is not a
    complete answer, or the reader was not built."""
    numbers, count = RowNumbers(published), published.count

    def look(block: ListBlock) -> tuple[pl.Series, pl.Series]:
        users = queries.sessions.gather(block.query.gather(block.list_of))
        named = pl.DataFrame({"key0": users, "key1": block.items})
        pairs = numbers.of(named)
        if pairs.null_count():
            raise NotPlain("an item that is not a candidate")
        return pairs, block.place + 1

    every = repeat(1, queries.count, pl.UInt8)
    plan = ReadingPlan(lists.depth, lists_of=every, on_lists=look)
    read = read_plain(file, lists, queries, plan, progress, spelling=spelling)
    if read is None or sum(len(pairs) for pairs, _ in read.parts) != count:
        return None
    nowhere = repeat(0, count, pl.UInt32)
    pairs, places = (pl.concat(parts) for parts in zip(*read.parts, strict=True))
    found = nowhere.scatter(pairs, places)
    # As many as there are pairs, and none missing: each is there once.
    return None if (found == 0).any() else -found.cast(pl.Float64)


class _StrictOrderReader(StrictRowReader):
    """Reads strictly rows of one query with all its candidates."""

    def __init__(
        self, task: Task, lists: ListLayout, published: PublishedRows, queries: PublishedIds
    ) -> None:
        super().__init__(layout_of(task), published)
        self.rows, self.of = queries.count, "id"
        self.last_line = 1 + self.rows + MAX_SURPLUS_ROWS
        self.lists, self.queries = lists, queries
        self.place_of = queries.place_lookup()
        self.known_queries = KnownIds(queries.sessions)
        self.lines_of = array("i", bytes(4 * queries.count))
        self.broken: set[int] = set()  # queries whose candidates are unknown
        self.last_reported = 0  # the last line with a reported problem of its candidates

    def _look(self, raw: bytes, part: RowSlice) -> None:
        row = read_row(raw, self.line, self.lists)
        part.problems += row.problems
        if row.session is None:
            return
        name, place = row.id.decode("ascii"), self.place_of(row.session)
        if place < 0 or self.lines_of[place]:
            part.problems.append(self._query_not_once(place, name, len(part.problems)))
            return
        self.lines_of[place] = self.line
        if row.labels is None:
            self.broken.add(place)
            return
        task = self.layout.task
        user = name if task.query_ids == "string" else int(name)
        for number, item in enumerate(row.labels.decode("ascii").split(), start=1):
            part.keys.append((user, item if task.item_ids == "string" else int(item)))
            part.rest.append(((-float(number),), self.line, f"{name},{item}".encode()))

    def _query_not_once(self, place: int, name: str, before: int) -> Problem:
        column = self.layout.task.id_column
        if place < 0:
            self.unknown += 1
            detail = f"{name} is not among the published ids"
            parts = [(self.known_queries, name)]
            hint = self.findings.hint_for_unknown(parts, Hint.UNPUBLISHED_ID, before=before)
            return Problem(Code.UNKNOWN_ID, detail, self.line, None, name, column, hint)
        detail = f"{name} occurs twice: on line {self.lines_of[place]} and on line {self.line}"
        return Problem(Code.DUPLICATE_ID, detail, self.line, None, name, column, Hint.QUERY_ONCE)

    def _not_once(
        self, number: int | None, line: int, row_id: bytes, before: int
    ) -> Problem | None:
        if self.last_reported == line:
            return None  # One problem of a line's candidates is enough.
        self.last_reported = line
        name, _, item = row_id.decode("ascii").partition(",")
        hint = _HINT
        if number is None:
            code, detail = Code.UNKNOWN_ID, f"{item} is not a candidate of {name}"
            hint = self.findings.hint_for_unknown([(self.known_ids[1], item)], hint, before=before)
        else:
            code, detail = Code.DUPLICATE_ID, f"{item} occurs twice among the candidates of {name}"
        return Problem(code, detail, line, None, name, ORDER_COLUMN, hint)

    def _missing(self, count: int) -> Iterator[Problem]:
        """Reports candidates that a row lacks, row by row, and then the queries without a row."""
        del count
        lines = pl.Series(self.lines_of, dtype=pl.Int32)
        by_query = pl.DataFrame({"key0": self.queries.sessions, "line": lines}).with_row_index("at")
        absent = self.published.frame.with_columns(
            absent=pl.Series(self.first_lines, dtype=pl.Int32) == 0
        )
        found = absent.group_by("key0", maintain_order=True).agg(
            pl.len().alias("all"),
            pl.col("absent").sum().alias("lacks"),
            pl.col("key1").filter(pl.col("absent")).head(SHOWN_PROBLEMS).alias("items"),
        )
        found = found.join(by_query, on="key0", how="left", maintain_order="left")
        lacking = found.filter((pl.col("lacks") > 0) & (pl.col("line") > 0)).sort("line")
        for row in lacking.head(ENOUGH_PROBLEMS).iter_rows(named=True):
            if row["at"] not in self.broken:
                yield self._lacks(row)
        yield from self._without_row()

    def _lacks(self, row: dict[str, Any]) -> Problem:
        """Reports the candidates that one row lacks."""
        shown = ", ".join(map(str, row["items"])) + (", …" if row["lacks"] > SHOWN_PROBLEMS else "")
        detail = f"{row['key0']} lacks {row['lacks']:,} of its {row['all']:,} candidates"
        name = str(row["key0"])
        return Problem(
            Code.MISSING_IDS, f"{detail}: {shown}", row["line"], None, name, ORDER_COLUMN, _HINT
        )

    def _without_row(self) -> Iterator[Problem]:
        absent = self.lines_of.count(0)
        if absent:
            places = (place for place, line in enumerate(self.lines_of) if not line)
            names = ", ".join(self.queries.id_of(place) for place in islice(places, SHOWN_PROBLEMS))
            more = ", …" if absent > SHOWN_PROBLEMS else ""
            detail = f"{absent:,} of {self.rows:,} ids are missing: {names}{more}"
            hint = "Send a row with all its candidates for each published id."
            yield Problem(Code.MISSING_IDS, detail, column=self.layout.task.id_column, hint=hint)
