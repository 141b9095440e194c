"""A backup taken while files are sent and judged, and the installation that is made of it."""

from __future__ import annotations

import hashlib
import shutil
import threading
import time
import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from podium.client import Organizer, Podium
from podium.errors import NotFound
from podium.operations.service.backups import find_backup
from podium.storage import Area
from podium.storage.shelf import open_shelf
from tests.builders.processes.commands import Person, Ran
from tests.builders.processes.serving import Installation, launch, serving, submission
from tests.builders.servers.s3 import S3Server

# One process takes the backup for all tests of this file.
pytestmark = pytest.mark.xdist_group("backups")

SENDERS = 2

PAUSE_SECONDS = 0.6
"""Between files of one sender, so that a slow machine has not too many to judge."""

MAX_FILES = 12


@dataclass
class Sender:
    """A participant who sends one file after the other: what was acknowledged, and when."""

    url: str
    name: str
    token: str
    folder: Path
    first_item: int
    acknowledged: dict[str, tuple[float, str]] = field(default_factory=dict)

    def send(self, files: Iterable[int], until: threading.Event) -> None:
        """Sends files of these numbers, every one of which is another, until it is told to stop."""
        with Podium(self.url, self.token) as podium:
            for number in files:
                path = self.folder / f"{self.name}-{number}.csv"
                path.write_text(submission(orders="4", clicks=f"{self.first_item + number}"))
                sent = podium.submit("shop", path)
                sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
                self.acknowledged[sent["id"]] = (time.monotonic(), sha256)
                if until.wait(PAUSE_SECONDS):
                    break


@dataclass(frozen=True)
class Drill:
    """Acknowledged state before the backup began, and the backup itself."""

    person: Person
    source: Path
    first: str
    second: str
    sent_before: dict[str, str]
    sent_in_the_end: dict[str, str]
    second_said: str


def _types(person: Person, data: Path, *arguments: object) -> Ran:
    return person.types(*arguments, PODIUM_DATA_DIR=str(data), PODIUM_MIN_FREE_BYTES="0")


@pytest.fixture(scope="module")
def drill(tmp_path_factory: pytest.TempPathFactory) -> Drill:
    folder = tmp_path_factory.mktemp("drill")
    person = Person(folder)
    place = folder / "backups"
    with serving(folder) as here, here.organizer() as organizer:
        launch(organizer, "shop", folder, daily_limit=1000)
        senders = [_joined(here, organizer, folder, number) for number in range(SENDERS)]
        is_over = threading.Event()
        for sender in senders:
            sender.send(range(2), is_over)
        files = range(2, MAX_FILES)
        threads = [threading.Thread(target=s.send, args=(files, is_over)) for s in senders]
        for thread in threads:
            thread.start()
        began = time.monotonic()
        first = _types(person, folder / "data", "backup", "--to", place)
        is_over.set()
        for thread in threads:
            thread.join()
        assert first.code == 0, first.err
        for sender in senders:
            sender.send([MAX_FILES], is_over)
        everything = {i: each for sender in senders for i, each in sender.acknowledged.items()}
        second = _types(person, folder / "data", "backup", "--to", place)
        assert second.code == 0, second.err
    return Drill(
        person,
        place,
        first.out.strip(),
        second.out.strip(),
        {i: sha256 for i, (at, sha256) in everything.items() if at < began},
        {i: sha256 for i, (_, sha256) in everything.items()},
        second.err,
    )


def _joined(here: Installation, organizer: Organizer, folder: Path, number: int) -> Sender:
    name = f"team{number}"
    token = organizer.create_user(name)["token"]
    with Podium(here.url, token) as podium:
        podium.create_team("shop", name)
    return Sender(here.url, name, token, folder, first_item=1000 * (number + 1))


