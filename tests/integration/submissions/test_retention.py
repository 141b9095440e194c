"""Retention: what is removed of old seasons, and what is not, however the moments fall."""

from __future__ import annotations

import hashlib
import os
import threading
import time
import uuid
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from podium.bootstrap import build
from podium.competitions.service.deletion import delete_competition, remove_deleted
from podium.core.database.engine import Database, database_now
from podium.core.judging_states import State
from podium.core.models import (
    AuditEntry,
    Competition,
    DataFile,
    GroundTruthVersion,
    Judging,
    MetricVersion,
    Rejudging,
    Submission,
    Team,
    Upload,
    UploadPiece,
    Worker,
)
from podium.core.models.base import Base
from podium.errors import Gone
from podium.operations.queries import oldest_worker
from podium.rejudging.queries.rejudgings import to_judge
from podium.settings import Settings
from podium.standings.service import standings
from podium.storage import Area, Storage, Stored
from podium.storage.addresses import open_store
from podium.storage.bucket import BucketStorage
from podium.storage.cache import FileCache
from podium.storage.local import LocalStorage
from podium.submissions.queries.retention import NAMING
from podium.submissions.service import retention
from podium.submissions.service.retention import Tidied, drop_old_files, remove_unnamed, tidy
from podium.worker.service import start
from tests.builders.rows import add_competition, add_scored, add_team, add_user
from tests.builders.servers.s3 import S3Server


