"""Promises of every storage. Each implementation runs the whole class."""

from __future__ import annotations

import hashlib
import uuid
from pathlib import Path

import pytest

from podium.errors import StoredFileCorrupt
from podium.storage import Area, Storage, Stored
from podium.storage.addresses import open_store
from podium.storage.bucket import BucketStorage
from podium.storage.cache import FileCache
from podium.storage.local import LocalStorage
from tests.builders.servers.s3 import S3Server

HELLO = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
"""SHA-256 of `hello`, as `printf hello | sha256sum` prints it."""


class StorageContract:
    """The promises of `podium.storage.Storage`."""

    def test_a_file_written_in_pieces_has_the_hash_and_size_of_the_whole(
        self, storage: Storage
    ) -> None:
        writer = storage.writer(Area.SUBMISSIONS)
        writer.write(b"hel")
        writer.write(b"")
        writer.write(b"lo")
        assert writer.finish() == Stored(HELLO, 5)
        assert b"".join(storage.read(Area.SUBMISSIONS, HELLO)) == b"hello"

    def test_a_file_is_invisible_until_it_is_finished(self, storage: Storage) -> None:
        writer = storage.writer(Area.FILES)
        writer.write(b"hello")
        assert storage.size(Area.FILES, HELLO) is None
        writer.finish()
        assert storage.size(Area.FILES, HELLO) == 5

    def test_a_trial_comes_back_and_leaves_nothing(self, storage: Storage) -> None:
        assert storage.keeps(b"hello")
        assert storage.sweep(older_than_seconds=0) == 0
        assert [*storage.stored(Area.UPLOADS, older_than_seconds=0)] == []

    def test_a_file_given_up_leaves_nothing(self, storage: Storage) -> None:
        writer = storage.writer(Area.FILES)
        writer.write(b"hello")
        writer.abort()
        writer.abort()
        assert storage.size(Area.FILES, HELLO) is None
        assert storage.sweep(older_than_seconds=0) == 0

    def test_giving_up_after_the_finish_keeps_the_file(self, storage: Storage) -> None:
        writer = storage.writer(Area.FILES)
        writer.write(b"hello")
        writer.finish()
        writer.abort()
        assert storage.size(Area.FILES, HELLO) == 5

    def test_the_same_bytes_twice_are_one_file(self, storage: Storage) -> None:
        assert _stored(storage, b"hello") == _stored(storage, b"hello")
        assert storage.size(Area.SUBMISSIONS, HELLO) == 5

    def test_areas_do_not_see_each_other(self, storage: Storage) -> None:
        _stored(storage, b"hello")
        assert storage.size(Area.GROUND_TRUTH, HELLO) is None

    def test_a_range_of_bytes(self, storage: Storage) -> None:
        _stored(storage, b"hello")
        assert b"".join(storage.read(Area.SUBMISSIONS, HELLO, 1, 3)) == b"el"
        assert b"".join(storage.read(Area.SUBMISSIONS, HELLO, 3)) == b"lo"
        assert b"".join(storage.read(Area.SUBMISSIONS, HELLO, 4, 99)) == b"o"

    def test_an_empty_file_is_a_file(self, storage: Storage) -> None:
        empty = hashlib.sha256(b"").hexdigest()
        assert storage.writer(Area.FILES).finish() == Stored(empty, 0)
        assert b"".join(storage.read(Area.FILES, empty)) == b""

    def test_a_local_file_is_copied(self, storage: Storage, tmp_path: Path) -> None:
        source = tmp_path / "source"
        source.write_bytes(b"hello")
        assert storage.add(Area.HITS, source) == Stored(HELLO, 5)
        assert source.read_bytes() == b"hello"
        with storage.local(Area.HITS, HELLO) as path:
            assert path.read_bytes() == b"hello"

    def test_a_file_is_there_while_it_is_checked(self, storage: Storage) -> None:
        _stored(storage, b"hello")
        with storage.checked_beside(Area.SUBMISSIONS, HELLO) as path:
            assert path.read_bytes() == b"hello"

    def test_a_missing_file_is_said_to_be_missing(self, storage: Storage) -> None:
        with pytest.raises(StoredFileCorrupt, match="missing"):
            storage.read(Area.FILES, HELLO)
        with (
            pytest.raises(StoredFileCorrupt, match="missing"),
            storage.local(Area.FILES, HELLO),
        ):
            pass
        with pytest.raises(StoredFileCorrupt, match="missing"):
            storage.checked_beside(Area.FILES, HELLO).__enter__()

    def test_a_deleted_file_is_gone_and_deleting_twice_is_harmless(self, storage: Storage) -> None:
        _stored(storage, b"hello")
        storage.delete(Area.SUBMISSIONS, HELLO)
        storage.delete(Area.SUBMISSIONS, HELLO)
        assert storage.size(Area.SUBMISSIONS, HELLO) is None

    def test_files_are_listed_by_area_once_they_are_old_enough(self, storage: Storage) -> None:
        _stored(storage, b"hello")
        assert list(storage.stored(Area.SUBMISSIONS, older_than_seconds=-5)) == [HELLO]
        assert list(storage.stored(Area.SUBMISSIONS, older_than_seconds=60)) == []
        assert list(storage.stored(Area.HITS, older_than_seconds=-5)) == []

    def test_a_file_set_aside_is_out_of_its_area_and_can_be_put_back(
        self, storage: Storage
    ) -> None:
        _stored(storage, b"hello")
        assert storage.set_aside(Area.SUBMISSIONS, HELLO, older_than_seconds=-5)
        assert list(storage.stored(Area.SUBMISSIONS, older_than_seconds=-5)) == []
        assert list(storage.aside(Area.SUBMISSIONS, older_than_seconds=-5)) == [HELLO]
        assert list(storage.aside(Area.SUBMISSIONS, older_than_seconds=60)) == []
        assert storage.put_back(Area.SUBMISSIONS, HELLO)
        storage.forget(Area.SUBMISSIONS, HELLO, older_than_seconds=-5)
        assert list(storage.stored(Area.SUBMISSIONS, older_than_seconds=-5)) == [HELLO]
        assert list(storage.aside(Area.SUBMISSIONS, older_than_seconds=-5)) == []
        assert not storage.put_back(Area.SUBMISSIONS, HELLO)

    @pytest.mark.parametrize("way", ["size", "read", "local"])
    def test_reading_a_file_that_was_set_aside_brings_it_back(
        self, storage: Storage, way: str
    ) -> None:
        _stored(storage, b"hello")
        assert storage.set_aside(Area.SUBMISSIONS, HELLO, older_than_seconds=-5)
        if way == "size":
            assert storage.size(Area.SUBMISSIONS, HELLO) == 5
        elif way == "read":
            assert b"".join(storage.read(Area.SUBMISSIONS, HELLO)) == b"hello"
        else:
            with storage.local(Area.SUBMISSIONS, HELLO) as path:
                assert path.read_bytes() == b"hello"
        assert list(storage.stored(Area.SUBMISSIONS, older_than_seconds=-5)) == [HELLO]

    def test_a_file_that_was_set_aside_and_forgotten_is_gone(self, storage: Storage) -> None:
        _stored(storage, b"hello")
        assert storage.set_aside(Area.SUBMISSIONS, HELLO, older_than_seconds=-5)
        storage.forget(Area.SUBMISSIONS, HELLO, older_than_seconds=-5)
        storage.forget(Area.SUBMISSIONS, HELLO, older_than_seconds=-5)
        assert storage.size(Area.SUBMISSIONS, HELLO) is None

    def test_a_file_written_again_while_it_is_set_aside_outlives_that(
        self, storage: Storage
    ) -> None:
        _stored(storage, b"hello")
        assert storage.set_aside(Area.SUBMISSIONS, HELLO, older_than_seconds=-5)
        _stored(storage, b"hello")
        storage.forget(Area.SUBMISSIONS, HELLO, older_than_seconds=-5)
        assert b"".join(storage.read(Area.SUBMISSIONS, HELLO)) == b"hello"

    def test_a_file_written_again_since_it_was_looked_up_is_not_set_aside(
        self, storage: Storage
    ) -> None:
        _stored(storage, b"hello")
        assert not storage.set_aside(Area.SUBMISSIONS, HELLO, older_than_seconds=60)
        assert list(storage.stored(Area.SUBMISSIONS, older_than_seconds=-5)) == [HELLO]

    def test_what_was_set_aside_a_moment_ago_is_not_forgotten(self, storage: Storage) -> None:
        _stored(storage, b"hello")
        assert storage.set_aside(Area.SUBMISSIONS, HELLO, older_than_seconds=-5)
        storage.forget(Area.SUBMISSIONS, HELLO, older_than_seconds=60)
        assert storage.size(Area.SUBMISSIONS, HELLO) == 5

    def test_bringing_back_leaves_a_file_in_its_place_alone(self, storage: Storage) -> None:
        _stored(storage, b"hello")
        assert storage.set_aside(Area.SUBMISSIONS, HELLO, older_than_seconds=-5)
        _stored(storage, b"hello")
        assert not storage.put_back(Area.SUBMISSIONS, HELLO)
        assert b"".join(storage.read(Area.SUBMISSIONS, HELLO)) == b"hello"

    def test_a_store_that_works_says_so_and_lists_nothing_of_it(self, storage: Storage) -> None:
        storage.check()
        for area in Area:
            assert list(storage.stored(area, older_than_seconds=-5)) == []
        assert storage.sweep(older_than_seconds=0) == 0

    def test_setting_aside_what_is_not_there_is_harmless(self, storage: Storage) -> None:
        assert not storage.set_aside(Area.FILES, HELLO, older_than_seconds=-5)
        assert list(storage.aside(Area.FILES, older_than_seconds=-5)) == []

    def test_a_file_of_many_parts_comes_back_as_it_was(
        self, storage: Storage, tmp_path: Path
    ) -> None:
        content = b"".join(number.to_bytes(4, "big") for number in range(5 << 20))
        source = tmp_path / "large"
        source.write_bytes(content)
        stored = storage.add(Area.HITS, source)
        assert stored == Stored(hashlib.sha256(content).hexdigest(), 20 << 20)
        assert (
            b"".join(storage.read(Area.HITS, stored.sha256, 8, 16 << 20)) == content[8 : 16 << 20]
        )
        with storage.local(Area.HITS, stored.sha256) as path:
            assert path.read_bytes() == content

    def test_a_name_that_is_no_hash_is_refused(self, storage: Storage) -> None:
        for name in ("../../etc/passwd", "", "A" * 64, HELLO + "0"):
            with pytest.raises(ValueError, match="SHA-256"):
                storage.size(Area.FILES, name)


class TestLocalStorage(StorageContract):
    """The folder on a local disk."""

    @pytest.fixture
    def storage(self, tmp_path: Path) -> LocalStorage:
        return LocalStorage(tmp_path / "made" / "later", min_free_bytes=0)


class TestBucketStorage(StorageContract):
    """A bucket of a real S3 server."""

    @pytest.fixture
    def storage(
        self, s3: S3Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> BucketStorage:
        for name, value in s3.environment.items():
            monkeypatch.setenv(name, value)
        store = open_store(s3.address("contract", uuid.uuid4().hex), name="PODIUM_STORAGE_URL")
        cache = FileCache(tmp_path / "cache", max_bytes=64 << 20, first_to_go=[Area.SUBMISSIONS])
        return BucketStorage(store, store, spool=tmp_path / "spool", cache=cache, min_free_bytes=0)


def _stored(storage: Storage, content: bytes) -> Stored:
    writer = storage.writer(Area.SUBMISSIONS)
    writer.write(content)
    return writer.finish()
