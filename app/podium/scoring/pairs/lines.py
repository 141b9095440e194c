"""The strict reader: line by line, names every line that is wrong.

It defines what a good submission of pairs is. The compiled reader may only say yes to what this
one accepts, and every rejection comes from here. Nothing in this module has seen the ground truth.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence

import polars as pl

from podium.scoring.hints.changed_ids import KnownIds
from podium.scoring.hints.texts import LONGEST_NUMBER_BYTES, Hint
from podium.scoring.lists.header import read_columns
from podium.scoring.lists.texts import first_text
from podium.scoring.pairs.pairs import PairNumbers, PublishedPairs, id_types, shown_first
from podium.scoring.pairs.rows import (
    NUMBER,
    TEXT_ID,
    Id,
    PairRowLayout,
    read_row,
)
from podium.scoring.pairs.strict import LineSlice, StrictReader
from podium.scoring.problems import SHOWN_PROBLEMS, Code, Problem
from podium.scoring.task import Task


def read_strictly(
    blocks: Iterator[bytes],
    *,
    task: Task,
    published: PublishedPairs,
    numbers: PairNumbers,
    probabilities: bool,
) -> list[pl.Series]:
    """Checks the whole text; for each number column the number of every published pair, Float64 in
    published order. Numbers other than probabilities are refused where `probabilities` are wanted.

    Each block must end right after an LF, except the last. Raises `FileRejected` with everything
    that is wrong.
    """
    text = first_text(blocks, of="pair")
    columns = read_columns(text, task)
    form = PairRowLayout.of(task, columns, probabilities=probabilities)
    reader = StrictPairReader(form, published, numbers)
    reader.read(text.partition(b"\n")[2])
    for block in blocks:
        reader.read(block)
    return reader.finish()


class PairSlice(LineSlice):
    """The well-formed rows of some lines, and the problems of the others."""

    def __init__(self, form: PairRowLayout) -> None:
        super().__init__()
        self.ids: list[tuple[Id, ...]] = []
        self.rest: list[tuple[Sequence[float | None], int, bytes]] = []  # numbers, line, id
        self._types = id_types(form.task)

    def pairs(self) -> pl.DataFrame:
        """The rows' pairs."""
        columns = zip(*self.ids, strict=True)
        return pl.DataFrame(
            [
                pl.Series(role, column, dtype=kind)
                for (role, kind), column in zip(self._types.items(), columns, strict=True)
            ]
        )


