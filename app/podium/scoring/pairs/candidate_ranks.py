"""Reads submissions of the ranks of candidates, as MIND has them: lines `42 [3,1,2]`, an id and the
rank of each of its candidates, in published order.

Blocks are read as columns; one that is not proven valid is read again line by line, and only that
reading reports problems. A rank becomes a number for the metrics: the negative rank.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable
from functools import cached_property
from itertools import islice
from pathlib import Path

import polars as pl

from podium.scoring.containers.detection import open_blocks
from podium.scoring.hints.changed_ids import KnownIds
from podium.scoring.hints.texts import Hint
from podium.scoring.pairs.layout import layout_of
from podium.scoring.problems import SHOWN_PROBLEMS, Code, Problem, quoted
from podium.scoring.published import IdPlaces, id_type
from podium.scoring.repeating import repeat
from podium.scoring.rewriting.spelling import RANKS_OF_CANDIDATES
from podium.scoring.rows.fields import read_key
from podium.scoring.rows.keys import PublishedRows
from podium.scoring.task import Task
from podium.scoring.text.blocks import KEPT_BYTES
from podium.scoring.text.fields import CTRL_Z, RowProblem, in_field
from podium.scoring.text.header import BOM
from podium.scoring.text.strict import LineSlice, StrictReader

Progress = Callable[[float], None]

_LINE = re.compile(RANKS_OF_CANDIDATES.encode())
_SHAPE = "A line is an id and the ranks of its candidates, in published order: 42 [3,1,2]."
_RANKS = "Give each of the {} candidates its rank, from 1 to {}, in published order."


def read_candidate_ranks(
    file: Path, *, task: Task, published: PublishedRows, progress: Progress | None = None
) -> pl.Series:
    """Reads the negative rank of every published pair, Float64 in published order. Raises
    FileRejected. `progress` is called with the share of the queries that was read, 0 to 1."""
    reader = _RankReader(task, published)
    for number, block in enumerate(open_blocks(file, task)):
        reader.read(block.removeprefix(BOM) if not number else block)
        if progress is not None and reader.queries.count:
            progress(min(1.0, reader.line / reader.queries.count))
    return reader.finish()


class _RankSlice(LineSlice):
    """The queries of some lines with the ranks of their candidates, and the problems of all."""

    def __init__(self) -> None:
        super().__init__()
        self.places: list[int] = []
        self.ranks: list[list[int]] = []


class _RankReader(StrictReader[_RankSlice]):
    """The state of the reader after the lines read so far."""

    def __init__(self, task: Task, published: PublishedRows) -> None:
        self.task, self.published, self.queries = task, published, published.ids
        super().__init__(rows=self.queries.count, of="id")
        self.line, self.last_line = 0, self.last_line - 1
        self.key = layout_of(task).keys[0]
        self.numbers = IdPlaces(self.queries.sessions)
        self.known = KnownIds(self.queries.sessions)
        self.lines_of = array("i", bytes(4 * self.queries.count))
        self.of_query = self.numbers.number(published.frame["key0"])
        counts = self.of_query.value_counts().sort(self.of_query.name)
        self.sizes = counts["count"].cast(pl.UInt32)
        self.firsts = self.sizes.cum_sum() - self.sizes
        self.values = repeat(0.0, published.count, pl.Float64)

    @cached_property
    def _order(self) -> pl.Series | None:
        """The pairs query by query; None where they are published so."""
        return None if self.of_query.is_sorted() else self.of_query.arg_sort()

    def read(self, block: bytes) -> None:
        """Reads a block of whole lines."""
        if not (self.blank or self.findings.count) and self._read_columns(block):
            return
        super().read(block)

    def finish(self) -> pl.Series:
        """Returns the numbers of a valid file; raises `FileRejected` for any other."""
        missing = self.lines_of.count(0)
        found = self.queries.count - missing
        self.findings.conclude(self.unknown, found=found, published=self.rows, of=self.of)
        if missing and not self.findings.enough:
            absent = (place for place, line in enumerate(self.lines_of) if not line)
            names = ", ".join(map(self.queries.id_of, islice(absent, SHOWN_PROBLEMS)))
            more = ", …" if missing > SHOWN_PROBLEMS else ""
            detail = f"{missing:,} of {self.rows:,} ids are missing: {names}{more}"
            hint = "Send a line with the ranks of all its candidates for each published id."
            column = self.task.id_column
            self.findings.add(Problem(Code.MISSING_IDS, detail, column=column, hint=hint))
        if self.findings.count:
            raise self.findings.rejected()
        return self.values

    def _read_columns(self, block: bytes) -> bool:
        """Reads a block as columns; False unless each of its lines is proven valid."""
        if not block.isascii():
            return False
        text = block.replace(b"\r\n", b"\n").removesuffix(b"\n").decode("ascii")
        lines = pl.Series([text]).str.split("\n").explode()
        names, lists = lines.str.extract_groups(f"^{RANKS_OF_CANDIDATES}$").struct.unnest()
        if names.null_count() or int(lines.str.len_bytes().max() or 0) > KEPT_BYTES:  # type: ignore[arg-type]
            return False
        keys = names.cast(id_type(self.task.query_ids), strict=False)
        if keys.null_count() or (keys.cast(pl.String) != names).any():
            return False
        places = self.numbers.number(keys)
        if places.null_count() or places.n_unique() < len(places):
            return False
        if any(self.lines_of[place] for place in places):
            return False
        ranks = lists.str.replace_all(" ", "", literal=True).str.split(",").cast(pl.List(pl.UInt32))
        sizes = self.sizes.gather(places)
        whole = (ranks.list.len() == sizes) & (ranks.list.min() == 1) & (ranks.list.max() == sizes)
        if not (whole & (ranks.list.n_unique() == sizes)).all():
            return False
        for line, place in enumerate(places, start=self.line + 1):
            self.lines_of[place] = line
        self.line += len(lines)
        self._set(places, ranks)
        return True

    def _set(self, places: pl.Series, ranks: pl.Series) -> None:
        """Stores the ranks of the candidates of some queries."""
        rows = pl.DataFrame({"at": self.firsts.gather(places), "size": self.sizes.gather(places)})
        ranges = rows.select(pl.int_ranges("at", pl.col("at") + pl.col("size"), dtype=pl.UInt32))
        pairs = ranges.to_series().explode()
        if self._order is not None:
            pairs = self._order.gather(pairs)
        self.values = self.values.scatter(pairs, -ranks.explode().cast(pl.Float64))

    def _slice(self) -> _RankSlice:
        return _RankSlice()

    def _look(self, raw: bytes, part: _RankSlice) -> None:
        try:
            problem = self._read_line(raw, part)
        except RowProblem as wrong:
            problem = Problem(wrong.code, wrong.detail, self.line, hint=wrong.hint)
        if problem is not None:
            part.problems.append(problem)

    def _enter(self, part: _RankSlice) -> None:
        if part.places and not (part.problems or self.findings.count):
            self._set(pl.Series(part.places, dtype=pl.UInt32), pl.Series(part.ranks))

    @cached_property
    def _place_of(self) -> Callable[[bytes], int]:
        return self.queries.place_lookup()

    def _read_line(self, raw: bytes, part: _RankSlice) -> Problem | None:
        """Reads a line, and finds its problem. Raises RowProblem where it has no parts."""
        if CTRL_Z in raw:
            raise RowProblem(Code.BAD_CHARACTER, "the line holds 0x1A (Ctrl-Z)", Hint.CTRL_Z)
        if len(raw) > KEPT_BYTES:
            detail = f"the line is longer than {KEPT_BYTES:,} bytes; it begins {quoted(raw)}"
            raise RowProblem(Code.LINE_TOO_LONG, detail, _SHAPE)
        found = _LINE.fullmatch(raw)
        if found is None:
            raise RowProblem(Code.ROW_SHAPE, f"{quoted(raw)} is not an id and ranks", _SHAPE)
        text, name = found[1], found[1].decode("ascii")
        try:
            read_key(text, self.key)
        except RowProblem as wrong:
            return in_field(wrong, self.line, text, self.task.id_column)
        place = self._place_of(text)
        if place < 0 or self.lines_of[place]:
            return self._not_once(place, name)
        self.lines_of[place] = self.line
        ranks = list(map(int, found[2].split(b",")))
        size = self.sizes[place]
        if sorted(ranks) != list(range(1, size + 1)):
            detail = f"{quoted(found[2])} are not the ranks 1 to {size} of its {size} candidates"
            hint = _RANKS.format(size, size)
            return Problem(Code.BAD_LABEL, detail, self.line, None, name, None, hint)
        part.places.append(place)
        part.ranks.append(ranks)
        return None

    def _not_once(self, place: int, name: str) -> Problem:
        column = self.task.id_column
        if place < 0:
            self.unknown += 1
            detail = f"{name} is not among the published ids"
            hint = self.findings.hint_for_unknown([(self.known, name)], Hint.UNPUBLISHED_ID)
            return Problem(Code.UNKNOWN_ID, detail, self.line, None, name, column, hint)
        detail = f"{name} occurs twice: on line {self.lines_of[place]} and on line {self.line}"
        return Problem(Code.DUPLICATE_ID, detail, self.line, None, name, column, Hint.ID_ONCE)
