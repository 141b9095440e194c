"""Page views and clicks of two groups, from a file in which every row is checked.

The file is CSV or Parquet in any container, its columns by name in any order: `group`, then either
`pv,clicks` (counts, added up over rows) or `clicked` (one row a page view, 1 or 0), and `user`
where users, not page views, were put into groups. Nothing may be clicked more often than viewed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from podium.scoring.ab.rates import Rate
from podium.scoring.containers.detection import as_rows
from podium.scoring.lists.findings import Findings
from podium.scoring.problems import Code, FileRejected, Problem, quoted
from podium.scoring.task import OTTO
from podium.scoring.truth.table import FileTable, is_parquet, open_table

GROUP, USER, VIEWS, CLICKS, CLICKED = "group", "user", "pv", "clicks", "clicked"

FORMS = ("group,pv,clicks", "group,user,pv,clicks", "group,clicked", "group,user,clicked")
"""The columns that a file may have."""

MOST_VIEWS = 2**31 - 1
"""Page views of one row at most."""

_COUNT = re.compile(rb"[0-9]{1,10}")


@dataclass
class AbGroup:
    """One side of the test. `by_user` has page views and clicks of each user, and is empty where
    the file names no users."""

    name: str
    clicks: int = 0
    views: int = 0
    by_user: dict[bytes, list[int]] = field(default_factory=dict)

    @property
    def rate(self) -> Rate:
        """Clicks of page views."""
        return Rate(self.clicks, self.views)


def read_clicks(path: Path) -> tuple[AbGroup, AbGroup]:
    """The two groups, in the order in which the file names them first. Raises FileRejected."""
    try:
        # Of the task, only how much text an archive may hold matters here.
        return _GroupReading(open_table(path, OTTO)).groups()
    except FileRejected as rejected:
        if is_parquet(path):
            raise FileRejected(as_rows(rejected.rejection)) from rejected
        raise


class _BadRow(Exception):
    """The reason why a row cannot be counted, and its column."""

    def __init__(self, code: Code, detail: str, column: str) -> None:
        super().__init__(detail)
        self.problem = (code, detail, column)


class _GroupReading:
    """The rows so far, and what was wrong with them."""

    def __init__(self, table: FileTable) -> None:
        columns = table.columns
        known = {frozenset(form.split(",")) for form in FORMS}
        if len(set(columns)) < len(columns) or frozenset(columns) not in known:
            raise FileRejected.because(
                Code.HEADER_MISMATCH,
                f"the columns are {quoted(','.join(columns))}",
                line=1,
                hint=f"They must be one of: {'; '.join(FORMS)}.",
            )
        self._at = {name: place for place, name in enumerate(columns)}
        self._rows: Iterator[tuple[int, list[bytes]]] = table.rows
        self._groups: dict[bytes, AbGroup] = {}
        self._group_of: dict[bytes, bytes] = {}
        self._findings = Findings()

    def groups(self) -> tuple[AbGroup, AbGroup]:
        """Both groups with all rows counted."""
        for line, fields in self._rows:
            try:
                self._take(fields)
            except _BadRow as wrong:
                code, detail, column = wrong.problem
                self._findings.add(Problem(code, detail, line, column=column))
                if self._findings.enough:
                    break
        if self._findings.count:
            raise self._findings.rejected()
        if len(self._groups) != 2:
            detail = f"there are {len(self._groups)} groups, and a test compares two"
            raise FileRejected.because(Code.ROW_SHAPE, detail)
        a, b = self._groups.values()
        for group in (a, b):
            if not group.views:
                detail = f"group {quoted(group.name)} has no page views"
                raise FileRejected.because(Code.ZERO_DENOMINATOR, detail)
        return a, b

    def _take(self, fields: list[bytes]) -> None:
        name = fields[self._at[GROUP]]
        if not name.strip():
            raise _BadRow(Code.BAD_ID, "the group is empty", GROUP)
        if name not in self._groups and len(self._groups) == 2:
            known = " and ".join(quoted(group.name) for group in self._groups.values())
            raise _BadRow(Code.UNKNOWN_ID, f"{quoted(name)} is a third group beside {known}", GROUP)
        views, clicks = self._counts(fields)
        user = self._user(fields, name)
        group = self._groups.setdefault(name, AbGroup(name.decode("utf-8", "replace")))
        group.views += views
        group.clicks += clicks
        if user is not None:
            of_user = group.by_user.setdefault(user, [0, 0])
            of_user[0] += views
            of_user[1] += clicks

    def _user(self, fields: list[bytes], group: bytes) -> bytes | None:
        if USER not in self._at:
            return None
        user = fields[self._at[USER]]
        if not user.strip():
            raise _BadRow(Code.BAD_ID, "the user is empty", USER)
        if self._group_of.setdefault(user, group) != group:
            raise _BadRow(Code.DUPLICATE_ID, f"user {quoted(user)} is in both groups", USER)
        return user

    def _counts(self, fields: list[bytes]) -> tuple[int, int]:
        if CLICKED in self._at:
            clicked = fields[self._at[CLICKED]]
            if clicked not in (b"0", b"1"):
                raise _BadRow(Code.BAD_NUMBER, f"{quoted(clicked)} is neither 0 nor 1", CLICKED)
            return 1, int(clicked)
        views, clicks = (self._count(fields, column) for column in (VIEWS, CLICKS))
        if clicks > views:
            detail = f"{clicks:,} clicks are more than {views:,} page views"
            raise _BadRow(Code.BAD_NUMBER, detail, CLICKS)
        return views, clicks

    def _count(self, fields: list[bytes], column: str) -> int:
        text = fields[self._at[column]]
        if _COUNT.fullmatch(text) is None or int(text) > MOST_VIEWS:
            detail = f"{quoted(text)} is not a whole number from 0 to {MOST_VIEWS:,}"
            raise _BadRow(Code.BAD_NUMBER, detail, column)
        return int(text)
