"""Keys by which a client names one submission, so that sending it again is harmless.

A key belongs to one person and one competition. While its first request runs it lives and dies
with that upload's quota slot; once there is a submission it stands for it forever.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from podium.core.database.engine import WriteSession, database_now
from podium.core.leases import is_held
from podium.core.models import IdempotencyKey, Submission
from podium.errors import BadRequest, InvalidInput, WrongState
from podium.errors.codes import ErrorCode
from podium.submissions.queries import quota

_VISIBLE_ASCII = re.compile(r"[\x21-\x7e]{1,255}")

RUNNING_RETRY_SECONDS = 2
"""Seconds after which a client may ask again what became of its first request."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """The submission that a key already stands for, and the SHA-256 (hex) of its bytes."""

    submission_id: str
    sha256: str


def checked_key(header: str | None) -> str | None:
    """The key as it is compared; None without a header.

    1 to 255 visible ASCII characters, with or without the quotes of the header's draft standard.
    Raises `BadRequest` (`bad-idempotency-key`).
    """
    if header is None:
        return None
    key = header.strip()
    if len(key) >= 2 and key[0] == key[-1] == '"':
        key = key[1:-1]
    if not _VISIBLE_ASCII.fullmatch(key):
        raise BadRequest(
            "Idempotency-Key must have 1 to 255 visible ASCII characters.",
            code=ErrorCode.BAD_IDEMPOTENCY_KEY,
        )
    return key


def find_earlier(
    session: WriteSession, *, user_id: str, competition_id: str, key: str
) -> Earlier | None:
    """The earlier request with this key; None when the key is free, also after its upload died.

    The caller holds the person's lock, so that the upload of a free key is not accepted any more.
    Raises `WrongState` (`idempotency-running`) while the first request is under way.
    """
    found = quota.key_with_lapse(session, user_id=user_id, competition_id=competition_id, key=key)
    if found is None:
        return None
    row, lapses_at = found
    if row.submission_id is not None and row.sha256 is not None:
        return Earlier(row.submission_id, row.sha256)
    if is_held(lapses_at, now=database_now(session)):
        raise WrongState(
            "The first request with this Idempotency-Key is still under way.",
            code=ErrorCode.IDEMPOTENCY_RUNNING,
            retry_after=RUNNING_RETRY_SECONDS,
        )
    return None


def claim(
    session: WriteSession, *, user_id: str, competition_id: str, key: str, slot_id: str
) -> None:
    """Ties a free key to an upload that starts now. The slot of a dead one was released before: all
    that end an upload take its slot first, and then its key."""
    quota.delete_dead_key(session, user_id=user_id, competition_id=competition_id, key=key)
    session.add(
        IdempotencyKey(
            user_id=user_id,
            competition_id=competition_id,
            key=key,
            slot_id=slot_id,
            created_at=database_now(session),
        )
    )
    session.flush()


def settle(session: WriteSession, *, key: str, submission: Submission) -> None:
    """Ties the key to the submission that came out of its upload."""
    row = session.get_one(IdempotencyKey, (submission.user_id, submission.competition_id, key))
    row.submission_id = submission.id
    row.sha256 = submission.sha256


def refuse_other_bytes(earlier: Earlier, *, sha256: str) -> None:
    """Raises `InvalidInput` (`idempotency-mismatch`) unless the bytes are those of the first
    request."""
    if earlier.sha256 != sha256:
        raise InvalidInput(
            "This Idempotency-Key was used before, with other bytes. Take a new key for a new"
            " file.",
            code=ErrorCode.IDEMPOTENCY_MISMATCH,
        )
