"""Reads rows strictly, line by line, and reports every problem.

It defines what a valid submission is. The fast readers may accept only what this one accepts, and
every rejection comes from here. This module has no access to the ground truth.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

import polars as pl

from podium.scoring.column_kinds import kind_of_column
from podium.scoring.column_kinds.base import Value
from podium.scoring.column_kinds.numbers import number_bounds
from podium.scoring.hints.changed_ids import KnownIds
from podium.scoring.hints.texts import LONGEST_NUMBER_BYTES
from podium.scoring.problems import SHOWN_PROBLEMS, Code, Problem
from podium.scoring.rows.fields import Key, read_key, read_row
from podium.scoring.rows.keys import PublishedRows, RowNumbers, key_types
from podium.scoring.rows.layout import RowLayout
from podium.scoring.text.fields import RowProblem, read_fields
from podium.scoring.text.header import first_text, read_columns
from podium.scoring.text.spellings import NUMBER, TEXT_ID
from podium.scoring.text.strict import LineSlice, StrictReader

_ROWS_TOGETHER = 10_000


def read_strictly(
    blocks: Iterator[bytes], *, layout: RowLayout, published: PublishedRows
) -> list[pl.Series]:
    """Checks the whole text, and returns for each value column the values of every published row,
    in published order.

    Each block must end right after an LF, except the last. Raises `FileRejected` with all
    problems.
    """
    text = first_text(blocks, of=layout.words.one)
    names = read_columns(text, layout.task)
    reader = StrictRowReader(replace(layout, names=names), published)
    reader.read(text.partition(b"\n")[2])
    for block in blocks:
        reader.read(block)
    return reader.finish()


def read_rows_strictly(
    rows: Iterable[list[bytes]], *, layout: RowLayout, published: PublishedRows
) -> list[pl.Series]:
    """Checks rows that are already split into fields, the first of which is on line 2."""
    reader = StrictRowReader(layout, published)
    reader.read_rows(rows)
    return reader.finish()


class RowSlice(LineSlice):
    """The rows of some lines with valid keys, and the problems of all lines."""

    def __init__(self) -> None:
        super().__init__()
        self.keys: list[tuple[Key, ...]] = []
        self.rest: list[tuple[Sequence[Value], int, bytes]] = []  # values, line, id


class StrictRowReader(StrictReader[RowSlice]):
    """The state of the strict reader of rows after the lines read so far."""

    def __init__(self, layout: RowLayout, published: PublishedRows) -> None:
        super().__init__(rows=published.count, of=layout.words.one)
        self.layout, self.published = layout, published
        self.known_ids = [KnownIds(ids) for ids in published.frame.get_columns()]
        self.numbers = RowNumbers(published)
        self.first_lines = array("i", bytes(4 * published.count))
        self._key_types = key_types(layout.task)
        self._places = [pl.Series(dtype=pl.UInt32)]
        self._values = [[pl.Series(dtype=kind_of_column(each).dtype)] for each in layout.values]
        self._keys = list(zip(layout.keys_at, layout.keys, strict=True))
        self._columns = list(zip(layout.values_at, layout.values, strict=True))
        self._common = _CommonForm(layout) if _is_of_numbers(layout) else None
        self._fully_quoted = None if layout.has_texts else _fully_quoted(len(layout.names))

    def read_rows(self, rows: Iterable[list[bytes]]) -> None:
        """Reads rows of fields, one on each line."""
        remaining = iter(rows)
        while some := list(islice(remaining, _ROWS_TOGETHER)):
            part = self._slice()
            for fields in some:
                self.line += 1
                if not self.findings.enough:
                    self._take(fields, part)
            self._settle(part)

    def finish(self) -> list[pl.Series]:
        """Returns the values of a valid file; raises `FileRejected` for any other."""
        missing = self.first_lines.count(0)
        found = self.published.count - missing
        self.findings.conclude(self.unknown, found=found, published=self.rows, of=self.of)
        if missing and not self.findings.enough:
            for problem in self._missing(missing):
                self.findings.add(problem)
        if self.findings.count:
            raise self.findings.rejected()
        places = pl.concat(self._places)
        order = None if places.is_sorted() else places.arg_sort()
        return [self._whole(column, order) for column in range(len(self._values))]

    def _whole(self, column: int, order: pl.Series | None) -> pl.Series:
        """Returns all values of a column in published order, and releases their memory."""
        values = pl.concat(self._values[column], rechunk=True)
        self._values[column] = []
        return self.layout.settled(values if order is None else values.gather(order))

    def _slice(self) -> RowSlice:
        return RowSlice()

    def _tidied(self, text: bytes) -> bytes:
        if self._fully_quoted is None or b'"' not in text:
            return text
        return self._fully_quoted.sub(lambda line: line[0].replace(b'"', b""), text)

    def _look(self, raw: bytes, part: RowSlice) -> None:
        found = self._common.read(raw) if self._common is not None else None
        if found is not None:
            keys, values, row_id = found
            part.keys.append(keys)
            part.rest.append((values, self.line, row_id))
            return
        try:
            fields = read_fields(raw, self.layout.task)
        except RowProblem as wrong:
            part.problems.append(Problem(wrong.code, wrong.detail, self.line, hint=wrong.hint))
            return
        if self.layout.has_texts and b'"' in raw:
            fields = [field.replace(b'""', b'"') for field in fields]
        self._take(fields, part)

    def _take(self, fields: list[bytes], part: RowSlice) -> None:
        """Reads the fields of line number `self.line`: quickly where they are valid, as most
        are."""
        read = self.layout.read_value
        try:
            keys = tuple([read_key(fields[at], key) for at, key in self._keys])
            values = [read(fields[at], column, compares=False) for at, column in self._columns]
        except RowProblem:
            self._take_apart(fields, part)
        else:
            part.keys.append(keys)
            part.rest.append((values, self.line, b",".join([fields[at] for at, _ in self._keys])))

    def _take_apart(self, fields: list[bytes], part: RowSlice) -> None:
        """Reads fields at least one of which is invalid, and collects all their problems."""
        most_compared = SHOWN_PROBLEMS - self.findings.count - len(part.problems)
        row = read_row(fields, self.line, self.layout, most_compared=most_compared)
        part.problems += row.problems
        whole = tuple(each for each in row.keys if each is not None)
        if len(whole) == len(row.keys):
            part.keys.append(whole)
            part.rest.append((row.values, self.line, row.id))

    def _enter(self, part: RowSlice) -> None:
        """Records rows as seen."""
        if not part.rest:
            return
        places, problems = self._places_of(part.keys), list[Problem]()
        for place, (_, line, row_id) in zip(places.to_list(), part.rest, strict=True):
            if place is not None and not self.first_lines[place]:
                self.first_lines[place] = line
            elif (problem := self._not_once(place, line, row_id, len(problems))) is not None:
                problems.append(problem)
        both = (problems, part.problems) if self.layout.keys_first else (part.problems, problems)
        part.problems = [*both[0], *both[1]]
        if part.problems or self.findings.count:
            return
        self._places.append(places)
        columns = zip(*(values for values, _, _ in part.rest), strict=True)
        for parts, values in zip(self._values, columns, strict=True):
            parts.append(pl.Series(values, dtype=parts[0].dtype))

    def _places_of(self, keys: list[tuple[Key, ...]]) -> pl.Series:
        columns = zip(self._key_types.items(), zip(*keys, strict=True), strict=True)
        frame = [pl.Series(name, column, dtype=kind) for (name, kind), column in columns]
        return self.numbers.of(pl.DataFrame(frame))

    def _not_once(
        self, number: int | None, line: int, row_id: bytes, before: int
    ) -> Problem | None:
        """Reports a row that is unknown or a duplicate, after so many `before` it that are not
        among the findings yet; None where no further problem need be shown."""
        words, name, column = self.layout.words, row_id.decode("ascii"), self.layout.keys[0].name
        if number is None:
            self.unknown += 1
            texts = name.split(",")
            known = zip(self.known_ids, texts, strict=True)
            hint = self.findings.hint_for_unknown(known, words.unknown_hint, before=before)
            detail = f"{words.named.format(', '.join(texts))} is not among the published {self.of}s"
            return Problem(Code.UNKNOWN_ID, detail, line, None, name, column, hint)
        first, shown = self.first_lines[number], words.named.format(self.published.keys_of(number))
        detail = f"{shown} occurs twice: on line {first} and on line {line}"
        return Problem(Code.DUPLICATE_ID, detail, line, None, name, column, words.twice_hint)

    def _missing(self, count: int) -> Iterator[Problem]:
        words = self.layout.words
        absent = (number for number, line in enumerate(self.first_lines) if not line)
        first = islice(map(self.published.keys_of, absent), SHOWN_PROBLEMS)
        shown = ", ".join(map(words.listed.format, first)) + (
            ", …" if count > SHOWN_PROBLEMS else ""
        )
        detail = f"{count:,} of {self.rows:,} {self.of}s are missing: {shown}"
        column = self.layout.keys[0].name
        yield Problem(Code.MISSING_IDS, detail, column=column, hint=words.missing_hint)


class _CommonForm:
    """Parses rows of numbers in the most common form. It accepts no row that `read_row` would
    refuse or read differently."""

    def __init__(self, layout: RowLayout) -> None:
        fields = [NUMBER] * len(layout.names)
        for at, key in zip(layout.keys_at, layout.keys, strict=True):
            short = "[0-9]{1,9}" if key.takes_zeros else "0|[1-9][0-9]{0,8}"
            fields[at] = TEXT_ID if key.kind == "string" else short
        self._match = re.compile(",".join(f"({field})" for field in fields).encode()).fullmatch
        self._keys = [
            (at + 1, bytes.decode if key.kind == "string" else int)
            for at, key in zip(layout.keys_at, layout.keys, strict=True)
        ]
        self._numbers = [
            (at + 1, *number_bounds(column))
            for at, column in zip(layout.values_at, layout.values, strict=True)
        ]

    def read(self, raw: bytes) -> tuple[tuple[Key, ...], list[float], bytes] | None:
        """Parses the keys, the numbers, and the keys as written; None for another form."""
        match = self._match(raw)
        if match is None:
            return None
        numbers = []
        for group, least, largest in self._numbers:
            text = match[group]
            if len(text) > LONGEST_NUMBER_BYTES or not least <= (number := float(text)) <= largest:
                return None
            numbers.append(number)
        keys = tuple(read(match[group]) for group, read in self._keys)
        return keys, numbers, b",".join(match[group] for group, _ in self._keys)


def _is_of_numbers(layout: RowLayout) -> bool:
    return all(each.type == "number" and not each.is_optional for each in layout.values)


def _fully_quoted(columns: int) -> re.Pattern[bytes]:
    """Compiles the pattern of lines with every field quoted, whose quotes are redundant."""
    return re.compile(rb"^%s$" % b",".join([rb'"[^",\n]{0,64}"'] * columns), re.MULTILINE)
