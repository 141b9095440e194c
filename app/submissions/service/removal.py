"""Removes the remains of uploads: the files first, then the rows that name them, so that a crash in
between leaves nothing that cannot be found."""

from __future__ import annotations

from podium.core.database.engine import Database, database_now
from podium.storage import Area, Storage
from podium.submissions.queries import uploads

ENDED_AT_A_TIME = 100


def remove_ended(database: Database, storage: Storage) -> int:
    """Removes expired uploads, and pieces of those that became submissions; answers how many
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
    for sha256 in hashes:
        storage.delete(Area.UPLOADS, sha256)
    with database.write() as session:
        uploads.delete_pieces(session, upload_id=upload_id, hashes=hashes)
        uploads.delete_expired(session, upload_id=upload_id, now=database_now(session))