@pytest.fixture(scope="module")
def first(drill: Drill, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an installation that was made of the backup under load."""
    folder = tmp_path_factory.mktemp("first")
    _restored(drill, folder, "--at", drill.first)
    return folder


@pytest.fixture(scope="module")
def latest(drill: Drill, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of one that was made of the last backup."""
    return _restored(drill, tmp_path_factory.mktemp("latest"))


def _restored(drill: Drill, folder: Path, *options: object) -> Path:
    data = folder / "data"
    ran = _types(drill.person, data, "restore", "--from", drill.source, *options)
    assert ran.code == 0, ran.err
    return data


def _rows(data: Path, query: str) -> list[tuple[Any, ...]]:
    engine = sa.create_engine(f"sqlite:///{data / 'podium.sqlite3'}")
    with engine.connect() as connection:
        rows = [tuple(row) for row in connection.execute(sa.text(query))]
    engine.dispose()
    return rows


def _sha256_of(data: Path, area: Area, name: str) -> str:
    path = data / "storage" / area / name[:2] / name[2:4] / name
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_what_was_acknowledged_before_a_backup_is_in_it(drill: Drill, first: Path) -> None:
    there: dict[str, str] = dict(_rows(first / "data", "SELECT id, sha256 FROM submissions"))
    assert len(drill.sent_before) == 2 * SENDERS
    assert drill.sent_before.items() <= there.items()
    assert there.items() <= drill.sent_in_the_end.items()


def test_every_row_of_a_backup_under_load_has_its_files(first: Path) -> None:
    data, checked = first / "data", 0
    for area, query in (
        (Area.SUBMISSIONS, "SELECT sha256 FROM submissions"),
        (Area.HITS, "SELECT hits_sha256 FROM judgings WHERE hits_sha256 IS NOT NULL"),
        (Area.GROUND_TRUTH, "SELECT sha256 FROM ground_truth_versions"),
        (Area.GROUND_TRUTH, "SELECT upload_sha256 FROM ground_truth_versions"),
        (Area.FILES, "SELECT sha256 FROM published_id_lists"),
    ):
        for (sha256,) in _rows(data, query):
            assert _sha256_of(data, area, sha256) == sha256
            checked += 1
    assert checked >= 2 * SENDERS + 3


def test_a_restored_installation_judges_what_had_no_verdict(first: Path) -> None:
    data = first / "data"
    there = [row[0] for row in _rows(data, "SELECT id FROM submissions")]
    with serving(first) as here, here.organizer() as organizer:
        for submission_id in there:
            assert organizer.wait(submission_id, timeout=120)["status"] == "scored"
        board = list(organizer.leaderboard("shop"))
        assert [row["score"] for row in board] == [0.3] * SENDERS
        assert sum(row["submissions"] for row in board) == len(there)
    verdicts = "SELECT count(*) FROM judgings WHERE state = 'scored'"
    assert _rows(data, verdicts) == [(len(there),)]
    assert _rows(data, "SELECT max(worker_deaths) FROM runs") == [(0,)]


def test_the_latest_backup_is_the_one_that_is_restored(drill: Drill, latest: Path) -> None:
    there: dict[str, str] = dict(_rows(latest, "SELECT id, sha256 FROM submissions"))
    assert there == drill.sent_in_the_end
    assert drill.first < drill.second


def test_a_second_backup_brings_only_what_is_new(drill: Drill) -> None:
    files = [path for path in (drill.source / "files").rglob("*") if path.is_file()]
    new = int(drill.second_said.partition("of which ")[2].split()[0])
    assert 0 < new < len(files)
    assert {p.relative_to(drill.source).parts[0] for p in drill.source.rglob("*")} == {
        "files",
        drill.first,
        drill.second,
    }


def test_no_other_user_can_read_a_backup(drill: Drill) -> None:
    for path in (drill.source, *drill.source.rglob("*")):
        assert path.stat().st_mode & 0o077 == 0, path


def test_an_installation_that_is_there_is_never_restored_over(drill: Drill, latest: Path) -> None:
    ran = _types(drill.person, latest, "restore", "--from", drill.source)
    assert ran.code == 2
    assert "Restore to an empty one" in ran.err


def test_a_backup_that_is_not_whole_is_none(drill: Drill) -> None:
    half = drill.source / "29990101T000000.000000Z"
    half.mkdir()
    try:
        (half / "database").write_bytes(b"half of one")
        shelf = open_shelf(str(drill.source), name="--from")
        assert find_backup(shelf, name=None).name == drill.second
        with pytest.raises(NotFound, match=f"There are: {drill.first}, {drill.second}"):
            find_backup(shelf, name=half.name)
    finally:
        (half / "database").unlink()
        half.rmdir()


def test_a_changed_byte_in_a_backup_is_found(drill: Drill, tmp_path: Path) -> None:
    for path in (
        drill.source / drill.second / "database",
        next((drill.source / "files" / Area.GROUND_TRUTH).iterdir()),
    ):
        whole = path.read_bytes()
        path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        try:
            ran = _types(drill.person, tmp_path / path.name, "restore", "--from", drill.source)
        finally:
            path.write_bytes(whole)
        assert ran.code == 4, ran.err
        assert "damaged" in ran.err
        assert not (tmp_path / path.name / "podium.sqlite3").exists()


def test_all_but_a_damaged_file_can_be_restored(drill: Drill, tmp_path: Path) -> None:
    path = next((drill.source / "files" / Area.SUBMISSIONS).iterdir())
    whole = path.read_bytes()
    try:
        path.write_bytes(b"other bytes")
        refused = _types(drill.person, tmp_path / "no", "restore", "--from", drill.source)
        command = ("restore", "--from", drill.source, "--without-damaged")
        ran = _types(drill.person, tmp_path / "yes", *command)
    finally:
        path.write_bytes(whole)
    assert refused.code == 4
    kept = [file for file in (tmp_path / "no" / "storage").rglob("*") if file.is_file()]
    assert 0 < len(kept) < len(drill.sent_in_the_end) + 4
    assert refused.err.splitlines()[0] == (
        f"{len(kept)} files that were brought so far stay in {tmp_path / 'no' / 'storage'}, and"
        " there is no database: the same command goes on from there. To give up, remove that"
        " folder."
    )
    assert not (tmp_path / "no" / "scratch").exists()
    assert f"{path} is damaged or lost. Restore an earlier backup with --at" in refused.err
    assert ran.code == 4
    assert f"Damaged in the backup, and left out: {path}." in ran.err
    assert len(_rows(tmp_path / "yes", "SELECT id FROM submissions")) == len(drill.sent_in_the_end)


def test_a_check_reads_the_whole_backup(drill: Drill, latest: Path, tmp_path: Path) -> None:
    place = tmp_path / "backups"
    whole = _types(drill.person, latest, "backup", "--to", place, "--check")
    assert (whole.code, whole.err.count("Damaged")) == (0, 0), whole.err
    (file, *_) = (place / "files" / Area.SUBMISSIONS).iterdir()
    file.write_bytes(b"other bytes")
    unseen = _types(drill.person, latest, "backup", "--to", place)
    assert unseen.code == 0
    found = _types(drill.person, latest, "backup", "--to", place, "--check")
    assert found.code == 4
    assert f"Damaged in the backup: {file}. Remove it" in found.err
    file.unlink()
    assert _types(drill.person, latest, "backup", "--to", place, "--check").code == 0


def test_a_backup_is_checked_by_itself_and_stays_as_it_is(drill: Drill, tmp_path: Path) -> None:
    place = shutil.copytree(drill.source, tmp_path / "backups")
    person = Person(tmp_path)
    before = {path: path.stat().st_mtime_ns for path in (place, *place.rglob("*"))}
    whole = person.types("check-backup", "--from", place)
    assert (whole.code, whole.out) == (0, f"{drill.second}\n"), whole.err
    assert whole.err.startswith("Checked: the backup of ")
    assert {path: path.stat().st_mtime_ns for path in (place, *place.rglob("*"))} == before
    assert list(tmp_path.iterdir()) == [place]
    (file, *_) = (place / "files" / Area.GROUND_TRUTH).iterdir()
    file.write_bytes(b"other bytes")
    found = person.types("check-backup", "--from", place)
    assert (found.code, found.err) == (
        4,
        f"Damaged in the backup: {file}. Remove it, and the next backup writes it anew.\n",
    )
    file.unlink()
    gone = person.types("check-backup", "--from", place)
    told = f"Missing in the backup: {file}. Bring it back, or make a new backup.\n"
    assert (gone.code, gone.err) == (4, told)
    earlier = person.types("check-backup", "--from", place, "--at", drill.first)
    assert earlier.out == f"{drill.first}\n"


def test_a_restore_that_fails_before_the_first_file_leaves_nothing(
    drill: Drill, tmp_path: Path
) -> None:
    place = shutil.copytree(drill.source, tmp_path / "backups")
    (place / drill.second / "database").write_bytes(b"other bytes")
    ran = _types(drill.person, tmp_path / "data", "restore", "--from", place)
    assert (ran.code, len(ran.err.splitlines())) == (4, 1)
    assert list(tmp_path.iterdir()) == [place]


def test_a_database_that_is_there_survives_a_restore_that_is_refused(
    drill: Drill, latest: Path, tmp_path: Path
) -> None:
    data = shutil.copytree(latest, tmp_path / "data")
    before = (data / "podium.sqlite3").read_bytes()
    assert _types(drill.person, data, "restore", "--from", drill.source).code == 2
    assert (data / "podium.sqlite3").read_bytes() == before


def test_a_backup_whose_list_or_rows_are_cut_is_named_with_the_others(
    drill: Drill, tmp_path: Path
) -> None:
    for name in ("backup.json", "database"):
        path = drill.source / drill.second / name
        whole = path.read_bytes()
        try:
            path.write_bytes(whole[: len(whole) // 2])
            ran = _types(drill.person, tmp_path / name, "restore", "--from", drill.source)
        finally:
            path.write_bytes(whole)
        assert (ran.code, ran.out) == (4, "")
        told = f"{path} is damaged or lost. Choose another one with --at: {drill.first}."
        assert ran.err.splitlines()[-1] == told


def test_what_was_lost_before_is_said_and_the_rest_is_saved(
    drill: Drill, latest: Path, tmp_path: Path
) -> None:
    data = shutil.copytree(latest, tmp_path / "data")
    (sha256,) = _rows(data, "SELECT sha256 FROM submissions ORDER BY sequence LIMIT 1")[0]
    (data / "storage" / "submissions" / sha256[:2] / sha256[2:4] / sha256).unlink()
    place = tmp_path / "backups"
    ran = _types(drill.person, data, "backup", "--to", place)
    assert ran.code == 4
    assert f"Lost before this backup: submissions/{sha256}." in ran.err
    again = tmp_path / "again"
    restored = _types(drill.person, again, "restore", "--from", place)
    assert restored.code == 0, restored.err
    assert len(_rows(again, "SELECT id FROM submissions")) == len(drill.sent_in_the_end)


def test_only_the_latest_ones_are_kept_if_so_asked(
    drill: Drill, latest: Path, tmp_path: Path
) -> None:
    place = shutil.copytree(drill.source, tmp_path / "backups")
    ran = _types(drill.person, latest, "backup", "--to", place, "--keep", 2)
    assert ran.code == 0, ran.err
    assert "Removed backups: 1. Removed files: 0." in ran.err
    (third,) = ran.out.split()
    assert {path.name for path in place.iterdir()} == {"files", drill.second, third}


def test_a_bucket_without_credentials_is_told_in_words(drill: Drill, latest: Path) -> None:
    ran = _types(drill.person, latest, "backup", "--to", "s3://backups/podium")
    assert (ran.code, ran.out) == (4, "")
    assert ran.err.splitlines()[-1] == (
        "The backup's place s3://backups/podium does not work: AWS_ACCESS_KEY_ID and"
        " AWS_SECRET_ACCESS_KEY are not set. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or"
        " correct the address."
    )


def test_a_backup_goes_into_a_bucket_that_comes_with_its_first_object(
    drill: Drill, tmp_path: Path, s3: S3Server
) -> None:
    bucket = {"PODIUM_STORAGE_URL": f"s3://restored-{uuid.uuid4().hex}?endpoint={s3.endpoint}"}
    where = {"PODIUM_DATA_DIR": str(tmp_path / "data"), "PODIUM_MIN_FREE_BYTES": "0", **bucket}
    ran = drill.person.types("restore", "--from", drill.source, **where, **s3.environment)
    assert ran.code == 0, ran.err
