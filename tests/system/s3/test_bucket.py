"""Tests that only a bucket allows: stores that fail, fall silent or lose things, and memory."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import uuid
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import obstore
import pytest

from podium.errors import StoredFileCorrupt, Unavailable
from podium.storage import Area, Storage
from podium.storage.addresses import open_store
from podium.storage.bucket import BucketStorage
from podium.storage.cache import FileCache
from tests.builders.servers.s3 import S3Server

HELLO = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"

ACTS: dict[str, Callable[[Storage], object]] = {
    "write": lambda storage: _store(storage, b"hello"),
    "size": lambda storage: storage.size(Area.FILES, HELLO),
    "read": lambda storage: list(storage.read(Area.FILES, HELLO)),
    "local": lambda storage: storage.local(Area.FILES, HELLO).__enter__(),
    "delete": lambda storage: storage.delete(Area.FILES, HELLO),
    "list": lambda storage: list(storage.stored(Area.FILES, older_than_seconds=0)),
    "set-aside": lambda storage: storage.set_aside(Area.FILES, HELLO, older_than_seconds=0),
    "check": lambda storage: storage.check(),
}


@pytest.fixture(autouse=True)
def credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in S3Server.environment.items():
        monkeypatch.setenv(name, value)


def bucket_at(address: str, folder: Path, *, patience_seconds: float = 30.0) -> BucketStorage:
    store = open_store(address, name="PODIUM_STORAGE_URL", patience_seconds=patience_seconds)
    cache = FileCache(folder / "cache", max_bytes=1 << 30, first_to_go=[])
    return BucketStorage(store, store, spool=folder / "spool", cache=cache, min_free_bytes=0)


@pytest.fixture
def storage(s3: S3Server, tmp_path: Path) -> BucketStorage:
    return bucket_at(s3.address("faults", uuid.uuid4().hex), tmp_path)


@pytest.fixture
def silent_address() -> Iterator[str]:
    """The address of a server that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listener:
        yield f"s3://bucket?endpoint=http://127.0.0.1:{listener.getsockname()[1]}"


