"""Reads amounts per user: numbers of any columns, added up over the rows of a user.

The columns are `group`, `user` and amounts. A metric is the mean of a column per user, or the ratio
of two columns, as `revenue/sessions`.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from podium.experiments.means import Values, total
from podium.experiments.plan import MAX_GROUPS
from podium.experiments.reading import GROUP, USER, BadField, GroupsReading, wrong_columns
from podium.scoring.items_reading import finite_number
from podium.scoring.problems import Code, FileRejected, quoted
from podium.scoring.text.fields import RowProblem
from podium.scoring.truth.table import FileTable

LARGEST = 1e15
"""The largest amount of a row; beyond it, cents are lost in rounding."""


@dataclass(frozen=True, slots=True)
class AmountMetric:
    """The mean of the column `above` per user, or its sum per unit of the column `below`. `before`
    names the column with the same amount before the test, for CUPED."""

    name: str
    above: str
    below: str | None = None
    before: str | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the metric is computed from."""
        return tuple(each for each in (self.above, self.below, self.before) if each is not None)


@dataclass(frozen=True, slots=True)
class Amounts:
    """The amounts of each user, by column and by group."""

    metrics: tuple[AmountMetric, ...]
    groups: tuple[str, ...]
    columns: Mapping[str, tuple[Values, ...]]

    @property
    def users(self) -> tuple[int, ...]:
        """The number of users of each group."""
        return tuple(len(values) for values in next(iter(self.columns.values())))


def read_amounts(table: FileTable, named: Sequence[str], before: Mapping[str, str]) -> Amounts:
    """Reads the amounts of all groups, in the order in which they first occur in the file.

    `named` are the metrics, by default every column that is not in `before`, which maps metrics to
    the column of the period before. Raises FileRejected.
    """
    return _AmountsReading(table, _metrics(table, named, before)).amounts()


def _metrics(
    table: FileTable, named: Sequence[str], before: Mapping[str, str]
) -> tuple[AmountMetric, ...]:
    columns = [name for name in table.columns if name not in (GROUP, USER)]
    if len(columns) + 2 != len(table.columns) or not columns:
        raise wrong_columns(table, "They must be group, user and amounts, or those of clicks.")
    names = named or [name for name in columns if name not in before.values()]
    if strange := [name for name in before if name not in names]:
        raise wrong_columns(table, f"{quoted(strange[0])} of --cuped is not a metric.")
    found = []
    for name in dict.fromkeys(names):
        above, slash, below = (name, "", "") if name in columns else name.partition("/")
        metric = AmountMetric(name, above, below if slash else None, before.get(name))
        if metric.below and metric.before:
            raise wrong_columns(table, f"--cuped is for means per user: {quoted(name)} is a ratio.")
        if metric.before == name:
            raise wrong_columns(table, f"--cuped takes another column than {quoted(name)} itself.")
        for each in metric.columns:
            if each not in columns:
                raise wrong_columns(table, f"There is no column of amounts {quoted(each)}.")
        found.append(metric)
    return tuple(found)


class _AmountsReading(GroupsReading):
    """Collects the amounts of rows, each with the number of its user."""

    def __init__(self, table: FileTable, metrics: tuple[AmountMetric, ...]) -> None:
        super().__init__(table, most=MAX_GROUPS, more=f"one more than {MAX_GROUPS} groups")
        self._metrics = metrics
        self._of_user = array("q")
        self._amounts = {name: array("d") for metric in metrics for name in metric.columns}
        self._below = {metric.below for metric in metrics}

    def amounts(self) -> Amounts:
        """Reads all rows and adds the amounts up. Raises FileRejected."""
        self.read_all()
        names = self.names
        if len(names) < 2:
            detail = f"the file has {len(names)} groups, and a test compares two or more"
            raise FileRejected.because(Code.ROW_SHAPE, detail)
        groups = np.array(self.group_of)
        for number, size in enumerate(np.bincount(groups)):
            if size < 2:
                detail = f"group {quoted(names[number])} has one user, and two are needed"
                raise FileRejected.because(Code.ROW_SHAPE, detail)
        columns = {name: self._by_group(name, groups) for name in self._amounts}
        for name in self._below - {None}:
            for group, values in zip(names, columns[name or ""], strict=True):
                if not total(values):
                    detail = f"{quoted(name or '')} of group {quoted(group)} adds up to 0"
                    raise FileRejected.because(Code.ZERO_DENOMINATOR, detail)
        return Amounts(self._metrics, tuple(names), columns)

    def take(self, line: int, fields: list[bytes]) -> None:
        """Appends the amounts of a row."""
        group = self.group_in(fields)
        numbers = [self._amount(fields, name) for name in self._amounts]
        self._of_user.append(self.member_in(fields, group))
        for kept, number in zip(self._amounts.values(), numbers, strict=True):
            kept.append(number)

    def _amount(self, fields: list[bytes], column: str) -> float:
        try:
            number = finite_number(fields[self.at[column]])
        except RowProblem as wrong:
            raise BadField(wrong.code, wrong.detail, column) from None
        if abs(number) > LARGEST:
            raise BadField(Code.BAD_NUMBER, f"{number:g} is larger than {LARGEST:g}", column)
        if column in self._below and number < 0:
            detail = f"{number:g} is less than 0, and others are divided by it"
            raise BadField(Code.BAD_NUMBER, detail, column)
        return number

    def _by_group(
        self, name: str, groups: np.ndarray[tuple[int], np.dtype[np.int64]]
    ) -> tuple[Values, ...]:
        users = np.frombuffer(self._of_user, dtype=np.int64)
        values = np.frombuffer(self._amounts[name])
        # The order of the rows must not show in the last digit.
        order = np.lexsort((values, users))
        sums = np.bincount(users[order], weights=values[order], minlength=len(groups))
        return tuple(sums[groups == number] for number in range(len(self.names)))
