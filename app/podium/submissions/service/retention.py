"""Retention: removes old seasons' files that are on no board, and files that no row names.

A file is removed in two steps. It is set aside first, from where reading it brings it back, and
goes for good a day later, unless a row names it by then. So an upload that stores the very bytes
that are just being removed, and writes the row a moment later, loses nothing.

Of the remains of uploads the files go first, then the rows that name them, so that a crash in
between leaves nothing that cannot be found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta

from podium.core import audit
from podium.core.database.engine import Database, WriteSession, database_now
from podium.core.database.reading import batches
from podium.core.models import Submission
from podium.errors import Gone
from podium.errors.codes import ErrorCode
from podium.logs import get_logger
from podium.storage import Area, Storage
from podium.submissions.queries import retention, uploads

UNNAMED_SECONDS = 3600.0
"""A file's row is written right after it; an hour later no request is about to do so."""

ASIDE_SECONDS = 86400.0
"""Seconds that a file stays within reach after it was set aside."""

AT_ONCE = 500
"""Hashes that one query asks for."""

_log = get_logger("submissions")


@dataclass(frozen=True, slots=True)
class Tidied:
    """The numbers of files that were set aside, put back because a row names them, and removed for
    good."""

    set_aside: int
    put_back: int
    removed: int


def require_file(submission: Submission) -> None:
    """Raises `Gone` (`file-removed`) for a submission of which only the row is kept."""
    if submission.file_removed_at is not None:
        raise Gone(
            "This file was removed: the season is long over, and the submission is on no board."
            " Its scores stay.",
            code=ErrorCode.FILE_REMOVED,
            removed_at=submission.file_removed_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        )


def drop_old_files(session: WriteSession, *, keep_days: int) -> int:
    """Gives up the files of seasons that were revealed so many days ago, but for those that stand
    on a board or were selected. Answers how many; the rows stay."""
    now = database_now(session)
    dropped = 0
    for competition_id in retention.of_old_seasons(
        session, revealed_before=now - timedelta(days=keep_days)
    ):
        files = retention.drop_files(session, competition_id=competition_id, now=now)
        audit.record(
            session,
            None,
            "submission-files.remove",
            competition_id=competition_id,
            files=files,
            kept_days=keep_days,
        )
        dropped += files
    return dropped


def tidy(
    database: Database,
    storage: Storage,
    *,
    unnamed_seconds: float = UNNAMED_SECONDS,
    aside_seconds: float = ASIDE_SECONDS,
) -> Tidied:
    """Removes what no row names, in two steps. One process is enough; two lose nothing."""
    set_aside = put_back = removed = 0
    for area in Area:
        for sha256, is_named in _looked_up(
            database, storage.aside(area, older_than_seconds=aside_seconds)
        ):
            if is_named:
                put_back += storage.put_back(area, sha256)
            else:
                removed += 1
            storage.forget(area, sha256, older_than_seconds=aside_seconds)
        for sha256, is_named in _looked_up(
            database, storage.stored(area, older_than_seconds=unnamed_seconds)
        ):
            if not is_named:
                # Not if it was written again meanwhile: its row may be next.
                set_aside += storage.set_aside(area, sha256, older_than_seconds=unnamed_seconds)
    if set_aside or put_back or removed:
        _log.info("files.tidied", set_aside=set_aside, put_back=put_back, removed=removed)
    return Tidied(set_aside, put_back, removed)


def remove_unnamed(database: Database, storage: Storage, *, area: Area, sha256: str) -> None:
    """Removes a file that was only passing through, unless a row names the same bytes."""
    with database.read() as session:
        is_named = bool(retention.named(session, hashes=[sha256]))
    if not is_named:
        storage.delete(area, sha256)


def _looked_up(database: Database, hashes: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Each hash with whether a row names it, as of shortly before."""
    for batch in batches(hashes, AT_ONCE):
        with database.read() as session:
            named = retention.named(session, hashes=batch)
        yield from ((sha256, sha256 in named) for sha256 in batch)


ENDED_AT_A_TIME = 100


def remove_ended(database: Database, storage: Storage) -> int:
    """Removes expired uploads, and pieces of those that became a file; answers how many
    uploads were looked at."""
    with database.read() as session:
        ended = uploads.ended(session, now=database_now(session), limit=ENDED_AT_A_TIME)
    for upload_id in ended:
        remove_pieces(database, storage, upload_id=upload_id)
    return len(ended)


def remove_pieces(database: Database, storage: Storage, *, upload_id: str) -> None:
    """Removes the pieces of an upload that has ended, and its row once it has expired too."""
    with database.read() as session:
        hashes = [piece.sha256 for piece in uploads.pieces(session, upload_id=upload_id)]
        is_secret = uploads.is_secret(session, upload_id=upload_id)
    for sha256 in hashes:
        storage.delete(Area.SECRET_UPLOADS if is_secret else Area.UPLOADS, sha256)
    with database.write() as session:
        uploads.delete_pieces(session, upload_id=upload_id, hashes=hashes)
        uploads.delete_expired(session, upload_id=upload_id, now=database_now(session))
