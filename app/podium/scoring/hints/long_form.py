"""Detects files with one item per row, as recommenders write them, where a row should be a list."""

from __future__ import annotations

import json
import re

from podium.scoring.hints.texts import Hint
from podium.scoring.kinds import kind_of
from podium.scoring.problems import LONGEST_TEXT
from podium.scoring.task import Task


def long_form_hint(names: list[bytes], rows: list[list[bytes]], task: Task) -> str | None:
    """Advises on a file with these columns and first rows, where each item of an id has its own
    row; None for any other file, and where a task has no lists."""
    if not kind_of(task.kind).has_lists or task.names != ("",):
        return None
    if len(set(names)) < max(2, len(names)):
        return None
    columns = [name.decode("utf-8", "replace") for name in names]
    if task.labels_column in columns:
        return None
    id_at = columns.index(task.id_column) if task.id_column in columns else 0
    others = [at for at in range(len(columns)) if at != id_at]
    named = [at for at in others if _ITEM.fullmatch(columns[at])]
    item_at = named[0] if named else others[0]
    whole = [row for row in rows if len(row) == len(columns)]
    if len(whole) < len(rows) or any(b" " in row[item_at].strip() for row in whole):
        return None
    repeats = len({row[id_at] for row in whole}) < len(whole)
    if not repeats and not (named and len(columns) > 2):
        return None
    order = next((columns[at] for at in others if _ORDER.fullmatch(columns[at])), "")
    return _with_code(columns[id_at], columns[item_at], order, task)


def _with_code(id_column: str, item: str, order: str, task: Task) -> str:
    """Appends the pandas code for the conversion to the advice, where it is short."""
    best = "True" if order.lower() == "rank" else "False"
    ordered = f'.sort_values("{order}", ascending={best})' if order else ""
    label = "" if id_column == task.id_column else f", index_label={_literal(task.id_column)}"
    code = (
        f'df{ordered}.groupby({_literal(id_column)})["{item}"].agg(lambda s: " ".join(map(str, s)))'
        f'.rename({_literal(task.labels_column)}).to_csv("lists.csv"{label})'
    )
    hint = f"{Hint.LONG_FORM} pandas: {code}"
    foreign = {id_column, item, order} - {"", task.id_column}
    is_plain = all(map(_PLAIN.fullmatch, foreign))
    return hint if is_plain and len(hint) <= LONGEST_TEXT else Hint.LONG_FORM


def _literal(name: str) -> str:
    """Formats a name as Python, JavaScript and JSON write it."""
    return json.dumps(name, ensure_ascii=False)


_ITEM = re.compile(
    r"(item|article|product|movie|track|song|artist|book|news|video|doc|document|business|recipe"
    r"|game|poi|location|candidate|prediction|recommendation)s?[ _-]?(id|no|nr|code)?"
    r"|aid|iid|docno|(parent_)?asin|sku",
    re.IGNORECASE,
)
_ORDER = re.compile("score|rank|rating|prediction|pred|prob|probability|relevance", re.IGNORECASE)
_PLAIN = re.compile(r"[A-Za-z0-9_.:-]+")
