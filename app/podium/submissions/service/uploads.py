"""Resumable uploads: starting one, appending to it under a hold, giving it up.

What a submission is made of is in `composing`, what is removed and when in `retention`. No bytes
here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from podium.core import audit, locks
from podium.core.access import Actor
from podium.core.configuration import settings_of
from podium.core.database.engine import WriteSession, database_now
from podium.core.database.types import new_id
from podium.core.leases import is_held
from podium.core.models import Upload, UploadPiece
from podium.errors import (
    BadRequest,
    NotAllowed,
    NotFound,
    QuotaExhausted,
    WrongState,
    refuse_large_file,
)
from podium.errors.codes import ErrorCode
from podium.storage import Area
from podium.submissions.queries import uploads as upload_queries
from podium.submissions.rules import INCONSISTENT_LENGTH, mismatching_offset

UNKNOWN = "There is no upload with this id, or it has expired."

BUSY_RETRY_SECONDS = 1
"""Seconds after which a user whose other request still appends may try again."""

FULL_RETRY_SECONDS = 3600

ORGANIZERS_BYTES = 64 << 30
"""The largest file of an organizer, as large as one of participants' data may be. What a file is
for is known only once it is there, and the route that takes it has the limit of its kind."""

TOTAL_FACTOR = 2
"""All unfinished uploads of a person together, in files of the largest size."""


MAX_PIECES = 10_000
"""The most pieces of one upload: each is a file and a row, however few bytes it holds. A connection
that is cut a hundred times an hour may go on for four days."""


@dataclass(frozen=True, slots=True)
class UploadLimits:
    """The installation's limits of resumable uploads: unfinished ones of a person, and two times in
    seconds: how long one is kept without a byte, how long a request leases one without a
    heartbeat."""

    unfinished: int
    keep_seconds: float
    lease_seconds: float


@dataclass(frozen=True, slots=True)
class UploadLease:
    """The right of one request to change an upload. Sizes are in bytes."""

    upload_id: str
    area: Area
    holder: str
    received: int
    length: int | None
    max_bytes: int
    tus_metadata: str | None

    def refuse_beyond_room(self, size: int) -> None:
        """Raises `BadRequest` (`upload-too-long`) or `TooLarge` where these bytes are too many."""
        end = self.received + size
        if self.length is None:
            refuse_large_file(end, max_bytes=self.max_bytes)
        elif end > self.length:
            raise BadRequest(
                f"The file was announced with {self.length} bytes, and more came.",
                code=ErrorCode.UPLOAD_TOO_LONG,
            )


def start(
    session: WriteSession,
    *,
    actor: Actor,
    length: int | None,
    limits: UploadLimits,
    tus_metadata: str | None = None,
) -> Upload:
    """Makes an empty upload of `length` bytes, where that is known.

    Beyond the limit an upload that is empty still makes room for the new one. Raises `NotAllowed`
    (`not-joined`), `TooLarge` and `QuotaExhausted` (`too-many-uploads`).
    """
    locks.lock_person(session, user_id=actor.user_id)
    max_bytes = most_bytes(session, actor=actor)
    if max_bytes is None:
        raise NotAllowed("Enter a competition with a team first.", code=ErrorCode.NOT_JOINED)
    refuse_large_file(length or 0, max_bytes=max_bytes)
    now = database_now(session)
    wanted = max_bytes if length is None else length
    _make_room(session, actor, limits.unfinished, TOTAL_FACTOR * max_bytes - wanted, now)
    upload = Upload(
        user_id=actor.user_id,
        length=length,
        max_bytes=max_bytes,
        is_secret=_is_organizer(session, actor),
        tus_metadata=tus_metadata,
        created_at=now,
        expires_at=now + timedelta(seconds=limits.keep_seconds),
    )
    session.add(upload)
    session.flush()
    audit.record(session, actor, "upload.start", object_id=upload.id, bytes=length)
    return upload


def most_bytes(session: Session, *, actor: Actor) -> int | None:
    """The largest file that the actor may upload, in bytes; None where there is nothing to upload
    to."""
    if _is_organizer(session, actor):
        return ORGANIZERS_BYTES
    found = upload_queries.competitions_of_teams(session, user_id=actor.user_id)
    if not found:
        return None
    return max(settings_of(competition).max_upload_bytes for competition in found)


def find(session: Session, *, upload_id: str, actor: Actor) -> Upload:
    """One of the actor's own uploads. Raises `NotFound` for all others, and for expired ones."""
    upload = upload_queries.find(
        session, upload_id=upload_id, user_id=actor.user_id, now=database_now(session)
    )
    if upload is None:
        raise NotFound(UNKNOWN)
    return upload


