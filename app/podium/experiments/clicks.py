"""Reads page views and clicks of two groups.

The columns are `group`, then either `pv,clicks` (counts, added up over rows) or `clicked` (one row
per page view, 1 or 0), and `user` where users, not page views, were assigned to groups. Clicks may
not exceed page views.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np

from podium.experiments.means import Values
from podium.experiments.rates import Rate
from podium.experiments.reading import USER, BadField, GroupsReading
from podium.scoring.problems import Code, FileRejected, quoted
from podium.scoring.truth.table import FileTable

VIEWS, CLICKS, CLICKED = "pv", "clicks", "clicked"

FORMS = ("group,pv,clicks", "group,user,pv,clicks", "group,clicked", "group,user,clicked")
"""The combinations of columns that a file of clicks may have."""

MAX_VIEWS = 2**31 - 1
"""The most page views of one row."""

_THIRD = (
    "a third group; with more than two, users must be named: then give --metric clicks/pv,"
    " which compares every group with the first"
)
_COUNT = re.compile(rb"[0-9]{1,10}")


@dataclass
class ClickGroup:
    """The clicks of one group of the test. `by_user` has page views and clicks of each user, and is
    empty where the file has no column of users."""

    name: str
    clicks: int = 0
    views: int = 0
    by_user: dict[int, list[int]] = field(default_factory=dict)

    @property
    def rate(self) -> Rate:
        """The click-through rate: clicks per page view."""
        return Rate(self.clicks, self.views)

    @property
    def user_columns(self) -> tuple[Values, Values]:
        """The page views, and the clicks, of each user."""
        views, clicks = np.array(list(self.by_user.values()), dtype=np.float64).T
        return views, clicks


def has_clicks(table: FileTable) -> bool:
    """True if these are the columns of a file of clicks."""
    return frozenset(table.columns) in {frozenset(form.split(",")) for form in FORMS}


def read_clicks(table: FileTable) -> tuple[ClickGroup, ClickGroup]:
    """Reads the two groups, in the order in which they first occur in the file. Raises
    FileRejected."""
    return _ClicksReading(table).groups()


class _ClicksReading(GroupsReading):
    """Counts page views and clicks of rows by group, and by user where there are users."""

    def __init__(self, table: FileTable) -> None:
        super().__init__(table, most=2, more=_THIRD)
        self._counts = (ClickGroup(""), ClickGroup(""))

    def groups(self) -> tuple[ClickGroup, ClickGroup]:
        """Reads all rows and returns both groups. Raises FileRejected."""
        self.read_all()
        if len(self.names) != 2:
            detail = f"there are {len(self.names)} groups, and a test compares two"
            raise FileRejected.because(Code.ROW_SHAPE, detail)
        for group, name in zip(self._counts, self.names, strict=True):
            group.name = name
            if not group.views:
                detail = f"group {quoted(name)} has no page views"
                raise FileRejected.because(Code.ZERO_DENOMINATOR, detail)
        return self._counts

    def take(self, line: int, fields: list[bytes]) -> None:
        """Adds a row to its group, and to its user."""
        number = self.group_in(fields)
        views, clicks = self._numbers(fields)
        group = self._counts[number]
        if USER in self.at:
            user = group.by_user.setdefault(self.member_in(fields, number), [0, 0])
            user[0] += views
            user[1] += clicks
        group.views += views
        group.clicks += clicks

    def _numbers(self, fields: list[bytes]) -> tuple[int, int]:
        if CLICKED in self.at:
            clicked = fields[self.at[CLICKED]]
            if clicked not in (b"0", b"1"):
                raise BadField(Code.BAD_NUMBER, f"{quoted(clicked)} is neither 0 nor 1", CLICKED)
            return 1, int(clicked)
        views, clicks = (self._count(fields, column) for column in (VIEWS, CLICKS))
        if clicks > views:
            detail = f"{clicks:,} clicks are more than {views:,} page views"
            raise BadField(Code.BAD_NUMBER, detail, CLICKS)
        return views, clicks

    def _count(self, fields: list[bytes], column: str) -> int:
        text = fields[self.at[column]]
        if _COUNT.fullmatch(text) is None or int(text) > MAX_VIEWS:
            detail = f"{quoted(text)} is not a whole number from 0 to {MAX_VIEWS:,}"
            raise BadField(Code.BAD_NUMBER, detail, column)
        return int(text)
