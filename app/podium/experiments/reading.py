"""Reads files of users and groups row by row, and reports every problem with its line.

A file is CSV or Parquet in any container, its columns by name in any order.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from podium.scoring.containers.detection import problems_of
from podium.scoring.problems import Code, FileRejected, Problem, quoted
from podium.scoring.task import OTTO
from podium.scoring.text.findings import Findings
from podium.scoring.truth.table import FileTable, open_table

GROUP, USER = "group", "user"


@contextmanager
def opened(path: Path) -> Iterator[FileTable]:
    """Opens the table of a file with unique column names. Problems found in the block have lines,
    or rows of Parquet. Raises FileRejected."""
    with problems_of(path):
        # Of the task, only the limit on uncompressed text matters here.
        table = open_table(path, OTTO)
        repeated = [name for name in table.columns if table.columns.count(name) > 1]
        if repeated:
            raise wrong_columns(table, f"{quoted(repeated[0])} stands there twice.")
        yield table


def wrong_columns(table: FileTable, hint: str) -> FileRejected:
    """Builds the rejection of a file for its header."""
    detail = f"the columns are {quoted(','.join(table.columns))}"
    return FileRejected.because(Code.HEADER_MISMATCH, detail, line=1, hint=hint)


class BadField(Exception):
    """Reports a row that cannot be counted, with the reason and the column."""

    def __init__(self, code: Code, detail: str, column: str) -> None:
        super().__init__(detail)
        self.problem = (code, detail, column)


class RowReading(ABC):
    """Reads all rows of a table, and collects their problems."""

    def __init__(self, table: FileTable) -> None:
        self.at = {name: place for place, name in enumerate(table.columns)}
        self._rows = table.rows
        self._findings = Findings()

    def read_all(self) -> None:
        """Reads every row. Raises FileRejected if any of them is invalid."""
        for line, fields in self._rows:
            try:
                self.take(line, fields)
            except BadField as wrong:
                code, detail, column = wrong.problem
                self._findings.add(Problem(code, detail, line, column=column))
                if self._findings.enough:
                    self._findings.stopped = True
                    break
        if self._findings.count:
            raise self._findings.rejected()

    @abstractmethod
    def take(self, line: int, fields: list[bytes]) -> None:
        """Counts a row. Raises BadField."""

    def user_in(self, fields: list[bytes]) -> bytes:
        """Returns the user of a row, unchanged. Raises BadField."""
        user = fields[self.at[USER]]
        if not user.strip():
            raise BadField(Code.BAD_ID, "the user is empty", USER)
        return user


class GroupsReading(RowReading):
    """Reads rows that have a group, and optionally a user, who must be in one group only."""

    def __init__(self, table: FileTable, *, most: int, more: str) -> None:
        """Allows `most` groups; `more` describes one too many."""
        super().__init__(table)
        self._most, self._more = most, more
        self._groups: dict[bytes, int] = {}
        self._users: dict[bytes, int] = {}
        self.group_of: list[int] = []

    @property
    def names(self) -> list[str]:
        """The groups, in the order in which they first occur in the file."""
        return [name.decode() for name in self._groups]

    def group_in(self, fields: list[bytes]) -> int:
        """Returns the number of the row's group. Raises BadField."""
        name = fields[self.at[GROUP]]
        known = self._groups.get(name)
        if known is not None:
            return known
        if not name.strip() or not is_text(name):
            detail = f"{quoted(name)} is not UTF-8" if name.strip() else "the group is empty"
            raise BadField(Code.BAD_ID, detail, GROUP)
        if len(self._groups) == self._most:
            raise BadField(Code.UNKNOWN_ID, f"{quoted(name)} is {self._more}", GROUP)
        return self._groups.setdefault(name, len(self._groups))

    def member_in(self, fields: list[bytes], group: int) -> int:
        """Returns the number of the row's user, who must be in this group. Raises BadField."""
        user = self.user_in(fields)
        known = self._users.setdefault(user, len(self._users))
        if known == len(self.group_of):
            self.group_of.append(group)
        elif self.group_of[known] != group:
            raise BadField(Code.DUPLICATE_ID, f"user {quoted(user)} is in two groups", USER)
        return known


def is_text(raw: bytes) -> bool:
    """True for valid UTF-8."""
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True
