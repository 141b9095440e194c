"""Reads submissions with one item per row as canonical text: CSV with the columns of ids and items,
and perhaps a rank or a score.

A list has the lowest rank, or the highest score, first; rows of equal scores, and rows without
either column, keep the order of the file. An id whose only row has an empty item has an empty list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import BinaryIO

import polars as pl

from podium.scoring.hints.changed_ids import KnownIds
from podium.scoring.hints.texts import Hint
from podium.scoring.lists.lines import LineCounts
from podium.scoring.lists.ordered.reader import (
    ITEM,
    LONGEST_FIELD,
    MAX_LIST_LINES,
    TEXT,
    OrderedReader,
)
from podium.scoring.lists.rows import read_id, read_labels
from podium.scoring.problems import SHOWN_PROBLEMS, Code, Problem, quoted
from podium.scoring.published import PublishedIds
from podium.scoring.rewriting.spelling import RANK, SCORE, Spelling
from podium.scoring.task import Task
from podium.scoring.text.fields import RowProblem, in_field, read_fields
from podium.scoring.text.spellings import NUMBER

_RANK = "(0|[1-9][0-9]{0,8})"
_SPELLED = {RANK: re.compile(_RANK.encode()), SCORE: re.compile(NUMBER.encode())}
_LARGEST = {RANK: 1e9, SCORE: 1e100}
_WHOLE = re.compile(rb"[+-]?[0-9]+")
_EXACT = 2**53
"""The largest score up to which different whole numbers are different doubles."""

_TOO_EXACT = f"Whole numbers beyond {_EXACT:,} may be equal as doubles: send ranks."
_HINTS = {
    RANK: "A rank is a whole number of at most nine digits; the lowest comes first.",
    SCORE: "A score is a finite decimal number, as in 0.75 or 1e-3; the highest comes first.",
}


def normalize_item_rows(
    blocks: Iterator[bytes],
    spelling: Spelling,
    *,
    task: Task,
    published: PublishedIds,
    sink: BinaryIO,
) -> LineCounts:
    """Checks the whole text, whose first line is the header of `spelling`, and writes it to `sink`
    as canonical text, in published order.

    Each block must end right after an LF, except the last. Raises `FileRejected` with all problems;
    the contents of `sink` are then meaningless.
    """
    reader = ItemRowReader(task, published, spelling)
    _, _, first = next(blocks, b"").partition(b"\n")
    for block in chain((first,), blocks):
        # The header that a file lacks is a block of its own.
        if block:
            reader.read(block)
    return reader.finish(sink)


class ItemRowReader(OrderedReader):
    """Reads rows of one item; a row of an empty list has none."""

    limit = f"more than {MAX_LIST_LINES:,} rows for each published id"

    def __init__(self, task: Task, published: PublishedIds, spelling: Spelling) -> None:
        item = pl.String if task.item_ids == "string" else pl.Int32
        by = spelling.order or "line"
        columns = {"place": pl.UInt32, "item": item, by: pl.Float64, "line": pl.UInt32}
        order = {by: spelling.order == SCORE}
        super().__init__(task, published, schema=pl.Schema(columns), order=order, line=1)
        self.spelling, self.unknown, self.blank = spelling, 0, 0
        self.fewer = f"Send the best {task.depth:,} items of each id; no others count."
        self.known_ids = KnownIds(published.sessions)
        patterns = {
            task.id_column: TEXT,
            spelling.item_column: f"{ITEM[task.item_ids]}?",
            RANK: _RANK,
            SCORE: f"({NUMBER})",
        }
        either = [rf"(?:{patterns[each]}|\"{patterns[each]}\")" for each in spelling.names]
        self.pattern = f"^{','.join(either)}$"
        self.item_at = spelling.names.index(spelling.item_column)
        self.id_at = spelling.names.index(task.id_column)
        self.order_at = spelling.names.index(spelling.order) if spelling.order else None

    def columns(self, text: bytes) -> pl.DataFrame | None:
        """Parses the rows of a block; None unless each of its lines is proven valid."""
        if not text.isascii() or self.blank:
            return None
        lines = pl.Series([text.decode("ascii")]).str.split("\n").explode()
        groups = lines.str.extract_groups(self.pattern).struct.unnest()
        fields = [
            groups.to_series(2 * at).fill_null(groups.to_series(2 * at + 1))
            for at in range(len(self.spelling.names))
        ]
        longest = max(int(each.str.len_bytes().max() or 0) for each in fields)  # type: ignore[arg-type]
        places = self._checked_places(fields[self.id_at])
        if places is None or longest > LONGEST_FIELD:
            return None
        line = pl.int_range(self.line + 1, self.line + 1 + len(lines), dtype=pl.UInt32, eager=True)
        item = fields[self.item_at]
        rows = pl.DataFrame({"place": places, "item": item.set(item == "", None), "line": line})
        if self.order_at is not None:
            order = fields[self.order_at].cast(pl.Float64, strict=False)
            if order.null_count() or (order.abs() >= _EXACT).any():
                return None
            # Zero has one order, whatever its sign.
            rows = rows.with_columns(order.alias(self.spelling.order) + 0.0)
        return rows.select(*self.schema).cast(self.schema)

    def _checked_places(self, names: pl.Series) -> pl.Series | None:
        """Looks up ids; None unless all are canonical and published."""
        sessions = names
        if self.task.names != ("",):
            ends = names.str.extract_groups(r"^(.*)_([^_]*)$").struct.unnest()
            sessions = ends.to_series(0)
            if not ends.to_series(1).is_in(list(self.task.names)).all():
                return None
        if self.task.query_ids == "integer":
            numbers = sessions.cast(pl.Int32, strict=False)
            if numbers.null_count() or (numbers.cast(pl.String) != sessions).any():
                return None
        if sessions.null_count():
            return None
        places = self._places(names)
        return None if places.null_count() else places

    def _parse(self, raw: bytes, line: int) -> tuple[str, tuple[object, ...]] | None:
        if not raw:
            self.blank += 1
            return None
        for blank in range(line - self.blank, line)[:SHOWN_PROBLEMS]:
            self.note(Problem(Code.BLANK_LINE, "the line is blank", blank, hint=Hint.BLANK_LINE))
        self.findings.count += max(0, self.blank - SHOWN_PROBLEMS)
        self.blank = 0
        fields = read_fields(raw, self.task, self.spelling.names)
        text, row_id = fields[self.item_at], fields[self.id_at]
        problems = []
        for column, read in (
            (self.task.id_column, lambda: read_id(row_id, self.form)),
            (self.spelling.item_column, lambda: self._item(text)),
            (self.spelling.order, lambda: self._order(fields)),
        ):
            try:
                read()
            except RowProblem as wrong:
                problems.append(in_field(wrong, line, row_id, column))
        if problems:
            if problems[0].column != self.task.id_column:
                self.broken.add(row_id.decode("ascii"))
            for problem in problems:
                self.note(problem)
            return None
        values = {"item": self._item(text), "line": line, self.spelling.order: self._order(fields)}
        return row_id.decode("ascii"), tuple(values[name] for name in list(self.schema)[1:])

    def _item(self, text: bytes) -> str | int | None:
        try:
            item = read_labels(text, self.task)
        except RowProblem as wrong:
            hint = Hint.WHOLE_ITEM if wrong.hint == Hint.WHOLE_ITEMS else wrong.hint
            raise RowProblem(wrong.code, wrong.detail, hint) from None
        if b" " in item:
            raise RowProblem(Code.BAD_LABEL, f"{quoted(text)} is not one item", Hint.ITEM_A_ROW)
        if not item:
            return None
        return int(item) if self.task.item_ids == "integer" else item.decode("ascii")

    def _order(self, fields: list[bytes]) -> float | None:
        if self.order_at is None:
            return None
        order, text = self.spelling.order, fields[self.order_at]
        is_good = len(text) <= LONGEST_FIELD and _SPELLED[order].fullmatch(text) is not None
        if not is_good or abs(float(text)) > _LARGEST[order]:
            raise RowProblem(Code.BAD_NUMBER, f"{quoted(text)} is not a {order}", _HINTS[order])
        if _WHOLE.fullmatch(text) is not None and abs(int(text)) > _EXACT:
            detail = f"{quoted(text)} has more digits than scores are compared by"
            raise RowProblem(Code.BAD_NUMBER, detail, _TOO_EXACT)
        return float(text) + 0.0

    def _unknown(self, name: str, line: int) -> None:
        self.unknown += 1
        session = name if self.task.names == ("",) else name.rpartition("_")[0]
        hint = self.findings.hint_for_unknown([(self.known_ids, session)], Hint.UNPUBLISHED_ID)
        detail = f"{quoted(name)} is not among the published ids"
        self.note(Problem(Code.UNKNOWN_ID, detail, line, None, name, self.task.id_column, hint))

    def _conclude(self, *, found: int) -> None:
        count = self.published.count
        self.findings.conclude(self.unknown, found=found, published=count, of="id")

    def _problems_of_lists(self) -> Iterator[Problem]:
        of_list = self.kept.group_by("place", maintain_order=True)
        sizes = of_list.len().filter(pl.col("len") > 1)["place"]
        holed = self.kept.filter(pl.col("item").is_null() & pl.col("place").is_in(sizes.implode()))
        for place, line in holed.select("place", "line").iter_rows():
            detail = "the item is missing, and other rows of the id have one"
            hint = "Remove the row; one without an item is the only row of its id."
            yield self._of(place, Code.BAD_LABEL, detail, line, hint)
        if self.spelling.order == RANK:
            detail, hint = "rank {} occurs twice: on line {} and on line {}", "Give each rank once."
            yield from self._twice(RANK, Code.BAD_NUMBER, detail, hint)
        if self.task.submission_duplicates == "reject":
            within = f"among the first {self.task.depth:,} items"
            detail = f"“{{}}” occurs twice {within}: on line {{}} and on line {{}}"
            yield from self._twice("item", Code.DUPLICATE_LABEL, detail, Hint.ITEM_ONCE)

    def _twice(self, column: str, code: Code, detail: str, hint: str) -> Iterator[Problem]:
        """Reports values that occur a second time in the scored part of a list; a rank also where
        it decides which item is the last of them."""
        depth = self.task.depth + (column == RANK)
        cut = self.kept.group_by("place", maintain_order=True).head(depth)
        cut = cut.filter(pl.col("item").is_not_null())
        key = ["place", column]
        again = cut.filter(~pl.struct(key).is_first_distinct())
        firsts = cut.unique(key, keep="first")
        found = again.join(firsts, on=key, suffix="_before").sort("line")
        for place, value, line, before in found.select(*key, "line", "line_before").iter_rows():
            shown = int(value) if column == RANK else value
            yield self._of(place, code, detail.format(shown, before, line), line, hint)

    def _of(self, place: int, code: Code, detail: str, line: int, hint: str) -> Problem:
        of_order = {Code.BAD_NUMBER: RANK}
        column = of_order.get(code, self.spelling.item_column)
        return Problem(code, detail, line, None, self.published.id_of(place), column, hint)
