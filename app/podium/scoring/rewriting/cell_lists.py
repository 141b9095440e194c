"""Defines the ways in which a whole list may be written in one cell, each as a value, and
recognizes them by the first cells of a file."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from podium.scoring.names import as_field
from podium.scoring.problems import Code, FileRejected, quoted
from podium.scoring.rewriting.lists import joined
from podium.scoring.task import Task
from podium.scoring.text.fields import RowProblem
from podium.scoring.text.json_values import NotJson, value_at
from podium.scoring.text.spellings import TEXT_ID


@dataclass(frozen=True)
class CellLists:
    """One way to write lists, with the words for it. `read` parses a cell without the quotes around
    it, and returns its items with spaces between them, None for a cell of another form. Where it
    `marks_items`, brackets or quotes tell items from other texts."""

    words: str
    read: Callable[[bytes], str | None]
    marks_items: bool = False

    def field_of(self, field: bytes) -> bytes:
        """Rewrites a field as the form `podium` has it. Raises RowProblem."""
        text = self.read(unquoted(field))
        if text is None:
            detail = f"{quoted(field)} is not one of the {self.words}"
            hint = "The first rows have such lists: write all of them alike."
            raise RowProblem(Code.BAD_LABEL, detail, hint)
        return as_field(text).encode()


def unquoted(field: bytes) -> bytes:
    """Returns the text of a field, which quotes enclose as a whole, or nowhere."""
    return field[1:-1].replace(b'""', b'"') if field[:1] == b'"' else field


def lists_in(fields: Sequence[bytes], task: Task) -> CellLists | None:
    """Recognizes the way of the lists in these fields; None for that of the form `podium`. Raises
    FileRejected where they can be read in two ways that differ."""
    is_item = re.compile(TEXT_ID.encode() if task.item_ids == "string" else b"[0-9]{1,10}")
    readings = list(_WAYS)
    cells = list(dict.fromkeys(map(unquoted, fields)))
    for cell in cells:
        # A cell of no reading is refused by the reader of the others.
        readings = [each for each in readings if _fits(each, cell, is_item)] or readings
    found = readings[0]
    for other in readings[1:]:
        for cell in cells:
            both = _fits(found, cell, is_item) and _fits(other, cell, is_item)
            if both and found.read(cell) != other.read(cell):
                detail = f"{quoted(cell)} can be read as {found.words}, and as {other.words}"
                hint = "Write the items with spaces between them: 5 7 9."
                raise FileRejected.because(Code.BAD_LABEL, detail, hint=hint)
    return None if found is _PODIUM else found


def _fits(way: CellLists, cell: bytes, is_item: re.Pattern[bytes]) -> bool:
    text = way.read(cell)
    if text is None or way.marks_items:
        return text is not None
    return all(map(is_item.fullmatch, text.encode().split()))


def _separated(cell: bytes, form: re.Pattern[bytes], sign: bytes) -> str | None:
    if cell in _EMPTY:
        return ""
    if form.fullmatch(cell) is None or _is_printed(cell, sign):
        return None
    return cell.replace(b" ", b"").replace(sign, b" ").decode("ascii")


def _is_printed(cell: bytes, sign: bytes) -> bool:
    """True for a list, tuple or set that a program has printed, and for items in quotes: their
    brackets and quotes would become parts of items."""
    if cell[:1] + cell[-1:] in (b"[]", b"()", b"{}"):
        return True
    items = (each.strip(b" ") for each in cell.split(sign))
    return any(len(each) > 1 and each[:1] == each[-1:] == b"'" for each in items)


def _spaced(cell: bytes) -> str | None:
    return " ".join(filter(None, cell.decode("ascii").split(" "))) if cell.isascii() else None


def _as_json(cell: bytes) -> str | None:
    if cell in _EMPTY:
        return ""
    try:
        value, end = value_at(text := cell.decode())
        found = joined(value) if type(value) is list and end == len(text) else None
    except (NotJson, UnicodeDecodeError, RowProblem):
        return None
    # A line end that was escaped would divide the row.
    return found if found is not None and found.isprintable() else None


def _as_python(cell: bytes) -> str | None:
    # Without double quotes and escapes, texts differ from those of JSON in their quotes alone.
    is_plain = b'"' not in cell and b"\\" not in cell
    return _as_json(cell.replace(b"'", b'"')) if is_plain else None


_EMPTY = (b"", b"[]")
_COMMAS = re.compile(rb"[!#-+\--~]+(?:, ?[!#-+\--~]+)*")
_SEMICOLONS = re.compile(rb"[!#-+\--:<-~]+(?:; ?[!#-+\--:<-~]+)*")

_PODIUM = CellLists("lists with spaces", _spaced)
_WAYS = (
    _PODIUM,
    CellLists("lists as in JSON", _as_json, marks_items=True),
    CellLists("lists as in Python", _as_python, marks_items=True),
    CellLists("lists with commas", partial(_separated, form=_COMMAS, sign=b",")),
    CellLists("lists with semicolons", partial(_separated, form=_SEMICOLONS, sign=b";")),
)
"""All ways; of two that are equal in the first cells, the one that is named first is assumed."""
