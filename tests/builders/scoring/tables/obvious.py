"""An obvious reader of tables: what a text means, without any of the readers' code."""

from __future__ import annotations

import math
import re
from typing import Any

from podium.scoring.columns import TableColumn
from tests.builders.scoring.rating_files import Refused, fields_of, id_of
from tests.builders.scoring.tables.files import Case

CONTROLS = {*map(chr, range(32)), "\x7f"}


def read(case: Case) -> list[tuple[Any, ...]]:
    """The rows in published order. Raises Refused."""
    lines = _lines(case.text)
    header = fields_of(lines[0]) if lines else None
    if header is None or sorted(header) != sorted(name.encode() for name in case.task.columns):
        raise Refused([1])
    ids = case.published.frame["key0"].to_list()
    found: dict[Any, tuple[Any, ...]] = {}
    wrong: list[int | None] = []
    for number, line in enumerate(lines[1:], start=2):
        fields = fields_of(line)
        if fields is None or len(fields) != len(header) or len(line) > 128_000:
            wrong.append(number)
            continue
        row = dict(zip(header, (each.replace(b'""', b'"') for each in fields), strict=True))
        row_id = id_of(row[case.task.id_column.encode()], case.task.query_ids, zeros=False)
        if row_id not in ids or row_id in found:
            wrong.append(number)
        values = []
        for column in case.task.table:
            is_good, value = value_of(row[column.name.encode()].decode(), column)
            wrong += [] if is_good else [number]
            values.append(value)
        found.setdefault(row_id, tuple(values))
    if set(ids) - set(found):
        wrong.append(None)
    if wrong:
        raise Refused(wrong)
    return [found[each] for each in ids]


def value_of(text: str, column: TableColumn) -> tuple[bool, Any]:
    """True for a good field, and its value."""
    if column.type == "labels":
        return _labels(text, column)
    if not text:
        return column.is_optional, None
    if column.type == "category":
        return text in column.values, text
    if column.type == "text":
        return len(text) <= column.max_length and (CONTROLS - set("\t\n\r")).isdisjoint(text), text
    if column.type == "boolean":
        good = text in ("true", "True", "TRUE", "false", "False", "FALSE", "1", "0")
        return good, text[0] in "tT1"
    form = r"[-+]?\d{1,63}" if column.type == "integer" else r"[-+]?\d+(\.\d+)?([eE][-+]?\d+)?"
    if len(text) > 64 or not text.isascii() or not re.fullmatch(form, text):
        return False, None
    number = int(text) if column.type == "integer" else abs(float(text)) and float(text)
    good = -(2**63) <= number < 2**63 if column.type == "integer" else math.isfinite(number)
    good &= column.minimum is None or number >= column.minimum
    return good and (column.maximum is None or number <= column.maximum), number


def _labels(text: str, column: TableColumn) -> tuple[bool, str | None]:
    labels = [label for label in text.split(" ") if label]
    good = len(text) <= column.max_length and CONTROLS.isdisjoint(text)
    good &= len(set(labels)) == len(labels)
    good &= not column.values or set(labels) <= set(column.values)
    return good, " ".join(sorted(labels)) or None


def _lines(text: bytes) -> list[bytes]:
    text = text.removeprefix(b"\xef\xbb\xbf")
    lines = text.split(b"\n")
    ended = lines[:-1] if text.endswith(b"\n") else lines
    lines = [line.removesuffix(b"\r") for line in ended]
    if not text.endswith(b"\n"):
        lines[-1] = ended[-1]
    while lines and not lines[-1]:
        lines.pop()
    return lines