def own_unfinished(session: Session, *, actor: Actor) -> Sequence[Upload]:
    """The actor's uploads that no file was made of yet, oldest first."""
    return upload_queries.unfinished(session, user_id=actor.user_id, now=database_now(session))


def area_of(upload: Upload) -> Area:
    """The area that holds the pieces of an upload."""
    return Area.SECRET_UPLOADS if upload.is_secret else Area.UPLOADS


def is_complete(upload: Upload) -> bool:
    """True if all of the file is here."""
    return upload.length is not None and upload.received == upload.length


def is_busy(session: Session, *, upload: Upload) -> bool:
    """True if a request is at work on it, so that what it has may change at any moment."""
    return is_held(upload.held_until, now=database_now(session))


def lease(
    session: WriteSession,
    *,
    upload_id: str,
    actor: Actor,
    offset: int,
    length: int | None,
    limits: UploadLimits,
    body_bytes: int | None = None,
) -> UploadLease:
    """Takes the right to append `body_bytes` from `offset` on, where their number is known;
    `length` may say how long the file is at last.

    Raises `NotFound`, `WrongState` (`upload-busy`, `upload-complete`, `too-many-pieces`,
    `upload-offset-mismatch` with the `expected_offset`), what a wrong length raises, and
    `BadRequest` (`upload-too-long`) or `TooLarge` where there is no room for the bytes.
    """
    upload, now = taken(session, upload_id=upload_id, actor=actor), database_now(session)
    if offset != upload.received:
        raise WrongState(
            f"The upload has {upload.received} bytes; go on from there.",
            code=ErrorCode.UPLOAD_OFFSET_MISMATCH,
            expected_offset=upload.received,
            **mismatching_offset(expected=upload.received, provided=offset),
        )
    if is_complete(upload):
        raise WrongState(
            "All of the file is here already. Make a submission or a file of it, by its"
            " `upload_id`.",
            code=ErrorCode.UPLOAD_COMPLETE,
        )
    if upload_queries.piece_count(session, upload_id=upload.id) >= MAX_PIECES:
        raise WrongState(
            f"The file came in more than {MAX_PIECES} pieces. Remove this upload, and send the"
            " file in larger ones.",
            code=ErrorCode.TOO_MANY_PIECES,
        )
    if length is not None:
        _set_length(upload, length)
    begun = begin_lease(session, upload=upload, now=now, limits=limits)
    begun.refuse_beyond_room(body_bytes or 0)
    return begun


def taken(session: WriteSession, *, upload_id: str, actor: Actor) -> Upload:
    """An upload of the actor's own, locked, without a lease and not yet a submission."""
    upload, _ = _locked(session, upload_id=upload_id, actor=actor)
    if upload.submission_id is not None or upload.file_sha256 is not None:
        became = f"submission {upload.submission_id}" if upload.submission_id else "a file"
        raise WrongState(
            f"This upload has become {became} already. Look at that, or start a new upload.",
            code=ErrorCode.UPLOAD_USED,
        )
    if is_busy(session, upload=upload):
        raise WrongState(
            "Another request is at work on this upload.",
            code=ErrorCode.UPLOAD_BUSY,
            retry_after=BUSY_RETRY_SECONDS,
        )
    return upload


def begin_lease(
    session: WriteSession, *, upload: Upload, now: datetime, limits: UploadLimits
) -> UploadLease:
    """Leases the upload to a new holder, even if another one held it before."""
    upload.holder = new_id()
    upload.held_until = now + timedelta(seconds=limits.lease_seconds)
    upload.expires_at = now + timedelta(seconds=limits.keep_seconds)
    session.flush()
    return UploadLease(
        upload.id,
        area_of(upload),
        upload.holder,
        upload.received,
        upload.length,
        upload.max_bytes,
        upload.tus_metadata,
    )


def renew(session: WriteSession, *, lease: UploadLease, limits: UploadLimits) -> None:
    """Says that the holder is alive; a lease that was lost stays lost."""
    upload = upload_queries.held(session, upload_id=lease.upload_id, holder=lease.holder)
    if upload is not None:
        upload.held_until = database_now(session) + timedelta(seconds=limits.lease_seconds)


def append(
    session: WriteSession,
    *,
    lease: UploadLease,
    start: int,
    size: int,
    sha256: str,
    limits: UploadLimits,
) -> None:
    """Adds a stored piece at the end. Raises `WrongState` (`upload-taken-over`) without the lease:
    no row names the piece then."""
    upload = still_held(session, lease=lease)
    if upload.received != start:
        raise WrongState(
            "Another request has appended meanwhile.", code=ErrorCode.UPLOAD_TAKEN_OVER
        )
    session.add(UploadPiece(upload_id=upload.id, start=start, bytes=size, sha256=sha256))
    now = database_now(session)
    upload.received += size
    upload.held_until = now + timedelta(seconds=limits.lease_seconds)
    upload.expires_at = now + timedelta(seconds=limits.keep_seconds)


