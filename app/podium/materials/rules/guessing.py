"""Guesses from the beginning of a ground truth: its form, its columns, and the kinds of its ids.

Whether a guess is right is for the reader of the whole file to say; here only a file is refused of
which the beginning shows that it holds no ground truth.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from podium.errors.reasons import OBJECTIVE_PATTERN
from podium.materials.rules.headers import OTTO_LONG, USAGE, question_of, refusal_of, unreadable
from podium.materials.rules.pair_tables import (
    MOST_COLUMNS,
    are_scored,
    refusal_of_targets,
    settings_of_pairs,
)
from podium.materials.rules.plain_tables import (
    has_values,
    is_plain,
    sample_of_table,
    settings_of_table,
)
from podium.scoring.containers.zip_stream import EXPORT_AS_CSV
from podium.scoring.lists.header import wide_encoding
from podium.scoring.lists.trec import QRELS_FIELDS, fields_of, is_qrels
from podium.scoring.truth.foreign import foreign_form
from podium.scoring.truth.separators import SAVE_WITH_COMMAS, separator_of

SHOWN_ROWS = 5

Shape = Literal["labels", "sessions", "lists", "pairs", "ratings", "scores", "table", "unknown"]
"""Label JSONL; raw sessions; one row with a list of items for each id; one row for each relevant
item; a number for each pair; what happened with each pair; numbers for each id; and what cannot be
told."""

CONTAINERS = (b"PAR1", b"PK\x03\x04", b"\x28\xb5\x2f\xfd", b"\x1f\x8b")
"""The first bytes of files that are good, but not looked into: Parquet, zip, zstd, gzip within
gzip."""

SHEETS = (b"[Content_Types].xml", b"mimetypeapplication/vnd.oasis.opendocument")
"""Near the beginning of the archives that spreadsheets are, of Microsoft's and of OpenDocument."""

SHEET_BYTES = 4096

A_SHEET = f"The file is a spreadsheet. {EXPORT_AS_CSV}"

EMPTY = "The file is empty. Choose the file that holds the right answers."

NO_TEXT = (
    "The file is neither text nor Parquet. Save it as CSV, JSON lines or Parquet, in UTF-8, and"
    " choose it again."
)

WIDE = (
    "The file is encoded as {}. Save it as UTF-8, which Excel calls “CSV UTF-8 (Comma delimited)”,"
    " and choose it again."
)

SEPARATED = (
    "The columns are separated by {}. Save the file as CSV with commas between the columns and"
    f" spaces between the items of a list, and choose it again. {SAVE_WITH_COMMAS}"
)

TWICE = (
    "Such a file is refused, unless you choose to ignore the later one under “Advanced”: “The same"
    " item twice in the ground truth”."
)
"""The consequence of a repetition."""

TWO_ROWS = (
    "“{}” has two rows, on line {} and on line {}. Such a file is refused: where cells hold several"
    " items, each id has one row. Join its rows into one, or remove one of them, and choose the"
    " file again."
)
"""The refusal to come of lists in which an id stands twice."""

QRELS: Mapping[str, object] = {
    "objectives": {"items": 1},
    "id_column": "topic",
    "query_ids": "string",
    "item_ids": "string",
}
"""The settings that qrels ask for, which have no header."""

ONE_ITEM = ("item", "aid")
"""Columns of one item a row, also where each id has a single row: one was left out of each."""

_LIKE_WHOLE = re.compile(
    r"[\[({]*(?:(0|[1-9][0-9]{0,9})(?:\.0*)?,?)?[\])}]*|[0-9](?:\.[0-9]+)?[eE]\+?[0-9]{1,2}"
)
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_OTTO = ("clicks", "carts", "orders")


