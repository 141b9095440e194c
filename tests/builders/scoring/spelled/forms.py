"""Small submissions in every form, each beside the same lists in the form `podium`."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from podium.scoring.forms import ENCODINGS, FORMS
from podium.scoring.kinds.lists import LISTS
from podium.scoring.task import Task
from tests.builders.scoring.mutations import Case, competition, item, mutated
from tests.builders.scoring.spelled.utf_16 import ENDS, utf_16
from tests.builders.uploads.packing import FURTHER, PACKED

SIGNS = (",", "\t", ";", "::")
CELLS = ("", ",", ";", "json", "python")
LAYOUTS = ("lines", "object", "array")
LIST_FORMS = tuple(
    key for key, form in FORMS.items() if LISTS.takes_form(form) and key not in ENCODINGS
)
ORDERS = ("", "rank", "score")
CONTAINERS = {**PACKED, **FURTHER}
PACKINGS = tuple(product(CONTAINERS, ("", *ENDS)))
"""Every container with UTF-8, and with UTF-16 by its first byte."""

COMBINATIONS: list[dict[str, Any]] = [
    *({"json": layout} for layout in LAYOUTS),
    *({"sign": sign, "rows": True, "order": order} for sign in SIGNS for order in ORDERS),
    *({"sign": sign, "rows": True, "header": False} for sign in SIGNS),
    *(
        {"sign": sign, "cells": cells, "header": header, "extra": extra}
        for sign in SIGNS
        for cells in CELLS
        for header, extra in ((True, False), (True, True), (False, False))
    ),
]
"""Every combination of forms."""


@dataclass(frozen=True)
class Spelled:
    """A file in one of the forms, and the same in the form `podium`; `manner` is how it is
    written."""

    case: Case
    podium: Case
    manner: dict[str, Any]


def spelled_cases(
    seed: int,
    count: int,
    *,
    damaged: float = 0.0,
    forms: Sequence[dict[str, Any]] = COMBINATIONS,
    packings: Sequence[tuple[str, str]] = PACKINGS,
    encodings: Sequence[str] = ("", *ENCODINGS),
) -> Iterator[Spelled]:
    """Up to `count` files of one competition each, which may take one of the encodings; the given
    share of them is damaged somewhere."""
    for number in range(count):
        name = f"forms/{seed}/{number}"
        rng = random.Random(name)
        task, sessions = competition(rng)
        task = replace(task, forms=(*LIST_FORMS, *filter(None, (rng.choice(encodings),))))
        lists = lists_of(rng, task, sessions)
        manner = manner_of(rng, task, lists, forms[number % len(forms)])
        container, end = packings[number // len(forms) % len(packings)]
        text = (json_text if manner["json"] else written)(rng, task, lists, manner)
        if _is_numbered(text, manner):
            continue
        if end:
            text = utf_16(text.decode("utf-8-sig"), end)
        if rng.random() < damaged:
            text = mutated(rng, text)
        yield Spelled(
            Case(name, CONTAINERS[container](text), task, sessions),
            Case(name, podium_text(task, lists), replace(task, forms=()), sessions),
            manner,
        )


def _is_numbered(text: bytes, manner: dict[str, Any]) -> bool:
    """True for a first row that could be the header of pandas for columns without names."""
    row = text.removeprefix(b"\xef\xbb\xbf").partition(b"\n")[0].strip(b"\r").replace(b'"', b"")
    return not manner["header"] and row == b"0%s1" % manner["sign"].encode()


def json_cases(seed: int, count: int, *, damaged: float = 0.0) -> Iterator[Spelled]:
    """`count` files of JSON in UTF-8, in each of its layouts."""
    return spelled_cases(
        seed,
        count,
        damaged=damaged,
        forms=COMBINATIONS[: len(LAYOUTS)],
        packings=[("csv", "")],
        encodings=[""],
    )


def lists_of(rng: random.Random, task: Task, sessions: Any) -> dict[str, list[str]]:
    """The items of each id, in any order of the ids."""
    ids = [f"{s}_{name}" if name else str(s) for s in sessions for name in task.names]
    rng.shuffle(ids)
    if task.missing_rows == "zero" and rng.random() < 0.5:
        ids = ids[: rng.randint(1, len(ids))]
    lists = {}
    for row_id in ids:
        items = [item(rng, task) for _ in range(rng.choice((0, 1, 2, 3, 5, 22)))]
        if task.submission_duplicates == "reject":
            items = list(dict.fromkeys(items))
        lists[row_id] = items
    return lists


def manner_of(
    rng: random.Random, task: Task, lists: dict[str, list[str]], forms: dict[str, Any]
) -> dict[str, Any]:
    """One way of writing lists in these forms; what would leave open how they are read is left
    out."""
    manner = {
        **{"json": "", "sign": ",", "header": True, "rows": False, "order": ""},
        **{"cells": "", "extra": False},
        "end": rng.choice(("\n", "\n", "\r\n")),
        "quoted": rng.choice((0.0, 0.0, 0.5, 1.0)),
        "mark": rng.random() < 0.1,
        "swapped": rng.random() < 0.2,
        "labels": rng.random() < 0.3,
        "mixed": rng.choice(("lists", "rows", "not")),
        **forms,
    }
    if not manner["header"]:
        manner["swapped"] = False
    if not manner["order"]:
        # Rows of items are not looked for under the header of lists.
        manner["labels"] = False
    is_text = task.item_ids == "string"
    if (is_text and manner["cells"] == ";") or all(len(items) < 2 for items in lists.values()):
        # An item of text may hold semicolons and brackets.
        manner["cells"] = ""
    if task.query_ids == "string" and len(lists) == 1 and manner["json"] == "lines":
        # The names of columns may be ids.
        manner["json"] = "array"
    return manner


def written(
    rng: random.Random, task: Task, lists: dict[str, list[str]], manner: dict[str, Any]
) -> bytes:
    """The lists as text."""
    order = manner["order"] if manner["rows"] else ""
    column = task.labels_column if manner["labels"] or not manner["rows"] else task.item_column
    rows = [[row_id, " ".join(items)] for row_id, items in lists.items()]
    if manner["rows"]:
        rows = item_rows(rng, lists, order, manner["mixed"])
    header = [task.id_column, column, *filter(None, (order,))]
    rows = [header, *rows] if manner["header"] else rows
    if manner["extra"]:
        at = rng.randrange(3)
        rows = [[*row[:at], str(number), *row[at:]] for number, row in enumerate(rows)]
    if manner["cells"]:
        at = rows[0].index(column) if manner["header"] else 1
        for row in rows[manner["header"] :]:
            row[at] = cell_of(rng, row[at].split(), manner["cells"])
    lines = []
    for row in rows:
        fields = [field_of(rng, cell, manner) for cell in row]
        lines.append(manner["sign"].join(fields[::-1] if manner["swapped"] else fields))
    end = str(manner["end"])
    text: str = end.join(lines) + rng.choice(("", end, end, end * 3))
    return (b"\xef\xbb\xbf" if manner["mark"] else b"") + text.encode()


def field_of(rng: random.Random, cell: str, manner: dict[str, Any]) -> str:
    """A field, in quotes where it needs them, or by chance. Without a header each separator could
    be that of the file."""
    signs = ('"', manner["sign"]) if manner["header"] else ('"', *SIGNS)
    is_quoted = rng.random() < manner["quoted"] or any(sign in cell for sign in signs)
    doubled = cell.replace('"', '""')
    return f'"{doubled}"' if is_quoted else cell


def cell_of(rng: random.Random, items: list[str], cells: str) -> str:
    """A list in one cell."""
    if not items:
        return rng.choice(("", "[]"))
    if cells == "json":
        return json_list(rng, items)
    if cells == "python":
        numbers = all(map(is_canonical, items)) and rng.random() < 0.5
        return f"[{', '.join(items)}]" if numbers else str(items)
    return rng.choice((cells, f"{cells} ")).join(items)


def json_list(rng: random.Random, items: list[str]) -> str:
    """A list of numbers, as far as they are some, or of texts."""
    as_numbers, gap = rng.random() < 0.5, rng.choice(("", " "))
    values = [each if as_numbers and is_canonical(each) else json.dumps(each) for each in items]
    return f"[{gap}{f',{gap}'.join(values)}]"


def is_canonical(item: str) -> bool:
    """True for a whole number without zeros before it."""
    return re.fullmatch("0|[1-9][0-9]*", item) is not None


def json_text(
    rng: random.Random, task: Task, lists: dict[str, list[str]], manner: dict[str, Any]
) -> bytes:
    """The lists as JSON, each as a list or as the text of a cell."""
    layout, gap, entries = manner["json"], rng.choice(("", " ", "\n  ")), []
    gap = gap.strip("\n") if layout == "lines" else gap
    for row_id, items in lists.items():
        labels = json_list(rng, items) if rng.random() < 0.8 else json.dumps(" ".join(items))
        shown = row_id if is_canonical(row_id) and rng.random() < 0.5 else json.dumps(row_id)
        members = [f'"{task.id_column}":{gap}{shown}', f'"{task.labels_column}":{gap}{labels}']
        if layout == "object":
            value = f"{{{members[1]}}}" if rng.random() < 0.2 else labels
            entries.append(f"{json.dumps(row_id)}{gap}:{gap}{value}")
        else:
            entries.append(f"{{{gap}{f',{gap}'.join(rng.sample(members, 2))}{gap}}}")
    if layout == "lines":
        end = str(manner["end"])
        text = end.join(entries) + rng.choice(("", end, end, end * 3))
    else:
        begin, end = "{}" if layout == "object" else "[]"
        text = f"{gap}{begin}{gap}{f'{gap},{gap}'.join(entries)}{gap}{end}{gap}"
    return (b"\xef\xbb\xbf" if manner["mark"] else b"") + text.encode()


def item_rows(
    rng: random.Random, lists: dict[str, list[str]], order: str, mixed: str
) -> list[list[str]]:
    """A row for each item, and one for each empty list; with an order in any order of the rows."""
    rows = []
    for row_id, items in lists.items():
        ranks = sorted(rng.sample(range(1, 1000), len(items)))
        scores = sorted((rng.uniform(-2, 2) for _ in items), reverse=True)
        values = {"rank": [*map(str, ranks)], "score": [*map(repr, scores)], "": [""] * len(items)}
        both = zip(items, values[order], strict=True)
        found = [[row_id, one, *filter(None, (value,))] for one, value in both]
        rows.append(found or [[row_id, "", *(["1"] if order else [])]])
    if mixed == "rows" and order:
        flat = [row for of_list in rows for row in of_list]
        return rng.sample(flat, len(flat))
    if mixed == "not":
        return [row for of_list in rows for row in of_list]
    # Rows of several lists alternate, each in its own order.
    turns = [number for number, of_list in enumerate(rows) for _ in of_list]
    rng.shuffle(turns)
    return [rows[number].pop(0) for number in turns]


def podium_text(task: Task, lists: dict[str, list[str]]) -> bytes:
    """The same lists in the form `podium`."""
    rows = [f"{row_id},{' '.join(items)}\n" for row_id, items in lists.items()]
    return f"{task.id_column},{task.labels_column}\n{''.join(rows)}".encode()
