"""Storage in an object store: S3 and what speaks it, Google Cloud Storage, Azure.

An upload is collected in a folder of this machine, because its name, the SHA-256, is known at its
end only, and because fifty uploads at once must not need fifty times some parts in memory. Then one
put, in parts, makes it visible as a whole or not at all. Keys are `<area>/<SHA-256>`; files that
were set aside lie below `set-aside/`. What is read as a local file comes from a `FileCache`.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import obstore
from obstore.exceptions import BaseError
from obstore.store import ObjectStore

from app.logs import get_logger
from app.storage import Area, Stored
from app.storage.cache import Fetch, FileCache
from app.storage.unfinished import (
    UnfinishedFile,
    checked_name,
    missing,
    not_working,
    remove_old,
    room,
    shortened,
    unavailable,
)

PART_BYTES = 8 << 20
PARTS_AT_ONCE = 2

MOST_COPIED_BYTES = 5 << 30
"""A bucket copies no larger object by itself; such a file cannot be set aside, and stays."""

PUTS_AT_ONCE = 2
"""Of one process, so that the parts under way take 32 MiB at most."""

PIECE = 1 << 20
"""Bytes that are read at a time."""

SET_ASIDE = "set-aside"

_log = get_logger("storage")


class BucketStorage:
    """Content-addressed objects in `public`, those of the secret areas in `secret`, which may be
    the same store. `spool` is the folder where files are collected; `cache` holds local copies."""

    def __init__(
        self,
        public: ObjectStore,
        secret: ObjectStore,
        *,
        spool: Path,
        cache: FileCache,
        min_free_bytes: int,
    ) -> None:
        self.spool = spool.absolute()
        self.min_free_bytes = min_free_bytes
        self._public = public
        self._secret = secret
        self._cache = cache
        self._turns = threading.BoundedSemaphore(PUTS_AT_ONCE)

    def writer(self, area: Area) -> BucketWriter:
        """Starts a file. Raises `Unavailable` when free space is below the reserve."""
        return BucketWriter(self, area)

    def add(self, area: Area, source: Path) -> Stored:
        """Stores a finished local file; `source` stays where it is."""
        try:
            with source.open("rb") as stream:
                sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
            stored = Stored(sha256, source.stat().st_size)
        except OSError as error:
            raise unavailable(error) from error
        self.put(area, source, stored)
        return stored

    def put(self, area: Area, source: Path, stored: Stored) -> None:
        """Puts a local file under its hash, also where it is there already: that heals it, and
        makes it young, as a file is whose row is about to be written. Raises `Unavailable`."""
        store, key = self.store(area), _key(area, stored.sha256)
        with self._turns, _working("put"):
            try:
                obstore.put(
                    store, key, source, chunk_size=PART_BYTES, max_concurrency=PARTS_AT_ONCE
                )
                arrived = obstore.head(store, key)["size"]
            except FileNotFoundError as error:
                # There is no such bucket, or it forgets at once what it took.
                _log.error("bucket-lacks", key=key, error=str(error))
                raise not_working() from error
        if arrived != stored.size:
            _log.error("bucket-shortens", key=key, sent=stored.size, arrived=arrived)
            raise not_working()

    def local(self, area: Area, sha256: str) -> AbstractContextManager[Path]:
        """A local copy while the block runs, its hash checked when it was fetched."""
        return self._cache.file(area, sha256, lambda: self._fetch(area, sha256))

    def read(
        self, area: Area, sha256: str, start: int = 0, stop: int | None = None
    ) -> Iterator[bytes]:
        """The bytes from `start` to before `stop`, in pieces. Raises `StoredFileCorrupt`."""
        size = self.size(area, sha256)
        if size is None:
            raise missing(area, sha256)
        return self._pieces(area, sha256, start, size if stop is None else min(stop, size))

    def size(self, area: Area, sha256: str) -> int | None:
        """Bytes of a stored file; None when there is none."""
        key = _key(area, sha256)
        size = self._size(area, key)
        if size is None and self.put_back(area, sha256):
            size = self._size(area, key)
        return size

    def delete(self, area: Area, sha256: str) -> None:
        """Removes a file at once, whoever may be about to name it."""
        self._cache.drop(area, sha256)
        self._remove(area, _key(area, sha256))

    def free_bytes(self) -> int | None:
        """Room left where uploads are collected; a bucket does not tell, and need not."""
        return room(self.spool)

    def sweep(self, *, older_than_seconds: float) -> int:
        """Removes unfinished files of this machine, uploads and fetches; answers how many."""
        return remove_old(self.spool, older_than_seconds=older_than_seconds) + self._cache.sweep(
            older_than_seconds=older_than_seconds
        )

    def stored(self, area: Area, *, older_than_seconds: float) -> Iterator[str]:
        """The hashes of an area's files that were written at least so long ago."""
        return self._old_names(area, str(area), older_than_seconds)

    def set_aside(self, area: Area, sha256: str) -> None:
        """Takes a file out of its area, from where reading it, or `put_back`, brings it back."""
        size = self._size(area, _key(area, sha256))
        if size is None or size > MOST_COPIED_BYTES:
            return
        if self._copy(area, _key(area, sha256), _aside(area, sha256)):
            self._remove(area, _key(area, sha256))
            self._cache.drop(area, sha256)

    def aside(self, area: Area, *, older_than_seconds: float) -> Iterator[str]:
        """The hashes of an area's files that were set aside at least so long ago."""
        return self._old_names(area, f"{SET_ASIDE}/{area}", older_than_seconds)

    def put_back(self, area: Area, sha256: str) -> bool:
        """Undoes `set_aside`; False when nothing of this name was set aside."""
        if not self._copy(area, _aside(area, sha256), _key(area, sha256)):
            return False
        self._remove(area, _aside(area, sha256))
        return True

    def forget(self, area: Area, sha256: str) -> None:
        """Removes a file for good that was set aside."""
        self._remove(area, _aside(area, sha256))

    def store(self, area: Area) -> ObjectStore:
        """Where an area's objects are."""
        return self._secret if area.is_secret else self._public

    def _size(self, area: Area, key: str) -> int | None:
        with _working("head"):
            try:
                return obstore.head(self.store(area), key)["size"]
            except FileNotFoundError:
                return None

    def _fetch(self, area: Area, sha256: str) -> Fetch:
        size = self.size(area, sha256)
        if size is None:
            raise missing(area, sha256)
        return Fetch(size, self._pieces(area, sha256, 0, size))

    def _pieces(self, area: Area, sha256: str, start: int, stop: int) -> Iterator[bytes]:
        if start >= stop:
            return
        with _working("get"):
            try:
                got = obstore.get(
                    self.store(area), _key(area, sha256), options={"range": (start, stop)}
                )
                for piece in got.stream(PIECE):
                    start += len(piece)
                    yield bytes(piece)
            except FileNotFoundError:
                raise missing(area, sha256) from None
        if start < stop:
            raise shortened(area, sha256)

    def _old_names(self, area: Area, prefix: str, older_than_seconds: float) -> Iterator[str]:
        before = datetime.now(UTC) - timedelta(seconds=older_than_seconds)
        with _working("list"):
            for some in obstore.list(self.store(area), prefix):
                for found in some:
                    if found["last_modified"] <= before:
                        yield found["path"].rpartition("/")[2]

    def _copy(self, area: Area, source: str, target: str) -> bool:
        with _working("copy"):
            try:
                obstore.copy(self.store(area), source, target)
            except FileNotFoundError:
                return False
        return True

    def _remove(self, area: Area, key: str) -> None:
        with _working("delete"):
            try:
                obstore.delete(self.store(area), key)
            except FileNotFoundError:
                return


