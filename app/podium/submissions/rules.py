"""Rules of submissions: slots of a day, names and notes of files, and the spelling of receipts."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import math
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import Any

from podium.core.competition_settings.texts import MAX_NOTE_CHARACTERS
from podium.core.names import NAMELESS_FILE
from podium.errors import InvalidInput
from podium.errors.codes import ErrorCode

REJECTIONS_WINDOW = timedelta(hours=1)
"""Over which time rejected files of a team are counted."""

PROBLEM_TYPES = "https://iana.org/assignments/http-problem-types#"
"""The registry of problem types, to which the IETF's draft of resumable uploads adds two."""

INCONSISTENT_LENGTH = f"{PROBLEM_TYPES}inconsistent-upload-length"


class LimitedBy(StrEnum):
    """Which limit decides how many files a team may still send today."""

    DAILY_LIMIT = "daily_limit"
    TOTAL_LIMIT = "total_limit"
    LEAK_LIMIT = "leak_limit"
    """The bits that public scores have revealed to the team, or might once all files are judged."""
    REJECTED_PER_HOUR = "rejected_per_hour"
    CONCURRENT_UPLOADS = "concurrent_uploads"
    UPLOADS_PER_USER = "uploads_per_user"
    ACCEPT_UPLOADS = "accept_uploads"
    """The organizers take no uploads for the moment."""
    PHASE = "phase"


@dataclass(frozen=True, slots=True)
class Allowance:
    """The files that a team may still send today. `resets_at` is the start of the next UTC day; for
    a team that waits because of rejected files, when it may send the next one."""

    submissions_left_today: int
    resets_at: datetime
    limited_by: LimitedBy
    leak: LeakBudget | None = None


@dataclass(frozen=True, slots=True)
class LeakBudget:
    """The bits of the public split that scores may reveal to a team, where there is a limit, that
    they have revealed, and that its files without a verdict might reveal."""

    limit: int
    told: int
    undecided: int = 0

    @property
    def is_used_up(self) -> bool:
        """True if no further file is taken before the close, or before those verdicts."""
        return self.told + self.undecided >= self.limit

    @property
    def refusal(self) -> str:
        """The reason for a further file not being taken."""
        if self.told >= self.limit:
            return (
                f"The public scores of your team's files have told it {self.told:,} bits of the"
                f" public split, and the limit of this competition is {self.limit:,}."
            )
        return (
            f"Your files that are not judged yet may tell your team {self.undecided:,} bits of the"
            f" public split, and {self.limit - self.told:,} are left. Wait for their verdicts."
        )


def mismatching_offset(*, expected: int, provided: int) -> dict[str, Any]:
    """The members by which any client of the IETF's draft understands a wrong offset."""
    return {
        "type": f"{PROBLEM_TYPES}mismatching-upload-offset",
        "expected-offset": expected,
        "provided-offset": provided,
    }


def day_of(moment: datetime) -> date:
    """The UTC day to which a moment belongs."""
    return moment.astimezone(UTC).date()


def next_day(moment: datetime) -> datetime:
    """The first moment of the following UTC day."""
    return datetime.combine(day_of(moment) + timedelta(days=1), time(), UTC)


def seconds_until(then: datetime, now: datetime) -> int:
    """Whole seconds to wait, rounded up, at least 1."""
    return max(1, math.ceil((then - now).total_seconds()))


def free_number(taken: Collection[int], limit: int | None) -> int | None:
    """The lowest slot number that is not taken; None when `limit` of them are.

    The count decides, not the number: after a limit was lowered, higher numbers may be in use.
    """
    numbers = set(taken)
    if limit is not None and len(numbers) >= limit:
        return None
    return next(number for number in range(1, len(numbers) + 2) if number not in numbers)


def allowance(
    *,
    daily_limit: int,
    total_limit: int | None,
    used_today: int,
    used_in_all: int,
    may_submit: bool,
    accepts_uploads: bool = True,
    waits_until: datetime | None,
    leak: LeakBudget | None = None,
    now: datetime,
) -> Allowance:
    """The smallest of all limits, and its name; the daily limit where two are equal.
    `waits_until` is given where too many files were rejected: until then nothing is taken."""
    left, limited_by = max(0, daily_limit - used_today), LimitedBy.DAILY_LIMIT
    if total_limit is not None and total_limit - used_in_all < left:
        left, limited_by = max(0, total_limit - used_in_all), LimitedBy.TOTAL_LIMIT
    if leak is not None and leak.is_used_up:
        left, limited_by = 0, LimitedBy.LEAK_LIMIT
    if waits_until is not None and left > 0:
        left, limited_by = 0, LimitedBy.REJECTED_PER_HOUR
    if not accepts_uploads:
        left, limited_by = 0, LimitedBy.ACCEPT_UPLOADS
    if not may_submit:
        left, limited_by = 0, LimitedBy.PHASE
    if waits_until is not None and limited_by is LimitedBy.REJECTED_PER_HOUR:
        return Allowance(left, waits_until, limited_by, leak)
    return Allowance(left, next_day(now), limited_by, leak)


