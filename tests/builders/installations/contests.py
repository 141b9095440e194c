"""Small competitions of every kind of task, with files for each: the content of frozen
installations."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tests.builders.installations.files import Table, in_form
from tests.builders.installations.rows import (
    candidates,
    customized,
    pairs,
    ratings,
    singles,
    tables,
)
from tests.builders.installations.shape import FORMS, ITEMS, QUERIES, Contest


def all_contests() -> list[Contest]:
    """Every competition, whether a version can have it or not."""
    makers: list[Callable[[random.Random], Contest]] = [lists, words, articles, graded, ended]
    makers += [ratings, singles, pairs, candidates, tables, customized]
    return [make(random.Random(make.__name__)) for make in makers]


def lists(dice: random.Random) -> Contest:
    """Sessions with three objectives, whose split a secret key decides."""
    names = ("clicks", "carts", "orders")

    def truth() -> bytes:
        return _lines(
            json.dumps(
                {
                    "session": query,
                    "labels": {
                        "clicks": dice.choice(ITEMS),
                        "carts": dice.sample(ITEMS, dice.randint(0, 3)),
                        "orders": dice.sample(ITEMS, dice.randint(0, 2)),
                    },
                }
            )
            for query in QUERIES
        )

    ids = [f"{query}_{name}" for query in QUERIES for name in names]
    settings = {
        "preset": "otto",
        "split": {"public_fraction": 0.5},
        "diagnostics": ["ndcg@20", "mrr@20", "coverage@20", "novelty@20"],
        "objective_scores": "always",
        "rules": "Play **fair**.",
    }
    answers = _ranked(dice, ids, ("session_type", "labels"), ITEMS)
    return Contest("lists", "ranking", settings, (truth(), truth()), *answers)


def words(dice: random.Random) -> Contest:
    """Text ids, published beforehand; a ground truth with an item in each row, some twice."""
    return _of_words("words", "item", dice)


def articles(dice: random.Random) -> Contest:
    """The same with another name for the column of items."""
    return _of_words("articles", "article", dice)


def _of_words(slug: str, item_column: str, dice: random.Random) -> Contest:
    users = [f"user-{query}" for query in QUERIES]
    items = [f"item-{item}" for item in ITEMS]

    def truth() -> bytes:
        rows = []
        for place, user in enumerate(users[:-4]):
            usage = ("Public", "Private", "Public", "Private", "Ignored")[place % 5]
            chosen = dice.sample(items, 3)
            rows += [f"{user},{item},{usage}" for item in [*chosen, chosen[0]]]
        return _lines([f"customer,{item_column},Usage", *rows])

    settings = {
        "objectives": {"articles": 1},
        "metric": "map_capped@12",
        "diagnostics": ["recall@12", "ndcg@12"],
        "id_column": "customer",
        "item_column": item_column,
        "labels_column": "prediction",
        "query_ids": "string",
        "item_ids": "string",
        "duplicates": "drop",
        "missing_rows": "zero",
        "split": "usage",
    }
    answers = _ranked(dice, users, ("customer", "prediction"), items)
    published = _lines(["customer", *users])
    # An earlier version took no other name.
    needs = frozenset({"task"} if item_column == "item" else {"group_column"})
    return Contest(slug, "ranking", settings, (truth(), truth()), *answers, published, needs)


def graded(dice: random.Random) -> Contest:
    """Graded labels, a metric of real numbers, and a ladder."""

    def truth() -> bytes:
        rows = [
            f"{query},{item},{dice.choice((1, 1, 2, 0.5))}"
            for query in QUERIES
            for item in dice.sample(ITEMS, 4)
        ]
        return _lines(["user,item,relevance", *rows])

    settings = {
        "objectives": {"items": 1},
        "metric": "ndcg@10",
        "diagnostics": ["map@10", "ndcg_exp@5"],
        "id_column": "user",
        "split": {"public_fraction": 0.5},
        "board": "ladder",
        "decimals": 4,
    }
    answers = _ranked(dice, list(QUERIES), ("user", "labels"), ITEMS)
    return Contest("graded", "ranking", settings, (truth(), truth()), *answers)


def ended(dice: random.Random) -> Contest:
    """A competition that is revealed in the end, with late submissions."""

    def truth() -> bytes:
        rows = [
            f"{query},{item},{('Public', 'Private')[query % 2]}"
            for query in QUERIES
            for item in dice.sample(ITEMS, 2)
        ]
        return _lines(["user,item,Usage", *rows])

    settings = {
        "objectives": {"items": 1},
        "metric": "mrr@10",
        "diagnostics": ["hit_rate@10"],
        "id_column": "user",
        "split": "usage",
        "late_submissions": True,
        "final_selections": 1,
    }
    answers = _ranked(dice, list(QUERIES), ("user", "labels"), ITEMS)
    return Contest("ended", "ranking", settings, (truth(), truth()), *answers)


def _ranked(
    dice: random.Random, ids: Sequence[Any], names: tuple[str, str], items: Sequence[Any]
) -> tuple[dict[str, bytes], bytes]:
    """Files of lists in all forms, and one with an id that is not published."""

    def table() -> Table:
        lists = [" ".join(map(str, dice.sample(items, dice.randint(1, 8)))) for _ in ids]
        return {names[0]: list(ids), names[1]: lists}

    files = {name: in_form(table(), form) for name, form in FORMS.items()}
    wrong = files["0.csv"] + b"1_nothing,5\n"
    return files, wrong


def _lines(lines: Iterable[str]) -> bytes:
    return "\n".join([*lines, ""]).encode()
