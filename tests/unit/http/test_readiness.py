"""The store is asked seldom if it works, and a silent store keeps no request waiting."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from podium.http.middleware.readiness import StoreWatch
from podium.storage.addresses import open_store
from podium.storage.bucket import BucketStorage
from podium.storage.cache import FileCache
from podium.storage.local import LocalStorage
from tests.builders.servers.s3 import S3Server

LONG_ENOUGH = 60.0


def bucket_at(address: str, folder: Path, *, patience_seconds: float) -> BucketStorage:
    store = open_store(address, name="any", patience_seconds=patience_seconds)
    cache = FileCache(folder / "cache", max_bytes=0, first_to_go=[])
    return BucketStorage(store, store, spool=folder / "spool", cache=cache, min_free_bytes=0)


@pytest.fixture(autouse=True)
def credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in S3Server.environment.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def silent() -> Iterator[socket.socket]:
    """A server that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listener:
        yield listener


def test_a_store_that_works_is_asked_once_for_all_that_ask_soon(tmp_path: Path) -> None:
    watch = StoreWatch(LocalStorage(tmp_path / "storage", min_free_bytes=0))
    assert watch.works(within_seconds=LONG_ENOUGH)
    (tmp_path / "storage" / "unfinished").rmdir()
    (tmp_path / "storage").rename(tmp_path / "elsewhere")
    assert watch.works(within_seconds=0)
    assert not (tmp_path / "storage").exists()


def test_a_folder_that_takes_no_files_does_not_work(tmp_path: Path) -> None:
    (tmp_path / "storage").write_text("no folder")
    watch = StoreWatch(LocalStorage(tmp_path / "storage", min_free_bytes=0))
    assert not watch.works(within_seconds=LONG_ENOUGH)


def test_a_silent_bucket_does_not_work_and_one_thread_waits_for_it(
    tmp_path: Path, silent: socket.socket
) -> None:
    address = f"s3://bucket?endpoint=http://127.0.0.1:{silent.getsockname()[1]}"
    watch = StoreWatch(bucket_at(address, tmp_path, patience_seconds=0.2))
    assert [watch.works(within_seconds=0) for _ in range(20)] == [False] * 20
    waiting = [thread for thread in threading.enumerate() if thread.name == "store-watch"]
    assert len(waiting) <= 1
    assert not watch.works(within_seconds=LONG_ENOUGH)
    for thread in waiting:
        thread.join()


@pytest.mark.parametrize("secret", ["good", "another"])
def test_a_bucket_works_for_keys_that_may_write_to_it(
    s3: S3Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, secret: str
) -> None:
    if secret != "good":
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", secret)
    watch = StoreWatch(bucket_at(s3.address("readiness"), tmp_path, patience_seconds=30))
    assert watch.works(within_seconds=LONG_ENOUGH) is (secret == "good")
