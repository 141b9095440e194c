"""Small files of pairs with contexts, words and several numbers, made from a seed."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import polars as pl

from podium.scoring.column_kinds import read_field
from podium.scoring.column_kinds.base import Spelling
from podium.scoring.columns import ColumnType, TableColumn
from podium.scoring.pairs.layout import layout_of
from podium.scoring.problems import Code
from podium.scoring.rows.compiled import NUMBERS, Role, Spelled
from podium.scoring.rows.fields import read_key, read_score
from podium.scoring.rows.keys import KEYS
from podium.scoring.rows.layout import KeyColumn
from podium.scoring.task import IdKind, Task
from podium.scoring.text.fields import RowProblem, read_fields
from tests.builders.scoring.pairs import RMSE
from tests.builders.scoring.rating_files import NUMBERS as SPELLINGS
from tests.builders.scoring.rating_files import TEXTS

Row = tuple[Any, ...]
"""The cells of a row in the order of roles: ids and words as they are, numbers as text, so that
-0.0 and 0.0 differ."""

[DECIMAL] = layout_of(RMSE).values
"""Any number of a pair."""

MAX_DIGITS = 15

KINDS: dict[Spelling, ColumnType] = {"decimal": "number", "whole": "integer", "word": "category"}

WORDS = ("a", "7", "a b", "Große Katze", "seven of nine", "seven of", "eight888", "b" * 60)

WHOLES = ("0", "-0", "+7", "007", "-12", "2147483648", "999999999999999", "-999999999999999")

CELLS = {"decimal": SPELLINGS, "whole": WHOLES, "word": WORDS}

COLUMNS = {
    (spelling, is_optional): TableColumn(
        name="value", type=kind, values=WORDS, is_optional=is_optional
    )
    for spelling, kind in KINDS.items()
    for is_optional in (False, True)
}

INTEGERS = (0, 1, 5, 12, 105, 1000000000, 2147483647)


@dataclass(frozen=True, slots=True)
class WideTask(Task):
    """A task whose files have any columns, and a spelling for each of their numbers."""

    roles: tuple[Role, ...] = ()
    spelled: tuple[Spelled, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """A column for each role."""
        return self.roles


@dataclass(frozen=True, slots=True)
class PairFile:
    """A good file, with the published pairs (`ids` of each) that it is read against, and the seed
    that makes it again."""

    seed: str
    task: WideTask
    pairs: list[tuple[Any, ...]]
    rows: list[Row]
    quote: str = ""
    end: str = "\n"

    @property
    def ids(self) -> tuple[Role, ...]:
        """The ids of a pair."""
        return tuple(role for role in KEYS if role in self.task.roles)

    @property
    def frame(self) -> pl.DataFrame:
        """The published pairs as the reader wants them."""
        kinds = dict(zip(KEYS, kinds_of(self.task), strict=True))
        types = {role: pl.String if kinds[role] == "string" else pl.Int32 for role in self.ids}
        return pl.DataFrame(self.pairs, schema=types, orient="row")

    @property
    def text(self) -> bytes:
        """The header and all rows."""
        rows = [self.task.roles, *self.rows]
        lines = [",".join(f"{self.quote}{cell}{self.quote}" for cell in row) for row in rows]
        return "".join(f"{line}{self.end}" for line in lines).encode()

    def pair_of(self, row: Row) -> tuple[Any, ...]:
        """The ids of a row."""
        return tuple(row[self.task.roles.index(role)] for role in self.ids)

    def numbers_of(self, row: Row) -> tuple[str, ...]:
        """The cells of a row's numbers, in their order."""
        roles = self.task.roles
        return tuple(row[roles.index(role)] for role in NUMBERS if role in roles)

    def values_of(self, row: Row) -> tuple[float, ...]:
        """The numbers that these cells mean."""
        cells = zip(self.numbers_of(row), self.task.spelled, strict=True)
        return tuple(number_in(cell.encode(), spelled) for cell, spelled in cells)


def kinds_of(task: WideTask) -> tuple[IdKind, IdKind, IdKind]:
    """The kinds of ids, by their roles."""
    return task.query_ids, task.item_ids, task.context_ids