@pytest.fixture(scope="module")
def failing_address() -> Iterator[str]:
    """The address of a store that answers everything with 503."""

    class Failing(BaseHTTPRequestHandler):
        def fail(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(503)
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_GET = do_PUT = do_POST = do_HEAD = do_DELETE = fail  # noqa: N815 - the library's names

        def log_message(self, *_: object) -> None:
            """The log is not read."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Failing)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"s3://bucket?endpoint=http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("act", ACTS)
def test_a_store_that_falls_silent_is_unavailable_after_a_while(
    silent_address: str, tmp_path: Path, act: str
) -> None:
    storage = bucket_at(silent_address, tmp_path, patience_seconds=0.2)
    with pytest.raises(Unavailable) as refused:
        ACTS[act](storage)
    assert (refused.value.code, refused.value.retry_after) == ("storage-error", 60)
    assert list((tmp_path / "spool").glob("*")) == []


@pytest.mark.parametrize("act", ACTS)
def test_a_store_that_fails_is_unavailable(failing_address: str, tmp_path: Path, act: str) -> None:
    storage = bucket_at(failing_address, tmp_path, patience_seconds=0.2)
    with pytest.raises(Unavailable) as refused:
        ACTS[act](storage)
    assert refused.value.code == "storage-error"


def test_a_store_that_does_not_know_us_is_unavailable_and_tells_the_log_alone(
    s3: S3Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "another")
    storage = bucket_at(s3.address("faults"), tmp_path)
    with pytest.raises(Unavailable) as refused:
        _store(storage, b"hello")
    assert "another" not in refused.value.detail
    assert "127.0.0.1" not in refused.value.detail


def test_other_bytes_under_a_hash_are_found_before_they_are_used_and_healed_by_writing(
    storage: BucketStorage,
) -> None:
    _store(storage, b"hello")
    obstore.put(storage.store(Area.FILES), f"files/{HELLO}", b"hallo")
    with (
        pytest.raises(StoredFileCorrupt, match="other bytes"),
        storage.local(Area.FILES, HELLO),
    ):
        pass
    _store(storage, b"hello")
    with storage.local(Area.FILES, HELLO) as path:
        assert path.read_bytes() == b"hello"


def test_what_a_bucket_does_not_copy_by_itself_is_written_again(
    storage: BucketStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("podium.storage.objects.MAX_COPIED_BYTES", 4)
    _store(storage, b"hello")
    assert storage.set_aside(Area.FILES, HELLO, older_than_seconds=-5)
    assert list(storage.stored(Area.FILES, older_than_seconds=-5)) == []
    assert b"".join(storage.read(Area.FILES, HELLO)) == b"hello"


def test_what_was_brought_back_can_be_brought_back_again_by_a_late_reader(
    storage: BucketStorage,
) -> None:
    _store(storage, b"hello")
    assert storage.set_aside(Area.FILES, HELLO, older_than_seconds=-5)
    assert storage.put_back(Area.FILES, HELLO)
    # The second step of a process that had made a copy before, and only now comes to it.
    obstore.delete(storage.store(Area.FILES), f"files/{HELLO}")
    assert b"".join(storage.read(Area.FILES, HELLO)) == b"hello"


def test_age_goes_by_the_buckets_clock(
    storage: BucketStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    _store(storage, b"hello")
    monkeypatch.setattr("time.time", lambda: 4e9)
    assert list(storage.stored(Area.FILES, older_than_seconds=60)) == []
    assert not storage.set_aside(Area.FILES, HELLO, older_than_seconds=60)


def test_secrets_lie_in_a_bucket_of_their_own_where_there_is_one(
    s3: S3Server, tmp_path: Path
) -> None:
    stores = [
        open_store(s3.address(name, uuid.uuid4().hex), name="any") for name in ("open", "secret")
    ]
    cache = FileCache(tmp_path / "cache", max_bytes=0, first_to_go=[])
    storage = BucketStorage(*stores, spool=tmp_path / "spool", cache=cache, min_free_bytes=0)
    for area in Area:
        writer = storage.writer(area)
        writer.write(area.value.encode())
        writer.finish()
    kept = [
        {found["path"].rpartition("/")[0] for some in obstore.list(store) for found in some}
        for store in stores
    ]
    assert kept == [
        {"submissions", "files", "uploads"},
        {"secret/ground-truth", "secret/hits", "secret/metrics", "secret/uploads"},
    ]


def test_a_process_that_is_killed_while_it_puts_leaves_no_object(
    s3: S3Server, storage: BucketStorage, tmp_path: Path
) -> None:
    code = (
        "import os, sys; from pathlib import Path; from podium.storage import Area;"
        "from tests.system.s3.test_bucket import bucket_at;"
        "w = bucket_at(sys.argv[1], Path(sys.argv[2])).writer(Area.FILES);"
        "w.write(bytes(40 << 20));"
        "import threading; threading.Timer(0.02, lambda: os.kill(os.getpid(), 9)).start();"
        "w.finish(); os.kill(os.getpid(), 9)"
    )
    address = s3.address("faults", "killed")
    environment = {**S3Server.environment, "PYTHONPATH": str(Path.cwd())}
    ended = subprocess.run(
        [sys.executable, "-c", code, address, str(tmp_path / "other")],
        env=environment,
        check=False,
    )
    assert ended.returncode == -9
    other = bucket_at(address, tmp_path / "other")
    # All of it or nothing; and what was left on this machine is swept.
    for sha256 in other.stored(Area.FILES, older_than_seconds=-5):
        assert other.size(Area.FILES, sha256) == 40 << 20
    assert other.sweep(older_than_seconds=0) <= 1
    assert list((tmp_path / "other" / "spool").glob("*")) == []


def test_a_large_file_is_put_in_bounded_memory(s3: S3Server, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from podium.storage import Area;"
        "from tests.builders.processes.memory import growth_bytes;"
        "from tests.system.s3.test_bucket import bucket_at;"
        "storage = bucket_at(sys.argv[1], Path(sys.argv[2]));"
        "small = storage.writer(Area.FILES); small.write(b'x'); small.finish();"
        "w = storage.writer(Area.FILES);"
        "print(growth_bytes(lambda: ("
        "[w.write(number.to_bytes(4, 'big') * (1 << 18)) for number in range(200)],"
        "[None for piece in storage.read(Area.FILES, w.finish().sha256)])))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, s3.address("memory"), str(tmp_path)],
        env={**S3Server.environment, "PYTHONPATH": str(Path.cwd())},
        check=True,
        capture_output=True,
        text=True,
    )
    # 200 MiB went out and came back.
    assert int(run.stdout) < 80 << 20


def _store(storage: Storage, content: bytes) -> None:
    writer = storage.writer(Area.FILES)
    try:
        writer.write(content)
        writer.finish()
    finally:
        writer.abort()


class PanicException(BaseException):
    """Raised by a part of the client that has left its locks locked."""


def test_a_client_that_breaks_is_replaced_by_another(
    storage: BucketStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    _store(storage, b"hello")
    broken, head = storage.store(Area.FILES), obstore.head

    def panics(store: object, key: str) -> object:
        if store is broken:
            raise PanicException("PoisonError { .. }")
        return head(store, key)  # type: ignore[arg-type]

    monkeypatch.setattr(obstore, "head", panics)
    with pytest.raises(Unavailable):
        storage.size(Area.FILES, HELLO)
    assert storage.size(Area.FILES, HELLO) == 5
    assert b"".join(storage.read(Area.FILES, HELLO)) == b"hello"


def test_what_ends_a_process_is_no_failure_of_a_bucket(
    storage: BucketStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ends(*_: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(obstore, "head", ends)
    with pytest.raises(KeyboardInterrupt):
        storage.size(Area.FILES, HELLO)
