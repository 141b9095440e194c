"""Rows and files that come back, on SQLite and PostgreSQL, from a folder and from a bucket."""

from __future__ import annotations

import dataclasses
import hashlib
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from podium.application import Application
from podium.archives.service.tables import TABLES
from podium.bootstrap import build
from podium.core.database.engine import database_now
from podium.core.database.snapshots import is_empty, load
from podium.core.judging_states import State
from podium.core.leases import WorkState
from podium.core.models import (
    GroundTruthVersion,
    Job,
    Judging,
    Run,
    Submission,
    Upload,
    UploadPiece,
    Worker,
)
from podium.errors import NotConfigured, NotFound
from podium.operations.service import backups
from podium.operations.service.backup_checks import flaws_of
from podium.operations.service.backups import FILES
from podium.settings import Settings
from podium.storage import Area
from podium.storage.shelf import Shelf, make_shelf
from podium.submissions.queries.retention import NAMING
from tests.builders.rows import add_competition, add_scored, add_team, add_truth
from tests.builders.servers.postgres import take_client_programs
from tests.builders.servers.s3 import S3Server


@pytest.fixture
def empty_database_url(
    request: pytest.FixtureRequest, database_url: str, programs: None, tmp_path: Path
) -> str:
    """An empty database of the same kind as the one that is backed up."""
    if database_url.startswith("sqlite"):
        return f"sqlite:///{tmp_path / 'restored.sqlite3'}"
    return str(request.getfixturevalue("empty_postgres_url"))


