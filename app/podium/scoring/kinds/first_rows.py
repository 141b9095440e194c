"""Defines how kinds of task inspect the first rows of a file: each decides whether they are of its
kind, and suggests settings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from podium.scoring.names import header_of

UNKNOWN = (
    "Its form cannot be told from the first rows. Set the columns under “Advanced” below; the whole"
    " file is checked when you create the draft."
)

LARGEST_ID = 2**31 - 1

SHORT_NAME = re.compile("[a-z][a-z0-9-]{0,31}")
"""The usual form of the name of an objective, as in `clicks`."""

_WHOLE = re.compile(r"(0|[1-9][0-9]{0,9})")
_LIKE_WHOLE = re.compile(
    r"[\[({]*(?:(0|[1-9][0-9]{0,9})(?:\.0*)?,?)?[\])}]*|[0-9](?:\.[0-9]+)?[eE]\+?[0-9]{1,2}"
)


@dataclass(frozen=True, slots=True)
class Guess:
    """The inferred form of a file: its first rows by column, and the settings that fit it."""

    shape: str = "unknown"
    """The form of the rows: `labels` and raw `sessions` as JSON lines; `lists` of items, one row
    for each id; `pairs` of an id and a relevant item; or a name of another kind."""

    words: str = UNKNOWN
    """A sentence about the form."""

    settings: Mapping[str, object] = field(default_factory=dict)
    sample: tuple[str, ...] = ()
    """The header and two rows of a submission."""

    of_sample: Mapping[str, object] = field(default_factory=dict)
    """The settings that fit it as a sample submission, which has the same number everywhere; empty
    where it is not one."""

    problem: str = ""
    """The reason why it cannot be a ground truth, and advice."""

    is_wide: bool = False
    """True where there may be more columns than three, and a time may be the third."""

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    question: str = ""
    """The question whether the first row is a header at all."""

    note: str = ""
    """A problem of the first rows for which the reader of the whole file will refuse it."""

    encoding: str = ""
    """The form of text in another encoding than UTF-8, by its key, that the file is likely in."""

    may_be: str = ""
    """Another kind of task, by its key, that the file could be of."""

    is_unreadable: bool = False
    """True if the problem does not depend on the settings."""


@dataclass(frozen=True, slots=True)
class FirstRows:
    """A header of two or more distinct names, and the rows below it, by column; the column of the
    splits is not among the names."""

    names: tuple[str, ...]
    cells: Mapping[str, Sequence[str]]

    def given(self, name: str) -> list[str]:
        """Lists the cells of a column that are not empty."""
        return [text for text in self.cells[name] if text]


def _nothing(_: object) -> None:
    return None


@dataclass(frozen=True)
class Recognizer:
    """The ways in which a kind is recognized; each returns None for a file of another kind."""

    in_table: Callable[[FirstRows], Guess | None]
    in_table_meant: Callable[[FirstRows], Guess | None] = _nothing
    """Like `in_table`, but for a file that the user has declared to be of this kind, though it
    seems to be of another."""

    in_objects: Callable[[Sequence[Mapping[str, Any]]], Guess | None] = _nothing
    """Recognizes the objects of JSON lines, each with a session."""

    in_qrels: Callable[[Sequence[Sequence[str]]], Guess | None] = _nothing
    in_sample: Callable[[FirstRows], Mapping[str, object] | None] = _nothing
    """Infers the settings from a sample submission, which has the same number everywhere."""


def id_kind(texts: Iterable[str], *, as_printed: bool = False) -> str:
    """Infers the kind of ids for settings: whole numbers or text. Forms into which programs turn
    whole numbers, such as `7.0` and `[7`, count as these where ids are read `as_printed`: so the
    reader of the file reports them, and accepts them where the settings say text.

    >>> id_kind(["7", "8"]), id_kind(["7.0"]), id_kind(["7.0"], as_printed=True), id_kind(["007"])
    ('integer', 'string', 'integer', 'string')
    """
    form = _LIKE_WHOLE if as_printed else _WHOLE
    found = [form.fullmatch(text) for text in texts if text]
    is_whole = all(each and (each[1] is None or int(each[1]) <= LARGEST_ID) for each in found)
    return "integer" if is_whole else "string"


def kinds_of_ids(ids: Iterable[str], items: Iterable[str]) -> dict[str, object]:
    """Infers the settings of the kinds of ids and of items."""
    kinds = {"query_ids": ids, "item_ids": items}
    return {name: id_kind(texts, as_printed=True) for name, texts in kinds.items()}


def sample_of(columns: Iterable[str], ids: Iterable[str], values: str) -> tuple[str, ...]:
    """Builds the header and two rows of a submission, which begin with ids."""
    rows = [f"{row},{values}" for row in ids]
    return (header_of(columns), *rows[:2])
