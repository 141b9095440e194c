"""Small competitions whose files are tables of rows by key: ratings, scores, candidates, tables."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from tests.builders.installations.files import Table, csv_of, in_form
from tests.builders.installations.shape import FORMS, ITEMS, QUERIES, Contest


def ratings(dice: random.Random) -> Contest:
    """Ratings of pairs of numbers."""
    keys = [(str(query), str(item)) for query in QUERIES for item in dice.sample(ITEMS, 2)]

    def table(usage: bool) -> Table:
        columns = {"rating": [dice.choice((1.0, 2.0, 3.5, 4.0)) for _ in keys]}
        return _keyed(("user", "item"), keys, columns, usage=usage)

    settings = {"preset": "rmse", "split": "usage", "decimals": 6}
    return _of_tables("ratings", "rating", settings, table)


def singles(dice: random.Random) -> Contest:
    """A probability for each text id, averaged by group."""
    keys = [(f"row-{number}",) for number in QUERIES]

    def table(usage: bool) -> Table:
        values = [float(place % 3 == 0) if usage else dice.random() for place in range(len(keys))]
        if usage:
            dice.shuffle(values)
        found = _keyed(("row",), keys, {"clicked": values}, usage=usage)
        if usage:
            found["part"] = [("few", "many")[place // 2 % 2] for place in range(len(keys))]
        return found

    settings = {
        "task": "scores",
        "objectives": {"clicked": 1},
        "metric": "log_loss",
        "diagnostics": ["brier", "ece"],
        "id_column": "row",
        "item_column": "",
        "labels_column": "clicked",
        "query_ids": "string",
        "group_column": "part",
        "split": "usage",
    }
    return _of_tables("singles", "scores", settings, table, needs="group_column")


def pairs(dice: random.Random) -> Contest:
    """Two weighted objectives for each pair of text ids, told apart by a context, which is the
    unit."""
    keys = [
        (f"u{query % 5}", f"t{item}", str(query))
        for query in QUERIES
        for item in dice.sample(ITEMS, 4)
    ]

    def table(usage: bool) -> Table:
        if not usage:
            columns = {name: [dice.random() for _ in keys] for name in ("like", "reply")}
        else:
            columns = {
                name: [float((place + shift) % 3 == 0) for place in range(len(keys))]
                for shift, name in enumerate(("like", "reply"))
            }
            dice.shuffle(columns["like"])
        found = _keyed(("user", "tweet", "view"), keys, columns, usage=False)
        if usage:
            # All pairs of a context are on one side.
            found["Usage"] = [("Public", "Private")[int(key[2]) % 2] for key in keys]
        return found

    settings = {
        "task": "scores",
        "objectives": {"like": 0.7, "reply": {"weight": 0.3, "metric": "average_precision"}},
        "metric": "auc",
        "diagnostics": ["gauc", "rce"],
        "id_column": "user",
        "item_column": "tweet",
        "context_column": "view",
        "unit": "context",
        "query_ids": "string",
        "item_ids": "string",
        "split": "usage",
    }
    return _of_tables("pairs", "scores", settings, table, needs="context_column")


def candidates(dice: random.Random) -> Contest:
    """Candidates to rerank, in an order that a secret key gives."""
    keys = [(str(query), str(item)) for query in QUERIES for item in dice.sample(ITEMS, 5)]

    def table(usage: bool) -> Table:
        values: list[Any] = [dice.random() for _ in keys]
        if usage:
            values = [
                (1, 0, 2, 0, 0)[(place + dice.randint(0, 1)) % 5] for place in range(len(keys))
            ]
            values[::5], values[1::5] = [1] * len(QUERIES), [0] * len(QUERIES)
        return _keyed(("impression", "item"), keys, {"score": values}, usage=False)

    settings = {
        "task": "rerank",
        "objectives": {"clicks": 1},
        "metric": "gauc",
        "diagnostics": ["mrr_all", "ndcg@5"],
        "id_column": "impression",
        "labels_column": "score",
        "split": {"public_fraction": 0.5},
    }
    return _of_tables("candidates", "rerank", settings, table)


def tables(dice: random.Random) -> Contest:
    """Columns of all types, with weights of rows, clusters, and rows of either split."""
    keys = [(f"{query}.png",) for query in QUERIES]
    breeds = ("cat", "dog", "owl")

    def table(usage: bool) -> Table:
        columns: dict[str, list[Any]] = {
            "price": [round(dice.uniform(0, 50), 3) for _ in keys],
            "count": [dice.randint(0, 9) for _ in keys],
            "breed": [breeds[(place + dice.randint(0, 1)) % 3] for place in range(len(keys))],
            "wild": [dice.choice(("true", "false")) for _ in keys],
            "name": [dice.choice(("Ada", "Bo, the dog", "Cleo")) for _ in keys],
        }
        found = _keyed(("image",), keys, columns, usage=False)
        if usage:
            # Three rows of one owner, who is in one split.
            found["owner"] = [f"o{place // 3}" for place in range(len(keys))]
            found["weight"] = [dice.choice((0.5, 1, 2)) for _ in keys]
            usages = ("Public", "Private", "Public", "Private", "Both")
            found["Usage"] = [usages[place // 3 % 5] for place in range(len(keys))]
        return found

    settings = {
        "task": "table",
        "objectives": {
            "price": {"weight": 0.5, "metric": "rmse"},
            "amount": {"weight": 0.2, "metric": "mae"},
            "breed": {"weight": 0.2, "metric": "accuracy"},
            "wild": {"weight": 0.05, "metric": "accuracy"},
            "name": {"weight": 0.05, "metric": "levenshtein"},
        },
        "metric": "rmse",
        "objective_columns": {"amount": ["count"]},
        "id_column": "image",
        "query_ids": "string",
        "table_columns": [
            {"name": "price", "minimum": 0, "maximum": 100},
            {"name": "count", "type": "integer", "minimum": 0},
            {"name": "breed", "type": "category", "values": list(breeds)},
            {"name": "wild", "type": "boolean"},
            {"name": "name", "type": "text", "max_length": 40},
        ],
        "weight_column": "weight",
        "cluster_column": "owner",
        "split": "usage",
    }
    return _of_tables("tables", "table", settings, table)


METRIC = '''
class ParticipantVisibleError(Exception):
    pass


def score(solution, submission, row_id_column_name):
    """The mean distance."""
    if (submission["y"] > 90).any():
        raise ParticipantVisibleError("y above 90")
    if (submission["y"] == 77).any():
        raise KeyError("not for participants")
    return (solution["y"] - submission["y"]).abs().mean()
'''

METRICS = (METRIC, METRIC.replace(".abs().mean()", ".pow(2).mean() ** 0.5"), "def score(:\n")
"""Versions of the metric file, of which the last is rejected."""


def customized(dice: random.Random) -> Contest:
    """A table of two numbers that an organizer's metric file scores."""
    keys = [(str(query),) for query in QUERIES]

    def table(usage: bool) -> Table:
        return _keyed(("id",), keys, {"y": [dice.randint(0, 70) for _ in keys]}, usage=usage)

    settings = {
        "task": "table",
        "objectives": {"y": 1},
        "id_column": "id",
        "table_columns": [{"name": "y", "type": "number", "minimum": 0, "maximum": 100}],
        "metric": "own_error",
        "split": "usage",
    }
    return _of_tables("customized", "table", settings, table, needs="own_metric")


def _of_tables(
    slug: str, kind: str, settings: Mapping[str, Any], table: Any, needs: str = "task"
) -> Contest:
    """A competition whose ground truth and files are both tables of rows by key."""
    truths = [csv_of(table(True)) for _ in range(2)]
    files = {name: in_form(table(False), form) for name, form in FORMS.items()}
    good = files["0.csv"]
    wrong = b"".join(good.splitlines(keepends=True)[:-2])
    return Contest(
        slug, kind, settings, (truths[0], truths[1]), files, wrong, needs=frozenset({needs})
    )


def _keyed(
    names: Sequence[str],
    keys: Sequence[tuple[str, ...]],
    columns: Mapping[str, list[Any]],
    *,
    usage: bool,
) -> Table:
    """A table with these keys, whose texts of digits are numbers."""
    found: Table = {}
    for place, name in enumerate(names):
        texts = [key[place] for key in keys]
        found[name] = [int(text) if text.isdigit() else text for text in texts]
    found |= columns
    if usage:
        first = found[names[0]]
        order = {key: place for place, key in enumerate(dict.fromkeys(first))}
        found["Usage"] = [("Public", "Private")[order[key] % 2] for key in first]
    return found
