"""Tests that only a folder allows: rights, full disks, failing disks, flipped bits, order of
syncs."""

from __future__ import annotations

import errno
import os
import resource
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from podium.errors import StoredFileCorrupt, Unavailable
from podium.storage import Area, Stored
from podium.storage.local import LocalStorage


@pytest.fixture
def storage(tmp_path: Path) -> LocalStorage:
    return LocalStorage(tmp_path / "storage", min_free_bytes=0)


@pytest.mark.parametrize("position", [0, 500, 999])
def test_one_flipped_bit_is_found_before_the_file_is_used(
    storage: LocalStorage, position: int
) -> None:
    stored = _store(storage, bytes(1000))
    [path] = storage.root.rglob(stored.sha256)
    content = bytearray(path.read_bytes())
    content[position] ^= 1
    path.write_bytes(content)
    with (
        pytest.raises(StoredFileCorrupt, match="other bytes"),
        storage.local(Area.GROUND_TRUTH, stored.sha256),
    ):
        pass


def test_writing_the_right_bytes_again_heals_a_corrupt_file(storage: LocalStorage) -> None:
    stored = _store(storage, b"hello")
    [path] = storage.root.rglob(stored.sha256)
    path.write_bytes(b"hallo")
    _store(storage, b"hello")
    with storage.local(Area.GROUND_TRUTH, stored.sha256) as healed:
        assert healed.read_bytes() == b"hello"


def test_the_same_bytes_again_are_one_young_file_and_who_reads_the_earlier_one_reads_on(
    storage: LocalStorage,
) -> None:
    stored = _store(storage, b"hello")
    [path] = storage.root.rglob(stored.sha256)
    os.utime(path, (0, 0))
    with path.open("rb") as reader:
        _store(storage, b"hello")
        assert reader.read() == b"hello"
    assert list(storage.stored(Area.GROUND_TRUTH, older_than_seconds=3600)) == []
    assert [found for found in storage.root.rglob("*") if found.is_file()] == [path]


def test_the_same_bytes_again_are_stored_where_the_system_has_no_thread_left(
    storage: LocalStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = _store(storage, b"hello")

    def start(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    assert _store(storage, b"hello") == stored


@pytest.mark.parametrize("position", [0, 500_000, 999_999])
def test_a_flipped_bit_is_found_after_the_file_is_used(
    storage: LocalStorage, position: int
) -> None:
    stored = _store(storage, bytes(1_000_000))
    [path] = storage.root.rglob(stored.sha256)
    content = bytearray(path.read_bytes())
    content[position] ^= 1
    path.write_bytes(content)
    used = []
    with (
        pytest.raises(StoredFileCorrupt, match="other bytes"),
        storage.checked_beside(Area.GROUND_TRUTH, stored.sha256) as given,
    ):
        used.append(given.read_bytes())
    assert used == [bytes(content)]


def test_a_file_that_is_healed_while_it_is_used_was_corrupt(storage: LocalStorage) -> None:
    stored = _store(storage, b"hello")
    [path] = storage.root.rglob(stored.sha256)
    path.write_bytes(b"hallo")
    with (
        pytest.raises(StoredFileCorrupt, match="other bytes"),
        storage.checked_beside(Area.GROUND_TRUTH, stored.sha256),
    ):
        _store(storage, b"hello")
    with storage.checked_beside(Area.GROUND_TRUTH, stored.sha256) as healed:
        assert healed.read_bytes() == b"hello"


def test_an_error_of_the_use_of_a_corrupt_file_is_raised_as_it_is(storage: LocalStorage) -> None:
    stored = _store(storage, b"hello")
    [path] = storage.root.rglob(stored.sha256)
    path.write_bytes(b"hallo")
    with (
        pytest.raises(ZeroDivisionError),
        storage.checked_beside(Area.GROUND_TRUTH, stored.sha256),
    ):
        raise ZeroDivisionError


def test_only_the_owner_may_read_anything(storage: LocalStorage) -> None:
    _store(storage, b"hello")
    for path in (storage.root, *storage.root.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


def test_nothing_is_taken_in_below_the_reserve(tmp_path: Path) -> None:
    storage = LocalStorage(tmp_path, min_free_bytes=1 << 60)
    with pytest.raises(Unavailable) as refused:
        storage.writer(Area.SUBMISSIONS)
    assert refused.value.code == "storage-full"
    assert refused.value.retry_after == 300


@pytest.fixture
def small_file_limit() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.usefixtures("small_file_limit")
def test_a_write_that_the_system_cuts_short_is_no_success(storage: LocalStorage) -> None:
    writer = storage.writer(Area.SUBMISSIONS)
    with pytest.raises(Unavailable) as refused:
        writer.write(bytes(1001))
    assert refused.value.code == "storage-error"
    assert _files(storage) == []


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.ENOSPC, "storage-full"),
        (errno.EDQUOT, "storage-full"),
        (errno.EIO, "storage-error"),
        (errno.EROFS, "storage-error"),
    ],
)
@pytest.mark.parametrize("call", ["write", "fsync", "open"])
def test_a_failing_system_call_is_never_a_success_and_leaves_no_file(
    storage: LocalStorage, monkeypatch: pytest.MonkeyPatch, number: int, code: str, call: str
) -> None:
    calls: list[object] = []

    def fail(*arguments: object) -> None:
        calls.append(arguments[0])
        raise OSError(number, os.strerror(number))

    _store(storage, b"earlier")
    with monkeypatch.context() as broken:
        broken.setattr(os, call, fail)
        with pytest.raises(Unavailable) as refused:
            _store(storage, b"hello")
    assert refused.value.code == code
    assert len(calls) == 1
    assert [path.read_bytes() for path in _files(storage)] == [b"earlier"]