def let_go(session: WriteSession, *, lease: UploadLease, is_last: bool = False) -> None:
    """Ends a hold, harmless when it was lost; `is_last` says that the file ends here."""
    upload = upload_queries.held(session, upload_id=lease.upload_id, holder=lease.holder)
    if upload is None:
        return
    upload.holder = upload.held_until = None
    if is_last and upload.length is None:
        upload.length = upload.received


def take_back(session: WriteSession, *, lease: UploadLease, to: int) -> list[str]:
    """Forgets what came after the first `to` bytes; answers the hashes of the pieces, which are to
    be removed.

    For bytes that turned out not to be those that were promised.
    """
    upload = still_held(session, lease=lease)
    found = upload_queries.pieces_from(session, upload_id=upload.id, start=to)
    hashes = [piece.sha256 for piece in found]
    upload_queries.delete_pieces(session, upload_id=upload.id, hashes=hashes)
    upload.received = to
    return hashes


def discard(session: WriteSession, *, upload_id: str, actor: Actor) -> None:
    """Ends an upload at once, leased or not; its pieces are removed afterwards.

    Raises `NotFound`.
    """
    upload, now = _locked(session, upload_id=upload_id, actor=actor)
    upload.expires_at, upload.holder, upload.held_until = now, None, None
    audit.record(session, actor, "upload.discard", object_id=upload.id)


def still_held(session: Session, *, lease: UploadLease, for_update: bool = True) -> Upload:
    """The upload, locked where it is to be changed. Raises `WrongState` (`upload-taken-over`) where
    the lease was lost."""
    upload = upload_queries.held(
        session, upload_id=lease.upload_id, holder=lease.holder, for_update=for_update
    )
    if upload is None:
        raise WrongState(
            "The upload was given up, or another request has taken it over.",
            code=ErrorCode.UPLOAD_TAKEN_OVER,
        )
    return upload


def _locked(session: WriteSession, *, upload_id: str, actor: Actor) -> tuple[Upload, datetime]:
    """An upload of the actor's own, locked, and the time since then: by an earlier one it might
    still live that was ended before the lock. Raises `NotFound`."""
    upload = upload_queries.locked(session, upload_id=upload_id, user_id=actor.user_id)
    now = database_now(session)
    if upload is None or upload.expires_at <= now:
        raise NotFound(UNKNOWN)
    return upload, now


def _set_length(upload: Upload, length: int) -> None:
    if upload.length not in (None, length) or length < upload.received:
        raise BadRequest(
            f"The length of this upload is {upload.length or f'at least {upload.received}'}.",
            code=ErrorCode.BAD_UPLOAD_LENGTH,
            type=INCONSISTENT_LENGTH,
        )
    refuse_large_file(length, max_bytes=upload.max_bytes)
    upload.length = length


def _make_room(
    session: WriteSession, actor: Actor, most: int, most_bytes: int, now: datetime
) -> None:
    """Ends empty uploads of the actor's until there are fewer than `most`, which have `most_bytes`
    together. Raises `QuotaExhausted` where those with bytes are too many already."""
    # Locked: a request that begins to append to an empty one must not lose what it acknowledges.
    earlier = list(
        upload_queries.unfinished(session, user_id=actor.user_id, now=now, for_update=True)
    )
    while refusal := _no_room(earlier, most, most_bytes):
        empty = _first_empty(earlier, now)
        if empty is None:
            raise QuotaExhausted(
                f"{refusal} Go on with one of them, or remove one: GET and DELETE /api/v1/uploads.",
                code=ErrorCode.TOO_MANY_UPLOADS,
                retry_after=FULL_RETRY_SECONDS,
            )
        empty.expires_at = now
        earlier.remove(empty)


def _no_room(earlier: Sequence[Upload], most: int, most_bytes: int) -> str | None:
    """The limit that these unfinished uploads leave no room in; None where they do."""
    if len(earlier) >= most:
        return f"You have {len(earlier)} unfinished uploads, as many as you may have."
    if upload_queries.bytes_of_unfinished(earlier) > most_bytes:
        return (
            "Together with this one, your unfinished uploads would have more bytes than"
            f" {TOTAL_FACTOR} of the largest files; one without a length counts as such a file."
        )
    return None


def _is_organizer(session: Session, actor: Actor) -> bool:
    return actor.may_create_competitions or upload_queries.organizes(session, user_id=actor.user_id)


def _first_empty(uploads: Sequence[Upload], now: datetime) -> Upload | None:
    return next(
        (one for one in uploads if one.received == 0 and not is_held(one.held_until, now=now)),
        None,
    )