@dataclass(frozen=True, slots=True)
class Guess:
    """A file as it seems to be: its first rows by column, and the settings that it asks for."""

    shape: Shape
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    settings: Mapping[str, object] = field(default_factory=dict)
    sample: tuple[str, ...] = ()
    """The header and two rows of a submission."""

    problem: str = ""
    """The reason why it cannot be a ground truth, and what to do."""

    question: str = ""
    """The question whether the first row is a header at all."""

    note: str = ""
    """Something in the first rows that the reader of the whole file will refuse."""

    may_be_table: bool = False
    """True if it seems to be something else, and could be a table, too."""

    is_unreadable: bool = False
    """True if the problem is there whatever the settings are."""


def guess_of(head: bytes, *, is_cut: bool, as_table: bool = False) -> Guess:
    """The guess from the first bytes of a file; `is_cut` if the file goes on. What could be a table
    is one where it is read `as_table`."""
    if head.startswith(CONTAINERS):
        is_sheet = any(name in head[:SHEET_BYTES] for name in SHEETS)
        return _useless(A_SHEET) if is_sheet else Guess("unknown")
    if encoding := wide_encoding(head):
        return _useless(WIDE.format(encoding))
    whole = head[: head.rfind(b"\n") + 1] if is_cut else head
    try:
        lines = whole.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        return _useless(NO_TEXT)
    numbered = {number: line for number, line in enumerate(lines, 1) if line.strip()}
    lines = list(numbered.values())
    if not lines:
        return Guess("unknown") if is_cut else _useless(EMPTY)
    if not all(line.replace("\t", " ").isprintable() for line in lines[:SHOWN_ROWS]):
        return _useless(NO_TEXT)
    if is_qrels(head):
        return _of_qrels(lines)
    if foreign := foreign_form(lines[0]):
        detail, hint = foreign
        return _useless(f"{detail[0].upper()}{detail[1:]}. {hint}")
    if problem := _separated(lines[0]):
        return _useless(problem)
    if lines[0].lstrip().startswith("{"):
        return _of_json(lines)
    return _of_table(numbered, as_table=as_table)


def _useless(problem: str) -> Guess:
    return Guess("unknown", problem=problem, is_unreadable=True)


def _separated(header: str) -> str:
    """The refusal of a table whose header is separated by something else than commas."""
    if header.lstrip().startswith("{"):
        return ""
    sign = separator_of(header)
    return SEPARATED.format(sign) if sign else ""


def _repeated(rows: Mapping[int, Sequence[str]], named: Sequence[int], shape: Shape) -> str:
    """The note about a row, an id with a list, or an item of a list, that stands twice among the
    first rows, which come by line; `named` are the places of the columns in use."""
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


def _of_qrels(lines: Sequence[str]) -> Guess:
    found = [each for line in lines if (each := fields_of(line.encode()))]
    rows = [tuple(field.decode() for field in each) for each in found]
    sample = _sample(QRELS, (), [row[0] for row in rows])
    return Guess("pairs", QRELS_FIELDS, tuple(rows[:SHOWN_ROWS]), QRELS, sample)


def _of_json(lines: Sequence[str]) -> Guess:
    rows = []
    for line in lines:
        try:
            rows.append(json.loads(line))
        except (ValueError, RecursionError):
            return Guess("unknown")
    if not all(isinstance(row, dict) and "session" in row for row in rows):
        return Guess("unknown")
    shown = tuple((line[:200],) for line in lines[:SHOWN_ROWS])
    sessions = [str(row["session"]) for row in rows]
    if all("events" in row for row in rows):
        return Guess("sessions", ("line",), shown, {}, _sample({}, _OTTO, sessions))
    labels = [row.get("labels") for row in rows]
    keyed = [each for each in labels if isinstance(each, dict)]
    names = tuple(dict.fromkeys(key for each in keyed for key in each))
    if set(names) <= set(_OTTO) and len(names) > 1:
        names = _OTTO
    items = [item for each in keyed for found in each.values() for item in _listed(found)]
    if not keyed:
        items = [item for each in labels for item in _listed(each)]
    id_column = "session_type" if len(names) > 1 else "session"
    settings = {
        "id_column": id_column,
        "objectives": _objectives(names) or {"items": 1},
        "query_ids": _kind(sessions),
        "item_ids": _kind([str(item) for item in items]),
    }
    return Guess("labels", ("line",), shown, settings, _sample(settings, names, sessions))


