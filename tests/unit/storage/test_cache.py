"""The local copies of a bucket's files: fetched once, checked, bounded, never taken from a user."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from podium.errors import StoredFileCorrupt, Unavailable
from podium.storage import Area
from podium.storage.cache import Fetch, FileCache

KILOBYTE = 1000


class Bucket:
    """Counts what is fetched from it."""

    def __init__(self) -> None:
        self.fetched: list[str] = []

    def fetch(self, content: bytes, sha256: str = "") -> Callable[[], Fetch]:
        """A function that fetches these bytes, under their own hash unless another one is given."""

        def give() -> Fetch:
            self.fetched.append(sha256 or name_of(content))
            return Fetch(len(content), iter([content[:3], content[3:]]))

        return give


@pytest.fixture
def bucket() -> Bucket:
    return Bucket()


def cache_in(folder: Path, *, max_bytes: int = 100 * KILOBYTE) -> FileCache:
    return FileCache(folder, max_bytes=max_bytes, first_to_go=[Area.SUBMISSIONS])


def name_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def use(cache: FileCache, area: Area, content: bytes, bucket: Bucket) -> bytes:
    with cache.file(area, name_of(content), bucket.fetch(content)) as path:
        return path.read_bytes()


def test_a_file_is_fetched_once_by_all_that_share_the_folder(
    tmp_path: Path, bucket: Bucket
) -> None:
    for _ in range(2):
        assert use(cache_in(tmp_path), Area.GROUND_TRUTH, b"labels", bucket) == b"labels"
    assert len(bucket.fetched) == 1


def test_equal_bytes_of_two_areas_are_two_files(tmp_path: Path, bucket: Bucket) -> None:
    cache = cache_in(tmp_path)
    use(cache, Area.GROUND_TRUTH, b"labels", bucket)
    use(cache, Area.FILES, b"labels", bucket)
    assert len(bucket.fetched) == 2


def test_many_threads_that_want_one_file_at_once_fetch_it_once(
    tmp_path: Path, bucket: Bucket
) -> None:
    cache, together = cache_in(tmp_path), threading.Barrier(8)
    found: list[bytes] = []

    def want() -> None:
        together.wait()
        found.append(use(cache, Area.GROUND_TRUTH, b"labels", bucket))

    threads = [threading.Thread(target=want) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [b"labels"] * 8
    assert len(bucket.fetched) == 1


@pytest.mark.parametrize(
    ("came", "told"), [(b"other!", "other bytes"), (b"lab", "shorter"), (b"", "shorter")]
)
def test_what_does_not_come_as_it_was_stored_is_refused_and_not_kept(
    tmp_path: Path, came: bytes, told: str
) -> None:
    cache, wanted = cache_in(tmp_path), name_of(b"labels")
    with (
        pytest.raises(StoredFileCorrupt, match=told),
        cache.file(Area.FILES, wanted, lambda: Fetch(6, iter([came]))),
    ):
        pass
    assert [path for path in tmp_path.rglob("*") if path.is_file() and path.stat().st_size] == []


def test_a_bucket_that_fails_in_the_middle_leaves_nothing(tmp_path: Path, bucket: Bucket) -> None:
    def failing() -> Fetch:
        def pieces() -> Iterator[bytes]:
            yield b"lab"
            raise Unavailable("away")

        return Fetch(6, pieces())

    cache = cache_in(tmp_path)
    with (
        pytest.raises(Unavailable),
        cache.file(Area.FILES, name_of(b"labels"), failing),
    ):
        pass
    assert cache.sweep(older_than_seconds=0) == 0
    assert use(cache, Area.FILES, b"labels", bucket) == b"labels"


@pytest.mark.parametrize("is_known", [True, False])
def test_a_copy_that_was_changed_on_disk_is_fetched_again(
    tmp_path: Path, bucket: Bucket, is_known: bool
) -> None:
    cache = cache_in(tmp_path)
    use(cache, Area.FILES, b"labels", bucket)
    (tmp_path / Area.FILES / name_of(b"labels")).write_bytes(b"lables")
    again = cache if is_known else cache_in(tmp_path)
    assert use(again, Area.FILES, b"labels", bucket) == b"labels"
    assert len(bucket.fetched) == 2


def test_what_was_used_longest_ago_makes_room_and_submissions_do_before_all(
    tmp_path: Path, bucket: Bucket
) -> None:
    cache = cache_in(tmp_path, max_bytes=3 * KILOBYTE)
    truth, old, young, more = (bytes([number]) * KILOBYTE for number in range(4))
    use(cache, Area.GROUND_TRUTH, truth, bucket)
    use(cache, Area.SUBMISSIONS, old, bucket)
    use(cache, Area.SUBMISSIONS, young, bucket)
    use(cache, Area.SUBMISSIONS, more, bucket)
    assert _held(tmp_path) == {name_of(truth), name_of(young), name_of(more)}
    use(cache, Area.SUBMISSIONS, young, bucket)
    use(cache, Area.SUBMISSIONS, old, bucket)
    assert _held(tmp_path) == {name_of(truth), name_of(young), name_of(old)}
    use(cache, Area.GROUND_TRUTH, b"2" * 3 * KILOBYTE, bucket)
    assert _held(tmp_path) == {name_of(b"2" * 3 * KILOBYTE)}


def test_a_disk_that_others_have_filled_makes_room_too(
    tmp_path: Path, bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = cache_in(tmp_path)
    use(cache, Area.FILES, b"o" * KILOBYTE, bucket)
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=KILOBYTE - 1))
    use(cache, Area.FILES, b"n" * KILOBYTE, bucket)
    assert _held(tmp_path) == {name_of(b"n" * KILOBYTE)}


def test_forgetting_a_file_does_not_take_it_from_its_users(tmp_path: Path, bucket: Bucket) -> None:
    cache = cache_in(tmp_path)
    with cache.file(Area.FILES, name_of(b"labels"), bucket.fetch(b"labels")) as path:
        cache_in(tmp_path).drop(Area.FILES, name_of(b"labels"))
        assert path.read_bytes() == b"labels"
    cache.drop(Area.FILES, name_of(b"labels"))
    assert _held(tmp_path) == set()


def test_no_other_user_of_the_machine_reads_what_is_held(tmp_path: Path, bucket: Bucket) -> None:
    use(cache_in(tmp_path / "cache"), Area.GROUND_TRUTH, b"labels", bucket)
    modes = {(path.is_dir(), stat.S_IMODE(path.stat().st_mode)) for path in tmp_path.rglob("*")}
    assert modes == {(True, 0o700), (False, 0o600)}


def test_a_file_in_use_by_another_process_is_not_taken_away(tmp_path: Path, bucket: Bucket) -> None:
    cache = cache_in(tmp_path, max_bytes=KILOBYTE)
    used, other = b"u" * KILOBYTE, b"o" * KILOBYTE
    use(cache, Area.FILES, used, bucket)
    code = (
        "import sys; from pathlib import Path; from podium.storage import Area;"
        "from podium.storage.cache import FileCache;"
        "cache = FileCache(Path(sys.argv[1]), max_bytes=1, first_to_go=[]);\n"
        "with cache.file(Area.FILES, sys.argv[2], lambda: 1 / 0):\n"
        "    print('held', flush=True); sys.stdin.readline()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path), name_of(used)],
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as user:
        assert user.stdout is not None
        assert user.stdout.readline() == b"held\n"
        use(cache, Area.FILES, other, bucket)
        assert _held(tmp_path) == {name_of(used), name_of(other)}
        user.communicate(b"\n")
    assert user.returncode == 0
    use(cache, Area.FILES, b"third" * 100, bucket)
    assert _held(tmp_path) == {name_of(b"third" * 100)}


def test_a_file_larger_than_the_cache_is_fetched_all_the_same(
    tmp_path: Path, bucket: Bucket
) -> None:
    cache = cache_in(tmp_path, max_bytes=0)
    assert use(cache, Area.FILES, b"labels", bucket) == b"labels"


def _held(folder: Path) -> set[str]:
    return {path.name for area in Area for path in (folder / area).glob("*") if path.is_file()}