class BucketWriter:
    """One file being collected; `finish` puts it into the bucket."""

    def __init__(self, storage: BucketStorage, area: Area) -> None:
        self._storage = storage
        self._area = area
        self._file = UnfinishedFile(storage.spool, min_free_bytes=storage.min_free_bytes)

    @property
    def size(self) -> int:
        """Bytes written until now."""
        return self._file.size

    def write(self, chunk: bytes) -> None:
        """Appends bytes. Raises `Unavailable` (`storage-full`) when there is no room."""
        self._file.write(chunk)

    def finish(self) -> Stored:
        """Makes the file visible and durable: the bucket has said that it has all of it."""
        self._file.descriptor()
        stored = Stored(self._file.sha256, self._file.size)
        self._file.close()
        try:
            self._storage.put(self._area, self._file.path, stored)
        finally:
            self._file.abort()
        return stored

    def abort(self) -> None:
        """Removes what was written; harmless after `finish` and when called twice."""
        self._file.abort()


@contextmanager
def _working(act: str) -> Iterator[None]:
    """What the store's client raises, as `Unavailable`, with the reason in the log alone."""
    try:
        yield
    except BaseError as error:
        _log.error("bucket-fails", act=act, error=str(error).partition("\n")[0])
        raise not_working() from error
    except OSError as error:
        if isinstance(error, FileNotFoundError):
            raise
        raise unavailable(error) from error


def _key(area: Area, sha256: str) -> str:
    return f"{area}/{checked_name(sha256)}"


def _aside(area: Area, sha256: str) -> str:
    return f"{SET_ASIDE}/{area}/{checked_name(sha256)}"