def _of_table(lines: Mapping[int, str], *, as_table: bool) -> Guess:
    columns, *others = (tuple(row) for row in csv.reader(lines.values()))
    # A header that stands there again says nothing of the rows; their reader refuses it.
    below = [
        (line, row) for line, row in zip(list(lines)[1:], others, strict=False) if row != columns
    ]
    if fault := unreadable(columns, [row for _, row in below]):
        return Guess("unknown", columns, problem=fault, is_unreadable=True)
    numbered = {line: row for line, row in below if len(row) == len(columns)}
    rows = list(numbered.values())
    shown = tuple(rows[:SHOWN_ROWS])
    named = [name for name in columns if name != USAGE]
    values = {name: [row[place] for row in rows] for place, name in enumerate(columns)}
    is_whole = rows and 2 <= len(named) <= MOST_COLUMNS and len(set(columns)) == len(columns)
    may_be_table = bool(is_whole) and has_values(named, values)
    if may_be_table and (as_table or is_plain(named, values)):
        return _of_plain_table(columns, below, values)
    problem = refusal_of(columns, below, scored=bool(rows) and are_scored(named, values))
    if not rows or not 2 <= len(named) <= MOST_COLUMNS or len(set(columns)) < len(columns):
        return Guess("unknown", columns, shown, problem=problem)
    problem = problem or refusal_of_targets(named, values)
    shape, settings, names = _form_of(named, values)
    if len(named) > 4 and shape != "scores":
        return Guess("unknown", columns, shown, problem=problem)
    if USAGE in columns:
        settings = {**settings, "split": "usage"}
    sample = _sample(settings, names, _ids_of(named, values, names))
    if shape in ("ratings", "scores"):
        sample = _sample_of_pairs(named, values, settings)
    note = _repeated(numbered, [columns.index(name) for name in named], shape)
    question = question_of(columns, rows)
    return Guess(shape, columns, shown, settings, sample, problem, question, note, may_be_table)


def _of_plain_table(
    columns: Sequence[str],
    lines: Sequence[tuple[int, Sequence[str]]],
    values: Mapping[str, Sequence[str]],
) -> Guess:
    named = [name for name in columns if name != USAGE]
    rows = [tuple(row) for _, row in lines if len(row) == len(columns)]
    settings = settings_of_table(named, values)
    if USAGE in columns:
        settings = {**settings, "split": "usage"}
    return Guess(
        "table",
        tuple(columns),
        tuple(rows[:SHOWN_ROWS]),
        settings,
        sample_of_table(named, values),
        refusal_of(columns, lines, scored=True),
        question_of(columns, rows),
    )


def _sample_of_pairs(
    named: Sequence[str], values: Mapping[str, Sequence[str]], settings: Mapping[str, object]
) -> tuple[str, ...]:
    """The header and two rows of a submission of pairs."""
    number = "3.5" if settings["task"] == "rating" else "0.5"
    ids = named[: 3 if "context_column" in settings else 2]
    numbers = named[2:3] if settings["task"] == "rating" else named[len(ids) :]
    rows = list(zip(*(values[name] for name in ids), strict=True))[:2]
    return (
        ",".join([*ids, *numbers]),
        *(",".join([*row, *[number] * len(numbers)]) for row in rows),
    )


