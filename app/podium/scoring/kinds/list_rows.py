"""Recognizes files of ranked lists: a list of items for each id, or a row for each item; labels as
JSON lines, and qrels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from podium.scoring.kinds.first_rows import (
    SHORT_NAME,
    FirstRows,
    Guess,
    Recognizer,
    kinds_of_ids,
    sample_of,
)

ONE_ITEM = ("item", "aid", "docno")
"""Columns of one item per row, even where each id has a single row, as in leave-one-out."""

_OTTO = {"clicks": 0.1, "carts": 0.3, "orders": 0.6}
_OTTO_LONG = ("session", "type", "aid")
_SINGLE = {"items": 1}

_LONG = "One row per right item."
_SESSIONS = (
    "Raw sessions as JSON lines. Podium splits them by time into training and test data, and keeps"
    " the answers."
)


def _in_table(rows: FirstRows) -> Guess | None:
    """Recognizes two columns, optionally with a relevance, or OTTO's long format with types. These
    are lists where a cell holds several items, or each id has one row and the items are not named
    as single ones."""
    first, second, *others = rows.names
    ids, items = rows.cells[first], rows.cells[second]
    is_otto = rows.names[:3] == _OTTO_LONG
    if others not in ([], ["relevance"]) and (not is_otto or len(others) > 2):
        return None
    if is_otto:
        return _of_otto(rows)
    is_unique = len(set(ids)) == len(ids) and second not in ONE_ITEM
    if not others and (is_unique or any(len(text.split()) > 1 for text in items)):
        return _of_lists(first, second, ids, items)
    settings = {
        "id_column": first,
        "item_column": second,
        **({"labels_column": "items"} if first == "labels" else {}),
        "objectives": _SINGLE,
        **kinds_of_ids(ids, items),
    }
    return _guess("pairs", _LONG, settings, ids)


def _of_otto(rows: FirstRows) -> Guess:
    names = tuple(dict.fromkeys(rows.cells["type"]))
    settings = {
        "id_column": "session_type",
        "objectives": _objectives(tuple(_OTTO) if set(names) <= set(_OTTO) else names),
        **kinds_of_ids(rows.cells["session"], rows.cells["aid"]),
    }
    found = _guess("pairs", _LONG, settings, rows.cells["session"], names)
    return replace(found, is_wide=rows.names[3:] in ((), ("relevance",)))


def _of_lists(first: str, second: str, ids: Sequence[str], lists: Sequence[str]) -> Guess:
    ends = [text.rpartition("_") for text in ids]
    names = tuple(dict.fromkeys(name for _, _, name in ends))
    # Ids of several objectives have few distinct endings, each shared by many.
    is_several = all(middle for _, middle, _ in ends) and 1 < len(names) <= min(8, len(ends) / 2)
    is_several = is_several and all(map(SHORT_NAME.fullmatch, names))
    sessions = [session for session, _, _ in ends] if is_several else ids
    settings = {
        "id_column": first,
        "labels_column": second,
        "objectives": _objectives(names) if is_several else _SINGLE,
        **kinds_of_ids(sessions, [item for text in lists for item in text.split()]),
    }
    words = "One row per id, with a list of items."
    return _guess("lists", words, settings, sessions, names if is_several else ())


def _in_objects(entries: Sequence[Mapping[str, Any]]) -> Guess:
    """Recognizes labels, or whole sessions, from which labels have yet to be cut off."""
    sessions = [str(each["session"]) for each in entries]
    if all("events" in each for each in entries):
        return _guess("sessions", _SESSIONS, {}, sessions, tuple(_OTTO))
    labels = [each.get("labels") for each in entries]
    keyed = [each for each in labels if isinstance(each, dict)]
    names = tuple(dict.fromkeys(key for each in keyed for key in each))
    if names[1:] and set(names) <= set(_OTTO):
        names = tuple(_OTTO)
    held = [found for each in keyed for found in each.values()] if keyed else labels
    items = [item for found in held for item in (found if isinstance(found, list) else [found])]
    settings = {
        "id_column": "session_type" if len(names) > 1 else "session",
        "objectives": _objectives(names) or _SINGLE,
        **kinds_of_ids(sessions, map(str, items)),
    }
    words = "Labels as JSON lines: one line per session."
    return _guess("labels", words, settings, sessions, names)


def _in_qrels(rows: Sequence[Sequence[str]]) -> Guess:
    """Recognizes qrels, which have no header, and whose ids are always text."""
    kinds = {"query_ids": "string", "item_ids": "string"}
    settings = {"objectives": _SINGLE, "id_column": "topic", **kinds}
    return _guess("pairs", _LONG, settings, [row[0] for row in rows])


def _objectives(names: Sequence[str]) -> Mapping[str, object]:
    return _OTTO if set(names) == set(_OTTO) else dict.fromkeys(names, 1)


def _guess(
    shape: str,
    words: str,
    settings: Mapping[str, object],
    sessions: Iterable[str],
    names: Sequence[str] = (),
) -> Guess:
    """Builds a guess with sample lists for these sessions and the objectives of these `names`."""
    usual = {"id_column": "session_type", "labels_column": "labels"}
    columns = [str(settings.get(role, name)) for role, name in usual.items()]
    ends = [f"_{name}" for name in names] if len(names) > 1 else [""]
    ids = [f"{session}{end}" for session in dict.fromkeys(sessions) for end in ends]
    items = "item-17 item-4 item-92" if settings.get("item_ids") == "string" else "17 4 92"
    return Guess(shape, words, settings, sample_of(columns, ids, items))


LIST_ROWS = Recognizer(_in_table, in_objects=_in_objects, in_qrels=_in_qrels)
