"""What every storage promises. Each implementation runs the whole class."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from app.errors import StoredFileCorrupt
from app.storage import Area, Storage, Stored
from app.storage.local import LocalStorage

HELLO = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
"""SHA-256 of `hello`, as `printf hello | sha256sum` prints it."""


class StorageContract:
    """The promises of `app.storage.Storage`."""

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

    def test_a_missing_file_is_said_to_be_missing(self, storage: Storage) -> None:
        with pytest.raises(StoredFileCorrupt, match="missing"):
            storage.read(Area.FILES, HELLO)
        with (
            pytest.raises(StoredFileCorrupt, match="missing"),
            storage.local(Area.FILES, HELLO),
        ):
            pass

    def test_a_deleted_file_is_gone_and_deleting_twice_is_harmless(self, storage: Storage) -> None:
        _stored(storage, b"hello")
        storage.delete(Area.SUBMISSIONS, HELLO)
        storage.delete(Area.SUBMISSIONS, HELLO)
        assert storage.size(Area.SUBMISSIONS, HELLO) is None

    def test_a_name_that_is_no_hash_is_refused(self, storage: Storage) -> None:
        for name in ("../../etc/passwd", "", "A" * 64, HELLO + "0"):
            with pytest.raises(ValueError, match="SHA-256"):
                storage.size(Area.FILES, name)


class TestLocalStorage(StorageContract):
    """The folder on a local disk."""

    @pytest.fixture
    def storage(self, tmp_path: Path) -> LocalStorage:
        return LocalStorage(tmp_path / "made" / "later", min_free_bytes=0)


def _stored(storage: Storage, content: bytes) -> Stored:
    writer = storage.writer(Area.SUBMISSIONS)
    writer.write(content)
    return writer.finish()