def test_the_bytes_are_synced_before_the_rename_and_the_folders_after(
    storage: LocalStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    real_sync, real_rename = os.fsync, Path.rename

    def sync(descriptor: int) -> None:
        done.append(str(Path(f"/proc/self/fd/{descriptor}").readlink().relative_to(storage.root)))
        real_sync(descriptor)

    def rename(self: Path, target: Path) -> Path:
        done.append("rename")
        return real_rename(self, target)

    _store(storage, b"earlier")
    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(Path, "rename", rename)
    _store(storage, b"hello")
    area = "secret/ground-truth"
    assert done[0].startswith("unfinished/")
    made = [area, f"{area}/2c"]
    assert done[1:] == [*made, "rename", f"{area}/2c/f2", f"{area}/2c", area]


def test_a_sweep_takes_only_what_was_abandoned(storage: LocalStorage) -> None:
    old, young = storage.writer(Area.FILES), storage.writer(Area.FILES)
    kept = _store(storage, b"hello")
    hour_ago = time.time() - 3601
    os.utime(old.path, (hour_ago, hour_ago))
    assert storage.sweep(older_than_seconds=3600) == 1
    young.write(b"still going")
    young.finish()
    assert storage.size(Area.GROUND_TRUTH, kept.sha256) == 5


@pytest.mark.parametrize("step", ["forget", "put_back"])
def test_what_another_process_sets_aside_between_two_steps_of_this_one_stays(
    storage: LocalStorage, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    sha256 = _store(storage, b"hello").sha256
    another = LocalStorage(storage.root, min_free_bytes=0)
    really_unlink = Path.unlink

    def unlink(self: Path) -> None:
        monkeypatch.setattr(Path, "unlink", really_unlink)
        another.put_back(Area.GROUND_TRUTH, sha256)
        assert another.set_aside(Area.GROUND_TRUTH, sha256, older_than_seconds=-5)
        really_unlink(self)

    assert storage.set_aside(Area.GROUND_TRUTH, sha256, older_than_seconds=-5)
    monkeypatch.setattr(Path, "unlink", unlink)
    if step == "forget":
        storage.forget(Area.GROUND_TRUTH, sha256, older_than_seconds=-5)
    else:
        storage.put_back(Area.GROUND_TRUTH, sha256)
    assert Path.unlink is really_unlink
    assert storage.size(Area.GROUND_TRUTH, sha256) == 5


def test_what_an_earlier_version_set_aside_is_still_brought_back(storage: LocalStorage) -> None:
    sha256 = _store(storage, b"hello").sha256
    path = storage.path(Area.GROUND_TRUTH, sha256)
    aside = storage.root / "set-aside" / path.relative_to(storage.root)
    aside.parent.mkdir(parents=True)
    path.rename(aside)
    assert list(storage.aside(Area.GROUND_TRUTH, older_than_seconds=-5)) == [sha256]
    assert storage.size(Area.GROUND_TRUTH, sha256) == 5
    assert not aside.exists()


def test_a_process_killed_while_writing_leaves_only_an_unfinished_file(
    storage: LocalStorage,
) -> None:
    code = (
        "import os, sys; from pathlib import Path; from podium.storage import Area;"
        "from podium.storage.local import LocalStorage;"
        "w = LocalStorage(Path(sys.argv[1]), min_free_bytes=0).writer(Area.FILES);"
        "w.write(b'half'); os.kill(os.getpid(), 9)"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path.cwd())}
    ended = subprocess.run(
        [sys.executable, "-c", code, str(storage.root)], env=environment, check=False
    )
    assert ended.returncode == -signal.SIGKILL
    assert [path.parent.name for path in _files(storage)] == ["unfinished"]
    assert storage.sweep(older_than_seconds=0) == 1


def _store(storage: LocalStorage, content: bytes) -> Stored:
    writer = storage.writer(Area.GROUND_TRUTH)
    writer.write(content)
    return writer.finish()


def _files(storage: LocalStorage) -> list[Path]:
    return [path for path in storage.root.rglob("*") if path.is_file()]


def test_a_folder_that_went_away_is_not_made_anew(storage: LocalStorage, tmp_path: Path) -> None:
    # A file in the place of a disk that is not mounted any more is lost when that comes back.
    stored = _store(storage, b"kept")
    storage.root.rename(tmp_path / "unmounted")
    for is_empty in (False, True):
        if is_empty:
            storage.root.mkdir()
        for attempt in (lambda: storage.writer(Area.FILES), storage.check):
            with pytest.raises(Unavailable):
                attempt()
        assert not list(tmp_path.glob("storage/*"))
    storage.root.rmdir()
    (tmp_path / "unmounted").rename(storage.root)
    storage.check()
    assert b"".join(storage.read(Area.GROUND_TRUTH, stored.sha256)) == b"kept"
