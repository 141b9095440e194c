"""Label files of a few sessions in their usual spellings, and what may happen to them."""

from __future__ import annotations

import dataclasses
import json
import random
import re
from collections.abc import Sequence
from decimal import Decimal

from podium.scoring.task import OTTO, Objective, Task
from podium.scoring.truth.forms import json_keys

SINGLE = dataclasses.replace(OTTO, objectives=(Objective("", Decimal(1)),), id_column="user")
# Takes its labels from a file for several objectives.
KEYED = dataclasses.replace(
    OTTO, objectives=(Objective("", Decimal(1), "recall@20", "carts"),), id_column="session"
)
# Names that occur elsewhere in a line, or within one another.
CLASHING = dataclasses.replace(
    OTTO, objectives=tuple(Objective(name, Decimal(1)) for name in ("session", "labels", "s", "."))
)
TASKS = (OTTO, SINGLE, KEYED, CLASHING)
TEXT_TASKS = (
    dataclasses.replace(OTTO, query_ids="string", item_ids="string"),
    dataclasses.replace(SINGLE, query_ids="string", item_ids="string"),
    dataclasses.replace(SINGLE, item_ids="string", duplicates="drop"),
    dataclasses.replace(KEYED, query_ids="string", duplicates="drop"),
    dataclasses.replace(CLASHING, query_ids="string", item_ids="string"),
)
"""Tasks of which some ids are text."""

Id = int | str

KINDS = ("jsonl", "submission", "long")
GRADED_KINDS = ("graded", "qrels")
"""Kinds whose labels have relevances; qrels are of one objective."""

SESSIONS = (0, 7, 42, 12_899_779, 2_147_483_647)
TEXTS = ("7", "007", "a_clicks", "_", "labels", "x-1", "~" * 64, "0", "Usage", "s_s", "A|b", "[")
"""Sessions that are text; items are others of them, or numbers."""

NUMBERS = (
    "0", "00", "01", "-0", "-1", "+1", "1.0", "1e3", "1E3", "0x1", "1_0", "4294967295",
    "2147483647", "2147483648", "0000000007", "9999999999", "99999999999", "10000000000",
    "9223372036854775807", "9999999999999999999", "18446744073709551617", "99999999999999999999",
)  # fmt: skip
SPLICES = (
    *NUMBERS, *(f", {number}" for number in NUMBERS), *(f" {number}" for number in NUMBERS),
    *',:"[]{} ', "\n", "\n\n", "\r", "\r\n", "\t", ", ", "[[", "]]", "[1]", '"1"', "true", "null",
    "NaN", "\\u0063", ",Usage", '"carts": 9', ', "clicks": [4]', '"": 1, ', '"session": 3, ',
    '"events": []', ",relevance", "\x00", "\x1a", "\x7f", "\ufeff", "é", "\u0665", '"orders":1,',
    '"views": [], ', '"views": 3, ', '"vi\\"ws": 3, ', "[1", "~" * 65, "private", "Ignored",
    "\\", "user,item", "1e3", "-1", ".5", "5.", "0.0000001", "1000", "1000.5", "1e00002", "#",
)  # fmt: skip


def label_file(rng: random.Random, task: Task, kind: str) -> str:
    """A ground truth without a problem, in a spelling that the compiled reader must take."""
    sessions = rng.sample(sessions_of(task), rng.randint(1, 5))
    found = {s: {n: _items(rng, task) for n in task.names if rng.random() < 0.7} for s in sessions}
    end = rng.choice(("\n", "\r\n"))
    if kind in ("jsonl", "qrels"):
        lines = {"jsonl": _json_lines, "qrels": _judgments}[kind](rng, task, found)
    else:
        rows = (
            _submission_rows(rng, task, found)
            if kind == "submission"
            else (_long_rows(rng, task, found, graded=kind == "graded"))
        )
        lines = _table(rng, rows)
    return end.join(lines) + rng.choice(("", end, end, end, end * 3))


def sessions_of(task: Task) -> tuple[Id, ...]:
    """The sessions that the files of a task may have."""
    return TEXTS if task.query_ids == "string" else SESSIONS


def spliced(rng: random.Random, text: str) -> str:
    """The text with a piece of it gone, doubled, moved, or replaced, cut where tokens meet."""
    edges = [0, *(found.end() for found in re.finditer(r"\w+|\W", text))]
    start, end = sorted(rng.choices(edges, k=2)) if rng.random() < 0.3 else _short(rng, edges)
    piece = rng.choice((rng.choice(SPLICES), text[start:end], "", text[start:end] * 2))
    if rng.random() < 0.3:
        end = start
    return text[:start] + piece + text[end:]