def _form_of(
    named: Sequence[str], values: Mapping[str, Sequence[str]]
) -> tuple[Shape, dict[str, object], tuple[str, ...]]:
    """The form of a table, the settings that it asks for, and the names of its objectives."""
    first, second, *others = named
    if list(named[:3]) == OTTO_LONG:
        names = tuple(dict.fromkeys(values["type"]))
        settings = {
            "id_column": "session_type",
            "objectives": _objectives(_OTTO if set(names) <= set(_OTTO) else names),
            **_kinds(values["session"], values["aid"]),
        }
        return "pairs", settings, names
    if others and others[0] != "relevance":
        kinds = _kinds(values[first], values[second])
        settings = settings_of_pairs(named, values, kinds)
        return ("ratings" if settings["task"] == "rating" else "scores"), settings, ("rating",)
    is_unique = len(set(values[first])) == len(values[first])
    has_lists = any(len(text.split()) > 1 for text in values[second])
    if not others and (has_lists or (is_unique and second not in ONE_ITEM)):
        return _lists(first, second, values)
    settings = {
        "id_column": first,
        "item_column": second,
        **({"labels_column": "items"} if first == "labels" else {}),
        "objectives": {"items": 1},
        **_kinds(values[first], values[second]),
    }
    return "pairs", settings, ()


def _lists(
    first: str, second: str, values: Mapping[str, Sequence[str]]
) -> tuple[Shape, dict[str, object], tuple[str, ...]]:
    ends = [text.rpartition("_") for text in values[first]]
    names = tuple(dict.fromkeys(name for _, _, name in ends))
    # Ids of several objectives end in few names, each of which many have.
    is_several = all(middle for _, middle, _ in ends) and 1 < len(names) <= min(8, len(ends) / 2)
    is_several = is_several and all(re.fullmatch(OBJECTIVE_PATTERN, name) for name in names)
    sessions = [session for session, _, _ in ends] if is_several else list(values[first])
    items = [item for text in values[second] for item in text.split()]
    settings = {
        "id_column": first,
        "labels_column": second,
        "objectives": _objectives(names) if is_several else {"items": 1},
        **_kinds(sessions, items),
    }
    return "lists", settings, names if is_several else ()


def _objectives(names: Sequence[str]) -> dict[str, object]:
    if tuple(names) == _OTTO or set(names) == set(_OTTO):
        return {"clicks": 0.1, "carts": 0.3, "orders": 0.6}
    return dict.fromkeys(names, 1)


def _kinds(ids: Sequence[str], items: Sequence[str]) -> dict[str, object]:
    return {"query_ids": _kind(ids), "item_ids": _kind(items)}


def _kind(texts: Sequence[str]) -> str:
    """The kind of ids. What a program made of whole numbers, as `7.0` and `[7`, counts as them: so
    the reader of the file names it, and takes it where settings say that it is meant."""
    return "integer" if all(map(_is_whole, filter(None, texts))) else "string"


def _is_whole(text: str) -> bool:
    found = _LIKE_WHOLE.fullmatch(text)
    return found is not None and (found[1] is None or int(found[1]) < 2**31)


def _listed(found: object) -> list[object]:
    return found if isinstance(found, list) else [found]


def _ids_of(
    named: Sequence[str], values: Mapping[str, Sequence[str]], names: Sequence[str]
) -> list[str]:
    ids = list(dict.fromkeys(values[named[0]]))
    if len(names) > 1 and list(named[:3]) != OTTO_LONG:
        return list(dict.fromkeys(each.rpartition("_")[0] for each in ids))
    return ids


def _sample(
    settings: Mapping[str, object], names: Sequence[str], ids: Sequence[str]
) -> tuple[str, ...]:
    """The header and two rows of a submission for these ids."""
    header = (
        f"{settings.get('id_column', 'session_type')},{settings.get('labels_column', 'labels')}"
    )
    items = "item-17 item-4 item-92" if settings.get("item_ids") == "string" else "17 4 92"
    ends = [f"_{name}" for name in names] if len(names) > 1 else [""]
    rows = [f"{each}{end}" for each in dict.fromkeys(ids) for end in ends]
    return (header, *(f"{row},{items}" for row in rows[:2]))
