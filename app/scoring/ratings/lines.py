"""The strict reader: line by line, names every line that is wrong.

It defines what a good submission of ratings is. The compiled reader may only say yes to what this
one accepts, and every rejection comes from here. Nothing in this module has seen the ground truth.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator

import polars as pl

from podium.scoring.lists.findings import Findings
from podium.scoring.lists.header import read_columns
from podium.scoring.lists.texts import first_text
from podium.scoring.problems import SHOWN_PROBLEMS, Code, Problem
from podium.scoring.ratings.pairs import PairNumbers, PublishedPairs, shown_first, type_of
from podium.scoring.ratings.rows import (
    LARGEST_RATING,
    LONGEST_NUMBER_BYTES,
    NUMBER,
    TEXT_ID,
    RatingRowLayout,
    read_row,
)
from podium.scoring.task import MAX_SURPLUS_ROWS, Task

SLICE_BYTES = 256 << 10
"""Bytes of text that are split into lines at a time; their pairs are looked up together."""

# Programs that quote every field do so on every line, and these quotes mean nothing.
_FULLY_QUOTED = re.compile(
    rb'^"([^",\n]{0,64})","([^",\n]{0,64})","([^",\n]{0,64})"$', re.MULTILINE
)


def read_strictly(
    blocks: Iterator[bytes], *, task: Task, published: PublishedPairs, numbers: PairNumbers
) -> pl.Series:
    """Checks the whole text; the prediction of every published pair, Float64 in published order.

    Each block must end right after an LF, except the last. Raises `FileRejected` with everything
    that is wrong.
    """
    text = first_text(blocks, of="pair")
    form = RatingRowLayout.of(task, read_columns(text, task))
    reader = _StrictRatingReader(form, published, numbers)
    reader.read(text.partition(b"\n")[2])
    for block in blocks:
        reader.read(block)
    return reader.finish()


class _Slice:
    """The well-formed rows of some lines, and the problems of the others."""

    def __init__(self, form: RatingRowLayout) -> None:
        self.users: list[int | str] = []
        self.items: list[int | str] = []
        self.rest: list[tuple[float | None, int, bytes]] = []  # rating, line, id
        self.problems: list[Problem] = []
        self.surplus = 0  # blank lines that are problems, too, and not worth a line each
        self._types = type_of(form.task.query_ids), type_of(form.task.item_ids)

    def pairs(self) -> pl.DataFrame:
        """The rows' pairs."""
        user, item = self._types
        return pl.DataFrame(
            {"user": pl.Series(self.users, dtype=user), "item": pl.Series(self.items, dtype=item)}
        )


