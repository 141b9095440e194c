"""Storage in an object store: S3 and what speaks it, Google Cloud Storage, Azure.

An upload is collected in a folder of this machine, because its name, the SHA-256, is known at its
end only, and because fifty uploads at once must not need fifty times some parts in memory. Then one
put, in parts, makes it visible as a whole or not at all. Keys are `<area>/<SHA-256>`. What is read
as a local file comes from a `FileCache`.

A bucket cannot move an object in one step, and requests may arrive late. So each setting aside
makes a copy of its own, `set-aside/<area>/<SHA-256>/<unique>`, before it removes the object;
bringing back copies, and leaves the copy where it is; and copies go only once they are old. However
these steps interleave, at least one object with the bytes remains.
"""

from __future__ import annotations

import hashlib
import threading
import uuid
from collections.abc import Iterator
from contextlib import AbstractContextManager
from datetime import timedelta
from pathlib import Path

from obstore.store import ObjectStore

from podium.logs import get_logger
from podium.storage import LOOKS, Area, Stored
from podium.storage.cache import Fetch, FileCache
from podium.storage.objects import CHECK, Objects
from podium.storage.unfinished import (
    UnfinishedFile,
    checked_name,
    end_of_reading,
    missing,
    not_working,
    regular_file,
    remove_old,
    room,
    shortened,
    trial_file,
    unavailable,
)

