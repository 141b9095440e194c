"""Resumable uploads on both databases: who may append, and what is removed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from podium.core.access import Actor
from podium.core.database.engine import Database
from podium.core.models import Upload, UploadPiece
from podium.errors import QuotaExhausted, WrongState
from podium.storage import Area
from podium.storage.local import LocalStorage
from podium.submissions.service import uploads
from podium.submissions.service.retention import remove_ended
from podium.submissions.service.uploads import UploadLimits
from tests.builders.rows import add_competition, add_team

LIMITS = UploadLimits(unfinished=3, keep_seconds=3600.0, lease_seconds=60.0)


@pytest.fixture
def ada(database: Database) -> Actor:
    """A member of a team of a competition whose files have at most 1,000 bytes."""
    with database.write() as session:
        competition = add_competition(session, settings={"max_upload_bytes": 1000})
        return add_team(session, competition, "Team Ada")[1]


def started(database: Database, actor: Actor, length: int = 100) -> str:
    with database.write() as session:
        return uploads.start(session, actor=actor, length=length, limits=LIMITS).id


def try_to_hold(database: Database, actor: Actor, upload_id: str) -> bool:
    try:
        with database.write() as session:
            uploads.lease(
                session, upload_id=upload_id, actor=actor, offset=0, length=None, limits=LIMITS
            )
    except WrongState as refusal:
        if refusal.code == "upload-busy":
            return False
        raise
    return True


def test_of_many_that_want_to_append_at_once_one_gets_the_hold(
    database: Database, ada: Actor
) -> None:
    upload_id, ready = started(database, ada), Barrier(8)

    def race(_: int) -> bool:
        ready.wait()
        return try_to_hold(database, ada, upload_id)

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(race, range(8))) == [False] * 7 + [True]


def test_of_many_that_start_at_once_three_succeed(database: Database, ada: Actor) -> None:
    ready = Barrier(6)

    def race(_: int) -> bool:
        ready.wait()
        try:
            with database.write() as session:
                upload = uploads.start(session, actor=ada, length=100, limits=LIMITS)
                upload.received = 1
        except QuotaExhausted:
            return False
        return True

    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(race, range(6))) == [False] * 3 + [True] * 3


def test_a_lost_hold_appends_nothing(database: Database, ada: Actor) -> None:
    upload_id = started(database, ada)
    with database.write() as session:
        lost = uploads.lease(
            session, upload_id=upload_id, actor=ada, offset=0, length=None, limits=LIMITS
        )
        session.get_one(Upload, upload_id).held_until = None
    assert try_to_hold(database, ada, upload_id)
    with pytest.raises(WrongState) as refusal, database.write() as session:
        uploads.append(session, lease=lost, start=0, size=9, sha256="a" * 64, limits=LIMITS)
    assert refusal.value.code == "upload-taken-over"
    with database.read() as session:
        assert session.get_one(Upload, upload_id).received == 0
        assert session.query(UploadPiece).count() == 0


def test_an_expired_upload_goes_with_its_pieces_and_a_held_one_stays(
    database: Database, ada: Actor, tmp_path: Path
) -> None:
    storage = LocalStorage(tmp_path / "storage", min_free_bytes=0)
    ids = [started(database, ada) for _ in range(2)]
    hashes = []
    for upload_id in ids:
        writer = storage.writer(Area.UPLOADS)
        writer.write(upload_id.encode())
        hashes.append(writer.finish().sha256)
        with database.write() as session:
            lease = uploads.lease(
                session, upload_id=upload_id, actor=ada, offset=0, length=None, limits=LIMITS
            )
            uploads.append(session, lease=lease, start=0, size=20, sha256=hashes[-1], limits=LIMITS)
    with database.write() as session:
        for upload_id in ids:
            row = session.get_one(Upload, upload_id)
            row.expires_at = row.created_at
        session.get_one(Upload, ids[0]).held_until = None
    assert remove_ended(database, storage) == 1
    assert [storage.size(Area.UPLOADS, sha256) for sha256 in hashes] == [None, 36]
    with database.read() as session:
        assert [row.id for row in session.query(Upload)] == [ids[1]]
        assert [row.upload_id for row in session.query(UploadPiece)] == [ids[1]]
