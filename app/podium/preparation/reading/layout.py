"""Infers the layout of an interactions file from its first rows: format, separator, header,
columns."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal

import polars as pl
from polars.exceptions import PolarsError

from podium.preparation.files.findings import RawFileCode, refuse
from podium.preparation.files.text import blocks, is_parquet
from podium.preparation.options import NONE, ROLES, ColumnChoice
from podium.preparation.reading.foreign import refuse_beir, refuse_text
from podium.preparation.reading.names import fitting, is_known
from podium.preparation.reading.positions import by_position, has_header
from podium.preparation.reading.rows import DOUBLE_COLON, rows_of
from podium.scoring.inference.guessing import HEAD_BYTES, HEAD_ROWS
from podium.scoring.parquet.files import scan_parquet
from podium.scoring.problems import quoted

SEPARATORS = (DOUBLE_COLON, "\t", ",", ";", "|")
"""The separators that are detected automatically, in the order in which they are tried."""

_OR_A_ROW = " Add --no-header if the first line is a row."

Form = Literal["text", "jsonl", "parquet"]


@dataclass(frozen=True, slots=True)
class Layout:
    """The format of a file, and the column of each role; the columns of users and items that are
    `guessed` have no name and were not given by an option."""

    form: Form
    names: tuple[str, ...]
    columns: Mapping[str, str]
    separator: str = ","
    has_header: bool = True
    rows: tuple[tuple[str, ...], ...] = ()
    guessed: frozenset[str] = frozenset()

    def samples(self, role: str) -> list[str]:
        """Returns the first values of a role, as text."""
        place = self.names.index(self.columns[role])
        return [row[place] for row in self.rows if place < len(row)]


def layout_of(file: Path, source: ColumnChoice) -> Layout:
    """Infers the layout from the first rows and the options. Raises `RawFileRefused`."""
    if is_parquet(file):
        try:
            names = scan_parquet(file).collect_schema().names()
        except (PolarsError, pl.exceptions.PanicException, OSError) as error:
            detail = "the Parquet file cannot be read"
            raise refuse(file, RawFileCode.PARQUET_CORRUPT, detail) from error
        return Layout("parquet", tuple(names), _columns(file, names, source))
    block = next(blocks(file), b"").removeprefix(b"\xef\xbb\xbf")
    head = block[:HEAD_BYTES]
    if len(block) > len(head):
        head = head[: head.rfind(b"\n") + 1] or head
    if not head.strip():
        raise refuse(file, RawFileCode.EMPTY_FILE, "there is no interaction")
    refuse_text(file, head)
    text = head.decode("utf-8", "replace")
    if text.lstrip().startswith("{"):
        return _json_layout(file, text, source)
    return _text_layout(file, text, source)


def _json_layout(file: Path, text: str, source: ColumnChoice) -> Layout:
    entries = []
    for line in text.split("\n")[:HEAD_ROWS]:
        try:
            entry = json.loads(line)
        except ValueError:
            break
        if isinstance(entry, dict):
            entries.append(entry)
    names = list(dict.fromkeys(name for entry in entries for name in entry))
    rows = tuple(tuple(str(entry.get(name, "")) for name in names) for entry in entries)
    if not names:
        detail = "the first line is not a JSON object, and JSON lines are read: one object a line"
        hint = "`jq -c . FILE > FILE.jsonl` makes them."
        raise refuse(file, RawFileCode.BAD_JSON, detail, 1, hint)
    columns = _columns(file, names, source)
    return Layout("jsonl", tuple(names), columns, has_header=False, rows=rows)


def _text_layout(file: Path, text: str, source: ColumnChoice) -> Layout:
    lines = text.split("\n")
    separator = source.separator or _separator(file, lines[0])
    first, *others = _head_rows(file, [f"{line}\n" for line in lines], separator)
    if has_header(file, [first, *others], source):
        names = [name.strip() for name in first]
        if len(set(names)) < len(names):
            detail = f"a column is named twice: {quoted(lines[0])}"
            raise refuse(file, RawFileCode.HEADER_MISMATCH, detail, 1)
        rows, choice = others, source
    else:
        names = [f"column_{place}" for place in range(1, len(first) + 1)]
        rows = [first, *others]
        choice = by_position(file, rows, source)
    kept = tuple(tuple(row) for row in rows)
    columns = _columns(file, names, choice)
    guessed = frozenset(role for role in ("user", "item") if not getattr(source, role))
    return Layout(
        "text",
        tuple(names),
        columns,
        separator,
        has_header=choice is source,
        rows=kept,
        guessed=frozenset() if choice is source else guessed,
    )


def _head_rows(file: Path, lines: Sequence[str], separator: str) -> list[list[str]]:
    """Splits the first rows, as far as they can be read, always including the very first."""
    found = []
    for number, fields in islice(rows_of(lines, separator), HEAD_ROWS + 1):
        if number == 1 and (isinstance(fields, str) or not "".join(fields).strip()):
            detail = fields if isinstance(fields, str) else "the line is blank"
            raise refuse(file, RawFileCode.ROW_SHAPE, detail, 1)
        if not isinstance(fields, str) and fields:
            found.append(fields)
    return found


def _separator(file: Path, line: str) -> str:
    for separator in SEPARATORS:
        fields = next(rows_of([line], separator))[1]
        if len(fields) > 1 and not isinstance(fields, str):
            return separator
    detail = f"no separator is found in {quoted(line)}: say which, or is a column missing?"
    raise refuse(file, RawFileCode.ROW_SHAPE, detail, 1)


def _columns(file: Path, names: Sequence[str], source: ColumnChoice) -> dict[str, str]:
    """Finds the column of each role that the file has. Raises `RawFileRefused`."""
    if not names:
        raise refuse(file, RawFileCode.HEADER_MISMATCH, "the file has no columns", 1)
    found: dict[str, str] = {}
    for role in ROLES:
        chosen = getattr(source, role)
        if chosen == NONE:
            continue
        if chosen:
            found[role] = _column_given(file, names, role, chosen)
            continue
        known = fitting(names, role)
        if len(known) > 1:
            detail = f"{' and '.join(known)} may both be the {role}: say which is"
            raise refuse(file, RawFileCode.HEADER_MISMATCH, detail, 1, _hint(role))
        if known:
            found[role] = known[0]
    for role in ("user", "item"):
        if role not in found:
            refuse_beir(file, names)
            detail = f"no column is known as the {role}: say which of {', '.join(names)[:200]} is"
            unnamed = "" if any(map(is_known, names)) else _OR_A_ROW
            raise refuse(file, RawFileCode.HEADER_MISMATCH, detail, 1, _hint(role) + unnamed)
    if len(set(found.values())) < len(found):
        shown = ", ".join(f"{role} {name}" for role, name in found.items())
        raise refuse(file, RawFileCode.HEADER_MISMATCH, f"a column has two roles: {shown}", 1)
    return found


def _hint(role: str) -> str:
    """Suggests the option that names the column of a role."""
    option = "time" if role == "timestamp" else role
    return f"Name it: --{option} COLUMN{'' if role in ('user', 'item') else ', or - for none'}."


def _column_given(file: Path, names: Sequence[str], role: str, chosen: str) -> str:
    if chosen in names:
        return chosen
    if chosen.isdecimal() and 1 <= int(chosen) <= len(names):
        return names[int(chosen) - 1]
    detail = f"there is no column {chosen} for the {role}; the columns are {', '.join(names)[:200]}"
    raise refuse(file, RawFileCode.HEADER_MISMATCH, detail, 1)
