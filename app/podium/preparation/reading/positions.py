"""Infers the roles of unnamed columns by the usual order where the contents fit; otherwise asks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from podium.preparation.files.findings import RawFileCode, RawFileRefused, refuse
from podium.preparation.moments import SECONDS_FROM
from podium.preparation.options import NONE, ROLES, UNITS, ColumnChoice
from podium.preparation.reading.names import is_known
from podium.preparation.reading.values import TEXT_ID

Rows = Sequence[Sequence[str]]

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")

_OPTIONS = {"user": "--user", "item": "--item", "rating": "--rating", "timestamp": "--time"}
_DATE = re.compile(r"\d{4}[-/]\d{1,2}[-/]\d{1,2}([T ].*)?|\d{1,2}[/.]\d{1,2}[/.]\d{4}( .*)?")
_YEARS = (631_152_000, 2_051_222_400)
"""The seconds of 1990 to 2034: a number in this range, in any unit, may be a timestamp."""

MAX_WIDE = 4
"""The number of columns in the usual order: user, item, rating, timestamp."""


def has_header(file: Path, rows: Rows, source: ColumnChoice) -> bool:
    """True where the first row names columns. Raises `RawFileRefused` where it is ambiguous."""
    first, *others = rows
    if source.header is not None:
        return source.header
    if any(NUMBER.fullmatch(value) or is_moment(value) for value in first):
        return False
    chosen = [getattr(source, role) for role in ("user", "item")]
    if any(map(is_known, first)) or not all(place.isdecimal() for place in chosen):
        return True
    columns = [[row[place] for row in others if place < len(row)] for place in range(len(first))]
    if any(values and all(map(NUMBER.fullmatch, values)) for values in columns):
        return True
    detail = "the first line may be names of columns or a row"
    hint = "Say --no-header if it is a row, else --header."
    raise refuse(file, RawFileCode.HEADER_MISMATCH, detail, 1, hint)


def by_position(file: Path, rows: Rows, source: ColumnChoice) -> ColumnChoice:
    """Assigns the usual order of files without a header: user, item, rating, timestamp; with three
    columns the third is a time where it looks like one. Raises `RawFileRefused` where the contents
    contradict it."""
    first = rows[0]
    chosen: dict[str, str] = {role: getattr(source, role) for role in ROLES}
    usual = {"user": 1, "item": 2}
    if len(first) == 3:
        third = first[2]
        is_time = is_moment(third) or (third.isdecimal() and int(third) >= SECONDS_FROM)
        usual["timestamp" if is_time else "rating"] = 3
    elif len(first) > 3:
        usual |= {"rating": 3, "timestamp": 4}
    if len(first) > MAX_WIDE:
        if not (chosen["user"] and chosen["item"]):
            raise ask(file, rows, f"{len(first)} columns have no names")
        usual = {}
    taken = {place for place in chosen.values() if place}
    free = {role: place for role, place in usual.items() if str(place) not in taken}
    for role, place in free.items():
        if not chosen[role] and (why := _unfit(role, _values(rows, place))):
            raise ask(file, rows, f"column {place} is not the {role}: {why}")
    user, item, rating, timestamp, _ = (chosen[role] or str(free.get(role, NONE)) for role in ROLES)
    return replace(source, user=user, item=item, rating=rating, timestamp=timestamp)


def ask(file: Path, rows: Rows, detail: str) -> RawFileRefused:
    """Builds the error that asks for the columns, with a suggestion by their contents."""
    roles = _meant(rows)
    named = " ".join(f"{_OPTIONS[role]} {place}" for role, place in roles.items())
    hint = f"Say which column is which, perhaps {named or '--user 1 --item 2'}."
    return refuse(file, RawFileCode.HEADER_MISMATCH, detail, 1, hint)


def is_moment(value: str) -> bool:
    """True for a date, and for a number that may be a timestamp of the years 1990 to 2034."""
    if not NUMBER.fullmatch(value):
        return _DATE.fullmatch(value) is not None
    least, most = _YEARS
    return any(least <= float(value) / each < most for each in UNITS.values())


def _unfit(role: str, values: Sequence[str]) -> str:
    """Explains why these values cannot play a role; empty where they may."""
    if role != "timestamp" and values and all(map(is_moment, values)):
        return "all its values are times"
    numbers = sum(NUMBER.fullmatch(value) is not None for value in values)
    if role == "rating" and not numbers and values:
        return "none of its values is a number"
    if role == "timestamp" and values and not numbers and not any(map(is_moment, values)):
        return "none of its values is a time"
    return ""


def _meant(rows: Rows) -> dict[str, int]:
    """Suggests the positions of ids and times by their contents."""
    places = range(1, len(rows[0]) + 1)
    times = [place for place in places if all(map(is_moment, _values(rows, place) or [""]))]
    ids = [n for n in places if n not in times and all(map(_is_id, _values(rows, n) or [""]))]
    if len(ids) < 2:
        return {}
    return {"user": ids[0], "item": ids[1]} | ({"timestamp": times[0]} if times else {})


def _is_id(value: str) -> bool:
    is_fraction = NUMBER.fullmatch(value) is not None and not value.isdecimal()
    return re.fullmatch(TEXT_ID, value) is not None and not is_fraction


def _values(rows: Rows, place: int) -> list[str]:
    return [row[place - 1] for row in rows if place <= len(row) and row[place - 1]]
