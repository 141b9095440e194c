"""Checks the first row of a table: whether it is a header, and whether a ground truth can have it.

Only headers that the reader of the whole file would refuse as well, or that no settings could name,
are refused here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from podium.scoring.names import header_of, hidden_in, is_name
from podium.scoring.task import USAGE
from podium.scoring.text.header import INDEX_NAMES

AGAIN = " and choose the file again."

ONLY_HEADER = "The file has a header and no rows. Choose a file with at least one right answer."

NO_HEADER = (
    "The first row looks like data: “{}” names no column. Put a row with the names of the columns"
    " above it, such as user,item," + AGAIN
)

MAYBE_DATA = (
    "The first row looks like data: “{}”. If the file has no header, put a row with the names of"
    " the columns above it, such as user,item," + AGAIN + " Otherwise the first answer is lost."
)

INDEX = (
    "The file has an index column, the first one. With pandas, write the file with index=False, or"
    " delete the column," + AGAIN
)

ONE_COLUMN = (
    "The file has one column, “{}”. A ground truth has an id and its items, separated by a comma,"
    " such as user,item. Add what is missing," + AGAIN
)

NO_NAME = "The column {} has no name. Give it one in the first row, or delete it," + AGAIN

NAMED_TWICE = "Two columns are called “{}”. Rename or delete one of them," + AGAIN

TOO_MANY = (
    "The column “{}” is one too many: a ground truth has an id with its items, or an id, an item"
    " and a number. Delete the column," + AGAIN
)

RENAME = (
    "A column name has 1 to 64 characters that show, without spaces around them. In the first row,"
    " rename {}," + AGAIN
)

NO_ROW = (
    "The header has {} columns, and line {} has {}. Separate the items of a list by spaces, not"
    " commas," + AGAIN
)

TIMES = frozenset({"ts", "time", "timestamp", "date", "datetime", "day", "event_time", "unixtime"})
"""Names of columns that hold times, in lower case."""

A_TIME = (
    "The column “{}” looks like a time, and a ground truth has none. Delete the column and choose"
    " the file again; if it holds the number to predict, name it otherwise, for example rating. If"
    " Podium should hide a part of the file and publish the rest, make the competition by hand, and"
    " upload the file as interactions, or a clickstream as raw sessions, under “Ground truth”."
)

USUAL = ("user", "item", "rating")
"""Usual names for columns in this order."""

_NUMBER = re.compile(r"-?[0-9][0-9 .]*")
_WORD = re.compile(
    r".*(user|customer|client|visitor|person|member|account|session|query|topic|item|product"
    r"|article|movie|film|book|song|track|video|label|target|truth|answer|prediction|rating|score"
    r"|relevance|star|type|aid|docno|sku|asin|id|usage)s?"
)
"""Words at the end of column names, which ids do not have."""


def refusal_of(
    columns: Sequence[str], lines: Sequence[tuple[int, Sequence[str]]], *, is_wide: bool
) -> str:
    """Explains why no ground truth has these columns; `lines` are the numbered rows below them.
    Empty where one may have them. `is_wide` allows further columns."""
    rows = [row for _, row in lines if len(row) == len(columns)]
    named = [name for name in columns if name != USAGE]
    if not lines and len(columns) > 1:
        return ONLY_HEADER
    if wrong := _numbered(columns):
        return wrong
    beside = [*named[1:2], *named[3 if is_wide else 2 :]]
    if time := next((name for name in beside if name.lower() in TIMES), None):
        return A_TIME.format(time)
    if len(named) < 2:
        return ONE_COLUMN.format(columns[0])
    if "" in columns:
        return NO_NAME.format(columns.index("") + 1)
    if twice := next((name for name in columns if columns.count(name) > 1), None):
        return NAMED_TWICE.format(twice)
    if rows and not is_wide and named[3:]:
        return TOO_MANY.format(named[3])
    if wrong := _wrong_names(named, rows):
        return wrong
    if not rows:
        line, row = lines[0]
        return NO_ROW.format(len(columns), line, len(row))
    return ""


def unreadable(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Explains why no table has these columns, with any settings; empty where one may have them. A
    list of numeric ids needs no header."""
    numbers = [row[0] for row in rows]
    is_counted = bool(numbers) and numbers == list(map(str, range(len(numbers))))
    is_index = columns[0].encode() in INDEX_NAMES or (columns[0] == "index" and is_counted)
    if is_index and len(columns) > 2:
        return INDEX
    return _numbered(columns) if len(columns) > 1 else ""


def _numbered(columns: Sequence[str]) -> str:
    """Refuses a header with a number among its names."""
    found = next((name for name in columns if _NUMBER.fullmatch(name)), None)
    return NO_HEADER.format(found) if found else ""


def question_of(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Asks whether these columns are a header; empty where there is no sign against it."""
    return MAYBE_DATA.format(header_of(columns)) if _looks_like_data(columns, rows) else ""


def _wrong_names(named: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Refuses names that are not valid in settings, with a suggestion for each."""
    wrong = [name for name in named if not is_name(name)]
    if not wrong:
        return ""
    if _looks_like_data(named, rows):
        return NO_HEADER.format(wrong[0])
    taken, renamed = set(named), []
    for place, name in enumerate(named):
        if name in wrong:
            better = _nameable(name) or USUAL[min(place, 2)]
            better = better if better not in taken else f"{better[:60]}_{place + 1}"
            taken.add(better)
            edge = " (without the space around it)" if name != name.strip() else ""
            renamed.append(f"“{name}” to “{better}”{edge}")
    return RENAME.format(" and ".join(renamed))


def _nameable(name: str) -> str:
    r"""Converts a text to a valid name; empty where none of its characters are allowed.

    >>> _nameable(" Größe "), _nameable("a\u200bb\tc"), _nameable("\u200b")
    ('Größe', 'ab c', '')
    """
    shown = "".join(sign for sign in name.replace("\t", " ") if not hidden_in(sign))
    return shown.strip()[:64].rstrip()


def _looks_like_data(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """True where the first row has a value of the rows below it, or consists of the same kinds of
    characters and words."""
    if not rows or any(_WORD.fullmatch(name.strip().lower()) for name in columns):
        return False
    below = list(zip(*rows, strict=False))
    if any(name and name in values for name, values in zip(columns, below, strict=False)):
        return True
    kinds = [{_kind(text) for cell in values for text in cell.split()} for values in below]
    is_alike = all(
        {_kind(text) for text in name.split()} <= found
        for name, found in zip(columns, kinds, strict=False)
    )
    return is_alike and any(sign.isdigit() or sign == " " for name in columns for sign in name)


def _kind(text: str) -> frozenset[str]:
    """Classifies the characters of a text: capitals, small letters, digits, and each other
    character."""
    return frozenset(
        "9" if sign.isdigit() else "A" if sign.isupper() else "a" if sign.isalpha() else sign
        for sign in text
    )