PUTS_AT_ONCE = 2
"""Parts that one process sends at a time, so that those under way take 32 MiB at most."""

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
        self._public = Objects(public)
        self._secret = self._public if secret is public else Objects(secret)
        self._cache = cache
        self._turns = threading.BoundedSemaphore(PUTS_AT_ONCE)

    def writer(self, area: Area) -> BucketWriter:
        """Starts a file. Raises `Unavailable` when free space is below the reserve."""
        return BucketWriter(self, area)

    def add(self, area: Area, source: Path) -> Stored:
        """Stores a finished local file; `source` stays where it is."""
        try:
            with regular_file(source) as stream:
                sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
            stored = Stored(sha256, source.stat().st_size)
        except OSError as error:
            raise unavailable(error) from error
        self.put(area, source, stored)
        return stored

    def put(self, area: Area, source: Path, stored: Stored) -> None:
        """Puts a local file under its hash, also where it is there already: that heals it, and
        makes it young, as a file is whose row is about to be written. Raises `Unavailable`."""
        with self._turns:
            self._objects(area).put(_key(area, stored.sha256), source)
        arrived = self.size(area, stored.sha256)
        if arrived != stored.size:
            _log.error("object.lost", sha256=stored.sha256, sent=stored.size, arrived=arrived)
            raise not_working()

    def local(self, area: Area, sha256: str) -> AbstractContextManager[Path]:
        """A local copy while the block runs, its hash checked when it was fetched."""
        return self._cache.file(area, sha256, lambda: self._fetch(area, sha256))

    def checked_beside(self, area: Area, sha256: str) -> AbstractContextManager[Path]:
        """The same: a file that is fetched has been hashed by the time when it can be read."""
        return self.local(area, sha256)

    def read(
        self, area: Area, sha256: str, start: int = 0, stop: int | None = None
    ) -> Iterator[bytes]:
        """The bytes from `start` to before `stop`, in pieces. Raises `StoredFileCorrupt`."""
        end = end_of_reading(area, sha256, self.size(area, sha256), stop)
        return self._pieces(area, sha256, start, end)

    def size(self, area: Area, sha256: str) -> int | None:
        """Bytes of a stored file; None when there is none."""
        objects, key = self._objects(area), _key(area, sha256)
        for _ in range(LOOKS):
            found = objects.look(key)
            if found is not None:
                return found[0]
            if not self._copies(area, sha256):
                break
            self.put_back(area, sha256)
        found = objects.look(key)
        return None if found is None else found[0]

    def delete(self, area: Area, sha256: str) -> None:
        """Removes a file at once, even if another request is about to refer to it."""
        self._cache.drop(area, sha256)
        self._objects(area).remove(_key(area, sha256))

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
        for key in self._old_keys(area, str(area), older_than_seconds):
            yield key.rpartition("/")[2]

    def set_aside(self, area: Area, sha256: str, *, older_than_seconds: float) -> bool:
        """Takes a file out of its area, from where reading it, or `put_back`, brings it back."""
        objects, key = self._objects(area), _key(area, sha256)
        found = objects.look(key)
        if found is None or objects.now() - found[1] < timedelta(seconds=older_than_seconds):
            return False
        if not objects.copy(key, f"{_aside(area, sha256)}/{uuid.uuid4().hex}", size=found[0]):
            return False
        objects.remove(key)
        self._cache.drop(area, sha256)
        return True

    def aside(self, area: Area, *, older_than_seconds: float) -> Iterator[str]:
        """The hashes of an area's files that were set aside at least so long ago."""
        for key in self._old_keys(area, f"{SET_ASIDE}/{area}", older_than_seconds):
            yield key.split("/")[-2]

    def put_back(self, area: Area, sha256: str) -> bool:
        """Undoes `set_aside`; False when the file is in its place, or was not set aside."""
        objects, key = self._objects(area), _key(area, sha256)
        if objects.look(key) is not None:
            return False
        for copy in self._copies(area, sha256):
            found = objects.look(copy)
            if found is not None and objects.copy(copy, key, size=found[0]):
                return True
        return False

    def forget(self, area: Area, sha256: str, *, older_than_seconds: float) -> None:
        """Removes for good what was set aside at least so long ago."""
        for key in list(self._old_keys(area, _aside(area, sha256), older_than_seconds)):
            self._objects(area).remove(key)

    def check(self) -> None:
        """Raises `Unavailable` unless the bucket, or both, and the spool take files right now."""
        for objects in {self._public, self._secret}:
            objects.check()
        UnfinishedFile(self.spool, min_free_bytes=0).abort()

    def keeps(self, content: bytes) -> bool:
        """Writes a file into the bucket, or each of the two, reads it again, and answers whether it
        came back as it was."""
        key = f"{CHECK}-{uuid.uuid4().hex}"
        found = []
        with trial_file(self.spool, content, min_free_bytes=0) as path:
            for objects in {self._public, self._secret}:
                try:
                    objects.put(key, path)
                    found.append(b"".join(objects.pieces(key, 0, len(content))))
                finally:
                    objects.remove(key)
        return found == [content] * len(found)

    def store(self, area: Area) -> ObjectStore:
        """The object store of an area."""
        return self._objects(area).store

    def _objects(self, area: Area) -> Objects:
        return self._secret if area.is_secret else self._public

    def _copies(self, area: Area, sha256: str) -> list[str]:
        return [key for key, _ in self._objects(area).listed(_aside(area, sha256))]

    def _fetch(self, area: Area, sha256: str) -> Fetch:
        size = self.size(area, sha256)
        if size is None:
            raise missing(area, sha256)
        return Fetch(size, self._pieces(area, sha256, 0, size))

    def _pieces(self, area: Area, sha256: str, start: int, stop: int) -> Iterator[bytes]:
        began = start
        while start < stop:
            try:
                for piece in self._objects(area).pieces(_key(area, sha256), start, stop):
                    start += len(piece)
                    yield piece
                break
            except FileNotFoundError:
                # It may just have been set aside; looking brings it back.
                if start > began or self.size(area, sha256) is None:
                    raise missing(area, sha256) from None
        if start < stop:
            raise shortened(area, sha256)

    def _old_keys(self, area: Area, prefix: str, older_than_seconds: float) -> Iterator[str]:
        objects = self._objects(area)
        before = objects.now() - timedelta(seconds=older_than_seconds)
        for key, written in objects.listed(prefix):
            if written <= before:
                yield key


class BucketWriter(UnfinishedFile):
    """One file being collected; `finish` puts it into the bucket."""

    def __init__(self, storage: BucketStorage, area: Area) -> None:
        super().__init__(storage.spool, min_free_bytes=storage.min_free_bytes)
        self._storage = storage
        self._area = area

    def finish(self) -> Stored:
        """Makes the file visible and durable: the bucket has said that it has all of it."""
        self.descriptor()
        stored = Stored(self.sha256, self.size)
        self.close()
        try:
            self._storage.put(self._area, self.path, stored)
        finally:
            self.abort()
        return stored


def _key(area: Area, sha256: str) -> str:
    return f"{area}/{checked_name(sha256)}"


def _aside(area: Area, sha256: str) -> str:
    return f"{SET_ASIDE}/{area}/{checked_name(sha256)}"
