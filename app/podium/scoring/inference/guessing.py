"""Guesses from the first lines of a ground truth its format, its columns, and suitable settings.
Rules of a kind of task are in the kind.

Whether a guess is right is decided by the reader of the whole file; here a file is refused only if
its first lines cannot be a ground truth.
"""

from __future__ import annotations

import codecs
import csv
import json
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from podium.scoring.containers.detection import Container, container_of
from podium.scoring.containers.zip_stream import EXPORT_AS_CSV
from podium.scoring.forms import FORMS
from podium.scoring.inference.headers import question_of, refusal_of, unreadable
from podium.scoring.kinds import RECOGNIZED
from podium.scoring.kinds.first_rows import FirstRows, Guess
from podium.scoring.rewriting.separators import with_commas
from podium.scoring.rewriting.tables import separator_in
from podium.scoring.task import USAGE
from podium.scoring.text.encodings import is_binary, likely_encoding, wide_encoding
from podium.scoring.text.trec import QRELS_FIELDS, fields_of, is_qrels
from podium.scoring.truth.foreign import foreign_form

HEAD_BYTES = 1 << 16
HEAD_ROWS = 1000
"""The number of rows that are read for a guess."""

SHOWN_ROWS = 5

SHEETS = (b"[Content_Types].xml", b"mimetypeapplication/vnd.oasis.opendocument")
"""Byte sequences near the start of spreadsheets, those of Microsoft and of OpenDocument."""

SHEET_BYTES = 4096

A_SHEET = f"The file is a spreadsheet. {EXPORT_AS_CSV}"

EMPTY = "The file is empty. Choose the file that holds the right answers."

NO_TEXT = (
    "The file is neither text nor Parquet. Save it as CSV, JSON lines or Parquet, in UTF-8, and"
    " choose it again."
)

NOT_UTF_8 = (
    "The file is not UTF-8{}. Save it as UTF-8, which Excel calls “CSV UTF-8 (Comma delimited)”,"
    " and choose it again."
)

WIDE = (
    "The file is encoded as {}. Save it as UTF-8, which Excel calls “CSV UTF-8 (Comma delimited)”,"
    " and choose it again."
)

TWICE = (
    "Such a file is refused, unless you choose to ignore the later one under “Advanced”: “The same"
    " item twice in the ground truth”."
)
"""The consequence of a repeated row."""

TWO_ROWS = (
    "“{}” has two rows, on line {} and on line {}. Such a file is refused: where cells hold several"
    " items, each id has one row. Join its rows into one, or remove one of them, and choose the"
    " file again."
)
"""The message for lists in which an id has two rows, which their reader would refuse."""

_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def guess_of(head: bytes, *, is_cut: bool, wanted: str = "") -> Guess:
    """Guesses from the first bytes of a file; `is_cut` if the file continues. A user may state the
    `wanted` kind, by its key."""
    if container_of(head) is Container.GZIP:
        try:
            head, is_cut = zlib.decompressobj(31).decompress(head, HEAD_BYTES), True
        except zlib.error:
            return Guess()
    if container_of(head) is not Container.PLAIN:
        # Possibly valid, but its contents are not checked.
        is_sheet = any(name in head[:SHEET_BYTES] for name in SHEETS)
        return _useless(A_SHEET) if is_sheet else Guess()
    if wide := wide_encoding(head):
        if wide != "UTF-16" or not head.startswith(_MARKS):
            return _useless(WIDE.format(wide))
        try:
            head = codecs.getincrementaldecoder("utf-16")().decode(head).encode()
        except UnicodeDecodeError:
            return _useless(NO_TEXT)
    whole = head[: head.rfind(b"\n") + 1] if is_cut else head
    encoding = likely_encoding(whole)
    form = FORMS.get(encoding.form) if encoding else None
    try:
        text = whole.decode(form.codec if form else "utf-8-sig")
        lines = in_columns(text.encode()).decode().splitlines()
    except UnicodeDecodeError:
        return _useless(not_utf_8(whole))
    numbered = {number: line for number, line in enumerate(lines, 1) if line.strip()}
    if not numbered:
        return Guess() if is_cut else _useless(EMPTY)
    try:
        return replace(_of_text(numbered, wanted), encoding=form.key if form else "")
    except csv.Error:
        # A field of more than 128 KiB, of which the reader of the whole file says whether it may.
        return Guess()


def in_columns(head: bytes) -> bytes:
    """Returns the first lines of a table with commas between its columns."""
    separator = separator_in(head)
    return head if separator is None else with_commas(head, separator)


def not_utf_8(text: bytes) -> str:
    """Says that a text is not UTF-8, and what it may be instead."""
    encoding = likely_encoding(text)
    if encoding is None:
        return NO_TEXT if is_binary(text) else NOT_UTF_8.format("")
    return NOT_UTF_8.format(f"; it looks like {encoding.name}")


