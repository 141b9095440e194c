"""Small submissions in every form, each beside the same lists in the form `podium`."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from podium.scoring.forms import FORMS
from podium.scoring.kinds.lists import LISTS
from podium.scoring.task import Task
from tests.builders.scoring.mutations import Case, competition, item, mutated

SIGNS = (",", "\t", ";", "::")
LIST_FORMS = tuple(key for key, form in FORMS.items() if LISTS.takes_form(form))
ORDERS = ("", "rank", "score")


@dataclass(frozen=True)
class Spelled:
    """A file in one of the forms, and the same in the form `podium`; `manner` is how it is
    written."""

    case: Case
    podium: Case
    manner: dict[str, Any]


def spelled_cases(seed: int, count: int, *, damaged: float = 0.0) -> Iterator[Spelled]:
    """`count` files of one competition each; the given share of them is damaged somewhere."""
    for number in range(count):
        name = f"forms/{seed}/{number}"
        rng = random.Random(name)
        task, sessions = competition(rng)
        task = replace(task, forms=LIST_FORMS)
        lists = lists_of(rng, task, sessions)
        manner = manner_of(rng, lists)
        text = written(rng, task, lists, manner)
        if rng.random() < damaged:
            text = mutated(rng, text)
        yield Spelled(
            Case(name, text, task, sessions),
            Case(name, podium_text(task, lists), replace(task, forms=()), sessions),
            manner,
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


def manner_of(rng: random.Random, lists: dict[str, list[str]]) -> dict[str, Any]:
    """One way of writing lists; those that leave open how they are read are left out."""
    manner = {
        "sign": rng.choice(SIGNS),
        "header": rng.random() < 0.6,
        "rows": rng.random() < 0.7,
        "order": rng.choice(ORDERS),
        "end": rng.choice(("\n", "\n", "\r\n")),
        "quoted": rng.choice((0.0, 0.0, 0.5, 1.0)),
        "mark": rng.random() < 0.1,
        "swapped": rng.random() < 0.2,
        "labels": rng.random() < 0.3,
        "mixed": rng.choice(("lists", "rows", "not")),
        "extra": rng.random() < 0.2,
    }
    if not manner["header"]:
        manner |= {"order": "", "swapped": False}
    if manner["rows"] or not manner["header"]:
        manner["extra"] = False
    if not manner["order"]:
        # Rows of items are not looked for under the header of lists.
        manner["labels"] = False
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
    lines = []
    for row in rows:
        quoted = [f'"{cell}"' if rng.random() < manner["quoted"] else cell for cell in row]
        lines.append(manner["sign"].join(quoted[::-1] if manner["swapped"] else quoted))
    end = str(manner["end"])
    text: str = end.join(lines) + rng.choice(("", end, end, end * 3))
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
