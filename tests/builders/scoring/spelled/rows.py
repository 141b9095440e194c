"""Good files of tables and of ratings in every form that rows of values may have."""

from __future__ import annotations

import csv
import io
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Generic, Protocol, TypeVar

from podium.scoring.forms import ENCODINGS, FORMS
from podium.scoring.kinds import kind_of
from podium.scoring.task import Task
from tests.builders.scoring.spelled.forms import CONTAINERS, PACKINGS, SIGNS, field_of
from tests.builders.scoring.spelled.utf_16 import utf_16
from tests.builders.scoring.tables.files import mutated

COMBINATIONS: list[dict[str, Any]] = [
    {"sign": sign, "header": header, "extra": extra}
    for sign, (header, extra) in product(SIGNS, ((True, False), (True, True), (False, False)))
]
"""Every separator with a header, with further columns, and without a header."""


class Case(Protocol):
    """A good file in the form `podium`, with its task."""

    @property
    def text(self) -> bytes: ...

    @property
    def task(self) -> Task: ...


C = TypeVar("C", bound=Case)


@dataclass(frozen=True)
class SpelledRows(Generic[C]):
    """A file in other forms, its task, which takes them, and the case that it was made of; `manner`
    is how it is written."""

    text: bytes
    task: Task
    case: C
    manner: dict[str, Any]


def spelled_rows(
    cases: Iterable[C], seed: int, *, damaged: bool = False
) -> Iterator[SpelledRows[C]]:
    """The cases in one combination of forms after the other, with one thing done to each that shall
    be damaged. Left out are those whose first row may be a header."""
    met = Counter[str]()
    for number, case in enumerate(cases):
        dice = random.Random(f"rows/{seed}/{number}")
        forms = COMBINATIONS[number % len(COMBINATIONS)]
        container, end = PACKINGS[number // len(COMBINATIONS) % len(PACKINGS)]
        manner = {"quoted": dice.choice((0.0, 0.5, 1.0)), **forms}
        rows = rows_of(case, manner)
        if not manner["header"] and _may_be_a_header(rows[0], case.task):
            continue
        text = written(dice, rows, manner)
        known = [] if end else [key for key in ENCODINGS if _has(FORMS[key].codec, text)]
        # The one that was met least, since few texts are in all of them.
        encoding = min(("", *known), key=met.__getitem__)
        met[encoding] += 1
        codec = FORMS[encoding].codec if encoding else "utf-8"
        encoded = utf_16(text, end) if end else text.encode(codec)
        if damaged:
            encoded = mutated(dice, encoded)
        task = replace(case.task, forms=_forms_of(case.task, encoding))
        yield SpelledRows(CONTAINERS[container](encoded), task, case, manner)


def _forms_of(task: Task, encoding: str) -> tuple[str, ...]:
    """All forms of a kind of task, with at most one encoding."""
    taken = (form.key for form in FORMS.values() if kind_of(task.kind).takes_form(form))
    return tuple(key for key in taken if key not in ENCODINGS or key == encoding)


def rows_of(case: Case, manner: dict[str, Any]) -> list[list[str]]:
    """The rows of a file, the header first where there is one; without it, the columns are in the
    order of the sample."""
    text = case.text.decode("utf-8-sig").rstrip("\r\n")
    names, *rows = csv.reader(io.StringIO(text, newline=""))
    if manner["header"]:
        return [names, *rows]
    places = [names.index(name) for name in case.task.columns]
    return [[row[at] for at in places] for row in rows]


def written(dice: random.Random, rows: list[list[str]], manner: dict[str, Any]) -> str:
    """The text of rows, with a further column where the manner has one."""
    if manner["extra"]:
        at = dice.randint(0, len(rows[0]))
        further = dice.choice(("é;, ::", "日本;, ::"))
        shown = ("further", *(dice.choice(("x", further, "", "1")) for _ in rows[1:]))
        rows = [[*row[:at], one, *row[at:]] for row, one in zip(rows, shown, strict=True)]
    end = dice.choice(("\n", "\r\n"))
    lines = (manner["sign"].join(field_of(dice, cell, manner) for cell in row) for row in rows)
    return end.join(lines) + dice.choice((end, "", end * 3))


def _may_be_a_header(row: list[str], task: Task) -> bool:
    """True for a row with a name of a column, or with the numbers that pandas has for columns
    without names."""
    names = {name.lower() for name in task.columns}
    is_numbered = row == [str(at) for at in range(len(row))]
    return is_numbered or any(cell.lower() in names for cell in row)


def _has(codec: str, text: str) -> bool:
    """True for an encoding that has all characters of a text, and other bytes for it than UTF-8."""
    try:
        found = text.encode(codec)
    except UnicodeEncodeError:
        return False
    try:
        found.decode()
    except UnicodeDecodeError:
        return True
    return False