class StrictPairReader(StrictReader[PairSlice]):
    """The strict reader of pairs after the lines read so far."""

    def __init__(
        self, form: PairRowLayout, published: PublishedPairs, numbers: PairNumbers
    ) -> None:
        super().__init__(rows=published.count, of="pair")
        self.form = form
        self.published = published
        self.known_ids = [KnownIds(ids) for ids in published.frame.get_columns()]
        self.numbers = numbers
        self.columns = [array("d", bytes(8 * published.count)) for _ in form.numbers_at]
        self.first_lines = array("i", bytes(4 * published.count))
        self.common = _CommonForm(form)
        self.fully_quoted = _fully_quoted(len(form.task.columns))

    def finish(self) -> list[pl.Series]:
        """The numbers of a good file; raises `FileRejected` for any other."""
        missing = self.first_lines.count(0)
        found = self.published.count - missing
        self.findings.conclude(self.unknown, found=found, published=self.rows, of=self.of)
        if missing and not self.findings.enough:
            for problem in self._missing(missing):
                self.findings.add(problem)
        if self.findings.count:
            raise self.findings.rejected()
        return [pl.Series(column, dtype=pl.Float64) for column in self.columns]

    def _slice(self) -> PairSlice:
        return PairSlice(self.form)

    def _tidied(self, text: bytes) -> bytes:
        return self.fully_quoted.sub(_unquoted, text) if b'"' in text else text

    def _look(self, raw: bytes, part: PairSlice) -> None:
        """Takes line number `self.line` apart."""
        found = self.common.read(raw)
        if found is not None:
            ids, numbers, name = found
            part.ids.append(ids)
            part.rest.append((numbers, self.line, name))
            return
        row = read_row(raw, self.line, self.form)
        part.problems += row.problems
        whole = tuple(each for each in row.ids if each is not None)
        if len(whole) == len(self.form.ids_at):
            part.ids.append(whole)
            part.rest.append((row.numbers, self.line, row.id))

    def _enter(self, part: PairSlice) -> None:
        """Enters pairs among those seen."""
        if part.rest:
            places = self.numbers.numbers(self.numbers.keys(part.pairs())).to_list()
            for place, (numbers, line, row_id) in zip(places, part.rest, strict=True):
                if place is None or self.first_lines[place]:
                    problem = self._not_once(place, line, row_id)
                    part.problems += [problem] if problem else []
                else:
                    self.first_lines[place] = line
                    for column, number in zip(self.columns, numbers, strict=True):
                        column[place] = 0.0 if number is None else number

    def _not_once(self, number: int | None, line: int, row_id: bytes) -> Problem | None:
        """The problem of a pair that may not be there, or not again; None where enough is said."""
        name, column = row_id.decode("ascii"), self.form.task.id_column
        if number is None:
            self.unknown += 1
            detail = f"({name.replace(',', ', ')}) is not among the published pairs"
            parts = zip(self.known_ids, name.split(","), strict=True)
            hint = self.findings.hint_for_unknown(parts, Hint.UNPUBLISHED_PAIR)
            return Problem(Code.UNKNOWN_ID, detail, line, None, name, column, hint)
        first = self.first_lines[number]
        detail = f"{self.published.id_of(number)} occurs twice: on line {first} and on line {line}"
        return Problem(Code.DUPLICATE_ID, detail, line, None, name, column, Hint.PAIR_ONCE)

    def _missing(self, count: int) -> Iterator[Problem]:
        missing = (number for number, line in enumerate(self.first_lines) if not line)
        names = shown_first(self.published, missing, count, SHOWN_PROBLEMS)
        detail = f"{count:,} of {self.published.count:,} pairs are missing: {names}"
        column = self.form.task.id_column
        yield Problem(Code.MISSING_IDS, detail, column=column, hint=Hint.MISSING_PAIRS)


class _CommonForm:
    """Rows as most programs write them. It accepts nothing that `read_row` would refuse or read
    otherwise."""

    def __init__(self, form: PairRowLayout) -> None:
        self._form = form
        fields = [NUMBER] * len(form.task.columns)
        spellings = ("0|[1-9][0-9]{0,8}", "[0-9]{1,9}", "0|[1-9][0-9]{0,8}")
        for at, kind, spelling in zip(form.ids_at, form.id_kinds, spellings, strict=False):
            fields[at] = TEXT_ID if kind == "string" else spelling
        self._match = re.compile(",".join(f"({field})" for field in fields).encode()).fullmatch
        self._ids = [
            (at + 1, bytes.decode if kind == "string" else int)
            for at, kind in zip(form.ids_at, form.id_kinds, strict=True)
        ]
        self._numbers = [at + 1 for at in form.numbers_at]

    def read(self, raw: bytes) -> tuple[tuple[Id, ...], list[float], bytes] | None:
        """The ids, the numbers, and the ids as they stand; None for another form."""
        match = self._match(raw)
        if match is None:
            return None
        numbers = []
        for group in self._numbers:
            text = match[group]
            if len(text) > LONGEST_NUMBER_BYTES or not self._form.takes(number := float(text)):
                return None
            numbers.append(number)
        ids = tuple(read(match[group]) for group, read in self._ids)
        return ids, numbers, b",".join(match[group] for group, _ in self._ids)


def _fully_quoted(columns: int) -> re.Pattern[bytes]:
    """Lines of quoted fields alone: programs that quote every field do so on every line, and these
    quotes mean nothing."""
    return re.compile(rb"^%s$" % b",".join([rb'"[^",\n]{0,64}"'] * columns), re.MULTILINE)


def _unquoted(line: re.Match[bytes]) -> bytes:
    return line[0].replace(b'"', b"")
