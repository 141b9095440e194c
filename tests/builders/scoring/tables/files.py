"""Small files of tables, made from a seed: good ones in all permitted shapes, and damaged ones."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import polars as pl

from podium.scoring.columns import TableColumn
from podium.scoring.rows.keys import PublishedRows
from podium.scoring.task import Objective, Task
from tests.builders.scoring.rating_files import NASTY, NUMBERS

KINDS = ("cat", "category", "Große Katze", "dog", "Müller, Lüdenscheid", "1", "cat ")

COLUMNS = (
    TableColumn(name="p", minimum=0, maximum=1),
    TableColumn(name="value"),
    TableColumn(name="maybe", is_optional=True),
    TableColumn(name="count", type="integer"),
    TableColumn(name="few", type="integer", minimum=-3.5, maximum=12.5, is_optional=True),
    TableColumn(name="kind", type="category", values=KINDS),
    TableColumn(name="any", type="category", values=("a", "b"), is_optional=True),
    TableColumn(name="words", type="text", max_length=12),
    TableColumn(name="note", type="text", max_length=12, is_optional=True),
    TableColumn(name="yes", type="boolean"),
    TableColumn(name="perhaps", type="boolean", is_optional=True),
    TableColumn(name="tags", type="labels", max_length=12),
    TableColumn(name="marks", type="labels", values=("a", "b", "7")),
)

VALUES = {
    "p": ("0", "1", "0.25", "1e-3", "-0.0", "+1", "1.0"),
    "value": (*NUMBERS, "1e308", "-1.7976931348623157e308", "5e-324", "1e200", "12345678901234567"),
    "count": ("0", "-0", "7", "+7", "007", "9223372036854775807", "-9223372036854775808"),
    "few": ("-3", "12", "0", ""),
    "kind": KINDS,
    "any": ("a", "b", ""),
    "words": ("x", "a b", " ", 'say "hi"', "é,è", "日本", "0123456789ab", "null"),
    "tags": ("", "b a", " x", "a  b ", "é,è b", "007 7", "0123456789ab"),
    "marks": ("", "a", "b a", "7 b  a"),
    "yes": ("true", "False", "TRUE", "0", "1"),
}
VALUES |= {"maybe": (*VALUES["value"], ""), "note": (*VALUES["words"], "")}
VALUES |= {"perhaps": (*VALUES["yes"], "")}

NASTIER = (
    *NASTY, b"1e309", b"1.5", b"2", b"9223372036854775808", b"5.0", b"Cat", b"true", b"-0.0",
    b"0123456789abc", b"c", b'"a,b"', b"\xc3", b"1e308", b"-1e999", b"1" * 70, b"0" * 63 + b"1",
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A file with the competition it is sent to, and the seed that makes both again."""

    seed: str
    text: bytes
    task: Task
    published: PublishedRows


def table_task(columns: Sequence[TableColumn] = (TableColumn(name="value"),), **given: Any) -> Task:
    """A task of a table with these columns and an id."""
    metric = given.pop("metric", "own")
    objectives = given.pop("objectives", (Objective("", Decimal(1), metric),))
    values: dict[str, Any] = {"id_column": "id", **given}
    return Task(objectives=objectives, kind="table", table=tuple(columns), **values)


def ids_of(ids: Sequence[int | str]) -> PublishedRows:
    """Published ids, in this order."""
    kind = pl.String if isinstance(ids[0], str) else pl.Int32
    return PublishedRows(pl.DataFrame({"key0": pl.Series(ids, dtype=kind)}))


def cases(seed: int, count: int, *, damaged: float = 0.7) -> Iterator[Case]:
    """`count` files of one competition each; the given share of them is damaged somewhere."""
    for number in range(count):
        name = f"{seed}/{number}"
        dice = random.Random(name)
        task, published = competition(dice)
        text = good_file(dice, task, published)
        if dice.random() < damaged:
            for _ in range(dice.choice((1, 1, 1, 2, 3))):
                text = mutated(dice, text)
        yield Case(name, text, task, published)


def competition(dice: random.Random) -> tuple[Task, PublishedRows]:
    """A task with one to all columns, and at most six published ids."""
    if dice.random() < 0.3:
        columns = [TableColumn(name=name) for name in dice.sample(("a", "b", "c"), 2)]
    else:
        columns = dice.sample(COLUMNS, dice.randint(1, dice.choice((2, len(COLUMNS)))))
    kind = dice.choice(("integer", "string"))
    texts, numbers = ["a", "007", "7", "u-1", "x_y", "b" * 64], [0, 5, 12, 10**9, 6]
    every: list[Any] = [*texts] if kind == "string" else [*numbers]
    ids = dice.sample(every, dice.randint(1, 5))
    return table_task(columns, query_ids=kind), ids_of(ids)


def good_file(dice: random.Random, task: Task, published: PublishedRows) -> bytes:
    """A file that is accepted."""
    names = list(task.columns)
    dice.shuffle(names)
    quotes = dice.choice(("needed", "needed", "needed", "all", "some"))
    end = dice.choice(("\n", "\n", "\n", "\r\n"))
    lines = [",".join(f'"{name}"' if quotes == "all" else name for name in names)]
    ids = published.frame["key0"].to_list()
    for row_id in dice.sample(ids, len(ids)) if dice.random() < 0.5 else ids:
        row = {task.id_column: str(row_id)}
        row |= {c.name: dice.choice(VALUES.get(c.name, VALUES["value"])) for c in task.table}
        lines.append(",".join(_field(dice, row[name], quotes) for name in names))
    text = end.join(lines) + dice.choice((end, end, "", end * 3))
    return dice.choice((b"", b"", b"\xef\xbb\xbf")) + text.encode()


def _field(dice: random.Random, text: str, quotes: str) -> str:
    is_needed = not {'"', ","}.isdisjoint(text)
    if is_needed or quotes == "all" or (quotes == "some" and dice.random() < 0.5):
        return '"' + text.replace('"', '""') + '"'
    return text


def mutated(dice: random.Random, text: bytes) -> bytes:
    """The text with one thing done to it."""
    at, until = sorted(dice.randint(0, len(text)) for _ in range(2))
    lines = text.split(b"\n")
    which = dice.randrange(len(lines))
    fields = lines[which].split(b",")
    fields[dice.randrange(len(fields))] = dice.choice((*NASTIER, b"", b"0.5", b"x"))
    return dice.choice(
        (
            text[:at] + dice.choice(NASTIER) + text[at:],
            text[:at] + dice.choice(NASTIER) + text[at + 1 :],
            text[:at] + text[at + 1 :],
            text[:at] + text[until:] if until - at < 20 else text[:at],
            b"\n".join([*lines[:which], *lines[which + 1 :]]),
            b"\n".join([*lines[:which], lines[which], *lines[which:]]),
            b"\n".join([*lines[:which], b",".join(fields), *lines[which + 1 :]]),
            b"\n".join([*lines[:which], b",".join(fields), *lines[which + 1 :]]),
        )
    )