def _short(rng: random.Random, edges: list[int]) -> tuple[int, int]:
    at = rng.randrange(max(1, len(edges) - 1))
    return edges[at], edges[min(at + rng.choice((1, 1, 2, 3)), len(edges) - 1)]


Found = dict[Id, dict[str, list[Id]]]
Rows = list[list[str]]


def _json_lines(rng: random.Random, task: Task, found: Found) -> list[str]:
    comma, colon = rng.choice((", ", ",")), rng.choice((": ", ":"))
    keys = dict(zip(task.names, json_keys(task), strict=True))
    lines = []
    for session, of in found.items():
        entries = [(keys[name], _written(rng, items)) for name, items in of.items()]
        if task.names == ("",):
            others = rng.sample(("clicks", "orders", "a b.c", "~"), rng.choice((0, 0, 1, 3)))
            entries += [(other, _written(rng, _items(rng, task))) for other in others]
        rng.shuffle(entries)
        labels: object = dict(entries)
        if task.names == ("",) and of and rng.random() < 0.3:
            labels = _written(rng, of[""])
        entry = {"session": session, "labels": labels}
        lines.append(json.dumps(entry, separators=(comma, colon)))
    return lines


def _table(rng: random.Random, rows: Rows) -> list[str]:
    """Lines of fields in any order of columns, some of them in quotes, and the sides of sessions in
    a further column."""
    if rng.random() < 0.3:
        sides: dict[str, str] = {}
        for row in rows[1:]:
            side = rng.choice(("Public", "private", "IGNORED"))
            row.append(sides.setdefault(row[0].partition("_")[0], side))
        rows[0].append("Usage")
    order = list(range(len(rows[0])))
    if rng.random() < 0.3:
        rng.shuffle(order)
    quoted = rng.choice((0.0, 0.0, 0.5, 1.0))
    return [
        ",".join(f'"{row[at]}"' if rng.random() < quoted else row[at] for at in order)
        for row in rows
    ]


def _submission_rows(rng: random.Random, task: Task, found: Found) -> Rows:
    ids = [(session, name) for session in found for name in task.names]
    if rng.random() < 0.5:
        rng.shuffle(ids)
    gap = rng.choice((" ", " ", "  "))
    rows = [
        [
            f"{session}_{name}" if name else f"{session}",
            rng.choice(("", gap)) + gap.join(_spelled(rng, found[session].get(name, ()))),
        ]
        for session, name in ids
    ]
    return [[task.id_column, task.labels_column], *rows]


def _long_rows(rng: random.Random, task: Task, found: Found, *, graded: bool) -> Rows:
    rows = [
        [str(session), name, item]
        for session in found
        for name in task.names
        for item in _spelled(rng, found[session].get(name, ())) or [""]
    ]
    if rng.random() < 0.5:
        rng.shuffle(rows)
    head = ["session", "type", "aid"]
    if task.names == ("",):
        head = rng.choice((["session", "aid"], [task.id_column, "item"]))
        rows = [[session, item] for session, _, item in rows]
    if graded:
        head.append("relevance")
        for row in rows:
            row.append(_relevance(rng) if row[-1] else rng.choice(("", "1")))
    return [head, *rows]


def _judgments(rng: random.Random, task: Task, found: Found) -> list[str]:
    gap = rng.choice((" ", "\t", "  "))
    assert task.names == ("",)
    return [
        gap.join((str(session), "Q0", item, _relevance(rng, signs=("", "-"))))
        for session in found
        for item in _spelled(rng, found[session].get("", ())) or ["1"]
    ]


def _relevance(rng: random.Random, signs: Sequence[str] = ("", "", "", "+")) -> str:
    return rng.choice(signs) + rng.choice(("0", "1", "1", "2", "0.5", "1.0", "1000"))


def _spelled(rng: random.Random, items: Sequence[Id]) -> list[str]:
    """Items of a table, of which numbers may have leading zeros."""
    zeros = rng.random() < 0.1
    return [f"0{item}" if zeros and item in range(9) else str(item) for item in items]


def _items(rng: random.Random, task: Task) -> list[Id]:
    """Distinct items, sorted where they are numbers."""
    count = rng.choice((0, 1, 1, 2, 5))
    drawn: tuple[Id, ...] = (0, 1, rng.randint(0, 20), 2_147_483_647)
    if task.item_ids == "integer":
        return sorted({rng.choice(drawn) for _ in range(count)}, key=int)
    texts = [text for text in TEXTS if not text.startswith("[")]
    # In JSON, a number and its text are the same item.
    distinct: dict[str, Id] = {str(item): item for item in rng.choices((*texts, *drawn), k=count)}
    return list(distinct.values())


def _written(rng: random.Random, items: list[Id]) -> list[Id] | Id:
    if len(items) == 1 and rng.random() < 0.5:
        return items[0]
    return rng.sample(items, len(items))