class _StrictRatingReader:
    """The state of the strict reader after the lines read so far."""

    def __init__(
        self, form: RatingRowLayout, published: PublishedPairs, numbers: PairNumbers
    ) -> None:
        self.form = form
        self.published = published
        self.numbers = numbers
        self.findings = Findings()
        self.line = 1
        self.last_line = 1 + published.count + MAX_SURPLUS_ROWS
        self.blank = 0  # blank lines just before, which are fine if nothing follows them
        self.unknown = 0
        self.predictions = array("d", bytes(8 * published.count))
        self.first_lines = array("i", bytes(4 * published.count))
        self.common = _common_form(form)

    def read(self, block: bytes) -> None:
        """Reads a block of whole lines."""
        start = 0
        while start < len(block):
            end = block.find(b"\n", start + SLICE_BYTES) + 1 or len(block)
            text = block[start:end]
            if b"\r" in text:
                text = text.replace(b"\r\n", b"\n")
            if b'"' in text:
                text = _FULLY_QUOTED.sub(rb"\1,\2,\3", text)
            self._read_lines(text.removesuffix(b"\n").split(b"\n"))
            start = end

    def finish(self) -> pl.Series:
        """The predictions of a good file; raises `FileRejected` for any other."""
        missing = self.first_lines.count(0)
        found = self.published.count - missing
        self.findings.conclude(self.unknown, found=found, published=self.published.count, of="pair")
        if missing and not self.findings.enough:
            self.findings.add(self._missing(missing))
        if self.findings.count:
            raise self.findings.rejected()
        return pl.Series(self.predictions, dtype=pl.Float64)

    def _read_lines(self, lines: list[bytes]) -> None:
        part = _Slice(self.form)
        for line in lines:
            self.line += 1
            if not line:
                self.blank += 1
                continue
            if self.blank:
                self._refuse_blanks(part)
            if self.line > self.last_line:
                self._enter(part)
                raise self.findings.too_many_rows(
                    self.last_line + 1, published=self.published.count, of="pair"
                )
            if not self.findings.enough:
                self._look(line, part)
        self._enter(part)

    def _look(self, raw: bytes, part: _Slice) -> None:
        """Takes line number `self.line` apart."""
        task, (match_common, groups) = self.form.task, self.common
        match = match_common(raw)
        if match is not None:
            user, item, number = match.group(*groups)
            rating = float(number)
            if -LARGEST_RATING <= rating <= LARGEST_RATING and len(number) <= LONGEST_NUMBER_BYTES:
                part.users.append(int(user) if task.query_ids == "integer" else user.decode())
                part.items.append(int(item) if task.item_ids == "integer" else item.decode())
                part.rest.append((rating, self.line, user + b"," + item))
                return
        row = read_row(raw, self.line, self.form)
        part.problems += row.problems
        if row.user is not None and row.item is not None:
            part.users.append(row.user)
            part.items.append(row.item)
            part.rest.append((row.rating, self.line, row.id))

    def _enter(self, part: _Slice) -> None:
        """Enters pairs among those seen, and problems in the order of their lines."""
        if part.rest:
            numbers = self.numbers.numbers(self.numbers.keys(part.pairs())).to_list()
            for number, (rating, line, row_id) in zip(numbers, part.rest, strict=True):
                if number is None or self.first_lines[number]:
                    part.problems.append(self._not_once(number, line, row_id))
                else:
                    self.first_lines[number] = line
                    self.predictions[number] = 0.0 if rating is None else rating
        for problem in sorted(part.problems, key=lambda problem: problem.line or 0):
            if not self.findings.enough:
                self.findings.add(problem)
        if not self.findings.enough:
            self.findings.count += part.surplus

    def _not_once(self, number: int | None, line: int, row_id: bytes) -> Problem:
        """The problem of a pair that may not be there, or not again."""
        name, column = row_id.decode("ascii"), self.form.task.id_column
        if number is None:
            self.unknown += 1
            detail = f"({name.replace(',', ', ')}) is not among the published pairs"
            hint = "Send the pairs of the sample submission and no others."
            return Problem(Code.UNKNOWN_ID, detail, line, None, name, column, hint)
        first = self.first_lines[number]
        detail = f"{self.published.id_of(number)} occurs twice: on line {first} and on line {line}"
        hint = "Send each pair once."
        return Problem(Code.DUPLICATE_ID, detail, line, None, name, column, hint)

    def _refuse_blanks(self, part: _Slice) -> None:
        start = self.line - self.blank
        for line in range(start, min(self.line, start + SHOWN_PROBLEMS)):
            hint = "Blank lines are allowed at the end only."
            part.problems.append(Problem(Code.BLANK_LINE, "the line is blank", line, hint=hint))
        part.surplus += max(0, self.blank - SHOWN_PROBLEMS)
        self.last_line += self.blank  # they are no rows
        self.blank = 0

    def _missing(self, count: int) -> Problem:
        missing = (number for number, line in enumerate(self.first_lines) if not line)
        names = shown_first(self.published, missing, count, SHOWN_PROBLEMS)
        detail = f"{count:,} of {self.published.count:,} pairs are missing: {names}"
        hint = "Send a row with a number for each published pair."
        return Problem(Code.MISSING_IDS, detail, column=self.form.task.id_column, hint=hint)


def _common_form(
    form: RatingRowLayout,
) -> tuple[Callable[[bytes], re.Match[bytes] | None], tuple[int, int, int]]:
    """A pattern for the rows as most programs write them, and its groups for user, item and
    rating. It accepts nothing that `read_row` would refuse or read otherwise, but for numbers that
    are too long or too large."""
    task, fields = form.task, [""] * 3
    fields[form.user_at] = TEXT_ID if task.query_ids == "string" else "0|[1-9][0-9]{0,8}"
    fields[form.item_at] = TEXT_ID if task.item_ids == "string" else "[0-9]{1,9}"
    fields[form.rating_at] = NUMBER
    pattern = re.compile(",".join(f"({field})" for field in fields).encode())
    return pattern.fullmatch, (form.user_at + 1, form.item_at + 1, form.rating_at + 1)
