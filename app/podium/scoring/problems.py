"""Defines problems of a file: a closed list of codes, and the shape of a rejection.

Texts are built from the sender's own bytes and the published ids only, never from the ground truth,
so that a rejection cannot reveal labels. A `detail` is at most 280 characters and quotes at most 64
bytes of the sender.
"""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

SHOWN_PROBLEMS = 10
"""The problems that a rejection shows, by line; the rest are only counted."""

QUOTED_BYTES = 64
"""The most bytes of the sender that a text may quote."""

QUOTED_CHARACTERS = 120
"""The most characters of a quotation with its escapes, so that there is room for the
explanation."""

LONGEST_TEXT = 280
"""The most characters of a detail, and of a hint."""


class Code(StrEnum):
    """Stable names of everything that can be wrong with a submission or a ground truth."""

    EMPTY_FILE = "empty-file"
    ENCODING = "encoding"
    NOT_CSV = "not-csv"
    LINE_ENDINGS = "line-endings"
    HEADER_MISMATCH = "header-mismatch"
    BLANK_LINE = "blank-line"
    ROW_SHAPE = "row-shape"
    BAD_QUOTE = "bad-quote"
    BAD_CHARACTER = "bad-character"
    BAD_ID = "bad-id"
    UNKNOWN_ID = "unknown-id"
    DUPLICATE_ID = "duplicate-id"
    MISSING_IDS = "missing-ids"
    BAD_LABEL = "bad-label"
    LINE_TOO_LONG = "line-too-long"
    TOO_MANY_ROWS = "too-many-rows"
    EXPANDED_TOO_LARGE = "expanded-too-large"
    ARCHIVE_TRUNCATED = "archive-truncated"
    ARCHIVE_CORRUPT = "archive-corrupt"
    ARCHIVE_TRAILING_DATA = "archive-trailing-data"
    ARCHIVE_UNSUPPORTED = "archive-unsupported"
    ARCHIVE_MEMBERS = "archive-members"
    UNSUPPORTED_MEDIA_TYPE = "unsupported-media-type"
    PARQUET_SCHEMA = "parquet-schema"
    PARQUET_ENCRYPTED = "parquet-encrypted"
    PARQUET_CODEC = "parquet-codec"
    PARQUET_CORRUPT = "parquet-corrupt"
    RESOURCE_LIMIT = "resource-limit"
    METRIC_REFUSED = "metric-refused"
    BAD_JSON = "bad-json"
    # Ground truth and item files only.
    BAD_NUMBER = "bad-number"
    BAD_USAGE = "bad-usage"
    DUPLICATE_LABEL = "duplicate-label"
    ZERO_DENOMINATOR = "zero-denominator"
    UNPUBLISHED_SESSION = "unpublished-session"


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem of a file.

    `line` is the 1-based physical line of the decompressed text (header = 1, only LF ends a line);
    `row` the 0-based row of a Parquet file. `id` is the id as the sender wrote it. Long texts are
    cut.
    """

    code: Code
    detail: str
    line: int | None = None
    row: int | None = None
    id: str | None = None
    column: str | None = None
    hint: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "detail", _clipped(self.detail))
        if self.hint is not None:
            object.__setattr__(self, "hint", _clipped(self.hint))

    def to_dict(self) -> dict[str, Any]:
        """Converts the problem to an entry of `errors` in the API."""
        return {
            "code": str(self.code),
            "line": self.line,
            "row": self.row,
            "id": self.id,
            "column": self.column,
            "detail": self.detail,
            "hint": self.hint,
        }


@dataclass(frozen=True, slots=True)
class OtherForm:
    """A form, in words, by which a file can be read where a task takes the `forms`, which are keys
    of `FORMS`."""

    form: str
    forms: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Converts the reading to a member of the `problem` of a submission."""
        return {"form": self.form, "forms": list(self.forms)}


@dataclass(frozen=True, slots=True)
class Rejection:
    """All problems of a file: the first ones by line, those without a line last; there may be more
    than `count` where reading `stopped` before the end. `readable_as` is the form that the file
    seems to have, and its task does not take."""

    problems: tuple[Problem, ...]
    count: int
    stopped: bool = False
    readable_as: OtherForm | None = None

    @classmethod
    def of(
        cls, problems: Iterable[Problem], count: int | None = None, *, stopped: bool = False
    ) -> Rejection:
        """Sorts problems by line and retains the first ten; `count` is the number found, if more
        than the given ones."""
        ordered = sorted(problems, key=_position)
        seen = len(ordered) if count is None else count
        return cls(tuple(ordered[:SHOWN_PROBLEMS]), seen, stopped)

    def to_dict(self) -> dict[str, Any]:
        """Converts the rejection to the `problem` of a submission: RFC 9457 members without the
        HTTP ones."""
        first = self.problems[0]
        return {
            "code": str(first.code),
            "detail": first.detail,
            "line": first.line,
            "errors": [problem.to_dict() for problem in self.problems],
            "error_count": self.count,
            "reading_stopped": self.stopped,
            "readable_as": self.readable_as and self.readable_as.to_dict(),
        }


@dataclass
class FileRejected(Exception):
    """A file is rejected; raised inside `scoring` as soon as reading cannot continue, with the
    whole rejection."""

    rejection: Rejection = field()

    @classmethod
    def because(cls, code: Code, detail: str, **where: Any) -> FileRejected:
        """Builds a rejection for a single reason, for example a truncated archive."""
        return cls(Rejection.of([Problem(code, detail, **where)]))

    def __str__(self) -> str:
        """Formats the first problem as a sentence, with its hint."""
        first = self.rejection.problems[0]
        return f"{first.detail}. {first.hint or ''}".rstrip()


def quoted(raw: bytes | str) -> str:
    r"""Quotes at most 64 bytes of the sender's text in readable form, with an ellipsis where it was
    cut.

    >>> quoted("Müller\x1a".encode())
    '“Müller\\x1a”'
    >>> quoted("a\ud800b")
    '“a\\xed\\xa0\\x80b”'
    """
    # JSON may contain lone surrogates, which valid text does not have.
    data = raw.encode("utf-8", "surrogatepass") if isinstance(raw, str) else raw
    shown, is_cut = "", len(data) > QUOTED_BYTES
    for character in map(_legible, _decoded(data[:QUOTED_BYTES], is_cut=is_cut)):
        if len(shown) + len(character) > QUOTED_CHARACTERS:
            is_cut = True
            break
        shown += character
    return f"“{shown}”" + ("…" if is_cut else "")


def printable(raw: bytes) -> str:
    """Formats the sender's text on one line: letters of any language and printable ASCII unchanged,
    every other character, and bytes that are not UTF-8, as escapes."""
    return "".join(map(_legible, _decoded(raw, is_cut=False)))


def _decoded(raw: bytes, *, is_cut: bool) -> str:
    """Decodes UTF-8; a character that was cut at the end is dropped."""
    return _Decoder("backslashreplace").decode(raw, final=not is_cut)


def _legible(character: str) -> str:
    """Escapes unsafe characters: digits and spaces of other alphabets look like allowed ones, and
    are not."""
    if character.isprintable() if character.isascii() else character.isalpha():
        return character
    return character.encode("unicode_escape").decode("ascii")


_Decoder = getincrementaldecoder("utf-8")


def _clipped(text: str) -> str:
    """Shortens a text to 280 characters, with an ellipsis where it was cut."""
    text = str(text)  # a member of an enumeration has another repr
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"


def _position(problem: Problem) -> tuple[int, int]:
    place = problem.line if problem.line is not None else problem.row
    return (1, 0) if place is None else (0, place)