def clock_of(moment: datetime) -> str:
    """The time of the day in UTC, with its seconds rounded up, such as “12:41:08 UTC”."""
    whole = moment.astimezone(UTC) + timedelta(microseconds=-moment.microsecond % 1_000_000)
    return f"{whole:%H:%M:%S} UTC"


def rejections_lapse_at(rejected: Sequence[datetime], limit: int) -> datetime | None:
    """The time at which a team with files rejected at these times, oldest first, may send the
    next one, in whole seconds, rounded up; None where they are fewer than `limit`."""
    if len(rejected) < limit:
        return None
    lapse_at = rejected[-limit] + REJECTIONS_WINDOW
    return lapse_at + timedelta(microseconds=-lapse_at.microsecond % 1_000_000)


MAX_FILENAME_CHARACTERS = 255

_LINE_BREAKING = frozenset({"Cc", "Cs", "Zl", "Zp"})

_INVISIBLE = _LINE_BREAKING | {"Cf", "Cn", "Co"}


def checked_note(text: str | None) -> str:
    """A note: at most 500 characters, no control characters or line ends; trimmed.

    Raises `InvalidInput` (`bad-note`).
    """
    note = (text or "").strip()
    if len(note) > MAX_NOTE_CHARACTERS:
        raise InvalidInput(
            f"A note may have at most {MAX_NOTE_CHARACTERS} characters.", code=ErrorCode.BAD_NOTE
        )
    if any(unicodedata.category(character) in _LINE_BREAKING for character in note):
        raise InvalidInput(
            "A note may hold no control characters or line ends.", code=ErrorCode.BAD_NOTE
        )
    return note


def base_name(text: str | None) -> str:
    """The last part of a path, without what cannot be seen; a plain default without a name.

    Raises `InvalidInput` (`bad-filename`) above 255 characters. The name is only ever shown: files
    are stored under their hash.
    """
    last = (text or "").replace("\\", "/").rpartition("/")[2]
    shown = "".join(c for c in last if unicodedata.category(c) not in _INVISIBLE).strip()
    if len(shown) > MAX_FILENAME_CHARACTERS:
        raise InvalidInput(
            f"A file name may have at most {MAX_FILENAME_CHARACTERS} characters.",
            code=ErrorCode.BAD_FILENAME,
        )
    return shown or NAMELESS_FILE


def name_in(tus_metadata: str | None) -> str | None:
    """The `filename` of `Upload-Metadata`; None without one, or where it is not text.

    >>> name_in("is_large,filename c3ViLmNzdg==")
    'sub.csv'
    """
    for pair in (tus_metadata or "").split(","):
        name, _, value = pair.strip().partition(" ")
        if name == "filename":
            with suppress(ValueError):
                return base64.b64decode(value, validate=True).decode()
    return None


SIGNATURE = "signature"

KEY_ID_CHARACTERS = 16


def canonical(document: Mapping[str, Any]) -> bytes:
    """The one spelling of a document. Raises `ValueError` for what has more than one: floats, and
    names that are not ASCII.

    >>> canonical({"b": [1, None], "a": "é"}).decode()
    '{"a":"é","b":[1,null]}'
    """
    _refuse_ambiguous(document)
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def signed_part(document: Mapping[str, Any]) -> bytes:
    """The bytes that a receipt's signature covers."""
    return canonical({name: value for name, value in document.items() if name != SIGNATURE})


def key_id_of(public_key: bytes) -> str:
    """The short name of a public key: the beginning of its SHA-256."""
    return hashlib.sha256(public_key).hexdigest()[:KEY_ID_CHARACTERS]


def salt_of(secret: str, version: int) -> str:
    """The salt of a version's commitment (hex), from a competition's secret, which it keeps.
    Telling it after the reveal opens the commitment of this version alone."""
    message = f"podium commitment to ground truth {version}".encode()
    return hmac.new(bytes.fromhex(secret), message, hashlib.sha256).hexdigest()


def commitment_of(salt: str, truth_sha256: str) -> str:
    """The commitment to a hidden ground truth: fixes it, and says nothing about it without the
    salt. The hash is that of the canonical ground truth."""
    return hmac.new(bytes.fromhex(salt), truth_sha256.encode(), hashlib.sha256).hexdigest()


def _refuse_ambiguous(value: object) -> None:
    if isinstance(value, float):
        raise ValueError("a receipt holds no floats: numbers with a point are text")
    if isinstance(value, Mapping):
        for name, member in value.items():
            if not isinstance(name, str) or not name.isascii():
                raise ValueError(f"the name {name!r} is not ASCII text")
            _refuse_ambiguous(member)
    elif isinstance(value, list | tuple):
        for member in value:
            _refuse_ambiguous(member)