def _of_text(numbered: Mapping[int, str], wanted: str) -> Guess:
    """Guesses from lines that are not blank, by their numbers."""
    lines = list(numbered.values())
    if any(map(_CONTROLS.search, lines[:SHOWN_ROWS])):
        return _useless(NO_TEXT)
    if is_qrels("\n".join(lines).encode()):
        found = [each for line in lines if (each := fields_of(line.encode()))]
        rows = tuple(tuple(field.decode() for field in each) for each in found)
        guess = _first(kind.recognizer.in_qrels(rows) for kind in RECOGNIZED)
        return replace(guess, columns=QRELS_FIELDS, rows=rows[:SHOWN_ROWS])
    if foreign := foreign_form(lines[0]):
        detail, hint = foreign
        return _useless(f"{detail[0].upper()}{detail[1:]}. {hint}")
    if lines[0].lstrip().startswith("{"):
        return _of_json(lines)
    return _of_table(numbered, wanted)


def _useless(problem: str) -> Guess:
    return Guess(problem=problem, is_unreadable=True)


def _of_json(lines: Sequence[str]) -> Guess:
    entries = []
    for line in lines:
        try:
            entries.append(json.loads(line))
        except (ValueError, RecursionError):
            return Guess()
    if not all(isinstance(entry, dict) and "session" in entry for entry in entries):
        return Guess()
    guess = _first(kind.recognizer.in_objects(entries) for kind in RECOGNIZED)
    shown = tuple((line[:200],) for line in lines[:SHOWN_ROWS])
    return replace(guess, columns=("line",), rows=shown)


def _first(found: Iterable[Guess | None]) -> Guess:
    return next(filter(None, found), Guess())


def _of_table(lines: Mapping[int, str], wanted: str) -> Guess:
    columns, *others = (tuple(row) for row in csv.reader(lines.values()))
    # A repeated header does not show what the rows are; their reader refuses it.
    below = [
        (line, row) for line, row in zip(list(lines)[1:], others, strict=False) if row != columns
    ]
    if fault := unreadable(columns, [row for _, row in below]):
        return Guess(columns=columns, problem=fault, is_unreadable=True)
    numbered = {line: row for line, row in below if len(row) == len(columns)}
    whole = tuple(numbered.values())
    cells = {name: [row[place] for row in whole] for place, name in enumerate(columns)}
    rows = FirstRows(tuple(name for name in columns if name != USAGE), cells)
    guess = Guess()
    if whole and len(rows.names) > 1 and len(set(columns)) == len(columns):
        guess = _of_kinds(rows, wanted)
        if USAGE in columns:
            split = {"split": "usage"} if guess.settings else {}
            guess = replace(guess, settings={**guess.settings, **split})
        elif len(whole) == len(others):
            found = filter(None, (kind.recognizer.in_sample(rows) for kind in RECOGNIZED))
            guess = replace(guess, of_sample=next(found, {}))
    named = [columns.index(name) for name in rows.names]
    return replace(
        guess,
        problem=refusal_of(columns, below, is_wide=guess.is_wide) or guess.problem,
        columns=columns,
        rows=whole[:SHOWN_ROWS],
        question=question_of(columns, whole) if guess.settings else "",
        note=_repeated(numbered, named, guess.shape) if guess.settings else "",
    )


def _of_kinds(rows: FirstRows, wanted: str) -> Guess:
    """Returns the guess of the first kind that claims the rows, or of the wanted kind."""
    meant = {str(kind.key): kind.recognizer.in_table_meant(rows) for kind in RECOGNIZED}
    if chosen := meant.get(wanted):
        return chosen
    guess = _first(kind.recognizer.in_table(rows) for kind in RECOGNIZED)
    others = (key for key, each in meant.items() if each and each.shape != guess.shape)
    return replace(guess, may_be=next(others, "")) if guess.settings else guess


def _repeated(rows: Mapping[int, Sequence[str]], named: Sequence[int], shape: str) -> str:
    """Describes a row, an id with a list, or an item of a list that occurs twice among the first
    rows, which are numbered by line; `named` are the indices of the columns in use."""
    seen: dict[tuple[str, ...], int] = {}
    for line, row in rows.items():
        key = (row[named[0]],) if shape == "lists" else tuple(row)
        if key in seen and shape == "lists":
            return TWO_ROWS.format(key[0], seen[key], line)
        if key in seen:
            return f"The row “{','.join(row)}” stands twice. {TWICE}"
        seen[key] = line
    for row in rows.values() if shape == "lists" else ():
        items = row[named[1]].split()
        if len(set(items)) < len(items):
            return f"The list of “{row[named[0]]}” holds an item twice. {TWICE}"
    return ""
