"""Reads the organizer's session file: attributes of test sessions, such as length, shop or day, by
which scores are segmented. It is checked row by row, and every problem has its line.

The file is CSV or Parquet in any container: a column `session`, one row for each published session
or for some of them, and 1 to 20 others. A column of numbers is divided into five groups of about
equal size; any other column has names of groups. An empty field means unknown.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from podium.scoring.containers.detection import problems_of
from podium.scoring.parquet.files import read_parquet
from podium.scoring.problems import Code, FileRejected, Problem, quoted
from podium.scoring.published import PublishedIds
from podium.scoring.task import Task
from podium.scoring.text.findings import Findings
from podium.scoring.truth.table import FileTable, open_table

SESSION = "session"

MAX_COLUMNS = 20
MAX_CATEGORIES = 50
"""Groups of a column of texts; sessions of rarer ones share a last group."""

QUANTILES = 5
LONGEST_TEXT = 64

RARE = "rarer ones"

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,31}")
_TAKEN = frozenset({SESSION, "labels", "popularity", "rank"})


@dataclass(frozen=True)
class Groups:
    """The group of every published session as a number, null where unknown, and the names of
    groups."""

    of_session: pl.Series
    names: Sequence[str]


@dataclass(frozen=True)
class SessionFile:
    """Columns by published session, in published order: Float64 or String, null where unknown."""

    frame: pl.DataFrame

    @property
    def columns(self) -> list[str]:
        """The names of the attributes."""
        return self.frame.columns

    @property
    def count(self) -> int:
        """The number of sessions with at least one attribute."""
        return self.frame.filter(~pl.all_horizontal(pl.all().is_null())).height

    def groups(self, column: str) -> Groups:
        """Groups the sessions by a column: quantiles of numbers, or the most frequent texts."""
        values = self.frame[column]
        return _quantiles(values) if values.dtype == pl.Float64 else _categories(values)

    def write(self, path: Path) -> None:
        """Stores the columns as Parquet."""
        self.frame.write_parquet(path, compression="zstd", statistics=False)

    @classmethod
    def read(cls, path: Path) -> SessionFile:
        """Reads columns that `write` has stored."""
        return cls(read_parquet(path))


def read_session_file(path: Path, *, task: Task, published: PublishedIds) -> SessionFile:
    """Reads a file about published sessions and checks all of it. Raises FileRejected."""
    with problems_of(path):
        return _SessionFileReading(open_table(path, task), published).whole()


def _quantiles(values: pl.Series) -> Groups:
    known = values.drop_nulls()
    cuts = [known.quantile(n / QUANTILES, "lower") for n in range(1, QUANTILES)]
    edges = sorted({float(cut) for cut in cuts if cut is not None})
    group = pl.Series(edges, dtype=pl.Float64).search_sorted(values, side="left").cast(pl.UInt32)
    names = [f"up to {edge:g}" for edge in edges] + [f"more than {edges[-1]:g}" if edges else "all"]
    return Groups(group.set(values.is_null(), None), names)


def _categories(values: pl.Series) -> Groups:
    counts = values.drop_nulls().value_counts(sort=False)
    ordered = counts.sort(["count", values.name], descending=[True, False])
    names = ordered[values.name].head(MAX_CATEGORIES).to_list()
    numbers = {name: number for number, name in enumerate(names)}
    group = values.replace_strict(numbers, default=len(names), return_dtype=pl.UInt32)
    return Groups(group.set(values.is_null(), None), [*names, RARE])


class _SessionFileReading:
    """Collects the rows, and their problems."""

    def __init__(self, table: FileTable, published: PublishedIds) -> None:
        problem = _header_problem(table.columns)
        if problem is not None:
            raise FileRejected.because(
                Code.HEADER_MISMATCH,
                problem,
                line=1,
                hint=f"Columns are {SESSION} and 1 to {MAX_COLUMNS} others, each once.",
            )
        self._columns = table.columns
        self._rows = table.rows
        self._numbers = {
            session: number
            for number, session in enumerate(published.sessions.cast(pl.String).to_list())
        }
        self._count = len(published.sessions)
        self._lines: dict[str, int] = {}
        self._values: dict[str, list[str | None]] = {
            name: [None] * self._count for name in table.columns if name != SESSION
        }
        self._findings = Findings()

    def whole(self) -> SessionFile:
        """Reads all rows into columns, which hold numbers where all given values are numbers."""
        for line, fields in self._rows:
            self._take(line, dict(zip(self._columns, fields, strict=True)))
            if self._findings.enough:
                break
        if self._findings.count:
            raise self._findings.rejected()
        if not self._lines:
            raise FileRejected.because(Code.EMPTY_FILE, "the file lists no session")
        return SessionFile(pl.DataFrame([_column(*one) for one in self._values.items()]))

    def _take(self, line: int, row: dict[str, bytes]) -> None:
        session = row.pop(SESSION).decode("ascii", "backslashreplace")
        number = self._numbers.get(session)
        if number is None:
            detail = f"session {quoted(session)} is not published"
            self._findings.add(Problem(Code.UNKNOWN_ID, detail, line))
            return
        first = self._lines.setdefault(session, line)
        if first != line:
            detail = f"session {quoted(session)} is on line {first} and on line {line}"
            self._findings.add(Problem(Code.DUPLICATE_ID, detail, line))
            return
        for name, value in row.items():
            try:
                text = value.decode().strip(" ")
            except UnicodeDecodeError:
                text = "\n"
            if len(text) > LONGEST_TEXT or not text.isprintable():
                detail = f"{quoted(value)} is not up to {LONGEST_TEXT} printable characters"
                self._findings.add(Problem(Code.BAD_CHARACTER, detail, line, column=name))
            elif text:
                self._values[name][number] = text


def _column(name: str, texts: list[str | None]) -> pl.Series:
    column = pl.Series(name, texts, dtype=pl.String)
    numbers = column.cast(pl.Float64, strict=False)
    are_numbers = numbers.null_count() == column.null_count() and all(
        math.isfinite(number) for number in numbers.drop_nulls()
    )
    return numbers if are_numbers else column


def _header_problem(columns: tuple[str, ...]) -> str | None:
    shown = quoted(",".join(columns))
    if columns.count(SESSION) != 1 or len(set(columns)) < len(columns):
        return f"the columns are {shown}"
    others = [name for name in columns if name != SESSION]
    if not 1 <= len(others) <= MAX_COLUMNS:
        return f"there are {len(others)} columns beside {SESSION}"
    for name in others:
        if _NAME.fullmatch(name) is None or name in _TAKEN:
            return f"{quoted(name)} cannot be the name of a column"
    return None
