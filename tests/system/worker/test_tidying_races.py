"""Files that rows name stay readable, however uploads, readers and two tidying workers interleave.

Everything is always old enough to be set aside here, so every lookup of a worker may be outdated
by the time it acts. What was set aside is soon forgotten. So two times matter: the one between
storing a file and writing its row, and the one from a worker's lookup to what it does then. An
upload that was slow in the one, or that ran beside a worker slow in the other, is not evidence.
"""

from __future__ import annotations

import hashlib
import itertools
import random
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
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
"""A file of which the row came later than that tells nothing, nor one that was there while a
worker needed half as long as files are kept aside."""


@dataclass(frozen=True)
class Look:
    """One look at a file that was stored at `began`: the failure or other bytes; None: the file."""

    began: float
    ended: float
    lost: str | None


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
        self.looks: list[Look] = []
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
            was_slow = time.monotonic() - began >= self._slow_seconds
            for _ in range(self._draw.randint(1, 3)):
                time.sleep(3 * self._slow_seconds if start == 0 else self._draw.random() * 0.02)
                lost = self._look(content, sha256)
                if not was_slow:
                    self.looks.append(Look(began, time.monotonic(), lost))
            self._give_up(start)

    def _look(self, content: bytes, sha256: str) -> str | None:
        try:
            if self._draw.random() < 0.5:
                found = b"".join(self._storage.read(Area.SUBMISSIONS, sha256))
            else:
                # It compares the hash. Only here a worker takes a file away that is that young.
                with self._storage.local(Area.SUBMISSIONS, sha256):
                    found = content
        except (PodiumError, OSError) as error:
            found = repr(error).encode()
        return None if found == content else found[:200].decode()

    def _name(self, sha256: str, start: int) -> None:
        with self._database.write() as session:
            session.add(UploadPiece(upload_id=self._upload_id, start=start, bytes=1, sha256=sha256))

    def _give_up(self, start: int) -> None:
        with self._database.write() as session:
            session.delete(session.get_one(UploadPiece, (self._upload_id, start)))


class Worker:
    """Tidies all the time; knows how many files it has moved, and when it was slow."""

    def __init__(
        self,
        database: Database,
        storage: Storage,
        aside_seconds: float,
        is_over: threading.Event,
    ) -> None:
        self.moved = 0
        self.slow_passes: list[tuple[float, float]] = []
        self._database, self._storage = database, storage
        self._aside_seconds, self._is_over = aside_seconds, is_over

    def work(self) -> None:
        """Until it is over."""
        while not self._is_over.is_set():
            began = time.monotonic()
            done = tidy(
                self._database,
                self._storage,
                unnamed_seconds=-5,
                aside_seconds=self._aside_seconds,
            )
            self.moved += done.set_aside
            ended = time.monotonic()
            if ended - began >= self._aside_seconds / 2:
                self.slow_passes.append((began, ended))


def test_what_a_row_names_is_readable_while_two_workers_tidy(
    database: Database, storages: Callable[[], Storage], kind: str
) -> None:
    people = [Person(database, storages(), seed, SLOW_SECONDS[kind]) for seed in range(3)]
    is_over = threading.Event()
    workers = [Worker(database, storages(), ASIDE_SECONDS[kind], is_over) for _ in range(2)]
    with ThreadPoolExecutor(len(people) + len(workers)) as pool:
        tidying = [pool.submit(worker.work) for worker in workers]
        try:
            for uploading in [pool.submit(person.go_on) for person in people]:
                uploading.result()
        finally:
            is_over.set()
        for work in tidying:
            work.result()
    slow = [one for worker in workers for one in worker.slow_passes]
    evidence = [
        look
        for person in people
        for look in person.looks
        if all(look.ended < began or ended < look.began for began, ended in slow)
    ]
    assert [look for look in evidence if look.lost is not None] == []
    assert sum(worker.moved for worker in workers) > 0
    assert evidence != []
