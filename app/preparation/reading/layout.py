"""The layout of an interactions file, told by its beginning: form, separator, header, columns."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Literal

import polars as pl
from polars.exceptions import PolarsError

from podium.otto.preparation.findings import RawFileCode, refuse
from podium.otto.preparation.text import blocks, is_parquet
from podium.preparation.options import NONE, ROLES, ColumnChoice
from podium.preparation.reading.rows import DOUBLE_COLON, rows_of
from podium.scoring.problems import quoted

HEAD_BYTES = 64 << 10
HEAD_ROWS = 1000
"""The part of a file that is looked at."""

SEPARATORS = (DOUBLE_COLON, "\t", ",", ";", "|")
"""The separators that are found by themselves, in the order in which they are tried."""

KNOWN_NAMES: Mapping[str, frozenset[str]] = {
    "user": frozenset(
        [
            "user",
            "userid",
            "uid",
            "session",
            "sessionid",
            "customer",
            "customerid",
            "visitorid",
            "reviewerid",
        ]
    ),
    "item": frozenset(
        [
            "item",
            "itemid",
            "iid",
            "movie",
            "movieid",
            "aid",
            "article",
            "articleid",
            "product",
            "productid",
            "asin",
            "book",
            "bookid",
            "isbn",
            "track",
            "trackid",
            "song",
            "songid",
        ]
    ),
    "rating": frozenset(["rating", "score", "stars", "overall"]),
    "timestamp": frozenset(["timestamp", "time", "ts", "date", "datetime", "unixreviewtime"]),
    "type": frozenset(["type", "event", "eventtype"]),
}
"""Names of columns, in lower case without other characters, that are taken for a role."""

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
EARLIEST_TIMES = 10**8
"""Whole numbers from here on are times in the third column of a file without a header."""

Form = Literal["text", "jsonl", "parquet"]


@dataclass(frozen=True, slots=True)
class Layout:
    """The form of a file, and which of its columns play which role."""

    form: Form
    names: tuple[str, ...]
    columns: Mapping[str, str]
    separator: str = ","
    has_header: bool = True
    rows: tuple[tuple[str, ...], ...] = ()

    def samples(self, role: str) -> list[str]:
        """The first values of a role, as text."""
        place = self.names.index(self.columns[role])
        return [row[place] for row in self.rows if place < len(row)]


def layout_of(file: Path, source: ColumnChoice) -> Layout:
    """The layout by the first rows and by what was told. Raises `RawFileRefused`."""
    if is_parquet(file):
        return _parquet_layout(file, source)
    block = next(blocks(file), b"").removeprefix(b"\xef\xbb\xbf")
    head = block[:HEAD_BYTES]
    if len(block) > len(head):
        head = head[: head.rfind(b"\n") + 1] or head
    if not head.strip():
        raise refuse(file, RawFileCode.EMPTY_FILE, "there is no interaction")
    text = head.decode("utf-8", "replace")
    if text.lstrip().startswith("{"):
        return _json_layout(file, text, source)
    return _text_layout(file, text, source)


def _parquet_layout(file: Path, source: ColumnChoice) -> Layout:
    try:
        names = pl.scan_parquet(file).collect_schema().names()
    except (PolarsError, pl.exceptions.PanicException, OSError) as error:
        detail = "the Parquet file cannot be read"
        raise refuse(file, RawFileCode.PARQUET_CORRUPT, detail) from error
    return Layout("parquet", tuple(names), _columns(file, names, source))


def _json_layout(file: Path, text: str, source: ColumnChoice) -> Layout:
    entries = []
    for line in text.splitlines()[:HEAD_ROWS]:
        try:
            entry = json.loads(line)
        except ValueError:
            break
        if isinstance(entry, dict):
            entries.append(entry)
    names = list(dict.fromkeys(name for entry in entries for name in entry))
    rows = tuple(tuple(str(entry.get(name, "")) for name in names) for entry in entries)
    if not names:
        raise refuse(file, RawFileCode.BAD_JSON, "the first line is not a JSON object", 1)
    columns = _columns(file, names, source)
    return Layout("jsonl", tuple(names), columns, has_header=False, rows=rows)


def _text_layout(file: Path, text: str, source: ColumnChoice) -> Layout:
    lines = text.split("\n")
    separator = source.separator or _separator(file, lines[0])
    first, *others = _head_rows(file, [f"{line}\n" for line in lines], separator)
    has_header = source.header
    if has_header is None:
        has_header = not any(_NUMBER.fullmatch(value) for value in first)
    if has_header:
        names = [name.strip() for name in first]
        if len(set(names)) < len(names):
            detail = f"a column is named twice: {quoted(lines[0])}"
            raise refuse(file, RawFileCode.HEADER_MISMATCH, detail, 1)
        columns = _columns(file, names, source)
        rows = others
    else:
        names = [f"column_{place}" for place in range(1, len(first) + 1)]
        columns = _columns(file, names, _by_position(first, source))
        rows = [first, *others]
    kept = tuple(tuple(row) for row in rows)
    return Layout("text", tuple(names), columns, separator, has_header, kept)


def _head_rows(file: Path, lines: Sequence[str], separator: str) -> list[list[str]]:
    """The first rows that can be read, the very first among them."""
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


def _by_position(first: Sequence[str], source: ColumnChoice) -> ColumnChoice:
    """The usual order of files without a header: user, item, rating, timestamp; with three columns
    the third is a time where it looks like one."""
    usual = {"user": 1, "item": 2}
    if len(first) == 3:
        is_time = first[2].isdecimal() and int(first[2]) >= EARLIEST_TIMES
        usual["timestamp" if is_time else "rating"] = 3
    elif len(first) > 3:
        usual |= {"rating": 3, "timestamp": 4}
    told: dict[str, str] = {role: getattr(source, role) for role in ROLES}
    taken = {place for place in told.values() if place}
    free = {role: str(n) for role, n in usual.items() if str(n) not in taken}
    user, item, rating, timestamp, _ = (told[role] or free.get(role, NONE) for role in ROLES)
    return replace(source, user=user, item=item, rating=rating, timestamp=timestamp)


def _columns(file: Path, names: Sequence[str], source: ColumnChoice) -> dict[str, str]:
    """The column of each role that there is. Raises `RawFileRefused`."""
    found: dict[str, str] = {}
    for role in ROLES:
        told = getattr(source, role)
        if told == NONE:
            continue
        if told:
            found[role] = _told(file, names, role, told)
            continue
        fitting = [name for name in names if _plain(name) in KNOWN_NAMES[role]]
        if len(fitting) > 1:
            detail = f"{' and '.join(fitting)} may both be the {role}: say which is"
            raise refuse(file, RawFileCode.HEADER_MISMATCH, detail, 1)
        if fitting:
            found[role] = fitting[0]
    for role in ("user", "item"):
        if role not in found:
            detail = f"no column is known as the {role}: say which of {', '.join(names)[:200]} is"
            raise refuse(file, RawFileCode.HEADER_MISMATCH, detail, 1)
    if len(set(found.values())) < len(found):
        shown = ", ".join(f"{role} {name}" for role, name in found.items())
        raise refuse(file, RawFileCode.HEADER_MISMATCH, f"a column has two roles: {shown}", 1)
    return found


def _told(file: Path, names: Sequence[str], role: str, told: str) -> str:
    if told in names:
        return told
    if told.isdecimal() and 1 <= int(told) <= len(names):
        return names[int(told) - 1]
    detail = f"there is no column {told} for the {role}; the columns are {', '.join(names)[:200]}"
    raise refuse(file, RawFileCode.HEADER_MISMATCH, detail, 1)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
