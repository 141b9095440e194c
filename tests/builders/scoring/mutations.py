"""Small submissions, made from a seed: good ones in all permitted shapes, and damaged ones."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

import polars as pl

from podium.scoring.lists.plan import ListBlock
from podium.scoring.published import PublishedIds
from podium.scoring.task import Objective, Task

NAMES = (("",), ("clicks",), ("a", "a-b", "top5"), ("clicks", "carts", "orders"))

NASTY = (
    *(bytes([byte]) for byte in b'",\n\r \t\x00\x1a\x7f\xff_-+.;:/09eA'),
    b"\r\n", b"\n\n", b"\r\r\n", b'""', b' "', b'" ', b",,", b"  ", b" 0", b"_clicks", b"_",
    b"\xef\xbb\xbf", b"\xc2\xa0", b"\xe2\x80\x8b", b"\xef\xbc\x95", b"\xc0\xaf", b"\xed\xa0\x80",
    b"2147483647", b"2147483648", b"4294967296", b"00000000005", b"0000000005", b"9999999999",
    b"18446744073709551617", b"1e5", b"5.0", b"-1", b"NaN", b"null", b"1,2", b'"1,2"', b"=1+1",
)  # fmt: skip

TEXT_SESSIONS = (
    "7", "007", "0", "q-7", "MB101", "a_clicks", "clicks", "a_", "_", "__a", "_a-b", "x_top5_",
    "00a5f" * 12 + "77ff", "~" * 64, "-1", "#x", "a|b", "A", "a", "2147483648",
)  # fmt: skip


DEPTH = 300
"""Items of a list that are compared."""

Answers = dict[int, list[Any]]


@dataclass(frozen=True)
class Case:
    """A file with the competition it is sent to, and the seed that makes both again."""

    seed: str
    text: bytes
    task: Task
    sessions: list[int] | list[str]

    @cached_property
    def published(self) -> PublishedIds:
        """The published ids as the readers want them."""
        kind = pl.String if self.task.query_ids == "string" else pl.Int32
        return PublishedIds(pl.Series(self.sessions, dtype=kind), self.task.names)


def cases(seed: int, count: int, *, damaged: float = 0.8) -> Iterator[Case]:
    """`count` files of one competition each; the given share of them is damaged somewhere."""
    for number in range(count):
        name = f"{seed}/{number}"
        rng = random.Random(name)
        task, sessions = competition(rng)
        text = good_file(rng, task, sessions)
        if rng.random() < damaged:
            for _ in range(rng.choice((1, 1, 1, 2, 3))):
                text = mutated(rng, text)
        yield Case(name, text, task, sessions)


def competition(rng: random.Random) -> tuple[Task, list[int] | list[str]]:
    """A task with one to three objectives, and at most five published sessions."""
    names = rng.choice(NAMES)
    metric = f"recall_capped@{rng.choice((1, 2, 20, 20, 1000))}:micro"
    task = Task(
        objectives=tuple(Objective(name, Decimal(1), metric) for name in names),
        id_column=rng.choice(("session_type", "id")),
        query_ids=rng.choice(("integer", "integer", "string")),
        item_ids=rng.choice(("integer", "integer", "integer", "string")),
        missing_rows=rng.choice(("reject", "reject", "zero")),
        submission_duplicates=rng.choice(("count-once", "count-once", "reject")),
    )
    count = rng.randint(1, 5)
    if task.query_ids == "string":
        return task, rng.sample(TEXT_SESSIONS, count)
    start = rng.choice((0, 1, 8, 98, 12_899_779, 999_999_998, 2_147_483_643))
    sessions = list(range(start, start + count))
    if rng.random() < 0.4:
        sessions = rng.sample([*range(20), 12_899_779, 2_147_483_647, 10**9], count)
    return task, sessions


def good_file(rng: random.Random, task: Task, sessions: list[int] | list[str]) -> bytes:
    """A file that must be accepted, written in one of the permitted manners."""
    ids = [f"{s}_{name}" if name else str(s) for s in sessions for name in task.names]
    if rng.random() < 0.6:
        rng.shuffle(ids)
    if task.missing_rows == "zero" and rng.random() < 0.5:
        ids = ids[: rng.randint(0, len(ids))]
    swapped = rng.random() < 0.1
    quoted = rng.choice((0.0, 0.0, 0.0, 0.5, 1.0))
    end = rng.choice(("\n", "\n", "\r\n"))
    tidy = rng.random() < 0.5
    rows = [[task.id_column, task.labels_column]]
    rows += [[row_id, labels(rng, task, tidy=tidy)] for row_id in ids]
    lines = []
    for row in rows:
        cells = [f'"{cell}"' if rng.random() < quoted else cell for cell in row]
        lines.append(",".join(cells[::-1] if swapped else cells))
    text = end.join(lines) + rng.choice(("", end, end, end, end * 3))
    return (b"\xef\xbb\xbf" if rng.random() < 0.1 else b"") + text.encode()


def labels(rng: random.Random, task: Task, *, tidy: bool) -> str:
    """Items of one row; untidy ones have zeros before them and spaces around them."""
    items = [item(rng, task) for _ in range(rng.choice((0, 1, 2, 3, 5, 22)))]
    if task.submission_duplicates == "reject":
        items = list(dict.fromkeys(items))
    if tidy:
        return " ".join(items)
    if task.item_ids == "integer":
        items = [i.rjust(rng.randint(1, 10), "0") if rng.random() < 0.2 else i for i in items]
    gaps = [" " * rng.choice((1, 1, 1, 2, 3)) for _ in items]
    spaced = "".join(gap + i for gap, i in zip(gaps, items, strict=True))
    return spaced[rng.choice((0, 1)) :] + " " * rng.choice((0, 0, 1))


def item(rng: random.Random, task: Task) -> str:
    """An item id, often a small one, so that rows have items in common."""
    number = rng.choice((0, 1, rng.randint(0, 12), rng.randint(0, 1_855_602), 2_147_483_647))
    if task.item_ids == "string":
        return rng.choice((str(number), f"0{number}", f"x-{number}", "a.b#c", "~" * 64, "_"))
    return str(number)


def mutated(rng: random.Random, text: bytes) -> bytes:
    """The text with one thing changed, of which some change nothing that counts."""
    return rng.choice(MUTATIONS)(rng, text)


def flip(rng: random.Random, text: bytes) -> bytes:
    """One bit of one byte."""
    if not text:
        return text
    place = rng.randrange(len(text))
    return text[:place] + bytes([text[place] ^ 1 << rng.randrange(8)]) + text[place + 1 :]


def insert(rng: random.Random, text: bytes) -> bytes:
    """Something nasty, anywhere."""
    place = rng.randint(0, len(text))
    return text[:place] + rng.choice(NASTY) + text[place:]


def overwrite(rng: random.Random, text: bytes) -> bytes:
    """Something nasty in place of as many bytes."""
    nasty = rng.choice(NASTY)
    place = rng.randint(0, len(text))
    return text[:place] + nasty + text[place + len(nasty) :]


def drop(rng: random.Random, text: bytes) -> bytes:
    """A byte or a few, gone."""
    place = rng.randint(0, len(text))
    return text[:place] + text[place + rng.randint(1, 3) :]


def cut(rng: random.Random, text: bytes) -> bytes:
    """Everything after some place, gone."""
    return text[: rng.randint(0, len(text))]


def line_change(rng: random.Random, text: bytes) -> bytes:
    """A line twice, a line less, or two lines exchanged."""
    lines = text.split(b"\n")
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    kind = rng.randrange(3)
    if kind == 0:
        lines.insert(other, lines[one])
    elif kind == 1:
        del lines[one]
    else:
        lines[one], lines[other] = lines[other], lines[one]
    return b"\n".join(lines)


def field_change(rng: random.Random, text: bytes) -> bytes:
    """The fields of a line exchanged, one more, or one field of another line."""
    lines = text.split(b"\n")
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    fields, foreign = lines[one].split(b","), lines[other].split(b",")
    kind = rng.randrange(3)
    if kind == 0:
        fields.reverse()
    elif kind == 1:
        fields.append(foreign[-1])
    else:
        fields[-1 if rng.random() < 0.5 else 0] = rng.choice(foreign)
    lines[one] = b",".join(fields)
    return b"\n".join(lines)


def lengthen(rng: random.Random, text: bytes) -> bytes:
    """A line filled with spaces or zeros up to the longest that is allowed, or one more."""
    lines = text.split(b"\n")
    one = rng.randrange(len(lines))
    line = lines[one].removesuffix(b"\r")
    end = lines[one][len(line) :]
    filler = rng.choice((b" ", b" ", b" 7", b"7"))
    room = rng.choice((4096, 4096, 4097, 9000, 12_024, 12_025, 66_024, 66_025)) - len(line)
    lines[one] = line + (filler * max(room, 0))[: max(room, 0)] + end
    return b"\n".join(lines)


def join(rng: random.Random, text: bytes) -> bytes:
    """Items separated by another sign than spaces, in all lists or in those of some lines."""
    sign, share = rng.choice((b"|", b";", b"||", b"] [")), rng.choice((1.0, 1.0, 0.7))
    lines = text.split(b"\n")
    return b"\n".join(line.replace(b" ", sign) if rng.random() < share else line for line in lines)


MUTATIONS = (
    join, flip, flip, insert, insert, insert, insert, overwrite, drop, cut,
    line_change, line_change, field_change, lengthen,
)  # fmt: skip


def answers_of(parts: list[ListBlock]) -> Answers:
    """Query numbers and items."""
    answers: Answers = {}
    for block in parts:
        items = iter(block.items.to_list())
        for query, length in zip(block.query, block.length, strict=True):
            assert query not in answers
            answers[query] = [next(items) for _ in range(length)]
        assert next(items, None) is None
    return answers


def labels_of(case: Case, answers: Answers) -> pl.DataFrame:
    """Some items of each list, and others."""
    rng = random.Random(case.seed)
    texts = case.task.item_ids == "string"
    drawn = {
        (query, str(item) if texts else item)
        for query in range(case.published.count)
        for item in [*rng.sample(answers.get(query, []), len(answers.get(query, [])) // 2), 7, 12]
    }
    kind = pl.String if texts else pl.Int32
    queries, items = zip(*sorted(drawn), strict=True)
    return pl.DataFrame(
        [pl.Series("query", queries, dtype=pl.UInt32), pl.Series("item", items, dtype=kind)]
    )