def pair_files(seed: int, count: int, *, only_decimals: bool = False) -> Iterator[PairFile]:
    """`count` good files of one competition each."""
    for number in range(count):
        name = f"{seed}/{number}"
        dice = random.Random(name)
        kinds: list[IdKind] = [dice.choice(("integer", "string")) for _ in KEYS]
        numbers = NUMBERS[: dice.choice((1, 1, 2, 4, 16))]
        roles = [*KEYS[: dice.choice((1, 2, 2, 3))], *numbers]
        roles += [word for word in ("usage", "group") if dice.random() < 0.3]
        dice.shuffle(roles)
        task = WideTask(
            RMSE.objectives,
            kind="rating",
            query_ids=kinds[0],
            item_ids=kinds[1],
            context_ids=kinds[2],
            roles=tuple(roles),
            spelled=tuple(Spelled() if only_decimals else _spelling(dice) for _ in numbers),
        )
        yield _filled(dice, name, task)


def _filled(dice: random.Random, name: str, task: WideTask) -> PairFile:
    """A file of at most six pairs, half of them in published order."""
    width = len(set(KEYS).intersection(task.roles))
    pools: list[tuple[Any, ...]] = [
        TEXTS if kind == "string" else INTEGERS for kind in kinds_of(task)[:width]
    ]
    pairs = list({tuple(dice.choice(pool) for pool in pools): 0 for _ in range(6)})
    cells: dict[Role, tuple[str, ...]] = dict.fromkeys(("usage", "group"), ("Public", "a", "7"))
    for role, spelled in zip(NUMBERS, task.spelled, strict=False):
        cells[role] = (*CELLS[spelled.spelling], *([""] if spelled.may_be_empty else []))
    order = pairs if dice.random() < 0.5 else dice.sample(pairs, len(pairs))
    rows = []
    for pair in order:
        of = {role: dice.choice(cells[role]) for role in task.roles if role in cells}
        of |= dict(zip(KEYS, pair, strict=False))
        rows.append(tuple(of[role] for role in task.roles))
    quote, end = dice.choice(("", "", "", '"')), dice.choice(("\n", "\n", "\r\n"))
    return PairFile(name, task, pairs, rows, quote, end)


def _spelling(dice: random.Random) -> Spelled:
    """Most numbers are decimals."""
    spelling: Spelling = dice.choice(("decimal", "decimal", "whole", "word"))
    return Spelled(spelling, WORDS if spelling == "word" else (), dice.random() < 0.3)


def number_in(field: bytes, spelled: Spelled) -> float:
    """The number that a field means, NaN for an empty one. Raises RowProblem."""
    if spelled.spelling == "decimal" and field:
        return read_score(field, DECIMAL)
    value = read_field(field, COLUMNS[spelled.spelling, spelled.may_be_empty])
    if spelled.spelling == "word" and value is not None:
        return float(WORDS.index(value))
    if spelled.spelling == "whole" and len(field.lstrip(b"+-")) > MAX_DIGITS:
        raise RowProblem(Code.BAD_LABEL, "more digits than a double has", "")
    return math.nan if value is None else float(value)


def strict_row(task: WideTask, line: bytes) -> Row | None:
    """A line by the rules of the strict reader; None for one that is refused."""
    try:
        fields = read_fields(line, task)
        return tuple(
            _cell(task, role, field) for role, field in zip(task.roles, fields, strict=True)
        )
    except RowProblem:
        return None


def _cell(task: WideTask, role: Role, field: bytes) -> Any:
    """The cell in a field. Raises RowProblem."""
    if role in NUMBERS:
        return repr(number_in(field, task.spelled[NUMBERS.index(role)]))
    if role in KEYS:
        return read_key(field, _key(role, dict(zip(KEYS, kinds_of(task), strict=True))[role]))
    return read_key(field, _key("word", "string"))


def _key(role: Role, kind: IdKind) -> KeyColumn:
    """A column of ids; only items may have zeros before them."""
    return KeyColumn(role, kind, "is not an id", "", takes_zeros=role == "key1")