@pytest.fixture
def programs(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Puts the programs of the very server first, which came with it in its wheel."""
    if database_url.startswith("sqlite"):
        return
    take_client_programs(database_url, monkeypatch)


def _filled(application: Application, file: bytes = b"mine") -> str:
    """An installation with one submission and everything that belongs to it; answers its id."""
    stored = {}
    for area, content in (
        (Area.SUBMISSIONS, file),
        (Area.FILES, b"published"),
        (Area.GROUND_TRUTH, b"truth"),
        (Area.HITS, b"hits"),
        (Area.UPLOADS, b"a piece"),
    ):
        writer = application.storage.writer(area)
        writer.write(content)
        stored[area] = writer.finish().sha256
    with application.database.write() as session:
        competition = add_competition(session)
        add_truth(session, competition, published_sha256=stored[Area.FILES])
        session.execute(
            sa.text("UPDATE ground_truth_versions SET sha256 = :it, upload_sha256 = :it"),
            {"it": stored[Area.GROUND_TRUTH]},
        )
        part = application.storage.writer(Area.GROUND_TRUTH)
        part.write(b"the public rows")
        session.query(GroundTruthVersion).one().parts = {"public": part.finish().sha256}
        team, actor = add_team(session, competition)
        submission_id = add_scored(session, team, public="1/3")
        submission = session.query(Submission).filter_by(id=submission_id).one()
        submission.sha256 = stored[Area.SUBMISSIONS]
        judging = session.query(Judging).filter_by(submission_id=submission_id).one()
        judging.hits_sha256 = stored[Area.HITS]
        now = database_now(session)
        upload = Upload(
            user_id=actor.user_id, max_bytes=1, created_at=now, expires_at=now + timedelta(days=1)
        )
        session.add(upload)
        session.flush()
        piece = UploadPiece(upload_id=upload.id, start=0, bytes=1, sha256=stored[Area.UPLOADS])
        session.add(piece)
        session.add(
            Worker(id="w", host="h", process_id=1, version="1", started_at=now, heartbeat_at=now)
        )
    return submission_id


def _back_up(application: Application, shelf: Shelf, scratch: Path) -> backups.Made:
    scratch.mkdir()
    return backups.back_up(application.database, application.storage, shelf=shelf, scratch=scratch)


def _restore(url: str, shelf: Shelf, folder: Path) -> Application:
    """A new installation made of the latest backup."""
    application = build(Settings(data_dir=folder, database_url=url, min_free_bytes=0))
    found = backups.find_backup(shelf, name=None)
    folder.mkdir()
    rows = backups.fetch_rows(shelf, found, scratch=folder)
    backups.require_fitting(rows, found, is_sqlite=application.database.is_sqlite)
    backups.restore_files(application.storage, shelf=shelf, backup=found)
    load(rows, database_url=url)
    backups.begin_anew(application.database)
    return application


def test_rows_and_files_come_back(
    application: Application, empty_database_url: str, tmp_path: Path
) -> None:
    submission_id = _filled(application)
    shelf = make_shelf(str(tmp_path / "backups"), name="--to")
    made = _back_up(application, shelf, tmp_path / "scratch")
    assert {area for area, _ in made.backup.files} == {
        "submissions",
        "files",
        "secret/ground-truth",
        "secret/hits",
    }
    assert (made.new_files, made.backup.lacking) == (5, [])
    restored = _restore(empty_database_url, shelf, tmp_path / "restored")
    try:
        with restored.database.read() as session:
            submission = session.query(Submission).one()
            assert submission.id == submission_id
            (score,) = session.execute(sa.text("SELECT score FROM public_scores")).one()
        assert score == "1/3"
        for area, sha256 in made.backup.files:
            with restored.storage.local(Area(area), sha256) as path:
                assert path.stat().st_size > 0
        assert not is_empty(empty_database_url)
    finally:
        restored.close()


def test_a_backup_is_of_one_moment(
    application: Application, empty_database_url: str, tmp_path: Path
) -> None:
    """A file and its row that come while the backup is taken are not in it, or both are."""
    _filled(application)
    shelf = make_shelf(str(tmp_path / "backups"), name="--to")

    class Late(Shelf):
        """A shelf during whose backup an upload ends, after the rows were read and before the files
        are."""

        def names(self, prefix: str) -> set[str]:
            if prefix == "files":
                with application.database.write() as session:
                    team, _ = add_team(session, add_competition(session, "late"))
                    add_scored(session, team, public="1/2")
            return super().names(prefix)

    made = _back_up(application, Late(shelf._store, shelf.place), tmp_path / "scratch")
    assert made.backup.lacking == []
    restored = _restore(empty_database_url, shelf, tmp_path / "restored")
    with restored.database.read() as session:
        assert session.query(Submission).count() == 1
    restored.close()


def test_nothing_is_under_way_after_a_restore(
    application: Application, empty_database_url: str, tmp_path: Path
) -> None:
    _filled(application)
    with application.database.write() as session:
        judging = session.query(Judging).one()
        run = session.get_one(Run, judging.id)
        judging.state, run.state, run.worker_id = State.RUNNING, WorkState.RUNNING, "w"
        run.lease_until = database_now(session) + timedelta(seconds=20)
        session.add(
            Job(
                kind="launch-probes",
                competition_id=judging.competition_id,
                key="ab" * 32,
                arguments={},
                state=WorkState.RUNNING,
                priority=1,
                created_at=database_now(session),
                worker_id="w",
                lease_until=run.lease_until,
                progress=0.5,
            )
        )
    shelf = make_shelf(str(tmp_path / "backups"), name="--to")
    _back_up(application, shelf, tmp_path / "scratch")
    restored = _restore(empty_database_url, shelf, tmp_path / "restored")
    with restored.database.read() as session:
        judging = session.query(Judging).one()
        assert judging.state == "queued"
        run = session.get_one(Run, judging.id)
        assert (run.state, run.worker_id, run.lease_until) == ("queued", None, None)
        assert run.worker_deaths == 0
        job = session.query(Job).one()
        assert (job.state, job.worker_id, job.lease_until) == ("queued", None, None)
        assert job.progress == 0
        assert session.query(UploadPiece).count() == session.query(Upload).count() == 0
        assert session.query(Worker).one().stopped_at is not None
    restored.close()


def test_a_whole_backup_has_no_flaw(
    application: Application, programs: None, tmp_path: Path
) -> None:
    _filled(application)
    with application.database.write() as session:
        # A submission of which only the row is kept.
        team, _ = add_team(session, add_competition(session, "old"))
        add_scored(session, team, public="1/2")
        session.query(Submission).filter_by(team_id=team.id).update(
            {"file_removed_at": database_now(session)}
        )
    shelf = make_shelf(str(tmp_path / "backups"), name="--to")
    made = _back_up(application, shelf, tmp_path / "scratch")
    assert (len(made.backup.files), made.backup.lacking) == (5, [])
    assert flaws_of(shelf, made.backup, scratch=tmp_path) == []


def test_a_file_that_the_rows_name_and_the_backup_has_not_is_a_flaw(
    application: Application, programs: None, tmp_path: Path
) -> None:
    _filled(application)
    shelf = make_shelf(str(tmp_path / "backups"), name="--to")
    made = _back_up(application, shelf, tmp_path / "scratch").backup
    for area, sha256 in made.files:
        others = [each for each in made.files if each != (area, sha256)]
        shortened = dataclasses.replace(made, files=others)
        assert flaws_of(shelf, shortened, scratch=tmp_path) == [
            f"Named by the backup's database, and not in it: {area}/{sha256}."
        ]
        gone = dataclasses.replace(made, files=others, lacking=[(area, sha256)])
        assert flaws_of(shelf, gone, scratch=tmp_path) == [
            f"Lost before this backup: {area}/{sha256}."
        ]


def test_a_backup_of_a_newer_version_is_a_flaw_and_is_refused_before_anything_is_made(
    application: Application, programs: None, tmp_path: Path
) -> None:
    with application.database.write() as session:
        session.execute(sa.text("UPDATE alembic_version SET version_num = '2999010101'"))
    shelf = make_shelf(str(tmp_path / "backups"), name="--to")
    made = _back_up(application, shelf, tmp_path / "scratch").backup
    [flaw] = flaws_of(shelf, made, scratch=tmp_path)
    assert flaw.startswith(f"The backup {made.name} was made by Podium {made.version}, and this")
    rows = backups.fetch_rows(shelf, made, scratch=tmp_path)
    for is_sqlite in (True, False):
        with pytest.raises(NotConfigured, match="Restore it with that version, or a newer one"):
            backups.require_fitting(rows, made, is_sqlite=is_sqlite)


def test_a_database_that_was_broken_before_it_was_saved_is_a_flaw(
    application: Application, programs: None, tmp_path: Path
) -> None:
    _filled(application)
    shelf = make_shelf(str(tmp_path / "backups"), name="--to")
    made = _back_up(application, shelf, tmp_path / "scratch").backup
    place = f"{made.name}/{backups.DATABASE}"
    content = bytearray(b"".join(shelf.get(place)))
    # With the hash of what is there, as if it had been so from the beginning.
    content[len(content) // 2 :] = b"x" * len(content[len(content) // 2 :])
    broken = tmp_path / "broken"
    broken.write_bytes(content)
    shelf.put(place, broken)
    assert flaws_of(shelf, made, scratch=tmp_path) == [
        f"{shelf.place}/{place} is damaged or lost. It is the only one."
    ]
    told = dataclasses.replace(made, database_sha256=hashlib.sha256(content).hexdigest())
    [flaw] = flaws_of(shelf, told, scratch=tmp_path)
    assert flaw.startswith(f"{shelf.place}/{place} is damaged (")
    assert flaw.endswith(") and cannot be restored. Make a new backup.")


def test_an_empty_place_has_no_backup(tmp_path: Path, sqlite_url: str) -> None:
    shelf = make_shelf(str(tmp_path / "backups"), name="--from")
    with pytest.raises(NotFound, match=r"There is no backup in .*backups"):
        backups.find_backup(shelf, name=None)


def test_a_bucket_keeps_backups_and_is_backed_up(
    sqlite_url: str, tmp_path: Path, s3: S3Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in s3.environment.items():
        monkeypatch.setenv(name, value)
    settings = Settings(
        data_dir=tmp_path / "data",
        database_url=sqlite_url,
        storage_url=s3.address("backed-up", tmp_path.name),
        min_free_bytes=0,
    )
    application = build(settings)
    _filled(application, file=b"x" * (9 << 20))
    shelf = make_shelf(s3.address("backups", tmp_path.name), name="--to")
    made = _back_up(application, shelf, tmp_path / "scratch")
    assert (made.new_files, made.backup.lacking) == (5, [])
    again = _back_up(application, shelf, tmp_path / "again")
    assert (again.new_files, len(backups.known_backups(shelf))) == (0, 2)
    application.close()
    restored = _restore(f"sqlite:///{tmp_path / 'r.sqlite3'}", shelf, tmp_path / "restored")
    (sha256,) = [name for area, name in made.backup.files if area == "submissions"]
    assert restored.storage.size(Area.SUBMISSIONS, sha256) == 9 << 20
    restored.close()


def test_every_column_that_names_a_stored_file_is_backed_up() -> None:
    """As those know it that remove what no row names, and those that archive a competition. A
    restored installation forgets uploads that are not submissions and jobs that ended, so their
    files stay behind."""
    backed_up = {(column.class_, column.key): area for area, column in FILES}
    of_splits = GroundTruthVersion.parts
    assert set(backed_up) == {(column.class_, column.key) for column in (*NAMING, of_splits)} - {
        (UploadPiece, "sha256"),
        (Upload, "file_sha256"),
        (Job, "file_sha256"),
    }
    archived = {(table.model, name): area for table in TABLES for name, area in table.files.items()}
    assert archived.items() <= backed_up.items()


def test_a_file_of_sqlite_that_was_left_behind_is_not_backed_up_after_postgresql(
    tmp_path: Path, sqlite_url: str
) -> None:
    settings = Settings(data_dir=tmp_path / "data", database_url=sqlite_url)
    shelf = make_shelf(str(tmp_path / "backups"), name="--to")
    with closing(build(settings)) as application:
        made = _back_up(application, shelf, tmp_path / "scratch")
        told = tmp_path / "backups" / made.backup.name / "backup.json"
        told.write_text(told.read_text().replace('"sqlite"', '"postgresql"'))
        with pytest.raises(NotConfigured, match="is of PostgreSQL, and this database is SQLite"):
            _back_up(application, shelf, tmp_path / "more")
    assert backups.known_backups(shelf) == [made.backup.name]