@pytest.fixture(params=["folder", pytest.param("bucket", marks=pytest.mark.s3)])
def storage(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Storage:
    if request.param == "folder":
        return LocalStorage(tmp_path / "storage", min_free_bytes=0)
    server: S3Server = request.getfixturevalue("s3")
    for name, value in server.environment.items():
        monkeypatch.setenv(name, value)
    store = open_store(server.address("retention", uuid.uuid4().hex), name="any")
    cache = FileCache(tmp_path / "cache", max_bytes=0, first_to_go=[])
    return BucketStorage(store, store, spool=tmp_path / "spool", cache=cache, min_free_bytes=0)


def _revealed(database: Database, *, days_ago: float) -> tuple[str, dict[str, str]]:
    """A revealed competition, and its submissions by what is the matter with them."""
    with database.write() as session:
        competition = add_competition(session)
        team, _ = add_team(session, competition)
        found = {
            "best": add_scored(session, team, public="0.9", private="0.9"),
            "other": add_scored(session, team, public="0.1", private="0.1", minute=1),
            "selected": add_scored(session, team, public="0.2", private="0.2", minute=2),
            "waiting": add_scored(session, team, public="0.3", private="0.3", minute=3),
        }
        _of(session, found["selected"]).is_selected = True
        waiting = session.get_one(Judging, _of(session, found["waiting"]).judging_id)
        session.flush()
        competition.revealed_at = database_now(session) - timedelta(days=days_ago)
        standings.write_private_board(session, competition=competition)
        waiting.state = State.QUEUED
        return competition.id, found


def _of(session: Session, submission_id: str) -> Submission:
    return session.scalars(select(Submission).where(Submission.id == submission_id)).one()


def _removed(database: Database, found: dict[str, str]) -> set[str]:
    with database.read() as session:
        return {
            name for name, sid in found.items() if _of(session, sid).file_removed_at is not None
        }


def test_only_what_is_on_no_board_not_selected_and_judged_is_given_up(database: Database) -> None:
    competition_id, found = _revealed(database, days_ago=31)
    with database.write() as session:
        assert drop_old_files(session, keep_days=30) == 1
    assert _removed(database, found) == {"other"}
    with database.read() as session:
        entry = session.scalars(
            select(AuditEntry).where(AuditEntry.action == "submission-files.remove")
        ).one()
        assert (entry.competition_id, entry.facts["files"]) == (competition_id, 1)
    with database.write() as session:
        assert drop_old_files(session, keep_days=30) == 0


def test_a_season_that_is_not_old_enough_keeps_everything(database: Database) -> None:
    _, found = _revealed(database, days_ago=29)
    with database.write() as session:
        assert drop_old_files(session, keep_days=30) == 0
    assert _removed(database, found) == set()


def test_nothing_is_given_up_while_a_rejudging_runs(database: Database) -> None:
    competition_id, found = _revealed(database, days_ago=31)
    with database.write() as session:
        session.add(
            Rejudging(
                competition_id=competition_id,
                ground_truth_version=1,
                reason="labels",
                state="running",
                created_at=database_now(session),
                created_by=session.get_one(Competition, competition_id).created_by,
            )
        )
    with database.write() as session:
        assert drop_old_files(session, keep_days=30) == 0
    assert _removed(database, found) == set()


def test_a_submission_without_its_file_is_neither_sent_nor_judged_anew(database: Database) -> None:
    competition_id, found = _revealed(database, days_ago=31)
    with database.write() as session:
        drop_old_files(session, keep_days=30)
    with database.read() as session:
        with pytest.raises(Gone) as refused:
            retention.require_file(_of(session, found["other"]))
        retention.require_file(_of(session, found["selected"]))
        again = to_judge(session, competition_id=competition_id, after=0, limit=10)
    assert refused.value.code == "file-removed"
    assert found["selected"] in {submission_id for _, submission_id in again}
    assert found["other"] not in {submission_id for _, submission_id in again}


def test_a_file_that_no_row_names_goes_in_two_steps(database: Database, storage: Storage) -> None:
    orphan = _stored(storage, b"orphan")
    assert tidy(database, storage) == Tidied(0, 0, 0)
    assert tidy(database, storage, unnamed_seconds=-5) == Tidied(1, 0, 0)
    assert tidy(database, storage, unnamed_seconds=-5) == Tidied(0, 0, 0)
    assert tidy(database, storage, unnamed_seconds=-5, aside_seconds=-5) == Tidied(0, 0, 1)
    assert storage.size(Area.SUBMISSIONS, orphan.sha256) is None


def test_a_file_that_a_row_names_stays_until_the_row_gives_it_up(
    database: Database, storage: Storage
) -> None:
    stored = _stored(storage, b"named")
    submission_id = _submission_of(database, stored)
    assert tidy(database, storage, unnamed_seconds=-5, aside_seconds=-5) == Tidied(0, 0, 0)
    with database.write() as session:
        _of(session, submission_id).file_removed_at = database_now(session)
    assert tidy(database, storage, unnamed_seconds=-5).set_aside == 1


def test_all_files_of_a_deleted_competition_go_and_those_that_another_one_has_stay(
    database: Database, storage: Storage
) -> None:
    with database.write() as session:
        gone, kept = add_competition(session), add_competition(session, "another")
        administrator = add_user(session, is_administrator=True)
    for competition, names in ((gone, "own shared"), (kept, "shared")):
        for name in names.split():
            _in_every_area(database, storage, competition.id, name)
    assert tidy(database, storage, unnamed_seconds=-5, aside_seconds=-5) == Tidied(0, 0, 0)
    with database.write() as session:
        session.get_one(Competition, gone.id).closed_at = database_now(session)
        delete_competition(session, actor=administrator, slug="otto", confirm="otto")
    assert remove_deleted(database, stopping=threading.Event()) == 1
    assert tidy(database, storage, unnamed_seconds=-5) == Tidied(len(Area), 0, 0)
    assert tidy(database, storage, aside_seconds=-5) == Tidied(0, 0, len(Area))
    for area in Area:
        left = {hashlib.sha256(f"shared {area}".encode()).hexdigest()}
        assert set(storage.stored(area, older_than_seconds=-5)) == left


def test_the_parts_of_a_solution_stay_as_long_as_its_version_is_there(
    database: Database, storage: Storage
) -> None:
    part = _stored(storage, b"the public rows", Area.GROUND_TRUTH)
    upload = _stored(storage, b"all rows", Area.GROUND_TRUTH)
    with database.write() as session:
        competition = add_competition(session)
        version = GroundTruthVersion(
            competition_id=competition.id,
            status="stored",
            upload_sha256=upload.sha256,
            upload_bytes=1,
            parts={"public": part.sha256},
            created_at=database_now(session),
            created_by=competition.created_by,
        )
        session.add(version)
        session.flush()
        version_id = version.id
    assert tidy(database, storage, unnamed_seconds=-5).set_aside == 0
    with database.write() as session:
        session.get_one(GroundTruthVersion, version_id).parts = None
    assert tidy(database, storage, unnamed_seconds=-5).set_aside == 1


def test_a_file_is_kept_for_the_second_submission_of_the_same_bytes(
    database: Database, storage: Storage
) -> None:
    stored = _stored(storage, b"twice")
    first = _submission_of(database, stored)
    _submission_of(database, stored, slug="another")
    with database.write() as session:
        _of(session, first).file_removed_at = database_now(session)
    assert tidy(database, storage, unnamed_seconds=-5) == Tidied(0, 0, 0)


def test_a_row_that_is_written_while_its_file_is_being_removed_gets_it_back(
    database: Database, storage: Storage
) -> None:
    stored = _stored(storage, b"late row")
    assert tidy(database, storage, unnamed_seconds=-5).set_aside == 1
    _submission_of(database, stored)
    assert tidy(database, storage, aside_seconds=-5) == Tidied(0, 1, 0)
    assert b"".join(storage.read(Area.SUBMISSIONS, stored.sha256)) == b"late row"


def test_what_only_passed_through_is_removed_unless_a_row_names_it(
    database: Database, storage: Storage
) -> None:
    passing, named = _stored(storage, b"passing"), _stored(storage, b"named")
    _submission_of(database, named)
    for stored in (passing, named):
        remove_unnamed(database, storage, area=Area.SUBMISSIONS, sha256=stored.sha256)
    assert storage.size(Area.SUBMISSIONS, passing.sha256) is None
    assert storage.size(Area.SUBMISSIONS, named.sha256) == 5


def test_a_worker_removes_what_is_old_by_itself(settings: Settings) -> None:
    application = build(settings.model_copy(update={"keep_submission_days": 30}))
    _, found = _revealed(application.database, days_ago=31)
    orphan = _stored(application.storage, b"orphan")
    [path] = (settings.data_dir / "storage").rglob(orphan.sha256)
    two_hours_ago = time.time() - 7200
    os.utime(path, (two_hours_ago, two_hours_ago))
    service = start(application)
    try:
        deadline = time.monotonic() + 60
        while path.exists():
            assert time.monotonic() < deadline
            time.sleep(0.05)
    finally:
        service.stop()
    assert list(application.storage.aside(Area.SUBMISSIONS, older_than_seconds=-5)) == [
        orphan.sha256
    ]
    assert _removed(application.database, found) == {"other"}
    application.close()


def test_every_column_that_names_a_stored_file_is_known() -> None:
    columns = {
        (table.name, column.name)
        for table in Base.metadata.tables.values()
        for column in table.columns
        if column.name.endswith("sha256")
    }
    known = {(column.class_.__tablename__, column.key) for column in NAMING}
    # Hashes of tokens and keys, and the bytes that a key was used for, name no file.
    others = {table for table, _ in columns - known}
    assert known <= columns
    assert others <= {
        "access_tokens",
        "idempotency_keys",
        "mail_links",
        "one_time_links",
        "page_sessions",
        "rules_acceptances",
        "sign_up_requests",
    }, others


def test_the_longest_living_worker_is_one_that_still_shows_signs(database: Database) -> None:
    with database.write() as session:
        now = database_now(session)
        for name, started, heard, stopped in (
            ("silent", 9, 5, None),
            ("left", 8, 0, 0),
            ("old", 7, 0, None),
            ("young", 1, 0, None),
        ):
            session.add(
                Worker(
                    id=name,
                    host="h",
                    process_id=1,
                    version="1",
                    started_at=now - timedelta(minutes=started),
                    heartbeat_at=now - timedelta(minutes=heard),
                    stopped_at=None if stopped is None else now,
                )
            )
    with database.read() as session:
        assert oldest_worker(session, heard_since=now - timedelta(minutes=1)) == "old"
        assert oldest_worker(session, heard_since=now + timedelta(minutes=1)) is None


def _submission_of(database: Database, stored: Stored, slug: str = "otto") -> str:
    with database.write() as session:
        team: Team
        team, _ = add_team(session, add_competition(session, slug))
        submission_id = add_scored(session, team, public="0.5")
        _of(session, submission_id).sha256 = stored.sha256
        return submission_id


def _in_every_area(database: Database, storage: Storage, competition_id: str, name: str) -> None:
    """A submission of this name with its hits, the pieces that it was made of, a data file, a
    ground truth and a metric."""
    found = {area: _stored(storage, f"{name} {area}".encode(), area).sha256 for area in Area}
    with database.write() as session:
        competition = session.get_one(Competition, competition_id)
        team, actor = add_team(session, competition)
        submission = _of(session, add_scored(session, team, public="0.5"))
        submission.sha256 = found[Area.SUBMISSIONS]
        session.get_one(Judging, submission.judging_id).hits_sha256 = found[Area.HITS]
        now = database_now(session)
        session.add(
            DataFile(
                competition_id=competition_id,
                name=name,
                bytes=1,
                sha256=found[Area.FILES],
                created_at=now,
            )
        )
        session.add(
            GroundTruthVersion(
                competition_id=competition_id,
                status="stored",
                upload_sha256=found[Area.GROUND_TRUTH],
                upload_bytes=1,
                created_at=now,
                created_by=actor.user_id,
            )
        )
        session.add(
            MetricVersion(
                competition_id=competition_id,
                status="stored",
                file_name="metric.py",
                sha256=found[Area.METRICS],
                bytes=1,
                created_at=now,
                created_by=actor.user_id,
            )
        )
        for area in (Area.UPLOADS, Area.SECRET_UPLOADS):
            upload = Upload(user_id=actor.user_id, max_bytes=9, created_at=now, expires_at=now)
            upload.submission_id, upload.is_secret = submission.id, area.is_secret
            session.add(upload)
            session.flush()
            session.add(UploadPiece(upload_id=upload.id, start=0, bytes=1, sha256=found[area]))


def _stored(storage: Storage, content: bytes, area: Area = Area.SUBMISSIONS) -> Stored:
    writer = storage.writer(area)
    writer.write(content)
    stored = writer.finish()
    assert stored.sha256 == hashlib.sha256(content).hexdigest()
    return stored
