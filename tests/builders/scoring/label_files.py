"""Label files of a few sessions in their usual spellings, and what may happen to them."""

from __future__ import annotations

import dataclasses
import json
import random
import re
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

KINDS = ("jsonl", "submission", "long")
SESSIONS = (0, 7, 42, 12_899_779, 2_147_483_647)
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
    '"views": [], ', '"views": 3, ', '"vi\\"ws": 3, ',
)  # fmt: skip


def label_file(rng: random.Random, task: Task, kind: str) -> str:
    """A ground truth without a problem, in a spelling that the compiled reader must take."""
    sessions = rng.sample(SESSIONS, rng.randint(1, len(SESSIONS)))
    found = {
        s: {n: sorted(_items(rng)) for n in task.names if rng.random() < 0.7} for s in sessions
    }
    end = rng.choice(("\n", "\r\n"))
    lines = {"jsonl": _json_lines, "submission": _submission_rows, "long": _long_rows}[kind]
    return end.join(lines(rng, task, found)) + rng.choice(("", end, end, end, end * 3))


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


Found = dict[int, dict[str, list[int]]]


def _json_lines(rng: random.Random, task: Task, found: Found) -> list[str]:
    comma, colon = rng.choice((", ", ",")), rng.choice((": ", ":"))
    keys = dict(zip(task.names, json_keys(task), strict=True))
    lines = []
    for session, of in found.items():
        entries = [(keys[name], _written(rng, items)) for name, items in of.items()]
        if task.names == ("",):
            others = rng.sample(("clicks", "orders", "a b.c", "~"), rng.choice((0, 0, 1, 3)))
            entries += [(other, _written(rng, sorted(_items(rng)))) for other in others]
        rng.shuffle(entries)
        labels: object = dict(entries)
        if task.names == ("",) and of and rng.random() < 0.3:
            labels = _written(rng, of[""])
        entry = {"session": session, "labels": labels}
        lines.append(json.dumps(entry, separators=(comma, colon)))
    return lines


def _submission_rows(rng: random.Random, task: Task, found: Found) -> list[str]:
    ids = [(session, name) for session in found for name in task.names]
    if rng.random() < 0.5:
        rng.shuffle(ids)
    rows = [
        f"{session}_{name}".removesuffix("_")
        + ","
        + " ".join(map(str, found[session].get(name, ())))
        for session, name in ids
    ]
    return [f"{task.id_column},{task.labels_column}", *rows]


def _long_rows(rng: random.Random, task: Task, found: Found) -> list[str]:
    rows = [
        (session, name, item)
        for session in found
        for name in task.names
        for item in list(map(str, found[session].get(name, ()))) or [""]
    ]
    if rng.random() < 0.5:
        rng.shuffle(rows)
    if task.names == ("",):
        head = rng.choice(("session,aid", f"{task.id_column},item"))
        return [head, *(f"{session},{item}" for session, _, item in rows)]
    return ["session,type,aid", *(",".join(map(str, row)) for row in rows)]


def _items(rng: random.Random) -> set[int]:
    count = rng.choice((0, 1, 1, 2, 5))
    return {rng.choice((0, 1, rng.randint(0, 20), 2_147_483_647)) for _ in range(count)}


def _written(rng: random.Random, items: list[int]) -> list[int] | int:
    if len(items) == 1 and rng.random() < 0.5:
        return items[0]
    return rng.sample(items, len(items))
