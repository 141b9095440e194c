"""Small files of ratings, made from a seed: good ones in all permitted shapes, damaged ones, and
an obvious reader that says what they mean."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from podium.scoring.rows.keys import PublishedRows
from podium.scoring.task import Task
from tests.builders.scoring.pairs import pairs_of, task_by

NASTY = (
    *(bytes([byte]) for byte in b'",\n\r \t\x00\x1a\x7f\xff_-+.;:/09eEA'),
    b"\r\n", b"\n\n", b"\r\r\n", b'""', b' "', b'" ', b",,", b"  ", b" 0", b"--", b"+-", b"e5",
    b"\xef\xbb\xbf", b"\xc2\xa0", b"\xef\xbc\x95", b"\xc0\xaf", b"2147483647", b"2147483648",
    b"00", b"0000000005", b"1e400", b"-1e101", b"1e100", b"5.", b".5", b"NaN", b"inf", b"-inf",
    b"null", b"0x10", b"1_0", b"1,5", b'"1,5"', b"1e+05", b"1E-3", b"0" * 70, b"1e-400", b"-0.0",
)  # fmt: skip

NUMBERS = ("3", "3.5", "-2", "+4.25", "1e3", "2.5E-2", "0", "-0.0", "007", "1e-400", "0.1")

TEXTS = ("a", "007", "7", "u-1", "x_y", "Z/9", "b" * 64)


@dataclass(frozen=True)
class Case:
    """A file with the competition it is sent to, and the seed that makes both again."""

    seed: str
    text: bytes
    task: Task
    pairs: list[tuple[Any, Any]]

    @cached_property
    def published(self) -> PublishedRows:
        """The pairs as the readers want them."""
        return pairs_of(*self.pairs)


def cases(seed: int, count: int, *, damaged: float = 0.7) -> Iterator[Case]:
    """`count` files of one competition each; the given share of them is damaged somewhere."""
    for number in range(count):
        name = f"{seed}/{number}"
        dice = random.Random(name)
        task, pairs = competition(dice)
        text = good_file(dice, task, pairs)
        if dice.random() < damaged:
            for _ in range(dice.choice((1, 1, 1, 2, 3))):
                text = mutated(dice, text)
        yield Case(name, text, task, pairs)


def competition(dice: random.Random) -> tuple[Task, list[tuple[Any, Any]]]:
    """A task with at most six published pairs."""
    task = task_by(
        query_ids=dice.choice(("integer", "string")), item_ids=dice.choice(("integer", "string"))
    )
    numbers = (0, 1, 5, 12, 105, 1000000000, 2147483647)
    users = TEXTS if task.query_ids == "string" else numbers
    items = TEXTS if task.item_ids == "string" else numbers
    every = [(user, item) for user in users for item in items]
    pairs = dice.sample(every, dice.randint(1, 6))
    return task, sorted(pairs) if dice.random() < 0.5 else pairs


def good_file(dice: random.Random, task: Task, pairs: list[tuple[Any, Any]]) -> bytes:
    """A file that is accepted."""
    columns = ["user", "item", "rating"]
    dice.shuffle(columns)
    quote = '"' if dice.random() < 0.2 else ""
    end = dice.choice(("\n", "\n", "\n", "\r\n"))
    lines = [",".join(f"{quote}{name}{quote}" for name in columns)]
    for user, item in dice.sample(pairs, len(pairs)):
        row = {"user": user, "item": item, "rating": dice.choice(NUMBERS)}
        if task.item_ids == "integer" and item < 1000 and dice.random() < 0.1:
            row["item"] = f"00{item}"
        lines.append(",".join(f"{quote}{row[name]}{quote}" for name in columns))
    text = end.join(lines) + dice.choice((end, end, "", end * 3))
    return dice.choice((b"", b"", b"\xef\xbb\xbf")) + text.encode()


def mutated(dice: random.Random, text: bytes) -> bytes:
    """The text with one thing done to it."""
    at, until = sorted(dice.randint(0, len(text)) for _ in range(2))
    lines = text.split(b"\n")
    which = dice.randrange(len(lines))
    return dice.choice(
        (
            text[:at] + dice.choice(NASTY) + text[at:],
            text[:at] + dice.choice(NASTY) + text[at + 1 :],
            text[:at] + text[at + 1 :],
            text[:at] + text[until:] if until - at < 20 else text[:at],
            b"\n".join([*lines[:which], *lines[which + 1 :]]),
            b"\n".join([*lines[:which], lines[which], *lines[which:]]),
            b"\n".join([*lines[:which], b"1,5,3", *lines[which:]]),
        )
    )


class Refused(Exception):
    """The faults of a file: lines, or None for the whole of it."""

    def __init__(self, lines: list[int | None]) -> None:
        super().__init__(lines)
        self.lines = lines


def read(case: Case) -> list[float]:
    """The predictions in published order. Raises Refused."""
    text = case.text.removeprefix(b"\xef\xbb\xbf")
    lines = text.split(b"\n")
    if text.endswith(b"\n"):
        lines.pop()
        lines = [line.removesuffix(b"\r") for line in lines]
    else:
        lines = [line.removesuffix(b"\r") for line in lines[:-1]] + lines[-1:]
    while lines and not lines[-1]:
        lines.pop()
    header = fields_of(lines[0]) if lines else None
    if header is None or sorted(header) != [b"item", b"rating", b"user"]:
        raise Refused([1])
    found: dict[tuple[Any, Any], float] = {}
    wrong: list[int | None] = []
    for number, line in enumerate(lines[1:], start=2):
        fields = fields_of(line)
        if fields is None or len(fields) != 3:
            wrong.append(number)
            continue
        row = dict(zip(header, fields, strict=True))
        user = id_of(row[b"user"], case.task.query_ids, zeros=False)
        item = id_of(row[b"item"], case.task.item_ids, zeros=True)
        rating = number_of(row[b"rating"])
        wrong += [number] * [user, item, rating].count(None)
        if user is not None and item is not None:
            if (user, item) not in case.pairs or (user, item) in found:
                wrong.append(number)
            else:
                found[user, item] = 0.0 if rating is None else rating
    if len(found) < len(case.pairs):
        wrong.append(None)
    if wrong:
        raise Refused(wrong)
    return [found[pair] for pair in case.pairs]


def fields_of(line: bytes) -> list[bytes] | None:
    """The fields of a line; None if it cannot be taken apart."""
    try:
        line.decode()
    except UnicodeDecodeError:
        return None
    if b"\r" in line or b"\x1a" in line or not line.strip(b" \t"):
        return None
    field = rb'(?:"(?:[^"]|"")*"|[^",]*)'
    if not re.fullmatch(rb"%s(?:,%s)*" % (field, field), line):
        return None
    found = re.findall(rb"(?:^|,)(%s)" % field, line)
    return [each[1:-1] if each[:1] == b'"' else each for each in found]


def id_of(text: bytes, kind: str, *, zeros: bool) -> Any:
    """An id; None if it is none."""
    if kind == "string":
        good = 1 <= len(text) <= 64 and all(0x21 <= b <= 0x7E and b not in b'",' for b in text)
        return text.decode() if good else None
    if not (text.isdigit() and len(text) <= 10 and int(text) <= 2147483647):
        return None
    return int(text) if zeros or str(int(text)).encode() == text else None


def number_of(text: bytes) -> float | None:
    """A number; None if it is none."""
    spelling = rb"[-+]?\d+(\.\d+)?([eE][-+]?\d+)?"
    if len(text) > 64 or not re.fullmatch(spelling, text) or not text.isascii():
        return None
    return float(text) if abs(float(text)) <= 1e100 else None
