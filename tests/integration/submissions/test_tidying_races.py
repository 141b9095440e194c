"""Files that rows name stay readable, however uploads, readers and two tidying workers interleave.

Everything is always old enough to be set aside here, so every lookup of a worker may be outdated
by the time it acts. What was set aside is soon forgotten: the only time that matters is the one
between storing a file and writing its row, and an upload that was slow in this is no evidence.
"""

from __future__ import annotations

import hashlib
import itertools
import random
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from podium.core.database.engine import Database, database_now
from podium.core.models import Upload, UploadPiece
from podium.errors import PodiumError
from podium.storage import Area, Storage
from podium.storage.addresses import open_store
from podium.storage.bucket import BucketStorage
from podium.storage.cache import FileCache
from podium.storage.local import LocalStorage
from podium.submissions.service.retention import tidy
from tests.builders.rows import add_user
from tests.builders.servers.s3 import S3Server

CONTENTS = [bytes([number]) * 1000 for number in range(12)]

UPLOADS = 30
"""Uploads of each of the people."""

ASIDE_SECONDS = {"folder": 0.5, "bucket": 4.0}
"""Seconds that a file is kept after it was set aside. Buckets count in whole seconds, and are one
ahead."""

SLOW_SECONDS = {"folder": 0.2, "bucket": 0.8}
"""A file of which the row came later than that tells nothing."""


@pytest.fixture(params=["folder", pytest.param("bucket", marks=pytest.mark.s3)])
def kind(request: pytest.FixtureRequest) -> str:
    """The kind of store."""
    return str(request.param)


@pytest.fixture
def storages(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[], Storage]:
    """Makes the storage of one more process."""
    if kind == "folder":
        return lambda: LocalStorage(tmp_path / "storage", min_free_bytes=0)
    server: S3Server = request.getfixturevalue("s3")
    for name, value in server.environment.items():
        monkeypatch.setenv(name, value)
    address, numbers = server.address("races", uuid.uuid4().hex), itertools.count()

    def made() -> Storage:
        store, own = open_store(address, name="any"), tmp_path / str(next(numbers))
        cache = FileCache(own / "cache", max_bytes=1500, first_to_go=[])
        return BucketStorage(store, store, spool=own / "spool", cache=cache, min_free_bytes=0)

    return made


@pytest.fixture
def database(sqlite_url: str) -> Iterator[Database]:
    """On one kind: what is raced for here is files."""
    database = Database(sqlite_url)
    yield database
    database.close()


class Person:
    """Stores files, names them by rows, reads them, and gives the rows up again."""

    def __init__(
        self, database: Database, storage: Storage, seed: int, slow_seconds: float
    ) -> None:
        self.lost: list[str] = []
        self.proven = 0
        self._slow_seconds = slow_seconds
        self._database, self._storage = database, storage
        self._draw = random.Random(seed)
        with database.write() as session:
            user_id, now = add_user(session).user_id, database_now(session)
            later = now + timedelta(days=1)
            upload = Upload(user_id=user_id, max_bytes=1, created_at=now, expires_at=later)
            session.add(upload)
            session.flush()
            self._upload_id = upload.id

    def go_on(self) -> None:
        """One upload after the other, each looked at while its row is there; one for long."""
        for start in range(UPLOADS):
            content = self._draw.choice(CONTENTS)
            sha256 = hashlib.sha256(content).hexdigest()
            began = time.monotonic()
            writer = self._storage.writer(Area.SUBMISSIONS)
            writer.write(content)
            writer.finish()
            time.sleep(self._draw.random() * 0.02)
            self._name(sha256, start)
            is_evidence = time.monotonic() - began < self._slow_seconds
            for _ in range(self._draw.randint(1, 3)):
                time.sleep(3 * self._slow_seconds if start == 0 else self._draw.random() * 0.02)
                self._look(content, sha256, is_evidence)
            self._give_up(start)

    def _look(self, content: bytes, sha256: str, is_evidence: bool) -> None:
        try:
            if self._draw.random() < 0.5:
                found = b"".join(self._storage.read(Area.SUBMISSIONS, sha256))
            else:
                # It compares the hash. Only here a worker takes a file away that is that young.
                with self._storage.local(Area.SUBMISSIONS, sha256):
                    found = content
        except (PodiumError, OSError) as error:
            found = repr(error).encode()
        if is_evidence and found != content:
            self.lost.append(found[:200].decode())
        self.proven += is_evidence

    def _name(self, sha256: str, start: int) -> None:
        with self._database.write() as session:
            session.add(UploadPiece(upload_id=self._upload_id, start=start, bytes=1, sha256=sha256))

    def _give_up(self, start: int) -> None:
        with self._database.write() as session:
            session.delete(session.get_one(UploadPiece, (self._upload_id, start)))


@pytest.fixture
def tidying(database: Database, storages: Callable[[], Storage], kind: str) -> Iterator[list[int]]:
    """Two workers that tidy all the time; how many files each has moved."""
    moved, is_over = [0, 0], threading.Event()

    def work(number: int) -> None:
        storage = storages()
        while not is_over.is_set():
            done = tidy(database, storage, unnamed_seconds=-5, aside_seconds=ASIDE_SECONDS[kind])
            moved[number] += done.set_aside

    workers = [threading.Thread(target=work, args=[number]) for number in range(2)]
    for worker in workers:
        worker.start()
    yield moved
    is_over.set()
    for worker in workers:
        worker.join()


def test_what_a_row_names_is_readable_while_two_workers_tidy(
    database: Database, storages: Callable[[], Storage], tidying: list[int], kind: str
) -> None:
    people = [Person(database, storages(), seed, SLOW_SECONDS[kind]) for seed in range(3)]
    threads = [threading.Thread(target=person.go_on) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [person.lost for person in people] == [[], [], []]
    assert sum(tidying) > 0
    assert sum(person.proven for person in people) > 0
