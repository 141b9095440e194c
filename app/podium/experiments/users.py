"""Reads the users to assign, each once, from the column `user` of a file."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from podium.experiments.plan import HashedAssignment
from podium.experiments.reading import (
    GROUP,
    USER,
    BadField,
    RowReading,
    is_text,
    opened,
    wrong_columns,
)
from podium.scoring.problems import Code, FileRejected, quoted
from podium.scoring.truth.table import FileTable


def assigned(path: Path, assignment: HashedAssignment) -> pl.DataFrame:
    """Assigns users to groups, in the order of the file. Raises FileRejected."""
    with opened(path) as table:
        users = _UsersReading(table).users()
    groups = map(assignment.group_of, users)
    texts = [user.decode() for user in users]
    return pl.DataFrame({USER: texts, GROUP: list(groups)}, {USER: pl.String, GROUP: pl.String})


class _UsersReading(RowReading):
    """Collects users with their lines."""

    def __init__(self, table: FileTable) -> None:
        if USER not in table.columns:
            raise wrong_columns(table, "One of them must be `user`; others are not looked at.")
        super().__init__(table)
        self._lines: dict[bytes, int] = {}

    def users(self) -> list[bytes]:
        """Reads all users. Raises FileRejected."""
        self.read_all()
        if not self._lines:
            raise FileRejected.because(Code.EMPTY_FILE, "the file names no user")
        return list(self._lines)

    def take(self, line: int, fields: list[bytes]) -> None:
        """Adds a user, who must not have occurred before."""
        user = self.user_in(fields)
        if b'"' in user or not is_text(user):
            detail = f"{quoted(user)} has quotes in it, or is not UTF-8"
            raise BadField(Code.BAD_ID, detail, USER)
        first = self._lines.setdefault(user, line)
        if first != line:
            detail = f"user {quoted(user)} is already on line {first}"
            raise BadField(Code.DUPLICATE_ID, detail, USER)
