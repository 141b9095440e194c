"""Recognizes JSON by the start of a text, and how its entries stand in it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from podium.scoring.kinds import kind_of
from podium.scoring.problems import Code, FileRejected
from podium.scoring.task import ORDER_COLUMN, Task
from podium.scoring.text.header import BOM
from podium.scoring.text.json_values import NotJson, value_at
from podium.scoring.text.spellings import CANONICAL_ID, TEXT_ID

JSON_LINES, JSON_OBJECT, JSON_ARRAY = "JSON lines", "one JSON object", "a JSON array"
"""The layouts of JSON, by the words for each: an object on each line, with a value for each column;
an object with a member for each id; an array of objects as on lines."""

SPACE = r"[ \t\n\r]*"
_NAME = r'"[^"\\]*(?:\\.[^"\\]*)*"'

KEY = re.compile(f"({_NAME}){SPACE}:{SPACE}", re.DOTALL)
"""The key of a member, and its colon."""

MARK = re.compile(f"{SPACE}([,}}]){SPACE}")
"""The comma or brace after a member."""

OBJECT = re.compile(f"{SPACE}{{{SPACE}(?={KEY.pattern})", re.DOTALL)
"""The start of an object that is not empty. No text of another form begins so: neither an id nor a
field has a quote in its middle."""

ARRAY = re.compile(rf"{SPACE}\[(?={OBJECT.pattern}){SPACE}", re.DOTALL)
"""The start of an array whose first item is such an object."""

_TEXT_ID = re.compile(rf"{TEXT_ID}\Z")
_WHOLE_ID = re.compile(rf"({CANONICAL_ID})(_|\Z)")


@dataclass(frozen=True)
class _Opening:
    """The start of an object: its members as far as they are whole, all keys, and the text `after`
    it, None where it does not end."""

    members: dict[str, Any]
    keys: list[str]
    after: str | None


def json_layout(head: bytes, task: Task) -> tuple[str, tuple[str, ...]] | None:
    """Recognizes the layout of JSON, and the columns of its entries; None for any other text.
    Raises FileRejected where a text can be read in two layouts."""
    text = head.removeprefix(BOM).decode("utf-8", "replace")
    if (found := ARRAY.match(text)) is not None:
        return JSON_ARRAY, _record_columns(_opening(text, found.end()), task)
    if OBJECT.match(text) is None:
        return None
    opening = _opening(text, 0)
    columns = _record_columns(opening, task)
    is_record = bool(opening.members) and _is_record(opening, columns, task)
    is_by_id = bool(opening.members) and _is_by_id(opening, task)
    is_followed = (opening.after or "").lstrip()[:1] == "{"
    if is_record and is_by_id and not is_followed:
        detail = f"the file can be read in two ways: {JSON_LINES}, or {JSON_OBJECT} by id"
        hint = "Send an array of objects, each with a value for every column: [{…}, {…}]."
        raise FileRejected.because(Code.HEADER_MISMATCH, detail, line=1, hint=hint)
    # Where neither fits, it is told which one was meant, and its reader says what is wrong.
    is_meant = is_followed or not _member_columns(task) or not set(columns).isdisjoint(opening.keys)
    if is_record or (is_meant and not is_by_id):
        return JSON_LINES, columns
    return JSON_OBJECT, _member_columns(task)


def key_columns(names: tuple[str, ...], task: Task) -> tuple[str, ...]:
    """Lists those of an entry's columns that have ids."""
    return task.pair_columns if names == task.columns else (task.id_column,)


def list_columns(names: tuple[str, ...], task: Task) -> set[str]:
    """Finds those of an entry's columns that have lists."""
    if names != task.columns:
        return {ORDER_COLUMN}
    if kind_of(task.kind).has_lists:
        return {task.labels_column}
    return {column.name for column in task.table if column.type == "labels"}


def _member_columns(task: Task) -> tuple[str, ...]:
    """Lists the columns of an object by id; none where one id does not name a row."""
    return task.order_columns or (task.columns if len(task.pair_columns) == 1 else ())


def _opening(text: str, start: int) -> _Opening:
    found, opened = _Opening({}, [], None), OBJECT.match(text, start)
    assert opened is not None, "an object begins here"
    at = opened.end()
    try:
        while (key := KEY.match(text, at)) is not None:
            name, _ = value_at(key[1])
            found.keys.append(name)
            value, end = value_at(text, key.end())
            if (mark := MARK.match(text, end)) is None:
                break
            found.members[name] = value
            if mark[1] == "}":
                return replace(found, after=text[mark.end() :])
            at = mark.end()
    except NotJson:
        pass  # The text is cut here, or its reader says what is wrong.
    return found


def _record_columns(opening: _Opening, task: Task) -> tuple[str, ...]:
    is_ordered = ORDER_COLUMN in opening.keys and task.order_columns
    return task.order_columns if is_ordered else task.columns


def _is_record(opening: _Opening, columns: tuple[str, ...], task: Task) -> bool:
    """True where an object may be the values of these columns."""
    is_whole = opening.after is None or len(opening.keys) == len(columns)
    keys, lists = key_columns(columns, task), list_columns(columns, task)
    return is_whole and all(
        name in columns
        and (isinstance(value, str) if name in keys else _is_value(value, is_list=name in lists))
        for name, value in opening.members.items()
    )


def _is_by_id(opening: _Opening, task: Task) -> bool:
    """True where an object may have a member for each id."""
    columns = _member_columns(task)
    values, lists = columns[1:], list_columns(columns, task) if columns else set()
    pattern = _TEXT_ID if task.query_ids == "string" else _WHOLE_ID
    return bool(columns) and all(
        pattern.match(name) is not None
        and (
            value.keys() <= set(values)
            if isinstance(value, dict)
            else len(values) == 1 and _is_value(value, is_list=values[0] in lists)
        )
        for name, value in opening.members.items()
    )


def _is_value(value: object, *, is_list: bool) -> bool:
    return isinstance(value, str | list) if is_list else not isinstance(value, list | dict)
